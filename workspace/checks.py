"""Language checks of units and inputs, over a state (language.md 5.2, 5.3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from lang.deferred import deferred
from lang.diagnostics import Diagnostic, Severity
from lang.semantics.hierarchy import ClassView
from lang.source import SourceText
from lang.syntax.units import ParsedUnit
from workspace import drafting
from workspace.change import Finding
from workspace.state import Unit

if TYPE_CHECKING:
    from lang.semantics import check
    from lang.semantics.check import TypeChecker
else:
    check = deferred("lang.semantics.check")


FirstLines = Callable[[Unit], int]
"""Where a unit begins in its file; asked only when something is wrong in it."""


def unit_findings(
    unit: Unit, view: ClassView, first_lines: FirstLines, types: TypeChecker | None = None
) -> tuple[Finding, ...]:
    """All findings of one unit, of syntax and of meaning, with spans in its text; `types` as for `check_unit`."""
    syntax = drafting.parsed(unit)
    found: list[Diagnostic] = list(syntax.diagnostics)
    if syntax.node is not None and not any(d.severity is Severity.ERROR for d in found):
        found += check.check_unit(syntax.node, unit.owner, view, (), types)
    return _as_findings(unit, found, first_lines)


def group_findings(
    units: Sequence[Unit], around: ClassView, view: ClassView, first_lines: FirstLines
) -> tuple[Finding, ...]:
    """What is wrong between the units of one class, protocol or alias; `around` does not know them."""
    parsed = [drafting.as_parsed_unit(unit) for unit in units]
    between = check.findings_between(parsed, around, view)
    return tuple(
        finding
        for at, found in sorted(between.items())
        for finding in _as_findings(units[at], found, first_lines)
    )


def _as_findings(unit: Unit, found: Sequence[Diagnostic], first_lines: FirstLines) -> tuple[Finding, ...]:
    if not found:
        return ()
    first_line = first_lines(unit)
    source = SourceText(unit.text, unit.path or unit.owner)
    return tuple(Finding(source, each, unit.path, first_line) for each in found)


def errors_of(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """Those that stop a change."""
    return tuple(each for each in findings if each.diagnostic.severity is Severity.ERROR)


def statement_findings(
    unit: ParsedUnit, view: ClassView, types: TypeChecker | None = None
) -> tuple[Diagnostic, ...]:
    """The findings of a statement of a session; `view` knows the names that are bound now."""
    return () if unit.node is None else check.check_unit(unit.node, "", view, (), types)
