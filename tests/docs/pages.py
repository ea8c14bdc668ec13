"""What a page of the guide types, and what it says comes back.

Comes in: Markdown. Guarantees: every `console` and `beamtalk` block is read, in order. In a
`console` block `bt> ` begins an input. In a `beamtalk` block each complete statement or
definition is one, and `// => text` behind or below it is what it shows, or begins with where it
is an error; without one it only has to succeed. Leaves: running.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lang.syntax import is_complete
from tests.tour.transcript import Answered, Shell, Typed, steps_in

_FENCE = re.compile(r"```(\w*)$")
_EXPECTED = re.compile(r"(?P<text>.*?)\s*// => (?P<shown>.*)")
_CLASS = re.compile(r"[^\"]*\bsubclass: |Protocol define: ")


@dataclass(slots=True)
class Example:
    """One input of a `beamtalk` block; `shown` is None where it only has to succeed."""

    line: int
    text: str
    shown: str | None = None


PageStep = Shell | Typed | Answered | Example


def page_steps(markdown: str) -> list[PageStep]:
    """All steps of a page."""
    found: list[PageStep] = []
    for language, lines in _blocks(markdown):
        found += steps_in(lines) if language == "console" else _examples(lines)
    return found


def _blocks(markdown: str) -> Iterator[tuple[str, list[tuple[int, str]]]]:
    language: str | None = None
    lines: list[tuple[int, str]] = []
    for number, line in enumerate(markdown.split("\n"), 1):
        fence = _FENCE.match(line)
        if fence is None:
            lines.append((number, line))
        elif language is None:
            language, lines = fence[1], []
        else:
            if language in ("console", "beamtalk"):
                yield language, lines
            language = None
    assert language is None, "a block is not closed"


def _examples(lines: list[tuple[int, str]]) -> Iterator[Example]:
    current: Example | None = None
    for number, line in lines:
        found = _EXPECTED.fullmatch(line)
        text, shown = (found["text"], found["shown"]) if found else (line, None)
        if current is not None and _goes_on(current, text):
            current.text = f"{current.text}\n{text}" if text.strip() or not found else current.text
        elif text.strip() and not text.startswith("//"):
            if current is not None:
                yield current
            current = Example(number, text)
        if shown is not None:
            assert current is not None, f"line {number}: nothing is expected to show this"
            current.shown = shown
    if current is not None:
        yield current


def _goes_on(current: Example, text: str) -> bool:
    """Whether a line belongs to the input before it."""
    if current.shown is not None:
        return False
    if _CLASS.match(current.text):
        return not text.strip() or text[0].isspace()
    return bool(text.strip()) and not is_complete(current.text)
