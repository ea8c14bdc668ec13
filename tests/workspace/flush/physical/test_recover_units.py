"""Recovery with the real splice of units (changes.md 5, recovery)."""

from __future__ import annotations

from functools import partial

from lang.syntax.files import cut_file
from lang.syntax.units import Side, UnitKind, UnitName
from tests.faults.flush_scenes import AREA, DiskMarks, Scene, flush, killed_at, marked, sources
from workspace.flush.memory_disk import MemoryDisk
from workspace.flush.outcome import Direction
from workspace.flush.recover import recover
from workspace.flush.rows import Content, Row, UnitEdit
from workspace.flush.splice import reapply

BEFORE = (
    b"Actor subclass: Counter\r\n  state: value = 0\r\n\r\n  up => self.value := 1\r\n\r\n  down => 0\r\n"
)
AFTER = BEFORE.replace(b":= 1", b":= 2")
NAME = UnitName(UnitKind.METHOD, "Counter", Side.INSTANCE, "up")
EDITS = (UnitEdit(NAME, "up => self.value := 1", NAME, "up => self.value := 2"),)
SCENE = Scene(
    {"Counter.bt": BEFORE},
    (Row("Counter.bt", Content(BEFORE), Content(AFTER), "Counter.bt", EDITS),),
    {"Counter.bt": AFTER},
)
splice = partial(reapply, cut=cut_file)


def committed() -> MemoryDisk:
    """Killed while the exchange is still to come."""
    at = 0
    while True:
        disk = SCENE.disk()
        killed_at(disk, at, partial(flush, scene=SCENE))
        if disk.lstat(AREA.journal("7f")) is not None:
            return disk.copy()
        at += 1


def finish(disk: MemoryDisk) -> bytes | str:
    (found,) = recover(disk, AREA, DiskMarks(disk), splice).recovered
    assert (found.direction, found.left_alone, found.kept) == (Direction.FINISHED, (), ())
    assert marked(disk)
    (data,) = sources(disk).values()
    return data


def test_a_plain_crash_is_finished() -> None:
    assert finish(committed()) == AFTER


def test_an_edit_of_another_method_is_merged() -> None:
    disk = committed()
    disk.save_by_replacing("/p/Counter.bt", b"// Mine.\r\n" + BEFORE.replace(b"=> 0", b"=> 9"))
    assert finish(disk) == b"// Mine.\r\n" + AFTER.replace(b"=> 0", b"=> 9")


def test_an_edit_after_the_exchange_stays() -> None:
    disk = committed()
    disk.save_by_replacing("/p/Counter.bt", AFTER.replace(b"=> 0", b"=> 9"))
    assert finish(disk) == AFTER.replace(b"=> 0", b"=> 9")


def test_a_temp_that_is_gone_is_made_again_from_the_edits() -> None:
    disk = committed()
    disk.unlink("/p/.bt-7f-0.new")
    assert finish(disk) == AFTER


def test_an_edit_of_the_same_method_is_left_alone() -> None:
    disk = committed()
    mine = BEFORE.replace(b":= 1", b":= 7")
    disk.save_by_replacing("/p/Counter.bt", mine)
    (found,) = recover(disk, AREA, DiskMarks(disk), splice).recovered
    assert [file.path for file in found.left_alone] == ["Counter.bt"]
    assert {disk.read(file.kept) for file in found.kept} == {BEFORE, AFTER}
    assert sources(disk) == {"Counter.bt": mine}
