"""The texts that a transcript accepts for a value (stdlib.md 7.4, workspace.md 3.6, 6.10).

Comes in: a value and what prints it. Guarantees: the session's display text first, then
the prompt's, each once. Leaves: matching. It sends `printString`, so it runs on the evaluator.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from types import FunctionType
from typing import Protocol

from lang.runtime.collections.lists import BtList
from lang.runtime.errors import BeamtalkError
from lang.runtime.symbols import Symbol


class Printer(Protocol):
    """What a runtime gives for printing."""

    def print_string(self, value: object) -> str:
        """The answer of `printString`."""


def displays(printer: Printer, value: object) -> tuple[str, ...]:
    """Every accepted text of a value, the one to show first."""
    return tuple(dict.fromkeys(_displays(printer, value)))


def _displays(printer: Printer, value: object) -> Iterator[str]:
    yield session_text(printer, value)
    if not isinstance(value, str):
        yield printer.print_string(value)
    if isinstance(value, BeamtalkError):
        yield str(value)


def session_text(printer: Printer, value: object) -> str:
    """The display text of the session protocol: raw Strings, Symbols without `#`, Lists as JSON."""
    match value:
        case str():
            return value
        case Symbol():
            return value.name
        case BtList():
            return json.dumps(_plain(printer, value), ensure_ascii=False, separators=(",", ":"))
        case BeamtalkError():
            return value.message
        case FunctionType():
            return f"Block/{value.__code__.co_argcount}"
        case _:
            return printer.print_string(value)


def _plain(printer: Printer, value: object) -> object:
    """An element of a List as JSON has it: numbers without a point and Booleans as they are, all else as text."""
    match value:
        case bool() | int():
            return value
        case BtList():
            return [_plain(printer, each) for each in value]
        case _:
            return session_text(printer, value)
