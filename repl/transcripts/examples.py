"""Examples in doc comments and Markdown (stdlib.md 6.5).

Comes in: a text with fenced blocks. Guarantees: the inputs of each block that holds an
expectation, in order, with their line numbers; an input without an expectation is set-up.
Leaves: running and matching.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lang.dataclass import dataclass
from repl.transcripts.reading import EXPECTATION

_FENCE = re.compile(r"\s*```\s*(\w*)\s*$")
_LANGUAGE = "beamtalk"


@dataclass(frozen=True, slots=True)
class Example:
    """One input, its line in the text (from 1), and what it must answer; None for set-up."""

    line: int
    text: str
    expected: str | None


def examples_of(text: str) -> tuple[Example, ...]:
    """The examples of all blocks that are tests; they share variables."""
    return tuple(example for block in _blocks(text) for example in _examples(block))


_Line = tuple[int, str]


def _blocks(text: str) -> Iterator[list[_Line]]:
    """The lines of each fenced block of the language that holds an expectation."""
    block: list[_Line] | None = None
    is_open = False
    for number, line in enumerate(text.split("\n"), 1):
        fence = _FENCE.match(line)
        if fence is None:
            if block is not None:
                block.append((number, line.strip()))
        elif is_open:
            if block is not None and any(_parted(each)[1] is not None for _number, each in block):
                yield block
            block, is_open = None, False
        else:
            block, is_open = ([] if fence[1] == _LANGUAGE else None), True


def _examples(block: list[_Line]) -> Iterator[Example]:
    pending: Example | None = None
    for number, line in block:
        text, expected = _parted(line)
        if text:
            if pending is not None:
                yield pending
            pending = Example(number, text, expected)
        elif pending is not None and pending.expected is None and expected is not None:
            pending = Example(pending.line, pending.text, expected)
    if pending is not None:
        yield pending


def _parted(line: str) -> tuple[str, str | None]:
    """The input of a line and its expectation; a comment line has neither."""
    at = _outside_strings(line)
    text = line if at is None else line[:at]
    expected = (
        line[at + len(EXPECTATION) :].strip() if at is not None and line.startswith(EXPECTATION, at) else None
    )
    return text.strip(), expected


def _outside_strings(line: str) -> int | None:
    """Where the first comment begins that stands in no string."""
    in_string = False
    for at, character in enumerate(line):
        if character == '"' and not (in_string and line[at - 1] == "\\"):
            in_string = not in_string
        elif not in_string and line.startswith("//", at):
            return at
    return None
