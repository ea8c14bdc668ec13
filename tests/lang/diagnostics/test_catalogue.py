"""Golden cases for every row of the tables of language.md 5.1 to 5.3: text, severity, category, place and span."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from lang.diagnostics import Diagnostic
from lang.semantics.hierarchy import ClassView
from lang.source import SourceText
from lang.syntax import parse_file
from lang.syntax.units import ParsedFile
from tests.lang.semantics.library import ROOT, checked, library_view

from .catalogue import ELSEWHERE, ROWS, Case

FOLDER = ROOT / "tests" / "cases" / "diagnostics"
CASES = {case.name: case for row in ROWS for case in row.cases}


@cache
def world() -> ClassView:
    """Two packages: storage, which keeps things to itself, and garden, whose sources the cases are."""
    view = replace(library_view(), modules=sys.stdlib_module_names)
    for package in ("storage", "garden"):
        view = replace(view, package=package)
        for path in sorted((FOLDER / "world" / package).glob("*.bt")):
            view = view.with_file(parse_file(SourceText(path.read_text("utf-8"), path.name)))
    return replace(view, packages=frozenset({"storage", "garden"}), globals=frozenset({"Beamtalk"}))


@cache
def judged(name: str) -> ParsedFile:
    path = FOLDER / f"{name}.bt"
    return checked(path.read_bytes().decode("utf-8"), world(), path.name)


def shown(parsed: ParsedFile) -> Iterator[str]:
    for found in parsed.all_diagnostics():
        start, end = (parsed.source.position(at) for at in (found.span.start, found.span.end))
        place = f"{start.line}:{start.column}-{end.line}:{end.column}"
        yield f"{place} {found.severity.value}[{found.category.value}] {found.message}"
        yield f"    {parsed.source.slice(found.span)!r}"
        if found.hint is not None:
            yield f"    hint: {found.hint}"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.bt")), ids=lambda path: path.stem)
def test_findings_and_their_places(path: Path, matches_golden: Callable[[Path, str], None]) -> None:
    matches_golden(path.with_suffix(".out"), "".join(f"{line}\n" for line in shown(judged(path.stem))))


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_finding_of_the_row_is_there(case: Case) -> None:
    found = [each for each in judged(case.name).all_diagnostics() if is_meant(each, case)]
    assert found, list(shown(judged(case.name)))


def is_meant(found: Diagnostic, case: Case) -> bool:
    is_kind = (found.severity.value, found.category.value) == (case.severity, case.category)
    return is_kind and case.fact in f"{found.message} {found.hint}"


# ---------------------------------------------------------------- the tables of the specification


def conditions(section: str) -> Iterator[str]:
    """The cells of the column named Condition in the table of a section."""
    text = (ROOT / "docs" / "spec" / "language.md").read_text("utf-8")
    table = text.partition(f"### {section} ")[2].partition("\n### ")[0]
    lines = [re.split(r" *(?<!\\)\| *", line)[1:-1] for line in table.splitlines() if line.startswith("|")]
    column = lines[0].index("Condition")
    for cells in lines[2:]:
        yield cells[column]


@pytest.mark.parametrize("section", ["5.1", "5.2", "5.3"])
def test_every_row_of_the_specification_has_a_case(section: str) -> None:
    rows = [row for row in ROWS if row.section == section]
    for condition in conditions(section):
        fitting = [row for row in rows if condition.startswith(row.condition)]
        assert len(fitting) == 1, condition
        assert fitting[0].cases or fitting[0].condition in ELSEWHERE
    for row in rows:
        assert any(condition.startswith(row.condition) for condition in conditions(section)), row.condition


def test_every_case_belongs_to_a_row() -> None:
    spare = {path.stem for path in FOLDER.glob("*.bt")} - CASES.keys()
    assert spare == {"accepted_class_variable_in_block"}
    assert len(CASES) == sum(len(row.cases) for row in ROWS)
