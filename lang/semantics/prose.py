"""Where a text speaks of a name without meaning it to the compiler: strings, comments, symbols.

Comes in: any text, broken or not, and a word. Guarantees: whole words only, none of
them code. Leaves: whether to rewrite them (changes.md 6: never, only reported).
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from lang.source import Span
from lang.syntax.tokens import tokenize


class ProseKind(enum.Enum):
    """In what kind of text a word stands."""

    COMMENT = "comment"
    STRING = "string"
    SYMBOL = "symbol"


class ProseMention(NamedTuple):
    """A word in prose."""

    span: Span
    kind: ProseKind


# Tokens that hold text of people; an interpolated string comes as its pieces.
_TEXTUAL: Final = {
    "STRING": ProseKind.STRING,
    "STR_START": ProseKind.STRING,
    "STR_MID": ProseKind.STRING,
    "STR_END": ProseKind.STRING,
    "OPEN_STRING": ProseKind.STRING,
    "OPEN_INTERPOLATION": ProseKind.STRING,
    "SINGLE_QUOTED": ProseKind.STRING,
    "EXPECT": ProseKind.STRING,
    "SYMBOL": ProseKind.SYMBOL,
    "OPEN_SYMBOL": ProseKind.SYMBOL,
    "OPEN_COMMENT": ProseKind.COMMENT,
}


def prose_mentions(text: str, word: str) -> tuple[ProseMention, ...]:
    """Every whole-word occurrence in string pieces, symbols, comments and doc comments."""
    if word not in text:
        return ()
    pattern = _whole_word(word)
    return tuple(
        ProseMention(Span(*found.span()), kind)
        for span, kind in _prose(text)
        for found in pattern.finditer(text, span.start, span.end)
    )


def word_mentions(text: str, word: str) -> tuple[Span, ...]:
    """Every whole-word occurrence anywhere: for a text that does not parse."""
    return tuple(Span(*found.span()) for found in _whole_word(word).finditer(text))


def _whole_word(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![A-Za-z0-9_]){re.escape(word)}(?![A-Za-z0-9_])")


def _prose(text: str) -> Iterator[tuple[Span, ProseKind]]:
    """The pieces of a text that are not code, in order; what lies between tokens is comment or blank."""
    tokens = tokenize(text)
    at = 0
    for type_, start, end in zip(tokens.types, tokens.starts, tokens.ends, strict=True):
        if start > at:
            yield Span(at, start), ProseKind.COMMENT
        kind = _TEXTUAL.get(type_)
        if kind is not None:
            yield Span(start, end), kind
        at = max(at, end)
