"""A flush waits for the disk in a thread: actors go on, the next flush waits, nothing is lost (changes.md 5)."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from lang.runtime.errors import BeamtalkError
from tests.workspace.lab import P0, Lab, lab_with
from workspace.flush.disk import RealDisk
from workspace.flush.watched_disk import Call, WatchedDisk

TICKER = "Actor subclass: Ticker\n  state: ticks = 0\n  tick => self.ticks := self.ticks + 1\n  ticks => self.ticks\n"


def slow(call: Call) -> None:
    """A disk that takes its time over all that is written."""
    if call.name not in ("read", "lstat", "listdir", "readlink"):
        time.sleep(0.02)


def test_actors_go_on_while_a_flush_waits_for_the_disk(tmp_path: Path) -> None:
    with lab_with(tmp_path, {**P0, "src/Ticker.bt": TICKER}, WatchedDisk(RealDisk(), slow)) as lab:
        lab("t := Ticker spawn. Timer every: 2 do: [t tick!]")
        lab("Counter >> getValue => self.value + 0")
        before = int(lab("t ticks"))
        begun = time.perf_counter()
        assert lab("Workspace flush") == "flushed 1 method across 1 file"
        took = time.perf_counter() - begun
        assert took > 0.15
        assert int(lab("t ticks")) - before > took / 0.002 / 4


def test_a_patch_that_comes_while_a_flush_is_written_is_for_the_next(tmp_path: Path) -> None:
    with lab_with(tmp_path, disk=WatchedDisk(RealDisk(), slow)) as lab:
        lab("Counter >> getValue => self.value + 0")
        other = lab.workspace.sessions.open("repl")
        flush = lab.workspace.evaluator.submit(lambda: lab.session.evaluate("Workspace flush"))
        time.sleep(0.05)
        lab.workspace.evaluator.run(lambda: other.evaluate("Counter >> getValue => self.value + 1"))
        assert not flush.future.done()
        flush.future.result(20)
        assert "self.value + 0" in lab.read("src/Counter.bt")
        assert lab("Workspace changes size") == "1"
        assert lab("Workspace flush") == "flushed 1 method across 1 file"
        assert "self.value + 1" in lab.read("src/Counter.bt")


def test_two_flushes_and_a_sync_wait_for_each_other(tmp_path: Path) -> None:
    with lab_with(tmp_path, disk=WatchedDisk(RealDisk(), slow)) as lab:
        lab("Counter >> getValue => self.value + 0")
        lab('Counter class >> label => "two"')
        running = [
            lab.workspace.evaluator.submit(
                lambda text=text: lab.workspace.sessions.open("repl").evaluate(text)
            )
            for text in (
                "Workspace flush",
                "Workspace sync",
                "Workspace flush",
                "Workspace flushIncludingDestructive",
            )
        ]
        for each in running:
            outcome = each.future.result(30)
            assert outcome.error is None  # type: ignore[attr-defined]
        assert lab("Workspace changes size") == "0"
        assert '"two"' in lab.read("src/Counter.bt")


def test_an_interrupted_flush_is_ended_all_the_same(tmp_path: Path) -> None:
    with lab_with(tmp_path, disk=WatchedDisk(RealDisk(), slow)) as lab:
        lab("Counter >> getValue => self.value + 0")
        flush = lab.workspace.evaluator.submit(lambda: lab.session.evaluate("Workspace flush"))
        time.sleep(0.05)
        lab.workspace.evaluator.interrupt(flush)
        flush.future.exception(20)
        # The next one waits until the first has ended, and finds nothing to do.
        assert lab("Workspace flush") == "flushed nothing"
        assert "self.value + 0" in lab.read("src/Counter.bt")
        assert lab("Workspace changes size") == "0"


def test_a_workspace_is_not_closed_under_a_flush(tmp_path: Path) -> None:
    with lab_with(tmp_path, disk=WatchedDisk(RealDisk(), slow)) as lab:
        lab("Counter >> getValue => self.value + 0")
        lab.workspace.evaluator.submit(lambda: lab.session.evaluate("Workspace flush"))
        time.sleep(0.05)
        lab.close()
        assert "self.value + 0" in lab.read("src/Counter.bt")
        assert list((tmp_path / ".beamtalk/flush").iterdir()) == []
    again = Lab(tmp_path)
    try:
        assert again.workspace.log.restorable() == ()
    finally:
        again.close()


def test_a_flush_that_cannot_be_taken_back_is_ended_by_the_next_one(tmp_path: Path) -> None:
    fails_from: list[int] = []

    def fail(call: Call) -> None:
        if fails_from and call.number >= fails_from[0]:
            raise OSError(5, "the cable is loose")

    disk = WatchedDisk(RealDisk(), fail)
    with lab_with(tmp_path, disk=disk) as lab:
        before = lab.read("src/Counter.bt")
        lab("Counter >> getValue => self.value + 0")
        journal_is_there = False
        for offset in range(8, 200):
            fails_from[:] = [disk.calls + offset]
            result = lab("Workspace flush")
            fails_from.clear()
            journal_is_there = "recovery needed" in result
            if journal_is_there:
                break
            assert lab.read("src/Counter.bt") == before or "flushed 1" in result
        assert journal_is_there
        fails_from[:] = [0]
        with pytest.raises(BeamtalkError) as refused:
            lab("Workspace flush")
        assert refused.value.kind == "recovery_needed"
        fails_from.clear()
        assert "conflict" not in lab("Workspace flush")
        assert "self.value + 0" in lab.read("src/Counter.bt")
        assert lab("Workspace changes size") == "0"
        assert lab("Workspace sync")
        lab("Workspace undo")
        lab("Workspace flush")
        assert lab.read("src/Counter.bt") == before
