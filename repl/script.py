"""Inputs from a file or a pipe (workspace.md 0.6, 3.2, 6.4).

Comes in: the text of a script. Guarantees: inputs end where the rule of completeness says, a
following indented line continues a class definition; the first error stops, named with file
and line. Leaves: evaluating to the session.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from lang.dataclass import dataclass
from lang.source import SourceText, Span
from lang.syntax import is_complete
from repl.driving import Driver, Ending, Streams
from repl.errors import Typed
from repl.events import Failure

STDIN_NAME: Final = "<stdin>"

_HEADER: Final = re.compile(r"^(?!\s*//)[^\"]*\bsubclass:\s")
_HEADER_LINES: Final = 200
"""How far from its first line the header of a class is looked for: doc comments stand before it."""


@dataclass(frozen=True, slots=True)
class Input:
    """One input of a script. `is_finished` is False for a last one that the text breaks off."""

    span: Span
    is_finished: bool = True


def inputs_of(text: str) -> Iterator[Input]:
    """The inputs of a script in order; blank lines and comment lines between them are left out."""
    lines = text.split("\n")
    starts = _starts(lines)
    at = 0
    while at < len(lines):
        if _is_filler(lines[at]):
            at += 1
            continue
        count = _line_count(lines, at)
        end = starts[at + count - 1] + len(lines[at + count - 1])
        chunk = text[starts[at] : end]
        yield Input(Span(starts[at], end), is_finished=_is_command(lines[at]) or _is_finished(chunk))
        at += count


def _starts(lines: list[str]) -> list[int]:
    starts, at = [], 0
    for line in lines:
        starts.append(at)
        at += len(line) + 1
    return starts


def _is_filler(line: str) -> bool:
    stripped = line.strip()
    return not stripped or (stripped.startswith("//") and not stripped.startswith("///"))


def _is_command(line: str) -> bool:
    return len(line) > 1 and line[0] == ":" and (line[1].isalpha() or line[1] == "?")


def _is_finished(chunk: str) -> bool:
    """The end of the text completes a class definition like a blank line does."""
    return is_complete(chunk) or is_complete(f"{chunk}\n")


def _line_count(lines: list[str], at: int) -> int:
    """How many lines the input that begins at `at` has."""
    if _is_command(lines[at]):
        return 1
    count = 1
    while at + count < len(lines):
        chunk = lines[at : at + count]
        if _continues_class(lines, at, count):
            count += 1
        elif is_complete("\n".join(chunk)):
            break
        else:
            count += 1
    while not lines[at + count - 1].strip() and count > 1:
        count -= 1
    return count


def _continues_class(lines: list[str], at: int, count: int) -> bool:
    """Whether the next line with text is indented and stands in a class definition."""
    if not any(_HEADER.search(line) for line in lines[at : at + min(count, _HEADER_LINES)]):
        return False
    following = next((line for line in lines[at + count :] if line.strip()), "")
    return following[:1].isspace()


def run_script(driver: Driver, streams: Streams, text: str, name: str) -> Ending:
    """Run every input of a script up to the first error."""
    source = SourceText(text.replace("\r\n", "\n").removeprefix("\ufeff"), name)
    for each in inputs_of(source.text):
        chunk = source.slice(each.span)
        if not each.is_finished:
            line = source.position(each.span.start).line
            streams.write(Failure(f"Error: the input that begins here is not complete\n --> {name}:{line}"))
            return Ending.FAILED
        ending = driver.run(chunk, Typed(source, each.span.start))
        if ending is not Ending.DONE:
            return ending
    return Ending.DONE
