"""Rows of the index in the compile cache: what is unpacked is what the trees give (workspace.md 1.9)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.workspace.boilers import BOILERS
from tests.workspace.lab import Lab, index_by_brute_force, lab_with, project
from workspace import drafting
from workspace.row_data import references_as_data, references_from_data, rows_of_file

MORE: dict[str, str | bytes] = {
    "src/All.bt": (
        "Value subclass: All\n  field: one :: Integer = 1\n  field: two = Gauge new\n"
        "  a: x :: Boiler | Nil => x level; heat: 1; label\n"
        '  b => "at {self.one printString} and {(Boiler spawn) level}"\n'
        "  c: r => r match: [Result ok: v when: [v > 1] -> v; g :: Gauge -> g read; _ -> nil]\n"
        "  class d => Python math sqrt: 16\n"
        "  e => (Boiler >> #level) source\n"
        "  f => self perform: #g\n"
        "  g => Boiler class name\n"
        "  h: b => b heat: 1!\n"
    ),
    "src/Ext.bt": "Boiler >> twice => self level + self level\n\nGauge class >> other => super new\n",
    "src/Crlf.bt": b"Object subclass: Crlf\r\n  // Boiler\r\n  class a =>\r\n    Boiler spawn\r\n",
}


def test_every_reference_survives(tmp_path: Path) -> None:
    with lab_with(tmp_path, {**BOILERS, **MORE}) as lab:
        for unit in lab.state.units.values():
            rows = drafting.rows_for(unit)
            assert rows is not None
            assert references_from_data(references_as_data(rows.references)) == rows.references


def test_a_second_start_answers_queries_without_parsing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lab = Lab(project(tmp_path, {**BOILERS, **MORE}))
    lab.sync()
    senders = lab("(SystemNavigation default sendersOf: #level) size")
    lab.restart()
    parsed = _counted(monkeypatch)
    index = lab.workspace.evaluator.run(lambda: lab.state.index)
    assert parsed == []
    assert lab("(SystemNavigation default sendersOf: #level) size") == senders
    assert parsed == []
    assert index == index_by_brute_force(lab.state)
    lab.close()


def _counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    parsed: list[str] = []
    rows_for: Callable[..., object] = drafting.rows_for

    def counting(unit: object) -> object:
        parsed.append(str(unit))
        return rows_for(unit)

    monkeypatch.setattr(drafting, "rows_for", counting)
    return parsed


def test_a_file_that_memory_has_otherwise_is_not_recorded(tmp_path: Path) -> None:
    with lab_with(tmp_path, BOILERS) as lab:
        assert rows_of_file(lab.state, lab.state.disk["src/Panel.bt"]) is not None
        lab("Panel >> a: b :: Boiler => b")
        assert rows_of_file(lab.state, lab.state.disk["src/Panel.bt"]) is None
        lab("Workspace undo")
        assert rows_of_file(lab.state, lab.state.disk["src/Panel.bt"]) is not None


def test_nobody_who_asks_nothing_pays(tmp_path: Path) -> None:
    lab = Lab(project(tmp_path, BOILERS))
    lab.sync()
    assert not lab.state.cross_reference.is_made
    lab.restart()
    assert lab.workspace.compile_cache is not None
    assert lab.workspace.compile_cache.without_rows == frozenset(lab.state.disk)
    lab.close()
