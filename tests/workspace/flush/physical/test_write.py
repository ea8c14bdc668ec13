"""A flush on the machine's own disk: what is kept of a file, and what refuses (changes.md 5; F2-F4, N6)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from changelog.journal import StoreReadOnly
from workspace.flush.commit import FlushRequest, write
from workspace.flush.disk import RealDisk
from workspace.flush.journal import FlushFolder, Journal
from workspace.flush.outcome import Committed, ConflictReason, NothingWritten, RecoveryNeeded, WriteOutcome
from workspace.flush.rows import ABSENT, Content, LinkTo, Row


class Log:
    def __init__(self) -> None:
        self.marks: list[Journal] = []

    def exist(self, flush_id: str) -> bool:
        return any(journal.flush_id == flush_id for journal in self.marks)

    def append(self, journal: Journal) -> None:
        self.marks.append(journal)


class Project:
    def __init__(self, root: Path) -> None:
        self.root = root
        (root / ".beamtalk").mkdir()
        self.area = FlushFolder(str(root), str(root / ".beamtalk/flush"))
        self.log = Log()
        self.published = 0

    def file(self, name: str, data: bytes, bits: int = 0o644) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        path.chmod(bits)
        return path

    def flush(self, *rows: Row) -> WriteOutcome:
        return write(
            RealDisk(), self.area, FlushRequest("1a", rows, (4, 7), "opaque"), self.log, self.publish
        )

    def publish(self) -> None:
        # Memory changes once the log has the marks, and not before.
        assert self.log.marks
        self.published += 1

    def names(self) -> set[str]:
        own = self.root / ".beamtalk"
        files = (path for path in self.root.rglob("*") if own not in path.parents and path != own)
        return {str(path.relative_to(self.root)) for path in files if not path.is_dir()}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def edit(path: str, before: bytes, after: bytes) -> Row:
    return Row(path, Content(before), Content(after), path)


def test_a_file_keeps_its_bytes_and_mode(project: Project) -> None:
    before, after = b"\xef\xbb\xbfone\r\n\ttwo", b"\xef\xbb\xbfone\r\n\tthree"
    path = project.file("src/a.bt", before, 0o640)
    assert project.flush(edit("src/a.bt", before, after)) == Committed("1a")
    assert path.read_bytes() == after
    assert path.stat().st_mode & 0o7777 == 0o640
    assert project.names() == {"src/a.bt"}
    assert list((project.root / ".beamtalk/flush").iterdir()) == []
    assert [(mark.seqs, mark.payload) for mark in project.log.marks] == [((4, 7), "opaque")]
    assert project.published == 1


def test_a_new_file_has_the_default_mode_and_a_moved_one_its_own(project: Project) -> None:
    project.file("a.bt", b"x", 0o751)
    rows = (
        Row("a.bt", Content(b"x"), ABSENT),
        Row("n/b.bt", ABSENT, Content(b"y"), "a.bt"),
        Row("c.bt", ABSENT, Content(b"")),
    )
    assert isinstance(project.flush(*rows), Committed)
    umask = os.umask(0)
    os.umask(umask)
    assert (project.root / "n/b.bt").stat().st_mode & 0o7777 == 0o751
    assert (project.root / "c.bt").stat().st_mode & 0o7777 == 0o666 & ~umask


def test_a_link_stays_a_link_and_its_file_is_replaced(project: Project) -> None:
    real = project.file("real/a.bt", b"old", 0o640)
    (project.root / "src").mkdir()
    (project.root / "src/a.bt").symlink_to("../real/a.bt")
    assert isinstance(project.flush(edit("src/a.bt", b"old", b"new")), Committed)
    assert str((project.root / "src/a.bt").readlink()) == "../real/a.bt"
    assert (real.read_bytes(), real.stat().st_mode & 0o7777) == (b"new", 0o640)
    assert project.names() == {"src/a.bt", "real/a.bt"}


def test_a_linked_source_that_is_renamed_has_its_link_renamed(project: Project) -> None:
    real = project.file("real/a.bt", b"old")
    (project.root / "src").mkdir()
    (project.root / "src/a.bt").symlink_to("../real/a.bt")
    rows = (
        Row("src/a.bt", Content(b"old"), ABSENT),
        Row("src/deep/b.bt", ABSENT, Content(b"new"), "src/a.bt"),
    )
    assert isinstance(project.flush(*rows), Committed)
    assert (project.root / "src/deep/b.bt").read_bytes() == b"new"
    assert (project.root / "src/deep/b.bt").is_symlink()
    assert real.read_bytes() == b"new"
    assert project.names() == {"src/deep/b.bt", "real/a.bt"}


def test_two_hard_links_of_one_file_stay_that(project: Project) -> None:
    one = project.file("a.bt", b"old")
    os.link(one, project.root / "b.bt")
    assert isinstance(project.flush(edit("a.bt", b"old", b"new"), edit("b.bt", b"old", b"new")), Committed)
    assert one.read_bytes() == b"new"
    assert one.samefile(project.root / "b.bt")


def test_names_change_places_between_hard_links(project: Project) -> None:
    project.file("a.bt", b"one")
    project.file("b.bt", b"two")
    assert isinstance(project.flush(edit("a.bt", b"one", b"two"), edit("b.bt", b"two", b"one")), Committed)
    assert [(project.root / name).read_bytes() for name in ("a.bt", "b.bt")] == [b"two", b"one"]


def test_a_spelling_that_changes_by_case_only_is_two_names_here(project: Project) -> None:
    project.file("Boat.bt", b"old")
    rows = (Row("Boat.bt", Content(b"old"), ABSENT), Row("BOAT.bt", ABSENT, Content(b"new"), "Boat.bt"))
    assert isinstance(project.flush(*rows), Committed)
    assert project.names() == {"BOAT.bt"}


def test_a_conflict_behind_a_link_has_the_name_that_the_plan_knows(project: Project) -> None:
    project.file("real/a.bt", b"other")
    (project.root / "a.bt").symlink_to("real/a.bt")
    outcome = project.flush(edit("a.bt", b"old", b"new"))
    assert isinstance(outcome, NothingWritten)
    assert [conflict.path for conflict in outcome.conflicts] == ["a.bt"]


class _ReadOnlyLog(Log):
    def append(self, journal: Journal) -> None:
        raise StoreReadOnly(f"no mark for {journal.flush_id}")


def test_a_log_that_takes_no_marks_takes_the_flush_back(project: Project) -> None:
    path = project.file("a.bt", b"old")
    project.log = _ReadOnlyLog()
    outcome = project.flush(edit("a.bt", b"old", b"new"))
    assert isinstance(outcome, NothingWritten)
    assert path.read_bytes() == b"old"
    assert project.names() == {"a.bt"}


REFUSALS = {
    "edited": (edit("a.bt", b"other", b"new"), ConflictReason.EXTERNAL_EDIT),
    "gone": (edit("none.bt", b"other", b"new"), ConflictReason.RELOCATED_OR_DELETED),
    "in the way": (Row("a.bt", ABSENT, Content(b"new")), ConflictReason.TARGET_EXISTS),
    "read-only": (edit("locked.bt", b"old", b"new"), ConflictReason.NOT_WRITABLE),
    "read-only folder": (Row("shut/a.bt", ABSENT, Content(b"new")), ConflictReason.NOT_WRITABLE),
    "a folder": (edit("src", b"old", b"new"), ConflictReason.UNREADABLE),
    "dangling link": (edit("link.bt", b"old", b"new"), ConflictReason.RELOCATED_OR_DELETED),
    "link in the way": (Row("link.bt", ABSENT, Content(b"new")), ConflictReason.TARGET_EXISTS),
    "file for a link": (Row("a.bt", LinkTo("b"), ABSENT), ConflictReason.EXTERNAL_EDIT),
}


@pytest.mark.parametrize(("row", "reason"), REFUSALS.values(), ids=REFUSALS.keys())
def test_a_conflict_holds_everything_up(project: Project, row: Row, reason: ConflictReason) -> None:
    project.file("a.bt", b"old")
    project.file("b.bt", b"old")
    project.file("locked.bt", b"old", 0o444)
    (project.root / "src").mkdir()
    (project.root / "shut").mkdir(mode=0o555)
    (project.root / "link.bt").symlink_to("nowhere.bt")
    before = project.names()
    outcome = project.flush(edit("b.bt", b"old", b"new"), row)
    assert isinstance(outcome, NothingWritten)
    assert [(conflict.path, conflict.reason) for conflict in outcome.conflicts] == [(row.path, reason)]
    assert (project.root / "b.bt").read_bytes() == b"old"
    assert project.names() == before
    assert (project.log.marks, project.published) == ([], 0)
    assert list((project.root / ".beamtalk/flush").iterdir()) == []


def test_all_conflicts_are_reported(project: Project) -> None:
    outcome = project.flush(edit("x.bt", b"1", b"2"), edit("y.bt", b"1", b"2"))
    assert isinstance(outcome, NothingWritten)
    assert [conflict.path for conflict in outcome.conflicts] == ["x.bt", "y.bt"]


def test_an_unfinished_flush_refuses_the_next(project: Project) -> None:
    project.file(".beamtalk/flush/0f.json", b"{}")
    project.file("a.bt", b"old")
    outcome = project.flush(edit("a.bt", b"old", b"new"))
    assert isinstance(outcome, RecoveryNeeded)
    assert outcome.flush_id == "0f"


def test_a_flush_of_no_rows_is_marked(project: Project) -> None:
    # A removed class whose file is gone already.
    assert project.flush() == Committed("1a")
    assert len(project.log.marks) == 1
