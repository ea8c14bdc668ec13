"""Syntax: source text to units and trees."""

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
