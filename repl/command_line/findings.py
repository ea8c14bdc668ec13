"""Findings as every shell command prints them (workspace.md 6.1): one by one, as a table, as JSON.

Comes in: findings with the text that they belong to. Guarantees: sorted by path, line and column; `--format json`
gives one object a line and the summary last. Leaves: finding them to `analysing`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from lang.dataclass import dataclass
from lang.diagnostics import Category, Diagnostic, Severity
from lang.diagnostics.render import Json, Role, excerpt
from lang.source import SourceText, Span
from repl.paint import Palette
from repl.places import in_its_file
from workspace.change import Finding

_SEVERITIES = (Severity.ERROR, Severity.WARNING, Severity.LINT, Severity.HINT)
_ORDER = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.HINT: 2, Severity.LINT: 3}


@dataclass(frozen=True, slots=True)
class Placed:
    """A finding in the text of its file."""

    source: SourceText
    diagnostic: Diagnostic
    path: str

    @property
    def order(self) -> tuple[str, Span]:
        """By path, then place."""
        return self.path, self.diagnostic.span


def placed(findings: Iterable[Finding], root: Path) -> tuple[Placed, ...]:
    """The findings in their files, in order."""
    found = []
    for each in findings:
        source, diagnostic = in_its_file(root, each)
        found.append(Placed(source, diagnostic, each.path or source.name))
    return tuple(sorted(found, key=lambda each: each.order))


def category_id(category: Category) -> str | None:
    """How a category is spelled in manifests and reports; None for what has none."""
    return None if category is Category.NONE else category.value.replace("_", "-")


# ---------------------------------------------------------------- text


def finding_text(finding: Finding, palette: Palette, root: Path) -> str:
    """One finding as every shell command prints it."""
    source, diagnostic = in_its_file(root, finding)
    return placed_text(Placed(source, diagnostic, finding.path or source.name), palette)


def placed_text(each: Placed, palette: Palette) -> str:
    """Label and message, place, source with carets, notes, hint."""
    found = each.diagnostic
    name = category_id(found.category)
    label = f"{found.severity.value}[{name}]:" if name else f"{found.severity.value}:"
    lines = [f"{palette.diagnostic(label, Role.LABEL, found.severity)} {found.message}"]
    lines += excerpt(found.span, each.source, found.severity, palette.diagnostic)
    lines += [f"  = note: {note.message}" for note in found.notes]
    if found.hint:
        lines.append(f"  = help: {found.hint}")
    return "\n".join(lines)


def summary_text(found: Iterable[Diagnostic], files: int) -> str:
    """The table that ends a report; what has no category counts as `Error` or by its severity."""
    by_category = _counted(found)
    total: Counter[Severity] = Counter()
    for counts in by_category.values():
        total.update(counts)
    lines = [f"\nDiagnostic summary ({files} file{'s' if files != 1 else ''}):"]
    lines += [f"  {title:<18} {_counts(counts)}" for title, counts in sorted(by_category.items())]
    lines.append(f"  {'Total':<18} {sum(total.values())}  ({_counts(total)})")
    return "\n".join(lines)


def _counted(found: Iterable[Diagnostic]) -> dict[str, Counter[Severity]]:
    by_category: dict[str, Counter[Severity]] = {}
    for each in found:
        by_category.setdefault(_title(each), Counter())[each.severity] += 1
    return by_category


def _title(found: Diagnostic) -> str:
    name = found.severity.value if found.category is Category.NONE else found.category.value
    return name.replace("_", " ").capitalize()


def _counts(counts: Counter[Severity]) -> str:
    return ", ".join(f"{n} {s.value}" for s, n in sorted(counts.items(), key=lambda item: _ORDER[item[0]]))


# ---------------------------------------------------------------- JSON


def json_lines(found: Iterable[Placed], files: int) -> Iterator[str]:
    """One object for each finding, then the summary."""
    every = tuple(found)
    for each in every:
        yield json.dumps(_as_json(each), ensure_ascii=False)
    yield json.dumps(_summary([each.diagnostic for each in every], files), ensure_ascii=False)


def _as_json(each: Placed) -> dict[str, Json]:
    found = each.diagnostic
    start, end = each.source.position(found.span.start), each.source.position(found.span.end)
    span_start, span_end = _bytes(each.source, found.span)
    name = category_id(found.category)
    return {
        "file": each.path,
        "severity": found.severity.value,
        "category": name,
        "code": name,
        "message": found.message,
        "line": start.line,
        "column": start.column,
        "end_line": end.line,
        "end_column": end.column,
        "span_start": span_start,
        "span_end": span_end,
        "hint": found.hint,
        "notes": [_note(each.source, note.message, note.span) for note in found.notes],
    }


def _note(source: SourceText, message: str, span: Span | None) -> dict[str, Json]:
    start, end = (None, None) if span is None else _bytes(source, span)
    return {"message": message, "span_start": start, "span_end": end}


def _bytes(source: SourceText, span: Span) -> tuple[int, int]:
    """The span in bytes of the text as UTF-8."""
    start = len(source.text[: span.start].encode("utf-8", "surrogatepass"))
    return start, start + len(source.text[span.start : span.end].encode("utf-8", "surrogatepass"))


def _summary(found: list[Diagnostic], files: int) -> dict[str, Json]:
    totals = Counter(each.severity for each in found)
    by_category: dict[str, Json] = {}
    for title, counts in sorted(_counted(found).items()):
        row: dict[str, Json] = {each.value: counts[each] for each in _SEVERITIES}
        row["total"] = sum(counts.values())
        by_category[title] = row
    return {
        "type": "summary",
        "files_checked": files,
        "totals_by_severity": {each.value: totals[each] for each in _SEVERITIES},
        "totals_by_category": by_category,
        "total": len(found),
    }
