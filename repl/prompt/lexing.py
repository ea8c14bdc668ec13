"""Colours of the line that is being edited: the real tokenizer behind prompt_toolkit (workspace.md 3.8)."""

from __future__ import annotations

from collections.abc import Callable

from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.lexers import Lexer

from repl.highlighting import Part, pieces


class SourceLexer(Lexer):
    """Styles each line of an input; a command's name is told from its arguments."""

    def lex_document(self, document: Document) -> Callable[[int], StyleAndTextTuples]:
        """Style all lines at once; inputs are short."""
        lines = styled_lines(document.text)

        def line(number: int) -> StyleAndTextTuples:
            return lines[number] if number < len(lines) else []

        return line


def styled_lines(text: str) -> list[StyleAndTextTuples]:
    """The text as styled pieces, line by line."""
    if text[:1] == ":" and text[1:2].isalpha():
        name, blank, rest = text.partition(" ")
        return [[("class:syntax.command", name), ("", blank + rest)]]
    lines: list[StyleAndTextTuples] = [[]]
    for piece in pieces(text):
        style = "" if piece.part in (Part.BLANK, Part.NAME) else f"class:syntax.{piece.part.value}"
        for number, part in enumerate(text[piece.start : piece.end].split("\n")):
            if number:
                lines.append([])
            if part:
                lines[-1].append((style, part))
    return lines
