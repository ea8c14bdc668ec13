"""The contract of every store, and what only the journal must bear (changes.md 2; cases G3)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tinydb import where

from changelog.archive import Archive
from changelog.codec import damaged_bodies
from changelog.copies import SourceCopies
from changelog.entry import Entry, Mark, MarkKind
from changelog.files import DiskFiles, Files, MemoryFiles
from changelog.journal import JournalStorage, StoreReadOnly
from changelog.log import ChangeLog
from changelog.store import ChangeStore, JournalStore, MemoryStore
from tests.changelog.making import FailingFiles, fixed_clock, patch


def journal_store(files: Files, folder: str = "/log") -> JournalStore:
    files.make_folder(folder)
    storage = JournalStorage(files.open_log(f"{folder}/changes.jsonl"))
    return JournalStore(storage, archive=Archive(files, folder))


def entry(seq: int, after: str = "m => 1") -> Entry:
    log = ChangeLog(MemoryStore(), 1, fixed_clock)
    for _ in range(seq):
        made = log.append(patch("m", None, after))
    return made


class StoreContract:
    """What holds for each store; a subclass says how to make one."""

    def make(self, place: Path) -> ChangeStore:
        raise NotImplementedError

    def test_a_new_store_is_empty(self, tmp_path: Path) -> None:
        store = self.make(tmp_path)
        assert (list(store.entries()), list(store.marks()), store.problems) == ([], [], ())

    def test_what_was_appended_comes_back_in_order(self, tmp_path: Path) -> None:
        store = self.make(tmp_path)
        first, second = entry(1), entry(2)
        store.append((first,), ())
        store.append((second,), (Mark(MarkKind.REVERTED, 1, by=2),))
        assert list(store.entries()) == [first, second]
        assert list(store.marks()) == [Mark(MarkKind.REVERTED, 1, by=2)]

    def test_cutting_back_takes_away_what_came_since(self, tmp_path: Path) -> None:
        store = self.make(tmp_path)
        store.append((entry(1),), ())
        length = store.length()
        store.append((entry(2),), (Mark(MarkKind.CLEARED, 1),))
        store.append((entry(3),), ())
        store.cut_back(length)
        assert [e.seq for e in store.entries()] == [1]
        assert list(store.marks()) == []
        store.append((entry(2),), ())
        assert [e.seq for e in store.entries()] == [1, 2]

    def test_archived_entries_leave_with_their_marks(self, tmp_path: Path) -> None:
        store = self.make(tmp_path)
        store.append((entry(1), entry(2)), (Mark(MarkKind.CLEARED, 1), Mark(MarkKind.CLEARED, 2)))
        store.archive({1})
        assert [e.seq for e in store.entries()] == [2]
        assert [m.seq for m in store.marks()] == [2]
        assert [e.seq for e in store.archived_entries()] == [1]
        store.append((entry(3),), ())
        assert [e.seq for e in store.entries()] == [2, 3]


class TestMemoryStore(StoreContract):
    def make(self, place: Path) -> ChangeStore:
        return MemoryStore()


class TestJournalStoreInMemory(StoreContract):
    def make(self, place: Path) -> ChangeStore:
        return journal_store(MemoryFiles())


class TestJournalStoreOnDisk(StoreContract):
    def make(self, place: Path) -> ChangeStore:
        return journal_store(DiskFiles(), str(place))

    def test_another_opening_reads_the_same(self, tmp_path: Path) -> None:
        store = self.make(tmp_path)
        store.append((entry(1, 'm => "é\ud800 {x}\n  two"'),), ())
        store.append((entry(2),), (Mark(MarkKind.FLUSHED, 1, "f"), Mark(MarkKind.FLUSHED, 2, "f")))
        again = self.make(tmp_path)
        assert list(again.entries()) == list(store.entries())
        assert list(again.marks()) == list(store.marks())
        assert again.problems == ()


# ------------------------------------------------------------------ TinyDB


def test_the_database_answers_tinydb_queries_and_refuses_rewriting() -> None:
    store = journal_store(MemoryFiles())
    store.append((entry(1), entry(2, "m => 2")), ())
    table = store.database.table("entries")
    assert [d["seq"] for d in table.search(where("class") == "Counter")] == [1, 2]
    store.append((entry(3),), ())
    assert [d["seq"] for d in table.search(where("class") == "Counter")] == [1, 2, 3]
    with pytest.raises(TypeError, match="append-only"):
        table.remove(where("seq") == 1)
    with pytest.raises(TypeError, match="append-only"):
        store.database.drop_tables()


def test_an_insert_through_tinydb_is_durable() -> None:
    files = MemoryFiles()
    table = journal_store(files).database.table("notes")
    assert table.insert({"text": "a"}) == 1
    assert table.insert_multiple([{"text": "b"}, {"text": "c"}]) == [2, 3]
    assert len(journal_store(files).database.table("notes")) == 3


# ------------------------------------------------------------------ damage


def lines_of(files: MemoryFiles) -> list[bytes]:
    return bytes(files.contents["/log/changes.jsonl"]).splitlines(keepends=True)


def test_a_torn_last_line_is_cut_off_and_reported() -> None:
    files = MemoryFiles()
    journal_store(files).append((entry(1),), ())
    whole = bytes(files.contents["/log/changes.jsonl"])
    files.contents["/log/changes.jsonl"] += b'{"seq": 9, "cla'
    store = journal_store(files)
    assert [e.seq for e in store.entries()] == [1]
    assert "torn line (15 bytes)" in store.problems[0]
    assert bytes(files.contents["/log/changes.jsonl"]) == whole
    store.append((entry(2),), ())
    again = journal_store(files)
    assert ([e.seq for e in again.entries()], again.problems) == ([1, 2], ())


def test_every_torn_end_leaves_all_lines_before_it() -> None:
    files = MemoryFiles()
    store = journal_store(files)
    store.append((entry(1),), ())
    before = len(files.contents["/log/changes.jsonl"])
    store.append((entry(2),), (Mark(MarkKind.REVERTED, 1, by=2),))
    whole = bytes(files.contents["/log/changes.jsonl"])
    for length in range(before, len(whole)):
        files.contents["/log/changes.jsonl"] = bytearray(whole[:length])
        torn = journal_store(files)
        assert [e.seq for e in torn.entries()] == [1]
        assert list(torn.marks()) == []


def test_a_record_behind_a_torn_fragment_is_found_again() -> None:
    files = MemoryFiles()
    store = journal_store(files)
    store.append((entry(1),), ())
    store.append((entry(2, 'm => "{""record"":"'),), ())
    first, second = lines_of(files)
    files.contents["/log/changes.jsonl"] = bytearray(first + b'{"record":"entries","id":2,"docu' + second)
    store = journal_store(files)
    assert [e.seq for e in store.entries()] == [1, 2]
    assert len(store.problems) == 1
    store.append((entry(3),), ())
    assert [e.seq for e in journal_store(files).entries()] == [1, 2, 3]


def test_a_damaged_line_in_the_middle_costs_that_line_only() -> None:
    files = MemoryFiles()
    store = journal_store(files)
    for seq in (1, 2, 3):
        store.append((entry(seq),), ())
    first, second, third = lines_of(files)
    files.contents["/log/changes.jsonl"] = bytearray(first + b"\0" * 40 + second[40:] + third)
    store = journal_store(files)
    assert [e.seq for e in store.entries()] == [1, 3]
    assert "line 2" in store.problems[0]


def test_a_document_that_is_no_entry_is_reported() -> None:
    files = MemoryFiles()
    store = journal_store(files)
    store.append((entry(1),), ())
    (line,) = lines_of(files)
    document = json.loads(line)
    document["document"]["kind"] = "no-such-kind"
    document["id"] = 2
    files.contents["/log/changes.jsonl"] += json.dumps(document).replace('": ', '":').encode() + b"\n"
    store = journal_store(files)
    assert [e.seq for e in store.entries()] == [1]
    assert "no-such-kind" in store.problems[0]


def test_a_body_that_was_tampered_with_shows_by_its_hash() -> None:
    files = MemoryFiles()
    journal_store(files).append((entry(1, "m => 41"),), ())
    path = "/log/changes.jsonl"
    assert damaged_bodies(journal_store(files).document(1) or {}) == ()
    files.contents[path] = bytearray(bytes(files.contents[path]).replace(b"m => 41", b"m => 42"))
    store = journal_store(files)
    assert damaged_bodies(store.document(1) or {}) == ("edit 0 after",)


# ------------------------------------------------------------------ faults


def test_a_failing_append_or_fsync_leaves_the_store_as_it_was() -> None:
    for call in ("append", "log sync"):
        memory = MemoryFiles()
        journal_store(memory).append((entry(1),), ())
        before = bytes(memory.contents["/log/changes.jsonl"])
        failed: list[int] = []

        def once(number: int, name: str, call: str = call, failed: list[int] = failed) -> bool:
            return name == call and not failed and not failed.append(number)

        store = journal_store(FailingFiles(memory, once))
        with pytest.raises(OSError, match="no space"):
            store.append((entry(2),), ())
        assert bytes(memory.contents["/log/changes.jsonl"]) == before
        assert [e.seq for e in store.entries()] == [1]
        store.append((entry(2),), ())
        assert [e.seq for e in journal_store(memory).entries()] == [1, 2]


def test_when_cutting_back_fails_too_the_store_is_read_only_until_reopened() -> None:
    memory = MemoryFiles()
    store = journal_store(FailingFiles(memory, lambda _number, name: name in ("append", "truncate")))
    with pytest.raises(OSError, match="no space"):
        store.append((entry(1),), ())
    assert store.read_only_reason is not None
    with pytest.raises(StoreReadOnly, match="read-only until"):
        store.append((entry(1),), ())
    again = journal_store(memory)
    assert again.read_only_reason is None
    again.append((entry(1),), ())
    assert [e.seq for e in again.entries()] == [1]


def test_a_failing_archive_moves_nothing() -> None:
    for number in range(1, 6):
        memory = MemoryFiles()
        journal_store(memory).append((entry(1), entry(2)), ())
        files = FailingFiles(memory, lambda _n, _name: False)
        store = journal_store(files)
        done = len(files.calls)
        files.fail = lambda at, _name, bad=done + number: at == bad
        try:
            store.archive({1})
        except OSError:
            assert [e.seq for e in store.entries()] == [1, 2]
        again = journal_store(memory)
        found = sorted([*(e.seq for e in again.entries()), *(e.seq for e in again.archived_entries())])
        assert found == [1, 2]


def test_one_fsync_for_an_operation_of_any_size() -> None:
    files = FailingFiles(MemoryFiles(), lambda _number, _name: False)
    store = journal_store(files)
    files.calls.clear()
    store.append((entry(1),), tuple(Mark(MarkKind.FLUSHED, seq, "f") for seq in range(300)))
    assert files.calls == ["append", "log sync"]


def test_copies_for_people_are_written_and_never_matter(tmp_path: Path) -> None:
    copies = SourceCopies(DiskFiles(), str(tmp_path))
    copies.add((entry(1, "m => 1"),))
    assert list(tmp_path.iterdir()) == []
    copies.write_waiting()
    assert (tmp_path / "000001-0.after.bt").read_text() == "m => 1\n"
    copies.add([entry(1)] * 100)
    assert (tmp_path / "000001-0.after.bt").read_text() == "m => 1\n"
    lost = SourceCopies(DiskFiles(), str(tmp_path / "absent"))
    lost.add((entry(1),))
    lost.write_waiting()
