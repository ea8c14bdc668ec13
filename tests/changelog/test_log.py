"""Numbering, epochs, marks and rotation of the change log (changes.md 2)."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from changelog.entry import Intent, Mark, MarkKind
from changelog.folder import WorkspaceLocked, open_for_reading, open_for_writing
from changelog.journal import StoreReadOnly
from changelog.log import ChangeLog
from changelog.store import MemoryStore
from tests.changelog.making import fixed_clock, patch


def memory_log(store: MemoryStore | None = None, epoch: int = 1) -> ChangeLog:
    return ChangeLog(store or MemoryStore(), epoch, fixed_clock)


def test_entries_are_numbered_and_timed() -> None:
    log = memory_log(epoch=4)
    first, second = log.append(patch("a", None, "a => 1")), log.append(patch("b", None, "b => 1"))
    assert (first.seq, second.seq, second.epoch) == (1, 2, 4)
    assert first.timestamp == "2026-11-30T12:00:00.005Z"
    assert log.by_seq(2) == second
    assert log.by_seq(3) is None


def test_a_revert_marks_what_it_reverts_in_the_same_step() -> None:
    log = memory_log()
    log.append(patch("a", None, "a => 1"))
    revert = log.append(patch("a", "a => 1", None, reverts=1))
    assert list(log.marks) == [Mark(MarkKind.REVERTED, 1, by=2, timestamp=revert.timestamp)]


def test_cutting_back_leaves_the_log_as_it_was() -> None:
    log = memory_log()
    log.append(patch("a", None, "a => 1"))
    length = log.length()
    log.append(patch("a", "a => 1", "a => 2"))
    log.cut_back(length)
    assert [e.seq for e in log.entries] == [1]
    assert log.append(patch("a", "a => 1", "a => 3")).seq == 2


def test_what_an_earlier_epoch_left_can_be_restored() -> None:
    store = MemoryStore()
    log = memory_log(store)
    log.append(patch("kept", None, "kept => 1"))
    log.append(patch("written", None, "written => 1"))
    log.append(patch("spike", None, "spike => 1", intent=Intent.EPHEMERAL))
    log.append(patch("taken", None, "taken => 1"))
    log.append(patch("taken", "taken => 1", None, reverts=4))
    log.append(replace(patch("stdlib", None, "x => 1"), not_flushable_reason="stdlib"))
    log.mark(Mark(MarkKind.FLUSHED, 2, flush_id="f"))
    again = memory_log(store, epoch=2)
    assert [e.selector for e in again.pending_of_earlier_epochs()] == ["kept"]
    assert list(again.current_entries()) == []
    assert log.pending_of_earlier_epochs() == ()
    again.mark(Mark(MarkKind.PROMOTED, 1, by=7))
    assert again.pending_of_earlier_epochs() == ()


def test_a_revert_after_a_flush_is_pending_after_a_restart() -> None:
    store = MemoryStore()
    log = memory_log(store)
    log.append(patch("a", "a => 0", "a => 1"))
    log.mark(Mark(MarkKind.FLUSHED, 1, flush_id="f"))
    log.append(patch("a", "a => 1", "a => 0", reverts=1))
    assert [e.seq for e in memory_log(store, 2).pending_of_earlier_epochs()] == [2]


def test_rotation_keeps_the_newest_and_what_is_needed() -> None:
    log = memory_log()
    for number in range(20):
        log.append(patch(f"m{number}", None, "m => 1"))
    assert log.rotate(needed={2, 3}, keep=10) == 8
    assert [e.seq for e in log.entries] == [2, 3, *range(11, 21)]
    assert [e.seq for e in log.archived_entries()] == [1, *range(4, 11)]
    assert log.append(patch("z", None, "z => 1")).seq == 21


# ------------------------------------------------------------------ the folder


def test_the_folder_is_made_with_its_gitignore_and_private(tmp_path: Path) -> None:
    folder = open_for_writing(str(tmp_path))
    try:
        assert (tmp_path / ".beamtalk/.gitignore").read_text() == "*\n"
        assert (tmp_path / ".beamtalk").stat().st_mode & 0o777 == 0o700
        assert folder.identity.epoch == 1
        assert (tmp_path / ".beamtalk/flush").is_dir()
    finally:
        folder.close()


def test_each_opening_is_a_new_epoch_and_the_log_goes_on(tmp_path: Path) -> None:
    for epoch in (1, 2, 3):
        folder = open_for_writing(str(tmp_path))
        log = folder.open_log(fixed_clock)
        entry = log.append(patch("m", None, f"m => {epoch}"))
        assert (entry.epoch, entry.seq) == (epoch, epoch)
        assert log.append(patch("m", "m", "m => 0", reverts=entry.seq)).reverts == entry.seq
        log.cut_back(log.length())
        log.archive({entry.seq + 1}) if epoch == 3 else log.mark()
        log.close()
        folder.close()
        if epoch < 3:
            cut_last_line(tmp_path / ".beamtalk/changes/changes.jsonl")


def cut_last_line(path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-1]))


def test_a_second_writer_is_told_who_holds_the_workspace(tmp_path: Path) -> None:
    folder = open_for_writing(str(tmp_path))
    try:
        with pytest.raises(WorkspaceLocked, match=r"process [0-9]+.*read-only") as caught:
            open_for_writing(str(tmp_path))
        assert caught.value.pid is not None
        log = folder.open_log()
        log.append(patch("m", None, "m => 1"))
        reader = open_for_reading(str(tmp_path))
        seen = reader.open_log()
        assert (len(seen.entries), seen.epoch, reader.is_read_only) == (1, 1, True)
        with pytest.raises(PermissionError):
            seen.append(patch("m", None, "m => 1"))
        with pytest.raises(PermissionError):
            reader.set("autoflush", True)
    finally:
        folder.close()
    open_for_writing(str(tmp_path)).close()


def test_settings_persist(tmp_path: Path) -> None:
    folder = open_for_writing(str(tmp_path))
    assert folder.setting("autoflush", False) is False
    folder.set("autoflush", True)
    folder.close()
    again = open_for_writing(str(tmp_path))
    assert again.setting("autoflush", False) is True
    again.close()


def test_a_torn_line_is_kept_aside(tmp_path: Path) -> None:
    folder = open_for_writing(str(tmp_path))
    folder.open_log().append(patch("m", None, "m => 1"))
    folder.close()
    with (tmp_path / ".beamtalk/changes/changes.jsonl").open("ab") as file:
        file.write(b'{"seq": 9, "cla')
    for warnings in (1, 0):
        folder = open_for_writing(str(tmp_path))
        log = folder.open_log()
        assert len(log.problems) == warnings
        assert len(log.entries) == 1
        log.close()
        folder.close()
    assert b'"cla' in (tmp_path / ".beamtalk/changes/archive/set-aside.txt").read_bytes()


# ------------------------------------------------------------------ deleted while it is open


def kept(root: Path) -> list[int]:
    """The entries that a process which comes later finds."""
    folder = open_for_writing(str(root))
    log = folder.open_log()
    seqs = [entry.seq for entry in log.entries]
    log.close()
    folder.close()
    return seqs


@pytest.mark.parametrize("deleted", [".beamtalk", ".beamtalk/changes", ".beamtalk/changes/changes.jsonl"])
def test_a_log_that_was_deleted_is_put_back_whole(tmp_path: Path, deleted: str) -> None:
    folder = open_for_writing(str(tmp_path))
    log = folder.open_log()
    log.append(patch("a", None, "a => 1"))
    length = log.length()
    gone = tmp_path / deleted
    shutil.rmtree(gone) if gone.is_dir() else gone.unlink()
    with ThreadPoolExecutor(1) as evaluator:
        evaluator.submit(log.append, patch("b", None, "b => 1")).result()
    with pytest.raises(WorkspaceLocked):
        open_for_writing(str(tmp_path))
    log.cut_back(length)
    log.append(patch("c", None, "c => 1"))
    log.close()
    folder.close()
    assert open_for_reading(str(tmp_path)).identity.epoch == 1
    assert kept(tmp_path) == [1, 2]


def test_a_deleted_log_that_another_process_has_begun_anew_is_left_to_it(tmp_path: Path) -> None:
    folder = open_for_writing(str(tmp_path))
    log = folder.open_log()
    log.append(patch("a", None, "a => 1"))
    shutil.rmtree(tmp_path / ".beamtalk")
    other = open_for_writing(str(tmp_path))
    others = other.open_log()
    for _ in range(2):
        with pytest.raises(StoreReadOnly, match="deleted"):
            log.append(patch("b", None, "b => 1"))
    others.append(patch("c", None, "c => 1"))
    others.close()
    other.close()
    assert [entry.selector for entry in log.entries] == ["a"]
    log.close()
    folder.close()
    assert kept(tmp_path) == [1]


def test_a_log_of_a_deleted_project_takes_no_entries(tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    folder = open_for_writing(str(root))
    log = folder.open_log()
    shutil.rmtree(root)
    with pytest.raises(FileNotFoundError):
        log.append(patch("a", None, "a => 1"))
    assert not root.exists()
    assert not log.entries
    log.close()
    folder.close()
