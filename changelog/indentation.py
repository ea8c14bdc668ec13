"""Indentation of a unit as a whole: comparing and shifting (changes.md 2.2, 5.4).

Comes in: texts of units, whose first line has no indentation of its own. Guarantees: lines
that begin inside a string literal or quoted symbol are content: they are never shifted, and
always compared. Leaves: which column a unit stands at, to its caller.
"""

from __future__ import annotations

import re

_CODE = re.compile(r"""//[^\n]*|/\*.*?(?:\*/|\Z)|\$\\?.|#'(?:[^']|'')*(?:'|\Z)|["{}]""", re.DOTALL)
_STRING = re.compile(r'\\.|""|["{]', re.DOTALL)


def lines_inside_strings(text: str) -> frozenset[int]:
    """The 0-based numbers of the lines that begin inside a string literal or quoted symbol."""
    if "\n" not in text or ('"' not in text and "#'" not in text):
        return frozenset()
    found: set[int] = set()
    at = 0
    while match := _CODE.search(text, at):
        at = _string_end(text, match.end()) if match.group() == '"' else match.end()
        if match.group()[0] in '"#':
            first = text.count("\n", 0, match.start())
            found.update(range(first + 1, first + 1 + text.count("\n", match.start(), at)))
    return frozenset(found)


def _string_end(text: str, at: int) -> int:
    """The offset behind the quote that closes a string whose content begins at `at`."""
    while match := _STRING.search(text, at):
        at = match.end()
        if match.group() == '"':
            return at
        if match.group() == "{":
            at = _interpolation_end(text, at)
    return len(text)


def _interpolation_end(text: str, at: int) -> int:
    depth = 1
    while match := _CODE.search(text, at):
        at = match.end()
        match match.group():
            case '"':
                at = _string_end(text, at)
            case "{":
                depth += 1
            case "}":
                depth -= 1
                if depth == 0:
                    return at
    return len(text)


def reindented(text: str, from_column: int, to_column: int) -> str:
    """A unit's text moved from one column to another; the first line begins at the column itself.

    Blank lines, and lines inside a string, stay as they are. A line that has less
    indentation than is taken away loses what it has.
    """
    if from_column == to_column or "\n" not in text:
        return text
    fixed = lines_inside_strings(text)
    first, *others = text.split("\n")
    shifted = [
        line if number in fixed else _shifted(line, to_column - from_column)
        for number, line in enumerate(others, 1)
    ]
    return "\n".join((first, *shifted))


def _shifted(line: str, by: int) -> str:
    if not line.strip():
        return line
    if by > 0:
        return _indent_like(line, by) + line
    blank = len(line) - len(line.lstrip(" \t"))
    return line[min(-by, blank) :]


def _indent_like(line: str, by: int) -> str:
    """`by` columns of the sign that the line is indented with (a tab counts as one character)."""
    return ("\t" if line.startswith("\t") else " ") * by


def same_text_but_indentation(one: str, other: str) -> bool:
    """Whether two texts of a unit differ at most by where the unit as a whole stands."""
    if one == other:
        return True
    lines, others = one.split("\n"), other.split("\n")
    if len(lines) != len(others) or lines[0].strip() != others[0].strip():
        return False
    fixed = lines_inside_strings(one)
    if fixed != lines_inside_strings(other):
        return False
    shifts: set[int] = set()
    for number, (line, twin) in enumerate(zip(lines, others, strict=True)):
        if number in fixed:
            if line != twin:
                return False
        elif line.strip() != twin.strip():
            return False
        elif number and line.strip():
            shifts.add(_indentation(twin) - _indentation(line))
    return len(shifts) <= 1


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))
