"""The steps of the tour, read from the README.

Comes in: Markdown text. Guarantees: every line of every `console` block between the marks of the
tour belongs to exactly one step, with its line number. Leaves: running the steps to the test.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

BEGIN, END = "<!-- tour: begin -->", "<!-- tour: end -->"
_QUESTION = re.compile(r"(?P<question>.*\[(?:y/N|none)\])(?: (?P<answer>\S.*))?")


@dataclass(slots=True)
class Shell:
    """A command of the shell, and what it prints."""

    line: int
    command: str
    shown: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Typed:
    """An input of the prompt, and what comes back."""

    line: int
    text: str
    shown: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Answered:
    """A question of the prompt with its answer, and what comes back."""

    line: int
    question: str
    text: str
    shown: list[str] = field(default_factory=list)


Step = Shell | Typed | Answered


def steps_of(markdown: str) -> list[Step]:
    """All steps of the tour, in order."""
    return steps_in(_block_lines(markdown))


def steps_in(lines: Iterable[tuple[int, str]]) -> list[Step]:
    """The steps of numbered lines."""
    steps: list[Step] = []
    for number, line in lines:
        if line.startswith("$ "):
            steps.append(Shell(number, line[2:]))
        elif line.startswith("bt> "):
            steps.append(Typed(number, line[4:]))
        elif found := _QUESTION.fullmatch(line):
            steps.append(Answered(number, found["question"] + " ", found["answer"] or ""))
        else:
            steps[-1].shown.append(line)
    return steps


def _block_lines(markdown: str) -> Iterator[tuple[int, str]]:
    is_in_tour = is_in_block = False
    for number, line in enumerate(markdown.split("\n"), 1):
        if line in (BEGIN, END):
            is_in_tour = line == BEGIN
        elif line.startswith("```"):
            is_in_block = is_in_tour and line == "```console"
        elif is_in_block:
            yield number, line


def matches(pattern: Sequence[str], lines: Sequence[str]) -> bool:
    """Whether lines are those of the README: `…` alone is any lines, in a line any text; blanks at line ends do not count."""
    expression = "".join(map(_line_pattern, pattern))
    return re.fullmatch(expression, "".join(f"{line.rstrip()}\n" for line in lines)) is not None


def _line_pattern(line: str) -> str:
    if line == "…":
        return r"(?:.*\n)*?"
    return ".*?".join(map(re.escape, line.rstrip().split("…"))) + r"\n"
