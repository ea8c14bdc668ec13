"""A whole source file in canonical layout (workspace.md 6.8).

Comes in: the text of a file. Guarantees: a text with equal trees, the same comments and the
same line ends, or a refusal; formatting it again changes nothing. Leaves: files to the caller.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from lang.diagnostics import Diagnostic, Severity
from lang.fmt.cursor import Comment, OutOfStep, comments_in
from lang.fmt.declarations import unit_document
from lang.fmt.documents import INDENT, rendered
from lang.fmt.sameness import same_comments, same_trees
from lang.source import SourceText
from lang.syntax.files import parse_file
from lang.syntax.units import ParsedFile, ParsedUnit, UnitKind

_MEMBERS = frozenset({UnitKind.METHOD, UnitKind.DATA})
# Between two of these a blank line is the author's choice.
_LOOSE = frozenset({UnitKind.STATEMENTS, UnitKind.ALIAS})
_BYTE_ORDER_MARK = "\ufeff"


@dataclass(frozen=True, slots=True)
class Formatted:
    """The text in canonical layout, perhaps the one that came in."""

    text: str


@dataclass(frozen=True, slots=True)
class Unparsable:
    """The file has mistakes, so nothing is known of its layout."""

    problems: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class Defect:
    """What came out would not mean the same: the formatter is wrong, and the file stays as it is."""

    reason: str


def format_source(source: SourceText) -> Formatted | Unparsable | Defect:
    """The file in canonical layout."""
    parsed = parse_file(source)
    mistakes = tuple(d for d in parsed.all_diagnostics() if d.severity is Severity.ERROR)
    if mistakes:
        return Unparsable(mistakes)
    try:
        text = _Assembly(parsed, line_end_of(source.text)).text()
    except OutOfStep as fault:
        return Defect(str(fault))
    again = parse_file(SourceText(text, source.name))
    if not same_trees(parsed, again):
        return Defect("the formatted text would mean something else")
    if not same_comments(source.text, text):
        return Defect("a comment would be lost")
    return Formatted(text)


def line_end_of(text: str) -> str:
    """The line end that most lines of a text have."""
    windows = text.count("\r\n")
    return "\r\n" if windows * 2 > text.count("\n") else "\n"


class _Assembly:
    """Units and the comments between them, put together."""

    def __init__(self, parsed: ParsedFile, newline: str) -> None:
        self._parsed = parsed
        self._source = parsed.source.text
        self._newline = newline
        self._pieces: list[str] = []

    def text(self) -> str:
        """The whole file."""
        mark = _BYTE_ORDER_MARK if self._source.startswith(_BYTE_ORDER_MARK) else ""
        behind, previous = len(mark), None
        for unit in self._parsed.units:
            self._between(behind, unit.cut.span.start, previous, unit)
            self._pieces.append(" " * _indent(unit) + self._unit(unit))
            behind, previous = unit.cut.span.end, unit
        self._between(behind, len(self._source), previous, None)
        body = "".join(self._pieces)
        return mark + body + (self._newline if body else "")

    def _unit(self, unit: ParsedUnit) -> str:
        if unit.node is None:
            raise OutOfStep("a unit without a tree")
        return rendered(unit_document(unit.node, unit.text), _indent(unit), self._newline)

    def _between(self, start: int, end: int, above: ParsedUnit | None, below: ParsedUnit | None) -> None:
        """The comments that no unit owns, and the blank lines around them."""
        comments, lines = comments_in(self._source, start, end)
        indent = _indent(below)
        for comment in comments:
            if self._pieces:
                self._pieces.append(self._newline * min(2, max(1, comment.lines_above)))
            own = self._comment_indent(comment, above, indent)
            self._pieces.append(" " * own + comment.text)
        if below is None or not self._pieces:
            return
        blanks = lines > 1 if above is None or comments else _has_blank(above, below, lines)
        self._pieces.append(self._newline * (2 if blanks else 1))

    def _comment_indent(self, comment: Comment, above: ParsedUnit | None, indent: int) -> int:
        """A comment that stands deeper than the members is the end of the body above it."""
        column = comment.start - self._source.rfind("\n", 0, comment.start) - 1
        if above is None or above.name.kind not in _MEMBERS or not column:
            return indent
        return INDENT * 2 if column > above.cut.column else INDENT


def _indent(unit: ParsedUnit | None) -> int:
    return INDENT if unit is not None and unit.name.kind in _MEMBERS else 0


def _has_blank(above: ParsedUnit, below: ParsedUnit, lines: int) -> bool:
    """Whether a blank line stands between two units with no comment between them."""
    kinds = {above.name.kind, below.name.kind}
    match above.name.kind:
        case UnitKind.HEADER:
            return lines > 1
        case (
            UnitKind.METHOD
            | UnitKind.DATA
            | UnitKind.EXTENSION
            | UnitKind.PROTOCOL
            | UnitKind.ALIAS
            | UnitKind.STATEMENTS
        ):
            return lines > 1 or not (kinds <= _LOOSE or kinds == {UnitKind.DATA})
        case _:
            assert_never(above.name.kind)
