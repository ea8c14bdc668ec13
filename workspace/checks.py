"""Language checks of units and inputs, over a state (language.md 5.2, 5.3)."""

from __future__ import annotations

from lang.diagnostics import Diagnostic, Severity
from lang.semantics.check import check_unit
from lang.semantics.hierarchy import AnyName, ClassView
from lang.syntax.units import ParsedUnit
from lang.source import SourceText
from workspace import drafting
from workspace.change import Finding
from workspace.state import Unit


def unit_findings(unit: Unit, view: ClassView) -> tuple[Finding, ...]:
    """All findings of one unit, of syntax and of meaning, with spans in its text."""
    syntax = drafting.parsed(unit)
    found: list[Diagnostic] = list(syntax.diagnostics)
    if syntax.node is not None and not any(d.severity is Severity.ERROR for d in found):
        found += check_unit(syntax.node, unit.owner, view)
    source = SourceText(unit.text, unit.path or unit.owner)
    return tuple(Finding(source, each, unit.path) for each in found)


def errors_of(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """Those that stop a change."""
    return tuple(each for each in findings if each.diagnostic.severity is Severity.ERROR)


def statement_findings(unit: ParsedUnit, view: ClassView) -> tuple[Diagnostic, ...]:
    """The findings of module-level code; names are looked up when it runs, so that any may exist."""
    if unit.node is None:
        return ()
    return check_unit(unit.node, "", view.with_names(AnyName()))
