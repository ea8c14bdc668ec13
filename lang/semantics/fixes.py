"""What takes a finding away without changing what code means (workspace.md 6.7).

Comes in: findings of a file, and its text. Guarantees: edits that do not overlap. Leaves: making sure that the
text still parses, and writing it, to whoever applies them.
"""

from __future__ import annotations

from collections.abc import Iterable

from lang.diagnostics import Category, Diagnostic, Severity
from lang.semantics.check.style import CARET, PARENTHESES
from lang.source import Span, TextEdit


def fixes_of(found: Iterable[Diagnostic], text: str) -> tuple[tuple[TextEdit, ...], int]:
    """The edits that take findings away, and how many findings that are."""
    edits: dict[Span, TextEdit] = {}
    count = 0
    for each in found:
        fix = _fix(each, text)
        if fix and not any(_meets(edit.span, known) for edit in fix for known in edits):
            edits.update((edit.span, edit) for edit in fix)
            count += 1
    return tuple(edits[span] for span in sorted(edits)), count


def _meets(span: Span, other: Span) -> bool:
    return span.start < other.end and other.start < span.end


def _fix(found: Diagnostic, text: str) -> tuple[TextEdit, ...]:
    covered = text[found.span.start : found.span.end]
    if (
        covered.startswith("@expect")
        and found.category is Category.NONE
        and found.severity is Severity.WARNING
    ):
        return (TextEdit(_whole_line(found.span, text), ""),)
    if found.severity is not Severity.LINT or found.category is not Category.LINT:
        return ()
    start, end = found.span.start, found.span.end
    if found.data.get("selector") == CARET and covered.startswith("^"):
        after = len(covered) - len(covered[1:].lstrip(" "))
        return (TextEdit(Span(start, start + after), ""),)
    if found.data.get("name") == PARENTHESES and "\n" not in covered:
        return (TextEdit(Span(start, start + 1), ""), TextEdit(Span(end - 1, end), ""))
    return (TextEdit(found.span, ""),) if covered == "." else ()


def _whole_line(span: Span, text: str) -> Span:
    """The line of a directive when nothing else stands on it, else the directive alone."""
    start = text.rfind("\n", 0, span.start) + 1
    end = text.find("\n", span.end)
    end = len(text) if end < 0 else end + 1
    rest = text[start : span.start] + text[span.end : end]
    return span if rest.strip() else Span(start, end)
