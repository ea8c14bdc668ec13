"""Manifests: one golden case a file, `tests/cases/manifest` (workspace.md 1.2)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lang.diagnostics import Category, Severity
from workspace.manifest import Manifest, ManifestReading, name_problem, read_manifest

CASES = sorted((Path(__file__).parents[1] / "cases" / "manifest").glob("*.toml"))


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_manifest_case(case: Path, matches_golden: Callable[[Path, str], None]) -> None:
    matches_golden(case.with_suffix(".out"), shown(read_manifest(case.read_text("utf-8"))))


def shown(reading: ManifestReading) -> str:
    """The problems, then what was understood."""
    lines = [*reading.lines()]
    if reading.manifest is None:
        lines.append("nothing loads")
    else:
        lines.extend(_shown_manifest(reading.manifest))
    return "".join(f"{line}\n" for line in lines)


def _shown_manifest(manifest: Manifest) -> list[str]:
    severities = {
        category.value: severity.value if severity else "off"
        for category, severity in manifest.severities.items()
    }
    return [
        f"{manifest.name} {manifest.version}",
        f"{manifest.description!r} {', '.join(manifest.licenses)} {manifest.strictness.value}",
        *(f"{each.name}: {each.source}" for each in manifest.dependencies),
        f"supervisor {manifest.supervisor}",
        f"diagnostics {severities}",
    ]


def test_there_are_cases() -> None:
    assert len(CASES) > 20


@given(st.text(alphabet="[]{}=\"'\\#.,\n ab_-1"))
def test_reading_never_raises_and_blames_a_place_in_the_text(text: str) -> None:
    reading = read_manifest(text)
    assert reading.manifest is None, "no such text has a package"
    assert all(0 <= each.span.start <= len(text) for each in reading.problems)


@given(st.from_regex(r"[a-z][a-z0-9_]{8,20}\Z"), st.sampled_from(list(Category)[1:]))
def test_what_is_written_is_read(name: str, category: Category) -> None:
    key = category.value.replace("_", "-")
    reading = read_manifest(f'[package]\nname = "{name}"\nversion = "0.1.0"\n[diagnostics]\n{key} = "warn"\n')
    if name_problem(name) is None:
        assert reading.manifest is not None
        assert reading.manifest.severities == {category: Severity.WARNING}
