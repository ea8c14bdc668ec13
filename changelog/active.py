"""Which changes are pending: the active view, undo and redo (changes.md 2.2, 9).

Comes in: entries and marks, and two look-ups that say where a unit stands on disk and
in memory. Guarantees: pure; the same log gives the same answers. Leaves: what a flush
selects of it to `workspace/flush`.

Terms. A revert *cancels* with what it reverts while neither has reached the disk: both
leave the view, and what the reverted one had shadowed comes back. An entry is
*shadowed* when later patches, headers or removals replace all of its units; *clean* when
its units read and stand in memory as on disk; *orphan* when it is marked so.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet

from changelog.entry import ChangeKind, Entry, Mark, MarkKind, UnitAddress
from changelog.indentation import same_text_but_indentation
from lang.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class PlacedText:
    """A unit's text and where it stands."""

    address: UnitAddress
    text: str


def _seq(entry: Entry) -> int:
    return entry.seq


LookUp = Callable[[int], PlacedText | None]
"""From a lineage to the unit, None when it is not there."""

_PATCHES = frozenset(
    {
        ChangeKind.INSTANCE,
        ChangeKind.CLASS,
        ChangeKind.EXTENSION,
        ChangeKind.NEW_CLASS,
        ChangeKind.CLASS_DEF,
        ChangeKind.REMOVE_METHOD,
        ChangeKind.REMOVE_CLASS,
    }
)
_RENAMES = frozenset({ChangeKind.RENAME_CLASS, ChangeKind.RENAME_METHOD, ChangeKind.MOVE_CLASS})


@dataclass(frozen=True, slots=True)
class ActiveView:
    """The entries of the current epoch, sorted out. All sets are of seqs."""

    entries: tuple[Entry, ...]
    active: tuple[Entry, ...]
    cancelled: frozenset[int]
    shadowed: frozenset[int]
    clean: frozenset[int]
    orphans: frozenset[int]
    flushed: frozenset[int]
    cleared: frozenset[int]

    def is_active(self, seq: int) -> bool:
        """Whether an entry is pending."""
        at = bisect_left(self.active, seq, key=_seq)
        return at < len(self.active) and self.active[at].seq == seq


def active_view(
    entries: Sequence[Entry], marks: Sequence[Mark], epoch: int, disk: LookUp, memory: LookUp
) -> ActiveView:
    """The active view of a log (changes.md 2.2). Linear in entries, edits and marks."""
    current = tuple(entry for entry in entries if entry.epoch == epoch)
    flushed = marked(marks, MarkKind.FLUSHED)
    cleared = marked(marks, MarkKind.CLEARED)
    orphans = marked(marks, MarkKind.ORPHANED)
    gone = cancelled(current, marks)
    standing = [e for e in current if e.seq not in gone and e.seq not in orphans]
    shadowed = shadowed_entries(standing)
    ended = flushed | cleared | orphans | gone | shadowed
    waiting = [entry for entry in current if entry.seq not in ended]
    clean = clean_entries(waiting, disk, memory)
    return ActiveView(
        entries=current,
        active=tuple(entry for entry in waiting if entry.seq not in clean),
        cancelled=gone,
        shadowed=shadowed,
        clean=clean,
        orphans=orphans,
        flushed=flushed,
        cleared=cleared,
    )


def marked(marks: Iterable[Mark], kind: MarkKind) -> frozenset[int]:
    """The seqs of the entries that bear a mark."""
    return frozenset(mark.seq for mark in marks if mark.kind is kind)


# ------------------------------------------------------------------ cancelling


def cancelled(entries: Sequence[Entry], marks: Iterable[Mark]) -> frozenset[int]:
    """Pairs of a change and its revert of which neither reached the disk.

    The newest revert counts first: the revert of a revert cancels that one, and leaves
    what that one had reverted as it was.
    """
    flushed = marked(marks, MarkKind.FLUSHED)
    known = {entry.seq for entry in entries}
    gone: set[int] = set()
    for entry in reversed(entries):
        target = entry.reverts
        if target is None or entry.seq in gone or target in gone or target not in known:
            continue
        if target not in flushed and entry.seq not in flushed:
            gone |= {entry.seq, target}
    return frozenset(gone)


# ------------------------------------------------------------------ shadows


def shadowed_entries(entries: Sequence[Entry]) -> frozenset[int]:
    """Entries all of whose units later patches, headers or removals replace.

    A rename or move shadows nothing. What renames, or makes or moves a file, is shadowed
    only when all of its units and files are removed later: as long as one is there, its
    name or path needs the entry.
    """
    replaced: set[int] = set()
    removed: set[int] = set()
    gone: set[str] = set()
    found: set[int] = set()
    for entry in reversed(entries):
        covering = removed if entry.kind in _RENAMES or entry.files else replaced
        files_go = all(move.new is not None and move.new in gone for move in entry.files)
        if entry.edits and files_go and all(edit.lineage in covering for edit in entry.edits):
            found.add(entry.seq)
        if entry.kind in _PATCHES:
            replaced.update(edit.lineage for edit in entry.edits)
            for edit in entry.edits:
                (removed.discard if edit.after is not None else removed.add)(edit.lineage)
        _go_back(gone, entry)
    return frozenset(found)


def _go_back(gone: set[str], entry: Entry) -> None:
    """From the paths whose files are removed after an entry to those before it."""
    ends = {move.new for move in entry.files if move.new is not None}
    going = {m.old for m in entry.files if m.old is not None and (m.new is None or m.new in gone)}
    gone -= ends
    gone |= going


# ------------------------------------------------------------------ clean


def clean_entries(waiting: Sequence[Entry], disk: LookUp, memory: LookUp) -> frozenset[int]:
    """The entries whose units read and stand in memory as on disk.

    Not one that shares a unit with an entry that is to be written: it takes back, or
    changes again, what that one says of the unit, and must be written with it.
    """
    moving = _moving_entries(waiting)
    clean = {
        entry.seq: entry
        for entry in waiting
        if (_reads_alike(entry, disk, memory) if entry.edits else entry.seq not in moving)
    }
    fresh = [entry for entry in waiting if entry.seq not in clean]
    while fresh:
        touched = {edit.lineage for entry in fresh for edit in entry.edits}
        fresh = [each for each in clean.values() if any(edit.lineage in touched for edit in each.edits)]
        for entry in fresh:
            del clean[entry.seq]
    return frozenset(clean)


def _reads_alike(entry: Entry, disk: LookUp, memory: LookUp) -> bool:
    return all(stands_alike(disk(edit.lineage), memory(edit.lineage)) for edit in entry.edits)


def stands_alike(disk: PlacedText | None, memory: PlacedText | None) -> bool:
    """Whether a unit is the same on both sides, but for its indentation as a whole.

    A unit of memory that has no file is never on disk.
    """
    if disk is None or memory is None:
        return disk is memory
    return disk.address == memory.address and same_text_but_indentation(disk.text, memory.text)


def _moving_entries(waiting: Sequence[Entry]) -> frozenset[int]:
    """The entries with a file that all of them together move, make or delete (no unit tells)."""
    origins: dict[str, str | None] = {}
    moved_by: dict[int, list[str | None]] = {}
    for entry in waiting:
        leaving = {move.old: origins.pop(move.old, move.old) for move in entry.files if move.old is not None}
        moved_by[entry.seq] = [
            leaving.get(move.old) if move.old is not None else None for move in entry.files
        ]
        for move in entry.files:
            if move.new is not None:
                origins[move.new] = None if move.old is None else leaving[move.old]
    at_home = {path for path, origin in origins.items() if path == origin}
    return frozenset(seq for seq, files in moved_by.items() if any(file not in at_home for file in files))


# ------------------------------------------------------------------ undo and redo


@dataclass(frozen=True, slots=True)
class History:
    """What can be undone and done again, newest last (changes.md 9).

    `undo` holds changes; `redo` holds the reverts whose own revert is the redo.
    """

    undo: tuple[Entry, ...]
    redo: tuple[Entry, ...]


def history(entries: Sequence[Entry], epoch: int, orphans: AbstractSet[int] = frozenset()) -> History:
    """The undo and redo stacks of an epoch.

    An undo is logged as an entry that reverts the newest change; a redo as one that
    reverts that revert. A new change clears what could be redone.
    """
    undo: dict[int, Entry] = {}
    redo: dict[int, Entry] = {}
    reverts: set[int] = set()
    for entry in entries:
        if entry.epoch != epoch or entry.seq in orphans:
            continue
        if entry.reverts is None:
            undo[entry.seq] = entry
            redo.clear()
        elif entry.reverts in reverts:
            redo.pop(entry.reverts, None)
            undo[entry.seq] = entry
        else:
            undo.pop(entry.reverts, None)
            redo[entry.seq] = entry
            reverts.add(entry.seq)
    return History(tuple(undo.values()), tuple(redo.values()))
