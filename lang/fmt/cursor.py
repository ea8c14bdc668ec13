"""The tokens of a unit in order, each with the comments that stand beside it.

Comes in: the text of one unit. Guarantees: every token and every comment is given out once, in
order; a comment behind a token on its line stays there, one on a line of its own stands above
the same token again. Leaves: spaces and line ends between tokens to the printers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from lang.fmt.documents import EMPTY, SPACE, Break, Document, Text, concat, joined
from lang.syntax.tokens import CLOSERS, OPENERS, tokenize

_TRIVIUM = re.compile(r"[ \t\r\n]+|(//[^\n]*|/\*(?:[^*]|\*(?!/))*+\*/)")
_NO_SPACE_AFTER = frozenset("([{o:")
_NO_SPACE_BEFORE = frozenset(")]},")
_OPERATOR_SIGNS = frozenset("+-*<>=~%&?\\,/")
_NAMES = frozenset("iaznktCPq")


@dataclass(frozen=True, slots=True)
class Comment:
    """One comment. `lines_above` are the line ends between it and what stands before it."""

    text: str
    lines_above: int
    start: int

    @property
    def runs_to_line_end(self) -> bool:
        """Whether nothing can follow on its line."""
        return self.text.startswith("//")


def shown_comment(text: str) -> str:
    """A comment without the blanks behind it; those of a doc comment are part of its text."""
    is_doc = text.startswith("///") and not text.startswith("////")
    return text.rstrip("\r") if is_doc else text.rstrip()


def comments_in(text: str, start: int, end: int) -> tuple[list[Comment], int]:
    """The comments of a stretch of trivia, and the line ends behind the last."""
    found: list[Comment] = []
    lines = 0
    for each in _TRIVIUM.finditer(text, start, end):
        if each.group(1) is None:
            lines += each.group().count("\n")
        else:
            found.append(Comment(shown_comment(each.group(1)), lines, each.start()))
            lines = 0
    return found, lines


class OutOfStep(Exception):
    """Tokens and tree do not agree: a defect of the printer, which costs no source (workspace.md 6.8)."""


class Cursor:
    """A place between two tokens of a unit."""

    def __init__(self, text: str) -> None:
        self._tokens = tokenize(text)
        self._text = text
        self._at = 0
        # How much of the trivia before the present token has been given out already.
        self._behind = 0
        # Where the statement ends that is being printed: what stands beside its end is no part of it.
        self.ending = -1

    # ------------------------------------------------------------ looking

    @property
    def kind(self) -> str:
        """The kind of the next token (`lang/syntax/tokens.py`)."""
        return self._tokens.kinds[self._at]

    @property
    def start(self) -> int:
        """Where the next token begins."""
        return self._tokens.starts[self._at]

    @property
    def spelled(self) -> str:
        """The text of the next token."""
        return self._tokens.spelled(self._at)

    @property
    def is_at_end(self) -> bool:
        """Whether all tokens have been given out."""
        return self._at >= len(self._tokens) - 1

    def lines_before(self) -> int:
        """The line ends between the last token and what stands next, comment or token."""
        comments, lines = comments_in(self._text, self._behind, self.start)
        return comments[0].lines_above if comments else lines

    # ------------------------------------------------------------ taking

    def take(self, expected: str | None = None) -> Document:
        """The next token with its comments. Raises `OutOfStep` when it is another than expected."""
        if expected is not None and self.spelled != expected:
            raise OutOfStep(f"expected {expected!r}, found {self.spelled!r}")
        return self.verbatim(self._tokens.ends[self._at])

    def comma(self) -> Document:
        """A comma; behind the symbol of an operator it needs a space, or it would be part of it."""
        return concat(SPACE, self.take(",")) if self._is_behind_operator() else self.take(",")

    def _is_behind_operator(self) -> bool:
        before = self._tokens.spelled(self._at - 1) if self._at else ""
        return before[:1] == "#" and before[-1] in _OPERATOR_SIGNS

    def drop(self) -> Document:
        """What stands beside a token that is left out."""
        above = self.above()
        self._behind = self._tokens.ends[self._at]
        self._at += 1
        return concat(above, self.beside())

    def verbatim(self, end: int) -> Document:
        """Everything up to `end` as it stands, with the comments around it."""
        above = self.above()
        start = self.start
        while self.start < end:
            self._at += 1
        self._behind = end
        text = Text(self._text[start:end])
        return concat(above, text) if end == self.ending else concat(above, text, self.beside())

    def flat(self, end: int) -> Document:
        """The tokens up to `end`, on one line as far as comments allow: names, types and patterns.

        Parentheses that are opened are closed too: the span of a type does not cover its own.
        """
        parts: list[Document] = []
        before, depth = "", 0
        while (self.start < end or depth) and not self.is_at_end:
            if parts and _is_spaced(before, self.kind):
                parts.append(SPACE)
            before = self.kind
            depth += (before in OPENERS) - (before in CLOSERS)
            parts.append(self.comma() if before == "," else self.take())
            if before == "L":
                parts.append(self.tight())
        return joined(parts)

    def tight(self) -> Document:
        """A binary pattern, `<<a:8, rest/binary>>`: no spaces but behind commas."""
        parts: list[Document] = []
        is_over = False
        while not is_over and not self.is_at_end:
            is_over, is_comma = self.kind == "G", self.kind == ","
            parts.append(self.take())
            if is_comma:
                parts.append(SPACE)
        return joined(parts)

    def above(self) -> Document:
        """The comments before the next token that do not stand behind the last one."""
        comments, lines = comments_in(self._text, self._behind, self.start)
        self._behind = self.start
        parts: list[Document] = []
        for at, comment in enumerate(comments):
            if comment.lines_above or "\n" in comment.text:
                parts.append(Break.BLANK if at and comment.lines_above > 1 else Break.LINE)
            parts.append(Text(comment.text))
            below = comments[at + 1].lines_above if at + 1 < len(comments) else lines
            parts.append(_below(comment, below, is_last=at + 1 == len(comments)))
        return joined(parts) if parts else EMPTY

    def beside(self) -> Document:
        """The comments between the last token and its line end."""
        if self._behind == self.start:
            return EMPTY
        parts: list[Document] = []
        for found in _TRIVIUM.finditer(self._text, self._behind, self.start):
            if found.group(1) is None:
                if "\n" in found.group():
                    break
            elif found.group(1).startswith("//") or self._ends_line(found.end()):
                parts += [SPACE, Text(shown_comment(found.group(1))), Break.LINE]
                self._behind = found.end()
            elif "\n" not in self._text[found.end() : self.start]:
                break
            else:
                parts += [SPACE, Text(found.group(1))]
                self._behind = found.end()
        return joined(parts) if parts else EMPTY

    def _ends_line(self, offset: int) -> bool:
        rest = self._text[offset : self.start].lstrip(" \t\r")
        return rest.startswith("\n") or offset == len(self._text)


def _below(comment: Comment, lines: int, *, is_last: bool) -> Document:
    if is_last and lines > 1:
        return Break.BLANK
    if lines or comment.runs_to_line_end or "\n" in comment.text:
        return Break.LINE
    return SPACE


def _is_spaced(before: str, after: str) -> bool:
    """Whether a space stands between two neighbouring kinds of names, types and patterns."""
    if before in _NO_SPACE_AFTER or after in _NO_SPACE_BEFORE:
        return False
    if after == "(":
        return before not in _NAMES
    return True
