"""The errors of parsed units, as findings with their texts."""

from __future__ import annotations

from collections.abc import Iterable

from lang.diagnostics import Severity
from lang.source import SourceText
from lang.syntax.units import ParsedFile, ParsedUnit
from workspace.change import Finding


def findings(units: Iterable[ParsedUnit]) -> tuple[Finding, ...]:
    """The errors of single units, with spans in each unit's own text."""
    return tuple(
        Finding(SourceText(unit.text), found)
        for unit in units
        for found in unit.diagnostics
        if found.severity is Severity.ERROR
    )


def file_findings(parsed: ParsedFile, path: str | None) -> tuple[Finding, ...]:
    """The errors of a whole text, with spans in it."""
    return tuple(
        Finding(parsed.source, found, path)
        for found in parsed.all_diagnostics()
        if found.severity is Severity.ERROR
    )
