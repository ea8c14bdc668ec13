"""The ChangeLog: numbers, keeps and finds changes (changes.md 2).

Comes in: `NewEntry` values from operations, marks from flush and undo. Guarantees: an
entry is durable when `append` returns, and is not there at all when it raises; entries
and marks are never rewritten. Leaves: what is active to `active`, what reaches the disk
to `workspace/flush`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from datetime import UTC, datetime

from changelog.active import cancelled
from changelog.entry import Edit, Entry, Intent, Mark, MarkKind, NewEntry, UnitAddress
from changelog.store import ChangeStore
from lang.dataclass import replace

Clock = Callable[[], datetime]

ACTIVE_SEGMENT = 1000
"""How many entries that nothing needs stay in the active segment."""

_NEW_FIELDS: tuple[str, ...] = NewEntry.__match_args__


def system_clock() -> datetime:
    """The time now, in UTC."""
    return datetime.now(UTC)


class ChangeLog:
    """Entries and marks over a store, in one epoch.

    `epoch` is the number of this start of the workspace (changes.md 2.3); entries of
    other epochs are history. Lists are in the order of logging.
    """

    def __init__(self, store: ChangeStore, epoch: int, clock: Clock = system_clock) -> None:
        self._store = store
        self._clock = clock
        self.epoch = epoch
        self._version = 0
        self._entries: list[Entry] = []
        self._marks: list[Mark] = []
        self._marked: dict[MarkKind, set[int]] = {}
        self._read_store()
        self._last_seq = self._entries[-1].seq if self._entries else 0

    def _read_store(self) -> None:
        self._entries = sorted(self._store.entries(), key=_seq)
        self._marks = []
        self._marked = {kind: set() for kind in MarkKind}
        self._remember(self._store.marks())

    def _remember(self, marks: Iterable[Mark]) -> None:
        for mark in marks:
            self._marks.append(mark)
            self._marked[mark.kind].add(mark.seq)
            if mark.kind is MarkKind.RELOCATED:
                self._relocate(mark)
        self._version += 1

    def _relocate(self, mark: Mark) -> None:
        """Answer an entry from now on as if its file had always stood where it was found; the store keeps both."""
        at = bisect_left(self._entries, mark.seq, key=_seq)
        if at < len(self._entries) and self._entries[at].seq == mark.seq and mark.old_path and mark.path:
            self._entries[at] = _at_path(self._entries[at], mark.old_path, mark.path)

    # ------------------------------------------------------------ reading

    @property
    def entries(self) -> Sequence[Entry]:
        """Every entry, of every epoch."""
        return self._entries

    @property
    def marks(self) -> Sequence[Mark]:
        """Every mark."""
        return self._marks

    def marked(self, kind: MarkKind) -> AbstractSet[int]:
        """The seqs of the entries that bear a mark."""
        return self._marked[kind]

    def current_marks(self) -> Sequence[Mark]:
        """The marks of the entries of this epoch: what others say of units is of another run's lineages."""
        current = self.current_entries()
        first = current[0].seq if current else self._last_seq + 1
        return [mark for mark in self._marks if mark.seq >= first]

    @property
    def version(self) -> int:
        """A number that grows with each append, mark and cut: derived views may be kept by it."""
        return self._version

    @property
    def problems(self) -> tuple[str, ...]:
        """What was found damaged on opening, as texts for people."""
        return self._store.problems

    @property
    def read_only_reason(self) -> str | None:
        """Why nothing can be logged, None when all is well."""
        return self._store.read_only_reason

    def by_seq(self, seq: int) -> Entry | None:
        """The entry of that number."""
        at = bisect_left(self._entries, seq, key=_seq)
        found = self._entries[at] if at < len(self._entries) else None
        return found if found is not None and found.seq == seq else None

    def current_entries(self) -> Sequence[Entry]:
        """The entries of this epoch."""
        at = len(self._entries)
        while at and self._entries[at - 1].epoch == self.epoch:
            at -= 1
        return self._entries[at:]

    def marks_of_flush(self, flush_id: str) -> tuple[Mark, ...]:
        """The marks that a flush has appended; empty when it was not finished."""
        return tuple(mark for mark in self._marks if mark.flush_id == flush_id)

    def pending_of_earlier_epochs(self) -> tuple[Entry, ...]:
        """Durable entries that no flush wrote and nobody took back or gave up (changes.md 2.3).

        Shadowed ones are in it: what their successors build on is for `restore` to check.
        """
        return tuple(entry for entry in self.restorable() if entry.epoch != self.epoch)

    def restorable(self) -> tuple[Entry, ...]:
        """What `restore` may bring back: pending entries of earlier epochs, and orphans of this one."""
        orphans = self.marked(MarkKind.ORPHANED)
        ended = self._ended()
        return tuple(
            entry
            for entry in self._entries
            if (entry.epoch != self.epoch or entry.seq in orphans)
            and entry.intent is Intent.DURABLE
            and entry.is_flushable
            and entry.seq not in ended
        )

    def _ended(self) -> frozenset[int]:
        flushed, cleared = self.marked(MarkKind.FLUSHED), self.marked(MarkKind.CLEARED)
        brought_back = (m.seq for m in self._marks if m.kind is MarkKind.PROMOTED and m.by is not None)
        return frozenset(flushed) | cleared | cancelled(self._entries, self._marks) | frozenset(brought_back)

    # ------------------------------------------------------------ growing

    def append(self, new: NewEntry) -> Entry:
        """Number, time and keep a change, with one fsync.

        An entry that takes another back also marks that one as reverted, in the same
        step. Raises `OSError` or `StoreReadOnly` with the log as before.
        """
        entry = self._numbered(new)
        marks: tuple[Mark, ...] = ()
        if new.reverts is not None:
            marks = (Mark(MarkKind.REVERTED, new.reverts, by=entry.seq, timestamp=entry.timestamp),)
        self._store.append((entry,), marks)
        self._last_seq = entry.seq
        self._entries.append(entry)
        self._remember(marks)
        return entry

    def _numbered(self, new: NewEntry) -> Entry:
        values = {name: getattr(new, name) for name in _NEW_FIELDS}
        return Entry(**values, seq=self._last_seq + 1, epoch=self.epoch, timestamp=self._now())

    def _now(self) -> str:
        now = self._clock().astimezone(UTC).isoformat(timespec="milliseconds")
        return now.replace("+00:00", "Z")

    def mark(self, *marks: Mark) -> None:
        """Keep facts about entries, all or none, with one fsync."""
        if marks:
            timed = tuple(replace(each, timestamp=self._now()) for each in marks)
            self._store.append((), timed)
            self._remember(timed)

    def length(self) -> int:
        """The place to which `cut_back` can return."""
        return self._store.length()

    def cut_back(self, length: int) -> None:
        """Drop what was appended since `length` was asked: memory has refused it (changes.md 6)."""
        self._store.cut_back(length)
        last = self._entries[-1].seq if self._entries else 0
        self._read_store()
        if self._last_seq == last:
            self._last_seq = self._entries[-1].seq if self._entries else 0

    def archive(self, seqs: AbstractSet[int]) -> int:
        """Move entries and their marks to the archive; answers how many entries were moved."""
        moved = sum(1 for entry in self._entries if entry.seq in seqs)
        if moved:
            self._store.archive(seqs)
            self._read_store()
        return moved

    def prune_ephemeral(self) -> int:
        """Archive ephemeral entries of earlier epochs (changes.md 2.3); how many went."""
        ended = (e.seq for e in self._entries if e.epoch != self.epoch and e.intent is Intent.EPHEMERAL)
        return self.archive(frozenset(ended))

    def archived_entries(self) -> Sequence[Entry]:
        """What was moved to the archive, oldest first."""
        return self._store.archived_entries()

    def damaged_bodies(self, seq: int) -> tuple[str, ...]:
        """Which bodies of an entry differ from their hash, as `edit 0 before`; empty when all is well."""
        return self._store.damaged_bodies(seq)

    def rotate(self, needed: AbstractSet[int], keep: int = ACTIVE_SEGMENT) -> int:
        """Archive the oldest entries beyond `keep` that nobody needs; how many went.

        `needed` are the seqs that pending entries need (changes.md 2, "Rotation").
        """
        spare = [entry.seq for entry in self._entries if entry.seq not in needed]
        return self.archive(frozenset(spare[:-keep] if keep else spare))

    def write_copies(self) -> None:
        """Write the copies for people (`sources/`); for when nobody waits. Never raises `OSError`."""
        self._store.write_copies()

    def close(self) -> None:
        """Give the store back."""
        self._store.close()


def _at_path(entry: Entry, old: str, new: str) -> Entry:
    """The entry as it would have been logged had its file stood at the new path."""

    def path(there: str | None) -> str | None:
        return new if there == old else there

    def address(there: UnitAddress | None) -> UnitAddress | None:
        return None if there is None else replace(there, path=path(there.path))

    def edit(each: Edit) -> Edit:
        return replace(
            each, before_address=address(each.before_address), after_address=address(each.after_address)
        )

    return replace(
        entry,
        edits=tuple(map(edit, entry.edits)),
        files=tuple(replace(move, old=path(move.old), new=path(move.new)) for move in entry.files),
        source_file=path(entry.source_file),
    )


def _seq(entry: Entry) -> int:
    return entry.seq
