"""Primitives of Regex (stdlib.md 4.6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lang.runtime.errors import BeamtalkError
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.symbols import Symbol
from lang.stdlib import arguments as expect
from lang.stdlib.regexes import OPTIONS, BadPattern, BtRegex
from lang.stdlib.results import failure

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

REGEX = PrimitiveTable("Regex")


@REGEX.runtime_primitive("from:", class_side=True)
def from_pattern(runtime: Runtime, _self: object, pattern: object) -> object:
    return _compiled(runtime, expect.text(pattern, "Regex", "from:"), frozenset(), "from:")


@REGEX.runtime_primitive("from:options:", class_side=True)
def from_pattern_options(runtime: Runtime, _self: object, pattern: object, options: object) -> object:
    source = expect.text(pattern, "Regex", "from:options:")
    return _compiled(runtime, source, options_of(options, "Regex", "from:options:"), "from:options:")


@REGEX.primitive("source")
def source(self: BtRegex) -> str:
    return self.source


@REGEX.primitive("printString")
def print_string(self: BtRegex) -> str:
    return f"Regex({self.source})"


def options_of(options: object, class_name: str, selector: str) -> frozenset[str]:
    """The names in a List of options; an unknown one raises `regex_error`."""
    names = set()
    for option in expect.elements(options, class_name, selector):
        if not isinstance(option, Symbol) or option.name not in OPTIONS:
            raise BeamtalkError(
                "regex_error",
                class_name=class_name,
                selector=selector,
                hint=f"The options are {', '.join(OPTIONS)}",
            )
        names.add(option.name)
    return frozenset(names)


def _compiled(runtime: Runtime, source: str, options: frozenset[str], selector: str) -> object:
    try:
        return runtime.make_result_ok(BtRegex(source, options))
    except BadPattern as problem:
        return failure(runtime, "regex_error", "Regex", selector, hint=str(problem))
