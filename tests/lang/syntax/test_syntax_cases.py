"""Golden cases: units and findings of whole files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from lang.diagnostics import Severity
from lang.syntax.units import ParsedFile
from tests.lang.syntax.parsing import errors, parsed_file

CASES = Path(__file__).parents[2] / "cases" / "syntax"


@pytest.mark.parametrize("path", sorted((CASES / "sound").glob("*.bt")), ids=lambda p: p.stem)
def test_a_sound_file_has_no_finding(path: Path) -> None:
    parsed = parsed_file(path.read_text("utf-8"))
    assert [d.message for d in parsed.all_diagnostics() if d.severity is not Severity.LINT] == []
    assert all(unit.node is not None for unit in parsed.units)


@pytest.mark.parametrize("path", sorted((CASES / "broken").glob("*.bt")), ids=lambda p: p.stem)
def test_findings_of_a_broken_file(path: Path, matches_golden: Callable[[Path, str], None]) -> None:
    parsed = parsed_file(path.read_text("utf-8"))
    assert errors(parsed) or path.stem == "docs"
    matches_golden(path.with_suffix(".out"), _report(parsed))


def _report(parsed: ParsedFile) -> str:
    lines = []
    for unit in parsed.units:
        name = unit.name
        side = f" {name.side.value}" if name.side else ""
        state = "" if unit.node is not None else " (no tree)"
        lines.append(f"{name.kind.value} {name.owner}{side} {name.member}{state}".replace("  ", " ").rstrip())
    lines.append("")
    for d in parsed.all_diagnostics():
        place = parsed.source.position(d.span.start)
        severity = "" if d.severity is Severity.ERROR else f"{d.severity.value}: "
        lines.append(f"{place.line}:{place.column} {parsed.source.slice(d.span)!r} {severity}{d.message}")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("indent", ["\t", " ", "  ", "   "])
def test_a_body_is_what_stands_deeper_than_its_member(indent: str) -> None:
    lines = ("Object subclass: A", "{0}one =>", "{0}{0}2", "{0}two =>", "{0}{0}self", "{0}{0}{0}a: 3")
    parsed = parsed_file("\n".join(lines).format(indent))
    assert errors(parsed) == []
    assert [unit.name.member for unit in parsed.units] == ["", "one", "two"]


def test_members_at_the_first_columns_need_not_begin_at_one() -> None:
    parsed = parsed_file("Object subclass: A\n one =>\n   1\n  two => 2\nthree => 3\n")
    assert errors(parsed) == []
    assert [unit.name.member for unit in parsed.units] == ["", "one", "two", "three"]
