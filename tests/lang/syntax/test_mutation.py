"""Deleting one sign anywhere in a method loses no other unit."""

from __future__ import annotations

from pathlib import Path

import pytest

from lang.source import SourceText
from lang.syntax import parse_file, unparse
from lang.syntax.units import ParsedFile, ParsedUnit, Side, UnitKind

ROOT = Path(__file__).parents[3]
SAMPLES = [
    ROOT / "tests/cases/syntax/sound/Ferry.bt",
    ROOT / "tests/cases/syntax/sound/extras.bt",
    ROOT / "tests/conformance/language/fixtures/layout_demo.bt",
]
CORPUS = sorted((ROOT / "tests/conformance").glob("*/fixtures/*.bt"))

Identity = tuple[UnitKind, str, Side | None, str, str]


def units(parsed: ParsedFile) -> set[Identity]:
    return {_identity(unit) for unit in parsed.units if unit.node is not None}


def _identity(unit: ParsedUnit) -> Identity:
    return (unit.name.kind, unit.name.owner, unit.name.side, unit.name.member, unit.text)


def losses(path: Path) -> list[tuple[str, set[Identity]]]:
    text = path.read_text("utf-8")
    sound = parse_file(SourceText(text))
    found = []
    for unit in sound.units:
        if unit.name.kind not in (UnitKind.METHOD, UnitKind.EXTENSION):
            continue
        # Statements are named by their order, and an extension that falls apart becomes statements.
        others = {
            _identity(u) for u in sound.units if u is not unit and u.name.kind is not UnitKind.STATEMENTS
        }
        for at in range(*unit.cut.span):
            if text[at].isspace():
                continue
            mutant = text[:at] + text[at + 1 :]
            parsed = parse_file(SourceText(mutant))
            assert unparse(parsed) == mutant
            if lost := others - units(parsed):
                found.append((text[max(0, at - 20) : at] + "‸" + text[at : at + 20], lost))
    return found


@pytest.mark.parametrize("path", SAMPLES, ids=lambda p: p.stem)
def test_no_other_unit_is_lost(path: Path) -> None:
    assert losses(path) == []


@pytest.mark.slow
def test_no_other_unit_of_the_corpus_is_lost() -> None:
    assert CORPUS
    assert {path.name: lost for path in CORPUS if (lost := losses(path))} == {}
