"""The journal: TinyDB's storage as an append-only file of JSON lines (changes.md 2).

Comes in: documents of the tables, through `JournalTable`. Guarantees: a group of
documents that was appended is durable as one line, or not there at all; what is torn
or damaged is skipped, kept aside and reported, and never costs a whole line. Leaves:
what the documents say, to `codec`.

A line is `{"record": "<table>", "id": <n>, "document": {…}}`, or, for documents that
stand or fall together, `{"record": "group", "of": [["<table>", <n>, {…}], …]}`.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NoReturn

from tinydb import Storage
from tinydb.table import Table

from changelog.files import LogFile
from lang.dataclass import dataclass

Document = Mapping[str, Any]
"""A JSON object, as TinyDB has it."""

_START = b'{"record":'
_GROUP = "group"
_CUTTABLE = 16  # how many of the newest appends `cut_back` can take away


class StoreReadOnly(Exception):
    """The store takes no more entries until it is opened again; the text says why."""


@dataclass(frozen=True, slots=True)
class Record:
    """One document with the table and the number that it has there."""

    table: str
    number: int
    document: Document


@dataclass(frozen=True, slots=True)
class Damage:
    """Bytes of the journal that are no record. `was_cut` tells a torn end from a bad line."""

    line: int
    data: bytes
    was_cut: bool

    def message(self) -> str:
        """The warning for people."""
        if self.was_cut:
            return f"the change log ended in a torn line ({len(self.data)} bytes); it was cut off"
        return f"line {self.line} of the change log holds {len(self.data)} bytes that are no record; skipped"


class JournalStorage(Storage):
    """TinyDB storage over a `LogFile`. Reading is from memory; writing appends.

    The constructor reads the whole file. With `repair` it cuts a torn last line off. `reclaim` makes
    the folder of a deleted file anew.
    """

    def __init__(
        self, file: LogFile, *, repair: bool = True, reclaim: Callable[[], None] = lambda: None
    ) -> None:
        self._file = file
        self._reclaim = reclaim
        self._failed: str | None = None
        self._tables: dict[str, dict[str, Any]] = {}
        self._newest: deque[tuple[int, tuple[Record, ...]]] = deque(maxlen=_CUTTABLE)
        self.damage: list[Damage] = []
        data = file.read()
        for record in self._records_in(data):
            self._remember(record)
        self._length = len(data)
        if repair:
            self._cut_torn_end()

    # ------------------------------------------------------------ reading

    def read(self) -> dict[str, dict[str, Any]] | None:
        """All tables; None when nothing was ever stored."""
        return self._tables or None

    def _records_in(self, data: bytes) -> Iterator[Record]:
        lines = data.split(b"\n")
        torn = lines.pop()
        for number, line in enumerate(lines, 1):
            yield from self._records_of(number, line)
        if torn:
            self.damage.append(Damage(len(lines) + 1, torn, was_cut=True))

    def _records_of(self, number: int, line: bytes) -> Iterable[Record]:
        """The records of a line; those behind a torn fragment are found by how a line starts.

        The start cannot occur inside a record: there its quotes would be escaped.
        """
        at = line.find(_START)
        while at >= 0:
            found = _decoded(line[at:])
            if found is not None:
                break
            at = line.find(_START, at + 1)
        else:
            found = ()
            at = len(line)
        if at and line.strip():
            self.damage.append(Damage(number, line[:at], was_cut=False))
        return found

    def _cut_torn_end(self) -> None:
        torn = [each for each in self.damage if each.was_cut]
        if torn:
            self._length -= len(torn[0].data)
            self._file.truncate(self._length)
            self._file.sync()

    # ------------------------------------------------------------ growing

    @property
    def length(self) -> int:
        """The length of the journal in bytes; `cut_back` takes it."""
        return self._length

    @property
    def read_only_reason(self) -> str | None:
        """Why nothing can be appended, None when all is well."""
        return self._failed

    def write(self, data: Mapping[str, Mapping[str, Any]]) -> None:
        """Refused: a journal grows by `append` alone, its documents are never rewritten."""
        del data
        refuse_rewriting()

    def append(self, records: tuple[Record, ...]) -> None:
        """Make records durable, all or none, with one fsync.

        Raises `OSError` with the journal cut back to what it was; when that fails too,
        the storage is read-only from then on. Raises `StoreReadOnly` in that state.
        """
        if self._failed is not None:
            raise StoreReadOnly(self._failed)
        if self._file.is_deleted():
            self._put_back()
        line = encoded_line(records)
        try:
            self._file.append(line)
            self._file.sync()
        except BaseException:
            self._restore_length(self._length)
            raise
        self._newest.append((self._length, records))
        self._length += len(line)
        for record in records:
            self._remember(record)

    def _put_back(self) -> None:
        """A line of a deleted file would be lost with the process, and another process could take the name."""
        try:
            self._reclaim()
            self._file.put_back()
        except (StoreReadOnly, FileExistsError) as taken:
            self._failed = f"{taken}; open the workspace again"
            raise StoreReadOnly(self._failed) from taken

    def cut_back(self, length: int) -> tuple[Record, ...]:
        """Drop what was appended since the journal had `length`; answers what was dropped.

        For the newest appends only (`_CUTTABLE`). When the file cannot be cut, the storage
        is read-only from then on.
        """
        dropped: list[Record] = []
        while self._newest and self._newest[-1][0] >= length:
            dropped.extend(self._newest.pop()[1])
        self._restore_length(length)
        self._length = length
        for record in dropped:
            self._tables[record.table].pop(str(record.number), None)
        return tuple(dropped)

    def keep_only(self, keep: Callable[[Record], bool]) -> None:
        """Write the journal anew with the records that `keep` accepts, in one step.

        Raises `OSError` with the journal as it was.
        """
        kept = [record for record in self._all_records() if keep(record)]
        data = b"".join(encoded_line((record,)) for record in kept)
        self._file.replace(data)
        self._newest.clear()
        self._length = len(data)
        self._tables = {}
        for record in kept:
            self._remember(record)

    def _all_records(self) -> Iterator[Record]:
        for table, documents in self._tables.items():
            for number, document in documents.items():
                yield Record(table, int(number), document)

    def _restore_length(self, length: int) -> None:
        try:
            self._file.truncate(length)
            self._file.sync()
        except OSError as error:
            self._failed = (
                f"the change log could not be cut back after a failed write ({error}); "
                "it is read-only until the workspace is opened again"
            )

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _remember(self, record: Record) -> None:
        self._tables.setdefault(record.table, {})[str(record.number)] = record.document


class JournalTable(Table):
    """A TinyDB table whose insert costs the same at every size.

    The stock table reads, converts and writes itself whole on each insert. Queries are
    TinyDB's own. Documents are never changed or removed.
    """

    def insert(self, document: Document) -> int:
        """Append one document, durably; its number."""
        return self.insert_multiple((document,))[0]

    def insert_multiple(self, documents: Iterable[Document]) -> list[int]:
        """Append documents, all or none, with one fsync; their numbers."""
        first = self.next_number
        records = tuple(Record(self.name, first + i, each) for i, each in enumerate(documents))
        self.journal.append(records)
        self.forget_derived()
        return [record.number for record in records]

    def forget_derived(self) -> None:
        """The storage has grown or was cut back: forget what was derived from it."""
        self._next_id = None
        self.clear_cache()

    @property
    def journal(self) -> JournalStorage:
        """The storage below."""
        storage = self.storage
        if not isinstance(storage, JournalStorage):
            raise TypeError("a JournalTable needs a JournalStorage")
        return storage

    @property
    def next_number(self) -> int:
        """The number that the next document gets: one more than that of the newest."""
        table = (self.journal.read() or {}).get(self.name)
        return int(next(reversed(table))) + 1 if table else 1

    def update(self, *arguments: object, **named: object) -> NoReturn:
        """Refused, see `refuse_rewriting`."""
        del arguments, named
        refuse_rewriting()

    update_multiple = upsert = remove = truncate = update


def refuse_rewriting() -> NoReturn:
    """Raise: entries are never rewritten (changes.md 2); later facts are marks."""
    raise TypeError("the change log is append-only: its documents are never rewritten")


def encoded_line(records: tuple[Record, ...]) -> bytes:
    """The line of records that stand or fall together."""
    line: dict[str, object]
    if len(records) == 1:
        (only,) = records
        line = {"record": only.table, "id": only.number, "document": only.document}
    else:
        line = {"record": _GROUP, "of": [[r.table, r.number, r.document] for r in records]}
    try:
        return _json(line, ascii_only=False).encode() + b"\n"
    except UnicodeEncodeError:  # a lone surrogate has no UTF-8 form; JSON's own escape keeps it
        return _json(line, ascii_only=True).encode() + b"\n"


def decoded_lines(data: bytes) -> Iterator[Record]:
    """The records of whole lines; what is none is passed over."""
    for line in data.split(b"\n"):
        yield from _decoded(line) or ()


def _json(line: Mapping[str, object], *, ascii_only: bool) -> str:
    return json.dumps(line, ensure_ascii=ascii_only, separators=(",", ":"), allow_nan=False)


def _decoded(line: bytes) -> tuple[Record, ...] | None:
    """The records that the whole line encodes, None when it is something else."""
    try:
        match json.loads(line):
            case {"record": "group", "of": [*items]}:
                return tuple(_record(*item) for item in items)
            case {"record": str(table), "id": int(number), "document": dict(document)}:
                return (Record(table, number, document),)
    except (ValueError, TypeError, RecursionError):
        return None
    return None


def _record(table: object, number: object, document: object) -> Record:
    match table, number, document:
        case str(), int(), dict():
            return Record(table, number, document)
    raise TypeError("not a record")
