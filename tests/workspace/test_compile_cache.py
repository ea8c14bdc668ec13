"""A load from the compile cache says and does what a load without one does, with less work (workspace.md 1.9)."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from lang import pipeline
from lang.ast import nodes as ast
from lang.codegen.context import ClassContext
from lang.codegen.unit import CompiledUnit
from lang.diagnostics import Diagnostic
from lang.semantics import check
from lang.semantics.check import TypeChecker
from lang.semantics.hierarchy import ClassView
from lang.source import SourceText
from lang.stdlib.cache_file import write_record
from lang.syntax import files
from lang.syntax.units import ParsedFile, ParsedUnit
from tests.workspace.lab import Lab, index_by_brute_force, project
from workspace import compile_cache, manifest_source
from workspace.sync import SyncReport

SHELF = """/// Holds things.
Value subclass: Shelf
  field: count :: Integer = 0

  /// One more.
  more => self withCount: self.count + 1

  class of: n => self count: n
"""
ROOM = """Object subclass: Room
  class furnish => (Shelf of: 2) more count

  class shelf => Shelf
"""
EXTRA = "Integer >> shelves => Shelf of: self\n\ntype Size = #small | #large\n"
FILES = {"src/Shelf.bt": SHELF, "src/Room.bt": ROOM, "src/extra.bt": EXTRA}


class Work:
    """How many files were parsed, and units checked, since it was last asked."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.parsed = 0
        self.checked = 0
        parse_file, check_unit = files.parse_file, check.check_unit

        def counting_parse(source: SourceText) -> ParsedFile:
            self.parsed += 1
            return parse_file(source)

        def counting_check(
            node: ast.Declaration,
            owner: str,
            world: ClassView,
            more: tuple[Diagnostic, ...] = (),
            types: TypeChecker | None = None,
        ) -> tuple[Diagnostic, ...]:
            self.checked += 1
            return check_unit(node, owner, world, more, types)

        monkeypatch.setattr(manifest_source, "parse_file", counting_parse)
        monkeypatch.setattr(check, "check_unit", counting_check)

    def take(self) -> tuple[int, int]:
        done = (self.parsed, self.checked)
        self.parsed = self.checked = 0
        return done


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Work:
    return Work(monkeypatch)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return project(tmp_path / "lab", FILES)


def load(root: Path, *inputs: str) -> tuple[SyncReport, list[str]]:
    """Open the project, load it, evaluate, close."""
    lab = Lab(root)
    try:
        report = lab.workspace.evaluator.run(lab.workspace.loader.sync)
        answers = [lab(text) for text in inputs]
        assert lab.state.index == index_by_brute_force(lab.state)
        return report, answers
    finally:
        lab.close()


INPUTS = (
    "Room furnish",
    "4 shelves printString",
    "Shelf doc",
    "(Shelf >> #more) source",
    "(SystemNavigation default sendersOf: #more) size",
    "Shelf allMethods size",
)


def said(report: SyncReport) -> list[str]:
    return [f"{f.path}:{f.line} {f.diagnostic.message}" for f in report.findings] + [
        f"{p.path} {p.message}" for p in report.problems
    ]


def records(root: Path) -> list[Path]:
    return sorted((root / ".beamtalk" / "cache" / compile_cache.FORMAT).glob("??/*.btc"))


def test_an_unchanged_project_is_neither_parsed_nor_checked_again(root: Path, work: Work) -> None:
    first = load(root, *INPUTS)
    assert work.take() == (3, 8 + len(INPUTS))
    assert len(records(root)) == 3
    second = load(root, *INPUTS)
    assert work.take() == (0, len(INPUTS))
    assert second[1] == first[1]
    assert said(second[0]) == said(first[0]) == []
    load(root)
    assert work.take() == (0, 0)


def test_code_that_ran_is_not_compiled_again(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    compile_method = pipeline.compile_method

    def counting(unit: ParsedUnit, context: ClassContext) -> CompiledUnit:
        compiled.append(unit.name.member)
        return compile_method(unit, context)

    monkeypatch.setattr(pipeline, "compile_method", counting)
    load(root)
    assert load(root, "Room furnish")[1] == ["3"]
    # The methods that ran, then the others of their files.
    assert compiled == ["furnish", "of:", "more", "shelf"]
    compiled.clear()
    assert load(root, "Room furnish", "4 shelves printString")[1][0] == "3"
    assert compiled == ["shelves"]
    (root / "src/Shelf.bt").write_text(SHELF.replace("self.count + 1", "self.count + 10"))
    compiled.clear()
    assert load(root, "Room furnish")[1] == ["12"]
    assert compiled == ["of:", "more"]


def test_code_of_a_class_of_another_kind_is_compiled_again(root: Path) -> None:
    """What code depends on besides its text: the kind of its class, which another file may decide."""
    files = {"src/A.bt": "Value subclass: A\n", "src/B.bt": "A subclass: B\n  field: n = 1\n  n => self.n\n"}
    root = project(root.with_name("kinds"), files)
    assert load(root, "B new n")[1] == ["1"]
    (root / "src/A.bt").write_text("Actor subclass: A\n")
    (root / "src/B.bt").write_text("A subclass: B\n  state: n = 1\n  n => self.n\n")
    assert load(root, "B spawn n")[1] == ["1"]


def test_code_of_a_text_that_memory_has_changed_is_not_recorded(root: Path) -> None:
    load(root)
    answers = load(root, 'Shelf compile: #more source: "more => self withCount: 100"', "Room furnish")[1]
    assert answers[1] == "100"
    assert load(root, "Room furnish")[1] == ["3"]


def test_another_body_costs_its_own_file_alone(root: Path, work: Work) -> None:
    load(root)
    (root / "src/Shelf.bt").write_text(SHELF.replace("self.count + 1", "self.count + 10"))
    work.take()
    assert load(root, "Room furnish")[1] == ["12"]
    # The three units of the file, and the input.
    assert work.take() == (1, 3 + 1)


def test_another_interface_has_every_file_checked_again(root: Path, work: Work) -> None:
    load(root)
    (root / "src/Shelf.bt").unlink()
    work.take()
    report, _answers = load(root)
    assert work.take()[0] == 0
    assert any("Shelf" in each for each in said(report))
    without_cache = root.parent / "fresh"
    project(without_cache, {name: text for name, text in FILES.items() if name != "src/Shelf.bt"})
    assert said(load(without_cache)[0]) == said(report)


def test_what_has_findings_says_them_at_each_load(root: Path) -> None:
    (root / "src/Wrong.bt").write_text("Object subclass: Wrong\n  class go => Nowhere make\n")
    (root / "src/Broken.bt").write_text("Object subclass: Broken\n  class go => (1\n")
    first = said(load(root)[0])
    assert len(first) == 2
    assert said(load(root)[0]) == first
    (root / "src/Broken.bt").unlink()
    assert said(load(root)[0]) == said(load(root)[0]) == [each for each in first if "Nowhere" in each]


@pytest.mark.parametrize(
    "damage", ["cut", "flipped", "empty", "writable by others", "another record", "no data"]
)
def test_a_damaged_record_is_made_again(root: Path, work: Work, damage: str) -> None:
    load(root, "Room furnish")
    one, two, *_ = records(root)
    data = one.read_bytes()
    match damage:
        case "cut":
            one.write_bytes(data[:-3])
        case "flipped":
            one.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
        case "empty":
            one.write_bytes(b"")
        case "writable by others":
            one.chmod(0o622)
        case "another record":
            one.write_bytes(two.read_bytes())
        case "no data":
            key = bytes.fromhex(one.stem)
            write_record(one, compile_cache.MAGIC, key, b"garbage")
    work.take()
    assert load(root, "Room furnish")[1] == ["3"]
    assert work.take()[0] == 1
    assert one.read_bytes() == data
    load(root)
    assert work.take() == (0, 0)


def test_a_folder_that_cannot_be_written_is_no_failure(root: Path, work: Work) -> None:
    (root / ".beamtalk").mkdir()
    (root / ".beamtalk" / "cache").write_text("in the way")
    assert load(root, "Room furnish")[1] == ["3"]
    assert load(root, "Room furnish")[1] == ["3"]
    assert work.take()[0] == 6


def test_a_copied_project_takes_its_cache_along(root: Path, work: Work) -> None:
    load(root)
    moved = root.parent / "moved"
    root.rename(moved)
    work.take()
    assert load(moved, "Room furnish")[1] == ["3"]
    assert work.take()[0] == 0


def test_records_that_nobody_uses_are_pruned(root: Path) -> None:
    load(root)
    long_ago = time.time() - 40 * 24 * 3600
    for each in records(root):
        os.utime(each, (long_ago, long_ago))
    (root / "src/extra.bt").unlink()
    marker = root / ".beamtalk" / "cache" / compile_cache.FORMAT / ".pruned"
    os.utime(marker, (long_ago, long_ago))
    load(root)
    (root / "src/extra.bt").write_text(EXTRA)
    os.utime(marker, (long_ago, long_ago))
    load(root)
    assert len(records(root)) == 3
    assert all(time.time() - each.stat().st_mtime < 3600 for each in records(root))


@pytest.fixture
def cached(root: Path) -> Iterator[Lab]:
    load(root)
    lab = Lab(root)
    lab.sync()
    yield lab
    lab.close()


def test_what_came_from_the_cache_is_patched_renamed_and_flushed_as_ever(cached: Lab) -> None:
    cached("Shelf >> more => self withCount: self.count + 100")
    assert cached("Room furnish") == "102"
    cached("Shelf renameTo: #Rack")
    assert cached("Room shelf") == "Rack"
    cached.flush_all()
    assert "Rack of: 2" in cached.read("src/Room.bt")
    assert "+ 100" in cached.read("src/Rack.bt")
    cached.restart()
    assert cached("Room furnish") == "102"
