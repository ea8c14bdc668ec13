"""Source text, spans in it, and edits of it.

Comes in: decoded text (code points). Guarantees: every span in the product is a
`Span` of code-point offsets into one `SourceText`; every edit of source goes
through `apply_edits`. Leaves: bytes and encodings to whoever reads files.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import NamedTuple

from lang.dataclass import dataclass, field


class Span(NamedTuple):
    """A half-open range of code-point offsets, relative to the text it was made for."""

    start: int
    end: int

    def shifted(self, by: int) -> Span:
        """The same range, `by` code points further on."""
        return Span(self.start + by, self.end + by)

    def covers(self, other: Span) -> bool:
        """Whether `other` lies within this span."""
        return self.start <= other.start and other.end <= self.end


class Position(NamedTuple):
    """A place for people: 1-based line and 1-based column, in code points."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class SourceText:
    """A text with a name for messages, and its line index, made when it is first asked for."""

    text: str
    name: str = "prompt"
    _found_starts: list[int] = field(init=False, repr=False, compare=False, default_factory=list)

    @property
    def _line_starts(self) -> list[int]:
        starts = self._found_starts
        return starts or self._find_line_starts()

    def _find_line_starts(self) -> list[int]:
        # A second thread may do the same; the last one wins, and both are right.
        starts = [0]
        find = self.text.find
        at = find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = find("\n", at + 1)
        self._found_starts[:] = starts
        return starts

    def position(self, offset: int) -> Position:
        """The line and column of an offset; the end of the text is a valid offset."""
        line = bisect_right(self._line_starts, offset)
        return Position(line, offset - self._line_starts[line - 1] + 1)

    def line_start(self, line: int) -> int:
        """The offset at which the 1-based `line` begins."""
        return self._line_starts[line - 1]

    def line_text(self, line: int) -> str:
        """The 1-based `line`, without its line end."""
        start = self._line_starts[line - 1]
        end = self._line_starts[line] if line < len(self._line_starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n")

    @property
    def line_count(self) -> int:
        """How many lines there are; an empty text has one."""
        return len(self._line_starts)

    def slice(self, span: Span) -> str:
        """The text of a span."""
        return self.text[span.start : span.end]


@dataclass(frozen=True, slots=True)
class TextEdit:
    """Replace what `span` covers by `replacement`; an empty span inserts."""

    span: Span
    replacement: str


def apply_edits(text: str, edits: Iterable[TextEdit]) -> str:
    """Apply non-overlapping edits, all given in offsets of `text`.

    Raises `ValueError` when two edits overlap: that is a defect of the caller.
    """
    pieces: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda e: e.span):
        if edit.span.start < at:
            raise ValueError(f"overlapping edits at {edit.span}")
        pieces.append(text[at : edit.span.start])
        pieces.append(edit.replacement)
        at = edit.span.end
    pieces.append(text[at:])
    return "".join(pieces)
