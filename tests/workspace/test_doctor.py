"""`:doctor` and the laws that it looks at: each one can fail (changes.md 11, workspace.md 6.13)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.repl.command_lab import CommandLab
from tests.workspace.lab import Lab, lab_with
from workspace.doctor import Verdict, examine, worst
from workspace.invariants import broken_laws


def found(lab: Lab) -> list[str]:
    """The laws that do not hold."""
    return lab.workspace.evaluator.run(lambda: list(broken_laws(lab.workspace)))


def test_a_workspace_at_work_is_well(tmp_path: Path) -> None:
    with lab_with(tmp_path) as lab:
        run = CommandLab(lab)
        for text in (
            "Counter >> increment => self.value := self.value + 2",
            "Meter class >> more => Counter spawn",
            'Counter tryCompile: #spike source: "spike => 7"',
            "Counter renameTo: #Tally",
            'Workspace moveClass: Tally to: "src/deep/Tally.bt"',
            "Workspace flushIncludingDestructive",
            "Workspace undo",
            "Object subclass: AtThePrompt",
            "Meter removeFromSystem",
        ):
            lab(text)
            assert found(lab) == [], text
        said = run(":doctor").text.split("\n")
        assert said[-1] == "All checks passed!"
        assert all(line.startswith("✅ ") for line in said[:-1])
        assert run(":doctor now").text == "Usage: :doctor"


def _forgets_a_unit(lab: Lab) -> None:
    image = lab.workspace.image
    lineage = next(n for n, unit in image.state.units.items() if unit.name.member == "getValue")
    image.state = replace(image.state, units=image.state.units.delete(lineage))


def _changes_a_text_without_an_entry(lab: Lab) -> None:
    image = lab.workspace.image
    unit = next(unit for unit in image.state.units.values() if unit.name.member == "label")
    changed = image.state.units.set(unit.lineage, replace(unit, text=unit.text + "// by nobody"))
    image.state = replace(image.state, units=changed)


def _loses_a_method(lab: Lab) -> None:
    counter = lab.workspace.runtime.existing_class("Counter")
    kept = {k: m for k, m in counter.definition.methods.items() if k != "getValue"}
    counter.definition = replace(counter.definition, methods=kept)


def _forgets_a_name(lab: Lab) -> None:
    image = lab.workspace.image
    moved = image.state.classes.set("Meter", image.state.classes["Counter"])
    image.state = replace(image.state, classes=moved)


@pytest.mark.parametrize(
    ("damage", "law"),
    [
        (_forgets_a_unit, "the units by class are not the units"),
        (_changes_a_text_without_an_entry, "differs from disk by more than the pending changes"),
        (_loses_a_method, "Counter>>getValue is not live"),
        (_forgets_a_name, "Meter means a unit that declares Counter"),
    ],
)
def test_each_law_can_be_broken(tmp_path: Path, damage: Callable[[Lab], None], law: str) -> None:
    with lab_with(tmp_path) as lab:
        lab.workspace.evaluator.run(lambda: damage(lab))
        assert any(law in each for each in found(lab)), found(lab)
        checks = lab.workspace.evaluator.run(lambda: examine(lab.workspace))
        assert worst(checks) is Verdict.FAILED


def test_sources_that_changed_on_disk_are_a_warning(tmp_path: Path) -> None:
    with lab_with(tmp_path) as lab:
        lab.write("src/Meter.bt", lab.read("src/Meter.bt") + "\n")
        said = CommandLab(lab)(":doctor").text
        assert "⚠️  Sources: 1 changed on disk since, see :sync: src/Meter.bt" in said
        assert said.endswith("All required checks passed (with warnings).")


def test_a_damaged_journal_is_a_failure(tmp_path: Path) -> None:
    with lab_with(tmp_path) as lab:
        lab("Counter >> increment => self.value := self.value + 2")
        journal = tmp_path / ".beamtalk/changes/changes.jsonl"
        whole = journal.read_bytes()
        journal.write_bytes(whole.replace(b"value + 2", b"value + 3"))
        assert "❌ ChangeLog: #1: edit 0 after differs from its hash" in CommandLab(lab)(":doctor").text
        journal.write_bytes(b"")
        assert "entries that the file does not hold: #1" in CommandLab(lab)(":doctor").text
        journal.write_bytes(whole)


def test_an_unfinished_flush_is_a_warning(tmp_path: Path) -> None:
    with lab_with(tmp_path) as lab:
        left = tmp_path / ".beamtalk/flush/0123456789ab.begin"
        left.write_text("{}")
        assert "⚠️  Flush: one was not finished" in CommandLab(lab)(":doctor").text
        left.unlink()


def test_a_rename_that_waits_for_a_class_without_a_file_is_no_damage(tmp_path: Path) -> None:
    with lab_with(tmp_path) as lab:
        lab("Value subclass: Shelf")
        lab("Meter class >> make => Shelf new")
        lab("Meter renameTo: #Gauge")
        lab('Workspace moveClass: Gauge to: "src/deep/Gauge.bt"')
        lab("Shelf renameTo: #Rack")
        assert found(lab) == []
        lab('Counter tryCompile: #spike source: "spike => 7"')
        lab("Counter renameTo: #Tally")
        lab("Tally renameSelector: #spike to: #trial")
        assert found(lab) == []


def test_a_file_that_a_waiting_rename_leaves_where_it_is_is_no_damage(tmp_path: Path) -> None:
    with lab_with(tmp_path) as lab:
        lab("Value subclass: Shelf\n  one => Counter\n")
        lab("Value subclass: Shelf\n  one => Counter\n  two => Counter\n")
        lab("Counter renameTo: #Tally")
        assert "#depends_on" in lab("Workspace flushPlanIncludingDestructive withheld")
        assert found(lab) == []
