"""Syntax: source text to units and trees.

The names below are the front door. They are fetched when first used: running code needs
`lang.syntax.units` alone, and a warm start has no use for the parser (70 ms).
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lang.syntax.complete import is_complete
    from lang.syntax.files import cut_file, parse_file, parse_input, parse_method_source, unparse
    from lang.syntax.parse import UnitSyntax, parse_unit

__all__ = [
    "UnitSyntax",
    "cut_file",
    "is_complete",
    "parse_file",
    "parse_input",
    "parse_method_source",
    "parse_unit",
    "unparse",
]

_HOMES = {
    "UnitSyntax": "lang.syntax.parse",
    "cut_file": "lang.syntax.files",
    "is_complete": "lang.syntax.complete",
    "parse_file": "lang.syntax.files",
    "parse_input": "lang.syntax.files",
    "parse_method_source": "lang.syntax.files",
    "parse_unit": "lang.syntax.parse",
    "unparse": "lang.syntax.files",
}


def __getattr__(name: str) -> object:
    """The named part of the front door, from its module."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value
