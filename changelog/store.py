"""Stores of the ChangeLog: where entries and marks stay (changes.md 2).

Comes in: numbered entries, and marks. Guarantees: what one `append` was given is kept
whole or not at all, in order, and durable for a store that has a disk; `cut_back` takes
the newest appends away again. Leaves: numbering and meaning to `log`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Protocol, TypeVar

from tinydb import TinyDB

from changelog.archive import Archive
from changelog.codec import NotAnEntry, damaged_bodies, decode_entry, decode_mark, encode_entry, encode_mark
from changelog.copies import NoCopies, SourceCopies
from changelog.entry import Entry, Mark
from changelog.journal import JournalStorage, JournalTable, Record

Kept = TypeVar("Kept", Entry, Mark)


class ChangeStore(Protocol):
    """What `ChangeLog` needs of a place to keep things."""

    @property
    def problems(self) -> tuple[str, ...]:
        """What was found damaged when the store was opened, as texts for people."""

    @property
    def read_only_reason(self) -> str | None:
        """Why nothing can be appended; None when all is well."""

    def entries(self) -> Sequence[Entry]:
        """All entries, in the order of appending."""

    def marks(self) -> Sequence[Mark]:
        """All marks, in the order of appending."""

    def append(self, entries: Sequence[Entry], marks: Sequence[Mark]) -> None:
        """Keep these, all or none. Raises `OSError` or `StoreReadOnly`; then nothing was kept."""

    def length(self) -> int:
        """A place in the store to which `cut_back` can return."""

    def cut_back(self, length: int) -> None:
        """Drop what was appended since `length` was asked."""

    def archive(self, seqs: AbstractSet[int]) -> None:
        """Move entries with their marks out of the way, durably. Raises `OSError`, nothing moved."""

    def archived_entries(self) -> Sequence[Entry]:
        """The entries that were moved away, oldest first."""

    def damaged_bodies(self, seq: int) -> tuple[str, ...]:
        """Which bodies of an entry differ from their hash, as `edit 0 before` (changes.md 2)."""

    def write_copies(self) -> None:
        """Write the copies for people that wait; never raises `OSError`."""

    def close(self) -> None:
        """Give back what the store holds open."""


class MemoryStore:
    """A store that ends with the process: for a workspace without a place on disk."""

    problems: tuple[str, ...] = ()
    read_only_reason: str | None = None

    def __init__(self) -> None:
        self._kept: list[Entry | Mark] = []
        self._archived: list[Entry] = []

    def entries(self) -> Sequence[Entry]:
        """See `ChangeStore`."""
        return [each for each in self._kept if isinstance(each, Entry)]

    def marks(self) -> Sequence[Mark]:
        """See `ChangeStore`."""
        return [each for each in self._kept if isinstance(each, Mark)]

    def append(self, entries: Sequence[Entry], marks: Sequence[Mark]) -> None:
        """See `ChangeStore`."""
        self._kept += [*entries, *marks]

    def length(self) -> int:
        """See `ChangeStore`."""
        return len(self._kept)

    def cut_back(self, length: int) -> None:
        """See `ChangeStore`."""
        del self._kept[length:]

    def archive(self, seqs: AbstractSet[int]) -> None:
        """See `ChangeStore`."""
        self._archived += [each for each in self.entries() if each.seq in seqs]
        self._kept = [each for each in self._kept if each.seq not in seqs]

    def archived_entries(self) -> Sequence[Entry]:
        """See `ChangeStore`."""
        return self._archived

    def damaged_bodies(self, seq: int) -> tuple[str, ...]:
        """None: nothing is read back."""
        del seq
        return ()

    def write_copies(self) -> None:
        """Nothing to write."""

    def close(self) -> None:
        """Nothing to give back."""


class ChangeDatabase(TinyDB):
    """The TinyDB database of a journal: tables `entries` and `marks`, open to TinyDB's queries."""

    table_class = JournalTable


class JournalStore:
    """A store on a journal; `database` may be queried with TinyDB, and takes no updates."""

    def __init__(
        self,
        storage: JournalStorage,
        copies: SourceCopies | NoCopies | None = None,
        archive: Archive | None = None,
    ) -> None:
        self._storage = storage
        self._copies = copies or NoCopies()
        self._archive = archive
        self._unreadable: list[str] = []
        self.database = ChangeDatabase(storage=lambda: storage)
        self._entries = self._table("entries")
        self._marks = self._table("marks")

    def _table(self, name: str) -> JournalTable:
        table = self.database.table(name)
        if not isinstance(table, JournalTable):
            raise TypeError(f"table {name} is not a JournalTable")
        return table

    @property
    def problems(self) -> tuple[str, ...]:
        """See `ChangeStore`."""
        return (*(each.message() for each in self._storage.damage), *self._unreadable)

    @property
    def read_only_reason(self) -> str | None:
        """See `ChangeStore`."""
        return self._storage.read_only_reason

    def entries(self) -> Sequence[Entry]:
        """See `ChangeStore`; a document that is no entry is skipped and reported in `problems`."""
        return self._decoded("entries", decode_entry)

    def marks(self) -> Sequence[Mark]:
        """See `ChangeStore`; what is no mark is skipped and reported in `problems`."""
        return self._decoded("marks", decode_mark)

    def _decoded(self, table: str, decode: Callable[[Mapping[str, Any]], Kept]) -> list[Kept]:
        found = []
        for document in self._tables().get(table, {}).values():
            try:
                found.append(decode(document))
            except NotAnEntry as problem:
                self._report(str(problem))
        return found

    def _report(self, problem: str) -> None:
        if problem not in self._unreadable:
            self._unreadable.append(problem)

    def document(self, seq: int) -> Mapping[str, Any] | None:
        """An entry as it stands in the journal, bodies with their hashes."""
        return self._tables().get("entries", {}).get(str(seq))

    def _tables(self) -> Mapping[str, Mapping[str, Any]]:
        return self._storage.read() or {}

    def append(self, entries: Sequence[Entry], marks: Sequence[Mark]) -> None:
        """See `ChangeStore`. The copies for people wait for `write_copies`."""
        first = self._marks.next_number
        records = tuple(Record("entries", each.seq, encode_entry(each)) for each in entries)
        records += tuple(Record("marks", first + i, encode_mark(each)) for i, each in enumerate(marks))
        if not records:
            return
        self._storage.append(records)
        self._forget_derived()
        self._copies.add(entries)

    def _forget_derived(self) -> None:
        self._entries.forget_derived()
        self._marks.forget_derived()

    def length(self) -> int:
        """See `ChangeStore`: bytes of the journal."""
        return self._storage.length

    def cut_back(self, length: int) -> None:
        """See `ChangeStore`."""
        self._storage.cut_back(length)
        self._forget_derived()

    def archive(self, seqs: AbstractSet[int]) -> None:
        """See `ChangeStore`. A crash in between leaves entries in both places; both are read as one."""
        if self._archive is None:
            raise PermissionError("this change log has no archive")
        gone = [r for table in ("entries", "marks") for r in self._records(table) if _seq_of(r) in seqs]
        if gone:
            self._archive.add(gone)
            self._storage.keep_only(lambda record: _seq_of(record) not in seqs)
            self._forget_derived()

    def _records(self, table: str) -> list[Record]:
        documents = self._tables().get(table, {})
        return [Record(table, int(number), document) for number, document in documents.items()]

    def archived_entries(self) -> Sequence[Entry]:
        """See `ChangeStore`."""
        if self._archive is None:
            return ()
        found: dict[int, Entry] = {}
        for record in self._archive.records():
            if record.table == "entries":
                entry = decode_entry(record.document)
                found[entry.seq] = entry
        return [entry for seq, entry in sorted(found.items()) if self.document(seq) is None]

    def damaged_bodies(self, seq: int) -> tuple[str, ...]:
        """See `ChangeStore`."""
        document = self.document(seq)
        return () if document is None else damaged_bodies(document)

    def write_copies(self) -> None:
        """See `ChangeStore`."""
        self._copies.write_waiting()

    def close(self) -> None:
        """Close the journal."""
        self._copies.write_waiting()
        self.database.close()


def _seq_of(record: Record) -> int:
    seq = record.document.get("seq")
    return seq if isinstance(seq, int) else -1
