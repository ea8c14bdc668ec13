"""The sources of the conformance corpus that must not load, and those that must."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from lang.diagnostics import Severity
from lang.semantics.hierarchy import ClassView
from lang.source import SourceText
from lang.syntax import parse_file

from .library import ROOT, checked, library_view

LOAD_ERROR = re.compile(r"// @load-error (\S+) => (.*)")


def refused_loads() -> list[tuple[str, str]]:
    folder = ROOT / "tests" / "conformance" / "language"
    return [
        (str(folder / found[1]), found[2])
        for script in sorted(folder.glob("*.btscript"))
        for found in map(LOAD_ERROR.match, script.read_text("utf-8").splitlines())
        if found is not None
    ]


@pytest.mark.parametrize(("path", "fact"), refused_loads(), ids=lambda value: Path(value).name)
def test_a_refused_load_says_where_and_why(path: str, fact: str) -> None:
    parsed = checked(Path(path).read_text("utf-8"))
    errors = [each for each in parsed.all_diagnostics() if each.severity is Severity.ERROR]
    said = "\n".join(
        f"Line {parsed.source.position(e.span.start).line}: {e.message} {e.hint}" for e in errors
    )
    assert fact in said


@cache
def view_of_all(paths: tuple[Path, ...]) -> ClassView:
    view = replace(library_view(), package="fixtures")
    for path in paths:
        view = view.with_file(parse_file(SourceText(path.read_text("utf-8"), path.name)))
    return view


GOOD = ("actors", "language", "stdlib")


@pytest.mark.parametrize("area", GOOD)
def test_good_sources_have_no_errors(area: str) -> None:
    fixtures = ROOT / "tests" / "conformance" / area / "fixtures"
    paths = sorted(fixtures.glob("*.bt"))
    view = view_of_all(tuple(paths))
    wrong = [
        (path.name, each.message)
        for path in paths
        for each in checked(path.read_text("utf-8"), view, path.name).all_diagnostics()
        if each.severity is Severity.ERROR
    ]
    assert paths
    assert wrong == []
