"""A pygments lexer that asks the real tokenizer (workspace.md 3.8)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Final

from pygments.lexer import Lexer
from pygments.token import (
    Comment,
    Error,
    Keyword,
    Literal,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Whitespace,
)
from pygments.token import _TokenType as TokenType

from repl.highlighting import Part, pieces

TOKEN_OF: Final[dict[Part, TokenType]] = {
    Part.BLANK: Whitespace,
    Part.COMMENT: Comment.Single,
    Part.DOC: String.Doc,
    Part.CLASS_NAME: Name.Class,
    Part.NAME: Name,
    Part.PSEUDO: Keyword.Constant,
    Part.KEYWORD: Name.Function,
    Part.MODIFIER: Keyword.Declaration,
    Part.NUMBER: Number,
    Part.STRING: String,
    Part.CHARACTER: String.Char,
    Part.SYMBOL: Literal.String.Symbol,
    Part.OPERATOR: Operator,
    Part.PUNCTUATION: Punctuation,
    Part.ANNOTATION: Name.Decorator,
    Part.MISTAKE: Error,
}


class BeamtalkLexer(Lexer):
    """Beamtalk source."""

    name = "Beamtalk"
    aliases: ClassVar[list[str]] = ["beamtalk", "bt"]
    filenames: ClassVar[list[str]] = ["*.bt", "*.btscript"]

    def get_tokens_unprocessed(self, text: str, *_: Any, **__: Any) -> Iterator[tuple[int, TokenType, str]]:
        """The pieces of a text with their offsets."""
        for piece in pieces(text):
            yield piece.start, TOKEN_OF[piece.part], text[piece.start : piece.end]
