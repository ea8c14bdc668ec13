"""Bytes of a source as LF text, and edits of that text as bytes again (changes.md 5.4).

Comes in: the bytes of a file. Guarantees: `text` has no byte-order mark and LF line ends
only; `encoded(edits)` changes nothing outside the edits: every other line end, the mark and
the final newline stay as they are. Leaves: which edits to make, to `splice`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from lang.dataclass import dataclass
from lang.source import Span, TextEdit

_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class FileText:
    """A decoded file. `returns` are the offsets in `text` of the line ends that have a CR before them."""

    has_mark: bool
    text: str
    returns: Sequence[int]

    @property
    def newline(self) -> str:
        """The line end that new lines get: that of most lines."""
        return "\r\n" if 2 * len(self.returns) > self.text.count("\n") else "\n"

    def has_return(self, offset: int) -> bool:
        """Whether the line end at an offset is CR LF."""
        at = bisect_left(self.returns, offset)
        return at < len(self.returns) and self.returns[at] == offset

    def raw(self, span: Span) -> str:
        """The text of a span with the line ends of the file."""
        if not self.returns:
            return self.text[span.start : span.end]
        pieces: list[str] = []
        at = span.start
        for offset in self.returns[
            bisect_left(self.returns, span.start) : bisect_left(self.returns, span.end)
        ]:
            pieces += (self.text[at:offset], "\r")
            at = offset
        pieces.append(self.text[at : span.end])
        return "".join(pieces)

    def bytes_of(self, span: Span) -> bytes:
        """The bytes of a span."""
        return encoded(self.raw(span))

    def edited(self, edits: Iterable[TextEdit]) -> bytes:
        """The bytes of the file after edits, whose replacements have the line ends that they are to get.

        Raises `ValueError` when two edits overlap.
        """
        pieces: list[str] = []
        at = 0
        for edit in sorted(edits, key=lambda e: e.span):
            if edit.span.start < at:
                raise ValueError(f"overlapping edits at {edit.span}")
            pieces += (self.raw(Span(at, edit.span.start)), edit.replacement)
            at = edit.span.end
        pieces.append(self.raw(Span(at, len(self.text))))
        return (_MARK if self.has_mark else b"") + encoded("".join(pieces))


def decoded(data: bytes) -> FileText:
    """The text of a file. Raises `UnicodeDecodeError` when the bytes are not UTF-8."""
    has_mark = data.startswith(_MARK)
    raw = (data[len(_MARK) :] if has_mark else data).decode("utf-8")
    if "\r\n" not in raw:
        return FileText(has_mark, raw, ())
    returns: list[int] = []
    at = raw.find("\r\n")
    while at >= 0:
        returns.append(at - len(returns))
        at = raw.find("\r\n", at + 2)
    return FileText(has_mark, raw.replace("\r\n", "\n"), returns)


def encoded(text: str) -> bytes:
    """UTF-8, also of what is none (it then comes from a prompt)."""
    return text.encode("utf-8", "surrogateescape")


def lf(text: str) -> str:
    """A text with LF line ends."""
    return text.replace("\r\n", "\n")


def with_line_ends(text: str, model: Sequence[str], otherwise: str) -> str:
    """LF text whose n-th line end becomes `model[n]`, and `otherwise` behind the model's end."""
    lines = text.split("\n")
    ends = [*model[: len(lines) - 1], *(otherwise,) * (len(lines) - 1 - len(model))]
    return "".join(line + end for line, end in zip(lines, [*ends, ""], strict=True))
