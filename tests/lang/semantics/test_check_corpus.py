"""The annotated sources of the conformance corpus, as far as no types are needed for them.

For the categories below every expected finding must be there, and no other: the lines
without a comment are tests for silence.
"""

from __future__ import annotations

import shlex
from functools import cache
from pathlib import Path

import pytest

from lang.diagnostics import Category, Severity
from lang.semantics.hierarchy import ClassView
from lang.source import SourceText
from lang.syntax import parse_file
from lang.syntax.units import ParsedFile

from .library import ROOT, checked, library_view

CORPUS = ROOT / "tests" / "conformance" / "diagnostics"
FOLDERS = ("names", "classes", "literals", "match", "expect")
WORLD = CORPUS / "world" / "src"

# Findings that only inference makes: on these lines, and of these categories, nothing is compared.
TYPED = {Category.DNU, Category.TYPE_ANNOTATION, Category.SENDABILITY}

Finding = tuple[int, str, str]


@cache
def world() -> ClassView:
    view = library_view()
    for path in sorted(WORLD.glob("*.bt")):
        view = view.with_file(parse_file(SourceText(path.read_text("utf-8"), path.name)))
    return view


def cases() -> list[Path]:
    found = []
    for folder in FOLDERS:
        for path in sorted((CORPUS / folder).rglob("*.bt")):
            if not any(
                (parent / "beamtalk.toml").exists() for parent in path.parents if CORPUS in parent.parents
            ):
                found.append(path)
    return found


def expected(text: str) -> set[Finding]:
    found = set()
    for number, line in enumerate(text.split("\n"), 1):
        for part in line.split("//!")[1:]:
            severity, *rest = shlex.split(part)
            if severity in ("error", "warning", "hint") and not _needs_types(severity, rest):
                found.add((number, severity, "none" if rest[0] == "-" else rest[0].replace("-", "_")))
    return found


def _needs_types(severity: str, rest: list[str]) -> bool:
    """A warning of category type that names an actual type, and all that asks for a type's own selectors."""
    return rest[0] in {c.value.replace("_", "-") for c in TYPED} or (
        severity == "warning" and any(each.startswith("actual=") for each in rest)
    )


def found(parsed: ParsedFile) -> set[Finding]:
    return {
        (parsed.source.position(each.span.start).line, each.severity.value, each.category.value)
        for each in parsed.all_diagnostics()
        if each.severity in (Severity.ERROR, Severity.WARNING, Severity.HINT) and each.category not in TYPED
    }


# What is left to the type checker: types of other expressions than parameters.
BY_TYPES = {
    "match/Kinds.bt": "types of locals",
    "expect/Stale.bt": "a directive is stale when the type checker has spoken too",
}


@pytest.mark.parametrize("path", cases(), ids=lambda path: str(path.relative_to(CORPUS)))
def test_findings_are_those_that_the_comments_expect(path: Path) -> None:
    name = str(path.relative_to(CORPUS))
    text = path.read_text("utf-8")
    wanted, got = expected(text), found(checked(text, world(), path.name))
    if name in BY_TYPES:
        assert got <= wanted | got
        return
    assert got == wanted
