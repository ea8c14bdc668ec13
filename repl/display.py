"""The display form of values (workspace.md 3.6).

Comes in: a value and the runtime that prints it. Guarantees: a top-level String is its text,
a Block is `Block/N`, all else is `printString`; a `printString` that fails is said, not
raised. Leaves: colours. It sends messages, so it runs on the evaluator.
"""

from __future__ import annotations

from types import FunctionType
from typing import Final, Protocol

from lang.dataclass import dataclass
from lang.diagnostics.render import display_width
from lang.runtime.collections.lists import BtList, list_of
from lang.runtime.errors import BeamtalkError
from repl.paint import visible


class Printer(Protocol):
    """What a runtime gives for printing."""

    def print_string(self, value: object) -> str:
        """The answer of `printString`."""

    def class_name_of(self, value: object) -> str:
        """The name of the class of a value."""


MAX_ELEMENTS: Final = 100
MAX_DEPTH: Final = 5
"""Brackets within brackets that are shown; what lies deeper is `...`."""


@dataclass(frozen=True, slots=True)
class Screen:
    """The room for results: `width` in cells, `max_elements` and `quote` as the settings of those names.

    `terminal` is the size of the terminal itself, columns and rows.
    """

    width: int = 80
    max_elements: int = MAX_ELEMENTS
    quote: bool = False
    terminal: tuple[int, int] = (80, 24)


def display_text(printer: Printer, value: object) -> str:
    """The display form on one line, uncut, as pipes get it."""
    match value:
        case str():
            return value
        case FunctionType():
            return f"Block/{value.__code__.co_argcount}"
        case _:
            return printed(printer, value)


def printed(printer: Printer, value: object) -> str:
    """`printString`, or what it failed with."""
    try:
        return printer.print_string(value)
    except BeamtalkError as error:
        return f"{printer.class_name_of(value)}(printString failed: {error.message})"


def terminal_text(printer: Printer, value: object, screen: Screen) -> str:
    """The display form for a terminal: long collections cut, long lines broken after commas."""
    if isinstance(value, str):
        return visible(printed(printer, value) if screen.quote else value)
    if isinstance(value, BtList) and len(value) > screen.max_elements:
        return visible(_broken(_cut_list(printer, value, screen), screen))
    return visible(_broken(_cut(_shallow(display_text(printer, value)), screen), screen))


def _cut_list(printer: Printer, value: BtList, screen: Screen) -> str:
    """A long list, of which only what is shown is printed."""
    first = [value[index] for index in range(screen.max_elements)]
    head = _shallow(printed(printer, list_of(first))).removesuffix(")")
    return f"{_cut(head, screen)}, ... ({len(value) - screen.max_elements} more))"


def _cut(text: str, screen: Screen) -> str:
    """A collection with more elements than the setting allows, cut in its text."""
    parts = _parts(text)
    if parts is None or len(parts.items) <= screen.max_elements:
        return text
    shown = ",".join(parts.items[: screen.max_elements])
    return f"{parts.head}{shown}, ... ({len(parts.items) - screen.max_elements} more){parts.tail}"


def _shallow(text: str) -> str:
    """The text with what lies deeper than five brackets left out; texts that are no printed object stay."""
    if text.count("(") + text.count("[") + text.count("{") <= MAX_DEPTH or _parts(text) is None:
        return text
    kept: list[str] = []
    depth, is_quoted = 0, False
    for character in text:
        if character == '"':
            is_quoted = not is_quoted
        elif not is_quoted and character in _CLOSING:
            depth -= 1
        if depth <= MAX_DEPTH:
            kept.append(character)
        if not is_quoted and character in _OPENING:
            depth += 1
            if depth == MAX_DEPTH + 1:
                kept.append("...")
    return "".join(kept)


def _broken(text: str, screen: Screen) -> str:
    """A line that is too wide, with each top-level element on a line of its own."""
    if "\n" in text or display_width(text) <= screen.width:
        return text
    parts = _parts(text)
    if parts is None or len(parts.items) < 2:
        return text
    return "\n".join([parts.head, *_filled(parts.items, screen.width), parts.tail])


def _filled(items: list[str], width: int) -> list[str]:
    """The items on lines as full as they get, indented by two; each but the last with its comma."""
    lines: list[str] = []
    line = " "
    for number, item in enumerate(items):
        piece = f" {item.strip()}{',' if number < len(items) - 1 else ''}"
        if line != " " and display_width(line) + display_width(piece) > width:
            lines.append(line)
            line = " "
        line += piece
    return [*lines, line]


@dataclass(frozen=True, slots=True)
class _Parts:
    """The text of a collection or value taken apart at its top-level commas."""

    head: str
    items: list[str]
    tail: str


_OPENING: Final = "([{"
_CLOSING: Final = ")]}"


def _parts(text: str) -> _Parts | None:
    """Head up to the first bracket, the items in it, and the bracket that ends the text; None for other texts."""
    if not text or text[-1] not in _CLOSING or text[0] == '"':
        return None
    start = next((i for i, c in enumerate(text) if c in _OPENING), -1)
    items: list[str] = []
    depth, begin, is_quoted = 0, start + 1, False
    for index in range(start, len(text)):
        character = text[index]
        if character == '"':
            is_quoted = not is_quoted
        elif is_quoted:
            continue
        elif character in _OPENING:
            depth += 1
        elif character in _CLOSING:
            depth -= 1
            if depth == 0 and index != len(text) - 1:
                return None
        elif character == "," and depth == 1:
            items.append(text[begin:index])
            begin = index + 1
    items.append(text[begin:-1])
    return _Parts(text[: start + 1], items, text[-1]) if start >= 0 else None
