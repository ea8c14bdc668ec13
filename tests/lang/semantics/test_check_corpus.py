"""The annotated sources of the conformance corpus, as far as no types are needed for them.

For the categories below every expected finding must be there with its facts, and no
other: the lines without a comment are tests for silence.
"""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pytest

from lang.diagnostics import Category, Diagnostic, Severity
from lang.semantics.hierarchy import ClassView
from lang.source import SourceText
from lang.syntax import parse_file
from lang.syntax.units import ParsedFile

from .library import ROOT, checked, library_view

CORPUS = ROOT / "tests" / "conformance" / "diagnostics"
WORLD = CORPUS / "world" / "src"

# What these checks judge completely; `type` and `sendability` only as errors.
JUDGED = {
    Category.UNUSED,
    Category.LINT,
    Category.UNRESOLVED_CLASS,
    Category.DEAD_ASSIGNMENT,
    Category.INHERITANCE,
    Category.ACTOR_NEW,
    Category.EMPTY_BODY,
    Category.VISIBILITY,
    Category.TYPE_ANNOTATION,
    Category.UNRESOLVED_FFI,
    Category.ARITY_MISMATCH,
}
# Folders of single files in which warnings of category `type` are compared too, but for types of expressions.
STRICT = {"names", "classes", "literals", "match"}

# Which package a name comes from, and the severity table, are judged elsewhere.
ELSEWHERE = (
    "packages/ambiguous",
    "packages/strictdeps",
    "packages/transitive",
    "packages/beyond-protocol-internal",
    "policy/",
)
# D-19 names an unknown superclass; this case of the original is silent about it.
CONTRADICTED = {"multi/orphan/src/Castaway.bt"}


@dataclass(frozen=True)
class Expectation:
    line: int
    severity: str
    category: str
    facts: tuple[tuple[str, str], ...]

    @property
    def place(self) -> tuple[int, str, str]:
        return self.line, self.severity, self.category


def expectations(text: str) -> Iterator[Expectation]:
    for number, line in enumerate(text.split("\n"), 1):
        for part in line.split("//!")[1:]:
            severity, *rest = shlex.split(part)
            if severity in ("error", "warning", "hint"):
                facts = tuple((key, value) for key, _, value in (each.partition("=") for each in rest[1:]))
                yield Expectation(
                    number, severity, "none" if rest[0] == "-" else rest[0].replace("-", "_"), facts
                )


def is_judged(severity: str, category: str, *, strict: bool, shows_type: bool = False) -> bool:
    if severity == "error" or category in {each.value for each in JUDGED}:
        return True
    if category == "sendability" and severity == "hint":
        return True
    return strict and category in ("none", "type") and not shows_type


@cache
def world() -> ClassView:
    view = replace(library_view(), modules=sys.stdlib_module_names)
    for path in sorted(WORLD.glob("*.bt")):
        view = view.with_file(parse_file(SourceText(path.read_text("utf-8"), path.name)))
    return view


@cache
def project_world(folder: Path) -> ClassView:
    """All files in sight of a package: its own, and those of the packages beside it when it is called app."""
    view = library_view()
    roots = sorted(folder.parent.iterdir()) if folder.name == "app" else [folder]
    for root in roots:
        view = replace(view, package=root.name)
        for path in sorted(root.rglob("*.bt")):
            view = view.with_file(parse_file(SourceText(path.read_text("utf-8"), path.name)))
    return replace(view, package=folder.name, packages=frozenset(root.name for root in roots))


def package_of(path: Path) -> Path | None:
    found = [p for p in path.parents if CORPUS in p.parents and (p / "beamtalk.toml").exists()]
    return found[0] if found else None


def world_of(path: Path) -> ClassView:
    package = package_of(path)
    return world() if package is None else project_world(package)


def is_judged_case(path: Path) -> bool:
    """Of several packages only app is judged."""
    package = package_of(path)
    is_dependency = package is not None and package.name != "app" and (package.parent / "app").exists()
    is_elsewhere = str(path.relative_to(CORPUS)).startswith(ELSEWHERE)
    return WORLD not in path.parents and not is_dependency and not is_elsewhere


def cases() -> list[Path]:
    return sorted(filter(is_judged_case, CORPUS.rglob("*.bt")))


def findings(parsed: ParsedFile) -> list[tuple[int, Diagnostic]]:
    return [
        (parsed.source.position(each.span.start).line, each)
        for each in parsed.all_diagnostics()
        if each.severity is not Severity.LINT
    ]


def conveys(found: Diagnostic, facts: tuple[tuple[str, str], ...]) -> bool:
    said = f"{found.message} {found.hint}"
    return all(found.data.get(key) == value or value in said for key, value in facts)


@pytest.mark.parametrize("path", cases(), ids=lambda path: str(path.relative_to(CORPUS)))
def test_findings_are_those_that_the_comments_expect(path: Path) -> None:
    name = str(path.relative_to(CORPUS))
    strict = name.partition("/")[0] in STRICT and name not in ("match/Kinds.bt", "names/toplevel.bt")
    text = path.read_text("utf-8")
    expected = [
        each
        for each in expectations(text)
        if is_judged(
            each.severity,
            each.category,
            strict=strict,
            shows_type="actual" in dict(each.facts) and each.severity == "warning",
        )
    ]
    found = [
        (line, each)
        for line, each in findings(checked(text, world_of(path), path.name))
        if is_judged(each.severity.value, each.category.value, strict=strict)
        and not (name in CONTRADICTED and each.category is Category.UNRESOLVED_CLASS)
    ]
    places = sorted((line, each.severity.value, each.category.value) for line, each in found)
    assert places == sorted(each.place for each in expected)
    for each in expected:
        here = [f for line, f in found if (line, f.severity.value, f.category.value) == each.place]
        assert any(conveys(f, each.facts) for f in here), (each, here)


# ---------------------------------------------------------------- refused loads

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


GOOD = ("actors", "language", "stdlib")


@pytest.mark.parametrize("area", GOOD)
def test_good_sources_have_no_errors(area: str) -> None:
    fixtures = ROOT / "tests" / "conformance" / area / "fixtures"
    paths = sorted(fixtures.glob("*.bt"))
    view = project_world(fixtures)
    wrong = [
        (path.name, line, each.message)
        for path in paths
        for line, each in findings(checked(path.read_text("utf-8"), view, path.name))
        if each.severity is Severity.ERROR
    ]
    assert paths
    assert wrong == []
