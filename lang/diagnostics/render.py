"""Diagnostics as text for people and as data for tools (workspace.md 3.7).

Comes in: diagnostics with spans in one `SourceText`. Guarantees: carets stand
under the span on an 80-column terminal, whatever tabs, wide letters or combining
marks precede it. Leaves: colours; a caller passes a `Paint` for those.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence

from lang.diagnostics.diagnostic import Diagnostic, Severity
from lang.source import SourceText, Span

MAXIMUM_SHOWN = 10
_INPUT_INDENT = "    "
_TAB_WIDTH = 4


class Role(enum.Enum):
    """What a piece of a rendered diagnostic is; only these may be coloured."""

    LABEL = "label"
    LINE_NUMBER = "line_number"
    CARET = "caret"


Paint = Callable[[str, Role, Severity], str]
"""Gives a piece of text its style."""


def plain(text: str, role: Role, severity: Severity) -> str:  # noqa: ARG001  the shape of `Paint`
    """No style."""
    return text


_LABELS = {
    Severity.ERROR: "Error",
    Severity.WARNING: "Warning",
    Severity.HINT: "Hint",
    Severity.LINT: "Lint",
}


def render(diagnostic: Diagnostic, source: SourceText, paint: Paint = plain) -> str:
    """One diagnostic: label and message, place, source with carets, hint, notes."""
    severity = diagnostic.severity
    label = paint(f"{_LABELS[severity]}:", Role.LABEL, severity)
    # A message may quote source text, and a control sequence in it must not reach the terminal.
    message = "\n".join(map(_printable, diagnostic.message.split("\n")))
    lines = [f"{label} {message}"]
    lines += excerpt(diagnostic.span, source, severity, paint)
    lines += [f"Note: {note.message}" for note in diagnostic.notes]
    if diagnostic.hint:
        lines.append(f"Hint: {diagnostic.hint}")
    return "\n".join(lines)


def render_all(diagnostics: Sequence[Diagnostic], source: SourceText, paint: Paint = plain) -> str:
    """Several, in source order, at most ten, then how many more there are."""
    ordered = sorted(diagnostics, key=lambda d: d.span)
    blocks = [render(d, source, paint) for d in ordered[:MAXIMUM_SHOWN]]
    if len(ordered) > MAXIMUM_SHOWN:
        blocks.append(f"… {len(ordered) - MAXIMUM_SHOWN} more")
    return "\n".join(blocks)


def excerpt(
    span: Span,
    source: SourceText,
    severity: Severity = Severity.ERROR,
    paint: Paint = plain,
    also: Sequence[Span] = (),
) -> list[str]:
    """The place, the line of source and the carets under it.

    One-line typed input is two lines, indented by four; all else names file, line
    and column (1-based, in code points). `also` are further spans (the other parts of a
    keyword selector); those that begin on the same line get carets too.
    """
    position = source.position(span.start)
    line = source.line_text(position.line)
    shown = _printable(line)
    start = source.line_start(position.line)
    marks = _carets(line, span, start)
    for other in sorted(also):
        if other.start > span.start and source.position(other.start).line == position.line:
            marks += _carets(line, other, start)[len(marks) :]
    carets = paint(marks, Role.CARET, severity)
    if source.name == "prompt" and "\n" not in source.text.strip("\n"):
        return [_INPUT_INDENT + shown, _INPUT_INDENT + carets]
    number = str(position.line)
    margin = " " * len(number)
    return [
        f"{margin}--> {source.name}:{position.line}:{position.column}",
        f"{margin} |",
        f"{paint(number, Role.LINE_NUMBER, severity)} | {shown}",
        f"{margin} | {carets}",
    ]


def _carets(line: str, span: Span, line_start: int) -> str:
    """Blanks up to the span, then carets below what of it stands on this line, at least one."""
    first = min(span.start - line_start, len(line))
    last = min(max(span.end - line_start, first), len(line))
    before = display_width(_printable(line[:first]))
    width = display_width(_printable(line[:last])) - before
    return " " * before + "^" * max(1, width)


def _printable(text: str) -> str:
    """Tabs as blanks up to the next stop of four columns; other control characters as `?`."""
    if text.isascii() and text.isprintable():
        return text
    pieces: list[str] = []
    column = 0
    for character in text:
        if character == "\t":
            piece = " " * (_TAB_WIDTH - column % _TAB_WIDTH)
        elif character < " " or "\x7f" <= character <= "\x9f":
            piece = "?"
        else:
            piece = character
        column += display_width(piece)
        pieces.append(piece)
    return "".join(pieces)


def display_width(text: str) -> int:
    """Terminal columns of a text: wide letters take two, combining marks none."""
    if text.isascii():
        return len(text)
    # Imported late: only sources beyond ASCII need its tables.
    from wcwidth import wcswidth  # noqa: PLC0415

    width = wcswidth(text)
    return width if width >= 0 else len(text)


def load_message(diagnostic: Diagnostic, source: SourceText) -> str:
    """`Line N: message`, with the hint on a line of its own (language.md 5)."""
    text = f"Line {source.position(diagnostic.span.start).line}: {diagnostic.message}"
    return f"{text}\nHint: {diagnostic.hint}" if diagnostic.hint else text


def load_messages(diagnostics: Sequence[Diagnostic], source: SourceText) -> str:
    """Every error of a refused file, in source order, separated by an empty line."""
    ordered = sorted((d for d in diagnostics if d.severity is Severity.ERROR), key=lambda d: d.span)
    return "\n\n".join(load_message(d, source) for d in ordered)


Json = dict[str, "Json"] | list["Json"] | str | int | None


def to_json(diagnostic: Diagnostic, source: SourceText) -> dict[str, Json]:
    """The diagnostic as plain data: 1-based lines and columns in code points, facts under `data`."""
    return {
        "severity": diagnostic.severity.value,
        "category": None if diagnostic.category.value == "none" else diagnostic.category.value,
        "message": diagnostic.message,
        "hint": diagnostic.hint,
        "file": source.name,
        "range": _range(diagnostic.span, source),
        "notes": [
            {"message": note.message, "range": _range(note.span, source) if note.span else None}
            for note in diagnostic.notes
        ],
        "data": dict(diagnostic.data),
    }


def _range(span: Span, source: SourceText) -> dict[str, Json]:
    start, end = source.position(span.start), source.position(span.end)
    return {
        "line": start.line,
        "column": start.column,
        "endLine": end.line,
        "endColumn": end.column,
    }
