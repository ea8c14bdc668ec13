"""Regular expressions (stdlib.md 4.6).

Comes in: patterns in the manner of PCRE. Guarantees: ASCII classes as in the original,
no Unicode mode; a bad pattern is told apart from a pattern that does not match.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Final, TypeVar, final

from lang.runtime.equality import Structural
from lang.runtime.errors import BeamtalkError
from lang.stdlib.blocking import run_blocking

if TYPE_CHECKING:
    from regex import Match, Pattern

    from lang.runtime.runtime import Runtime

T = TypeVar("T")

OPTIONS: Final = ("caseless", "multiline", "dotall", "extended", "ungreedy")
_QUANTIFIER: Final = re.compile(
    r"(\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?)|([*+?]|\{\d+(?:,\d*)?\})([?+]?)", re.DOTALL
)
_REPLACEMENT_PART: Final = re.compile(r"\\g\{(\d+)\}|\\(\d{1,2})|\\(.)|(&)", re.DOTALL)


class Effort(Enum):
    """How many seconds a match may take; the engine gives up with `TimeoutError`."""

    IN_PLACE = 0.01
    IN_THREAD = 60.0


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

    def search(self, text: str, effort: Effort) -> Match[str] | None:
        """The first match."""
        return self.compiled.search(text, timeout=effort.value, concurrent=effort is Effort.IN_THREAD)

    def matches(self, text: str, effort: Effort) -> list[Match[str]]:
        """All matches, from left to right."""
        concurrent = effort is Effort.IN_THREAD
        return [*self.compiled.finditer(text, timeout=effort.value, concurrent=concurrent)]

    def replaced(self, text: str, replacement: str, limit: int, effort: Effort) -> str:
        """The text with the first `limit` matches (0: all) replaced."""
        expanded = self.compiled.sub(
            lambda match: _expanded(match, replacement),
            text,
            count=limit,
            timeout=effort.value,
            concurrent=effort is Effort.IN_THREAD,
        )
        return str(expanded)

    def split(self, text: str, effort: Effort) -> list[str]:
        """The pieces between matches; empty ones at the end are dropped."""
        pieces = []
        start = 0
        for match in self._separators(text, effort):
            pieces.append(text[start : match.start()])
            start = match.end()
        pieces.append(text[start:])
        while pieces and not pieces[-1]:
            pieces.pop()
        return pieces

    def _separators(self, text: str, effort: Effort) -> Iterator[Match[str]]:
        for match in self.matches(text, effort):
            if match.end() > match.start() or 0 < match.start() < len(text):
                yield match


def patiently(runtime: Runtime, selector: str, match: Callable[[Effort], T]) -> T:
    """What a match answers; one that takes long goes on in a thread, so that only the caller waits (actors.md 21.3).

    Raises `resource_error` for a pattern that does not come to an end.
    """
    try:
        return match(Effort.IN_PLACE)
    except TimeoutError:
        pass
    try:
        return run_blocking(runtime, lambda: match(Effort.IN_THREAD))
    except TimeoutError:
        raise BeamtalkError(
            "resource_error",
            "system limit reached: the pattern takes too long on this text",
            class_name="String",
            selector=selector,
            raw_kind="system_limit",
        ) from None


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
