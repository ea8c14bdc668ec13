"""Files that somebody moves while changes to them are pending (changes.md 2.2, 12)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.workspace.lab import COUNTER, Lab, lab_with
from workspace.invariants import broken_laws

PATCH = "Counter >> increment => self.value := self.value + 2"
RELOCATE = 'Workspace changes relocate: (Workspace changes activeEntries at: 1) to: "src/deep/Counter.bt"'


def moved(lab: Lab) -> None:
    """Move the file as one would in a shell."""
    lab.path("src/deep").mkdir(exist_ok=True)
    lab.path("src/Counter.bt").rename(lab.path("src/deep/Counter.bt"))


def test_a_pending_patch_follows_its_file(tmp_path: Path) -> None:
    with lab_with(tmp_path) as lab:
        lab(PATCH)
        lab("Counter >> fresh => 7")
        moved(lab)
        result = lab("Workspace flush")
        assert "relocated_or_deleted" in result
        assert lab(RELOCATE) == "Counter>>increment"
        assert lab("Workspace changes activeEntries collect: [:e | e sourceFile]") == (
            '#("src/deep/Counter.bt", "src/deep/Counter.bt")'
        )
        assert lab.workspace.evaluator.run(lambda: list(broken_laws(lab.workspace))) == []
        lab("Workspace sync")
        assert lab("Workspace flush") == "flushed 2 methods across 1 file"
        assert "+ 2" in lab.read("src/deep/Counter.bt")
        assert not lab.path("src/Counter.bt").exists()
        lab("Workspace undo")
        lab("Workspace undo")
        lab("Workspace flush")
        assert lab.read("src/deep/Counter.bt") == COUNTER


def test_it_is_undone_at_the_new_place(tmp_path: Path) -> None:
    with lab_with(tmp_path) as lab:
        lab("Counter removeSelector: #increment")
        moved(lab)
        lab(RELOCATE)
        lab("Workspace undo")
        assert lab("Workspace changes size") == "0"
        assert lab.workspace.evaluator.run(lambda: list(broken_laws(lab.workspace))) == []


def test_a_later_session_restores_it_at_the_new_place(tmp_path: Path) -> None:
    with lab_with(tmp_path) as lab:
        lab(PATCH)
        moved(lab)
        lab(RELOCATE)
        lab.restart()
        assert lab("(Workspace changes restore at: #restored) size") == "1"
        lab.flush_all()
        assert "+ 2" in lab.read("src/deep/Counter.bt")


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("src/deep/Other.bt", "file_not_found"),
        ("../Counter.bt", "target_outside_project"),
        ("src/Meter.bt", "target_exists"),
        ("src/deep/Wrong.bt", "class_name_mismatch"),
    ],
)
def test_what_cannot_be_followed_is_refused(tmp_path: Path, path: str, kind: str) -> None:
    with lab_with(tmp_path) as lab:
        lab(PATCH)
        moved(lab)
        lab.write("src/deep/Wrong.bt", COUNTER)
        entry = "(Workspace changes activeEntries at: 1)"
        assert lab.error(f'Workspace changes relocate: {entry} to: "{path}"').kind == kind
        assert lab.error("Workspace changes relocate: 3 to: 4").kind == "type_error"
        assert lab.error(f"Workspace changes relocate: {entry} to: 4").kind == "type_error"


def test_a_file_that_is_still_there_was_not_moved(tmp_path: Path) -> None:
    with lab_with(tmp_path) as lab:
        lab(PATCH)
        lab.write("src/deep/Counter.bt", COUNTER)
        assert lab.error(RELOCATE).message == "src/Counter.bt is still there"
