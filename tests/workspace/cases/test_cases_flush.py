"""Public cases F1 to F4, U1, U2 and G1 to G3: log, flush and undo, bytes compared."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from tests.workspace.lab import COUNTER, P0, lab_with

DOC_PATCH = 'Counter compile: #increment source: "/// Adds one.\nincrement => self.value := self.value + 2"'
ADDS_TWO = COUNTER.replace("self.value + 1", "self.value + 2")


def test_f1_a_doc_comment_is_not_doubled(tmp_path: Path) -> None:
    with lab_with(tmp_path) as lab:
        lab(DOC_PATCH)
        lab("Workspace flush")
        assert lab.read("src/Counter.bt") == ADDS_TWO


def test_f1_no_final_line_feed_is_added(tmp_path: Path) -> None:
    bare = "Actor subclass: Counter\n  state: value = 0\n\n  getValue => self.value"
    with lab_with(tmp_path, {"src/Counter.bt": bare}) as lab:
        lab('Counter compile: #getValue source: "getValue => self.value + 1"')
        lab("Workspace flush")
        assert lab.read("src/Counter.bt") == bare + " + 1"


def test_f2_crlf_stays(tmp_path: Path) -> None:
    crlf = {path: text.replace("\n", "\r\n") for path, text in P0.items()}
    with lab_with(tmp_path, crlf) as lab:
        lab("Counter >> increment => self.value := self.value + 2")
        lab("Workspace flush")
        assert lab.read("src/Counter.bt") == ADDS_TWO.replace("\n", "\r\n")
        lab("Counter >> twice => self.value * 2")
        lab("Workspace flush")
        grown = ADDS_TWO.replace(
            "  getValue => self.value\n", "  getValue => self.value\n\n  twice => self.value * 2\n"
        )
        assert lab.read("src/Counter.bt") == grown.replace("\n", "\r\n")
        lab("Counter renameTo: #Accumulator")
        lab.flush_all()
        renamed = grown.replace("subclass: Counter", "subclass: Accumulator")
        assert lab.read("src/Accumulator.bt") == renamed.replace("\n", "\r\n")
        meter = lab.read("src/Meter.bt")
        assert meter.count("\r\n") == meter.count("\n") == P0["src/Meter.bt"].count("\n")
        assert "\\r" not in lab("(Accumulator >> #increment) source")
        assert "\r" not in lab("(Accumulator >> #increment) source")


def test_f3_links_and_modes_stay(tmp_path: Path) -> None:
    real = tmp_path / "real/Counter.bt"
    real.parent.mkdir()
    real.write_text(COUNTER)
    real.chmod(0o640)
    (tmp_path / "src").mkdir()
    (tmp_path / "src/Counter.bt").symlink_to("../real/Counter.bt")
    with lab_with(tmp_path, {}) as lab:
        lab("Counter >> increment => self.value := self.value + 2")
        lab.flush_all()
        assert (tmp_path / "src/Counter.bt").is_symlink()
        assert real.read_text() == ADDS_TWO
        assert stat.S_IMODE(real.stat().st_mode) == 0o640
        assert set(lab.tree()) == {"beamtalk.toml", "real/Counter.bt", "src/Counter.bt"}


def test_f4_an_outside_edit_of_the_unit_is_a_conflict(tmp_path: Path) -> None:
    with lab_with(tmp_path) as lab:
        lab("Counter >> increment => self.value := self.value + 2")
        edited = COUNTER.replace("self.value + 1", "self.value + 7")
        lab.write("src/Counter.bt", edited)
        lab("r := Workspace flush")
        assert lab("(r conflicts collect: [:c | c at: #file])") == '#("src/Counter.bt")'
        assert lab("(r conflicts collect: [:c | c at: #reason])") == "#(#external_edit)"
        assert lab.read("src/Counter.bt") == edited
        assert lab("Workspace changes size") == "1"


def test_f4_an_outside_edit_elsewhere_is_kept(tmp_path: Path) -> None:
    with lab_with(tmp_path) as lab:
        lab("Counter >> increment => self.value := self.value + 2")
        lab.write("src/Counter.bt", "// Mine.\n" + COUNTER)
        lab("Workspace flush")
        assert lab.read("src/Counter.bt") == "// Mine.\n" + ADDS_TWO


def test_u1_a_new_method_can_be_reverted(tmp_path: Path) -> None:
    with lab_with(tmp_path) as lab:
        lab("Counter >> twice => self.value * 2")
        lab("Workspace changes revert: ((Workspace changes select: [:e | e selector =:= #twice]) first)")
        assert lab("Counter includesSelector: #twice") == "false"
        assert lab.error("(Counter spawn) twice").kind == "does_not_understand"
        assert lab("Workspace changes isEmpty") == "true"
        lab("Workspace flush")
        assert lab.read("src/Counter.bt") == COUNTER


def test_u2_undo_of_a_rename_restores_every_file(tmp_path: Path) -> None:
    with lab_with(tmp_path) as lab:
        before = lab.tree()
        lab("Counter renameTo: #Accumulator")
        lab("Workspace changes revert: Workspace changes activeEntries last")
        lab("Counter spawn")
        lab("Meter make")
        assert lab("Beamtalk classNamed: #Accumulator") == "nil"
        assert lab("Workspace changes isEmpty") == "true"
        lab.flush_all()
        assert lab.tree() == before
        lab("Counter renameTo: #Accumulator")
        lab("Accumulator renameTo: #Counter")
        lab.flush_all()
        assert lab.tree() == before
        assert lab("Meter make getValue") == "0"


def test_g1_two_patches_of_a_method_are_one_pending_change(tmp_path: Path) -> None:
    with lab_with(tmp_path) as lab:
        lab("Counter >> getValue => self.value + 1")
        lab("Counter >> getValue => self.value + 2")
        assert lab("Workspace changes size") == "1"
        assert lab("Workspace changes allEntries size") == "2"
        assert lab("(Workspace changes select: [:e | e isShadowed]) size") == "1"
        lab("Workspace flush")
        assert lab.read("src/Counter.bt") == COUNTER.replace(
            "getValue => self.value", "getValue => self.value + 2"
        )


def test_g2_what_is_as_on_disk_is_not_pending(tmp_path: Path) -> None:
    with lab_with(tmp_path) as lab:
        lab("Counter >> getValue => self.value + 1")
        assert lab("Workspace changes isEmpty") == "false"
        lab("Counter >> getValue => self.value")
        assert lab("Workspace changes isEmpty") == "true"
        assert lab("Workspace changes allEntries size") == "2"
        lab('Counter compile: #getValue source: "  getValue => self.value"')
        assert lab("Workspace changes isEmpty") == "true"
        status = lab.path("src/Counter.bt").stat()
        lab("Workspace flush")
        assert lab.path("src/Counter.bt").stat() == status


@pytest.mark.parametrize("damage", ["append", "cut"])
def test_g3_a_torn_line_takes_no_other_with_it(tmp_path: Path, damage: str) -> None:
    with lab_with(tmp_path) as lab:
        lab("Counter >> getValue => self.value + 1")
        if damage == "cut":
            lab("Counter >> label => 1")
        log = tmp_path / ".beamtalk/changes/changes.jsonl"
        lab.close()
        data = log.read_bytes()
        log.write_bytes(data + b'{"seq": 9, "cla' if damage == "append" else data[:-5])
        lab.restart()
        lab("Counter >> increment => self.value := 3")
        for _ in range(2):
            lab.restart()
        selectors = lab("Workspace changes allEntries collect: [:e | e selector]")
        assert selectors == "#(#getValue, #increment)"
