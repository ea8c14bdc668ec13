"""What each piece of source text is, for colours (workspace.md 3.8).

Comes in: any text. Guarantees: the real tokenizer's tokens, comments between them included, in
order and without gaps or overlaps. Leaves: colours to the prompt's style and to pygments.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterator
from typing import Final

from lang.dataclass import dataclass
from lang.syntax.tokens import BAD_TYPES, Tokens, tokenize


class Part(enum.Enum):
    """What a piece of source is."""

    BLANK = "blank"
    COMMENT = "comment"
    DOC = "doc"
    CLASS_NAME = "class-name"
    NAME = "name"
    PSEUDO = "pseudo"
    KEYWORD = "keyword"
    MODIFIER = "modifier"
    NUMBER = "number"
    STRING = "string"
    CHARACTER = "character"
    SYMBOL = "symbol"
    OPERATOR = "operator"
    PUNCTUATION = "punctuation"
    ANNOTATION = "annotation"
    MISTAKE = "mistake"


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of characters of one sort."""

    part: Part
    start: int
    end: int


_COMMENTS: Final = re.compile(r"//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)")
_PSEUDO: Final = frozenset({"self", "super", "true", "false", "nil"})
_DECLARING: Final = frozenset({"subclass:", "define:", "state:", "field:", "classState:"})
_MODIFIERS: Final = frozenset({"abstract", "sealed", "typed", "internal", "class"})
_OF_TYPE: Final = {
    "CNAME": Part.CLASS_NAME,
    "KEYWORD": Part.KEYWORD,
    "MATCH": Part.KEYWORD,
    "WHEN": Part.KEYWORD,
    "INT": Part.NUMBER,
    "FLOAT": Part.NUMBER,
    "STRING": Part.STRING,
    "STR_START": Part.STRING,
    "STR_MID": Part.STRING,
    "STR_END": Part.STRING,
    "OPEN_STRING": Part.STRING,
    "CHAR": Part.CHARACTER,
    "SYMBOL": Part.SYMBOL,
    "OPEN_SYMBOL": Part.SYMBOL,
    "OPEN_COMMENT": Part.COMMENT,
    "EXPECT": Part.ANNOTATION,
    "PRIM": Part.ANNOTATION,
    "DIRECTIVE": Part.ANNOTATION,
}
_PUNCTUATION: Final = frozenset(
    {
        "LPAR",
        "RPAR",
        "LSQB",
        "RSQB",
        "LBRACE",
        "RBRACE",
        "LISTOPEN",
        "ARROPEN",
        "MAPOPEN",
        "_SEP",
        "_SEMI",
        "_COMMA",
    }
)


def pieces(text: str) -> Iterator[Piece]:
    """All of a text, in order."""
    tokens = tokenize(text)
    at = 0
    for index in range(len(tokens)):
        start, end = tokens.starts[index], tokens.ends[index]
        yield from _between(text, at, start)
        if start < end:
            yield Piece(_part(tokens, index), start, end)
        at = max(at, end)


def _between(text: str, start: int, end: int) -> Iterator[Piece]:
    """Blanks and comments between two tokens."""
    at = start
    for found in _COMMENTS.finditer(text, start, end):
        if at < found.start():
            yield Piece(Part.BLANK, at, found.start())
        yield Piece(Part.DOC if found[0].startswith("///") else Part.COMMENT, found.start(), found.end())
        at = found.end()
    if at < end:
        yield Piece(Part.BLANK, at, end)


def _part(tokens: Tokens, index: int) -> Part:
    type_ = tokens.types[index]
    if type_ == "IDENT":
        word = tokens.spelled(index)
        if word in _PSEUDO:
            return Part.PSEUDO
        return Part.MODIFIER if word in _MODIFIERS and _is_modifier(tokens, index) else Part.NAME
    if type_ == "KEYWORD" and tokens.spelled(index) in _DECLARING:
        return Part.MODIFIER
    found = _OF_TYPE.get(type_)
    if found is not None:
        return found
    if type_ in BAD_TYPES:
        return Part.MISTAKE
    return Part.PUNCTUATION if type_ in _PUNCTUATION else Part.OPERATOR


def _is_modifier(tokens: Tokens, index: int) -> bool:
    """Whether a word such as `sealed` stands where it modifies: first on its line, or behind another."""
    return tokens.cols[index] >= 0 or (index > 0 and tokens.spelled(index - 1) in _MODIFIERS)
