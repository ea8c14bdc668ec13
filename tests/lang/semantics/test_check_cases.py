"""Golden cases: every finding of a source, as `tests/cases/semantics/<name>.out` has it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lang.syntax.units import ParsedFile

from .library import ROOT, checked

CASES = sorted((ROOT / "tests" / "cases" / "semantics").glob("*.bt"))


def shown(parsed: ParsedFile) -> Iterator[str]:
    for found in parsed.all_diagnostics():
        line, column = parsed.source.position(found.span.start)
        yield f"{line}:{column} {found.severity.value}[{found.category.value}] {found.message}"
        yield f"    {parsed.source.slice(found.span)!r}"
        if found.hint is not None:
            yield f"    hint: {found.hint}"


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_findings_of_a_case(path: Path, matches_golden: Callable[[Path, str], None]) -> None:
    lines = shown(checked(path.read_text("utf-8"), name=path.name))
    matches_golden(path.with_suffix(".out"), "\n".join(lines) + "\n")
