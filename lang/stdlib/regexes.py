"""Regular expressions (stdlib.md 4.6).

Comes in: patterns in the manner of PCRE. Guarantees: ASCII classes as in the original,
no Unicode mode; a bad pattern is told apart from a pattern that does not match.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, final

from lang.runtime.equality import Structural

if TYPE_CHECKING:
    from regex import Match, Pattern

OPTIONS: Final = ("caseless", "multiline", "dotall", "extended", "ungreedy")
_QUANTIFIER: Final = re.compile(
    r"(\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?)|([*+?]|\{\d+(?:,\d*)?\})([?+]?)", re.DOTALL
)
_REPLACEMENT_PART: Final = re.compile(r"\\g\{(\d+)\}|\\(\d{1,2})|\\(.)|(&)", re.DOTALL)


class BadPattern(ValueError):
    """A pattern that is none; the text says why."""


@final
class BtRegex(Structural):
    """A compiled pattern, with the options it was compiled under."""

    __slots__ = ("compiled", "options", "source")

    def __init__(self, source: str, options: frozenset[str] = frozenset()) -> None:
        self.source = source
        self.options = options
        self.compiled = _compiled(source, options)

    def bt_label(self) -> str:
        """The class name."""
        return "Regex"

    def bt_parts(self) -> Sequence[object]:
        """The contents."""
        return (self.source, " ".join(sorted(self.options)))

    def replaced(self, text: str, replacement: str, limit: int) -> str:
        """The text with the first `limit` matches (0: all) replaced."""
        return str(self.compiled.sub(lambda match: _expanded(match, replacement), text, count=limit))

    def split(self, text: str) -> list[str]:
        """The pieces between matches; empty ones at the end are dropped."""
        pieces = []
        start = 0
        for match in self._separators(text):
            pieces.append(text[start : match.start()])
            start = match.end()
        pieces.append(text[start:])
        while pieces and not pieces[-1]:
            pieces.pop()
        return pieces

    def _separators(self, text: str) -> Iterator[Match[str]]:
        for match in self.compiled.finditer(text):
            if match.end() > match.start() or 0 < match.start() < len(text):
                yield match


def _compiled(source: str, options: frozenset[str]) -> Pattern[str]:
    import regex  # noqa: PLC0415 (25 ms, and most programs never match a pattern)

    flags = regex.ASCII | regex.VERSION0
    for name, flag in (
        ("caseless", regex.IGNORECASE),
        ("multiline", regex.MULTILINE),
        ("dotall", regex.DOTALL),
        ("extended", regex.VERBOSE),
    ):
        if name in options:
            flags |= flag
    try:
        return regex.compile(_ungreedy(source) if "ungreedy" in options else source, flags)
    except (regex.error, RecursionError, OverflowError) as problem:
        raise BadPattern(str(problem)) from None


def _ungreedy(source: str) -> str:
    """The pattern with lazy and greedy quantifiers exchanged: the engine has no option for it."""

    def exchanged(match: re.Match[str]) -> str:
        other, quantifier, suffix = match.groups()
        if other is not None:
            return str(other)
        return quantifier + {"": "?", "?": "", "+": "+"}[suffix]

    return _QUANTIFIER.sub(exchanged, source)


def _expanded(match: Match[str], replacement: str) -> str:
    def part(found: re.Match[str]) -> str:
        braced, plain, escaped, _whole = found.groups()
        if escaped is not None:
            return str(escaped)
        number = int(braced or plain or 0)
        return (match.group(number) or "") if number <= len(match.groups()) else ""

    return _REPLACEMENT_PART.sub(part, replacement)
