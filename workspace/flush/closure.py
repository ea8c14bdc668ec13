"""Which changes must go to disk together (changes.md 4.2, "Dependence").

Comes in: the active entries, and which of them the gesture selects. Guarantees: the answer
is closed: with an entry goes all that it depends on, or the entry is withheld with the seq
that holds it. Pure. Leaves: the texts to `replay`.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache

from changelog.entry import ChangeKind, Edit, Entry, Footprint, Intent, NameKey, NameKind
from lang.dataclass import dataclass, replace
from workspace.flush.view import DiskUses

_MOVES = frozenset({ChangeKind.RENAME_CLASS, ChangeKind.RENAME_METHOD, ChangeKind.MOVE_CLASS})
_TYPE_NAMES = frozenset({NameKind.CLASS, NameKind.PROTOCOL, NameKind.ALIAS})

Needs = Mapping[int, frozenset[int]]
"""From a seq to the seqs that it depends on directly."""


class SkipReason(enum.Enum):
    """Why a pending entry is not written (changes.md 12); the value is the symbol's text."""

    DESTRUCTIVE = "destructive"
    DEPENDS_ON = "depends_on"
    NOT_FLUSHABLE = "not_flushable"


@dataclass(frozen=True, slots=True)
class Skipped:
    """An entry that was asked for and is not written; `held_by` is the seq that holds it."""

    entry: Entry
    reason: SkipReason
    held_by: int | None = None


@dataclass(frozen=True, slots=True)
class Closure:
    """What goes to disk, in order; which of it was pulled in; what is held back; warnings."""

    written: tuple[Entry, ...]
    pulled_in: tuple[Entry, ...]
    skipped: tuple[Skipped, ...]
    warnings: tuple[str, ...]


class _Bar(enum.Enum):
    """What by itself keeps an entry from the disk. `HARMLESS` holds nobody else (a patch of the stdlib)."""

    EPHEMERAL = "ephemeral"
    DESTRUCTIVE = "destructive"
    NOT_FLUSHABLE = "not flushable"
    HARMLESS = "harmless"


def closure(
    active: Sequence[Entry],
    shadowed: Iterable[Entry],
    selected: AbstractSet[int],
    ungestured: AbstractSet[int],
    disk_uses: DiskUses,
) -> Closure:
    """Close a selection over the active entries, which are in order.

    `shadowed` are the pending ones that active ones replace; `ungestured` the seqs of
    destructive entries for which the gesture is missing.
    """
    needs = dependences(effective(active, shadowed), disk_uses)
    bars = {entry.seq: bar for entry in active if (bar := _bar(entry, ungestured)) is not None}
    holders = _holders(active, needs, bars)
    free = [seq for seq in selected if seq not in bars and seq not in holders]
    written = _reached(free, needs, bars)
    return Closure(
        written=tuple(entry for entry in active if entry.seq in written),
        pulled_in=tuple(entry for entry in active if entry.seq in written and entry.seq not in selected),
        skipped=tuple(_skips(active, selected, bars, holders)),
        warnings=tuple(_warnings(active, written, needs, bars)),
    )


def _bar(entry: Entry, ungestured: AbstractSet[int]) -> _Bar | None:
    if not entry.is_flushable:
        reason = entry.not_flushable_reason or ""
        return _Bar.HARMLESS if reason.startswith(("stdlib", "dependency")) else _Bar.NOT_FLUSHABLE
    if entry.intent is Intent.EPHEMERAL:
        return _Bar.EPHEMERAL
    return _Bar.DESTRUCTIVE if entry.seq in ungestured else None


def _holders(active: Sequence[Entry], needs: Needs, bars: Mapping[int, _Bar]) -> dict[int, int]:
    """For each entry that cannot be written because of another: the entry that bars it in the end."""
    holders: dict[int, int] = {}
    waiting = [seq for seq, bar in bars.items() if bar is not _Bar.HARMLESS]
    needed_by: dict[int, list[int]] = {}
    for entry in active:
        for need in needs.get(entry.seq, ()):
            needed_by.setdefault(need, []).append(entry.seq)
    while waiting:
        seq = waiting.pop(0)
        for dependant in needed_by.get(seq, ()):
            if dependant not in holders and dependant not in bars:
                holders[dependant] = holders.get(seq, seq)
                waiting.append(dependant)
    return holders


def _reached(start: Sequence[int], needs: Needs, bars: Mapping[int, _Bar]) -> frozenset[int]:
    found = set(start)
    waiting = list(start)
    while waiting:
        fresh = {need for need in needs.get(waiting.pop(), ()) if need not in found and need not in bars}
        found |= fresh
        waiting += fresh
    return frozenset(found)


def _skips(
    active: Sequence[Entry], selected: AbstractSet[int], bars: Mapping[int, _Bar], holders: Mapping[int, int]
) -> Iterator[Skipped]:
    for entry in active:
        if entry.seq not in selected:
            continue
        match bars.get(entry.seq):
            case _Bar.DESTRUCTIVE:
                yield Skipped(entry, SkipReason.DESTRUCTIVE)
            case _Bar.NOT_FLUSHABLE | _Bar.HARMLESS:
                yield Skipped(entry, SkipReason.NOT_FLUSHABLE)
            case None if entry.seq in holders:
                yield Skipped(entry, SkipReason.DEPENDS_ON, holders[entry.seq])


def _warnings(
    active: Sequence[Entry], written: AbstractSet[int], needs: Needs, bars: Mapping[int, _Bar]
) -> Iterator[str]:
    titles = {entry.seq: f"#{entry.seq} {entry.class_name}" for entry in active}
    for entry in active:
        for need in sorted(needs.get(entry.seq, ())):
            if entry.seq in written and bars.get(need) is _Bar.HARMLESS:
                yield f"{titles[entry.seq]} builds on {titles[need]}, which can never be written"


# ------------------------------------------------------------------ dependence


def effective(active: Sequence[Entry], shadowed: Iterable[Entry]) -> tuple[Entry, ...]:
    """The active entries with the names of those that they shadow.

    A patch of a method that an older, shadowed patch had added brings that method's name
    to disk, though in memory the method was there when it was patched.
    """
    older: dict[int, list[Entry]] = {}
    for entry in shadowed:
        for edit in entry.edits:
            older.setdefault(edit.lineage, []).append(entry)
    return tuple(_with_names_of(entry, older) if older else entry for entry in active)


def _with_names_of(entry: Entry, older: Mapping[int, Sequence[Entry]]) -> Entry:
    if entry.kind in _MOVES:
        return entry
    found = [each for edit in entry.edits for each in older.get(edit.lineage, ()) if each.seq < entry.seq]
    if not found:
        return entry
    own = entry.footprint
    introduces = own.introduces.union(*(each.footprint.introduces for each in found)) - own.retires
    retires = own.retires.union(*(each.footprint.retires for each in found)) - own.introduces
    added = {edit.lineage for each in found for edit in each.edits if edit.before_address is None}
    edits = tuple(
        replace(edit, before_address=None) if edit.lineage in added else edit for edit in entry.edits
    )
    return replace(entry, edits=edits, footprint=Footprint(introduces, retires, own.uses))


def dependences(active: Sequence[Entry], disk_uses: DiskUses) -> dict[int, frozenset[int]]:
    """What each active entry depends on directly. `active` is in order."""
    earlier = _Earlier()
    found: dict[int, set[int]] = {}
    for entry in active:
        found[entry.seq] = earlier.needs_of(entry)
        earlier.add(entry)
    known = frozenset(found)
    asked = cache(disk_uses)
    for entry in active:
        found[entry.seq] |= {seq for seq in entry.depends_on if seq in known and seq < entry.seq}
        if entry.kind not in _MOVES and entry.footprint.retires:
            found[entry.seq] |= set(_cutters_of_uses(entry, active, asked))
            found[entry.seq] |= set(_successors(entry, active))
    return {seq: frozenset(needs - {seq}) for seq, needs in found.items()}


class _Earlier:
    """What the entries so far have introduced, retired, named and placed; the newest wins."""

    def __init__(self) -> None:
        self._introduced: dict[object, int] = {}
        self._retired: dict[object, int] = {}
        self._owners: dict[str, int] = {}
        self._named: dict[int, int] = {}
        self._placed: dict[str, int] = {}
        self._vacated: dict[str, int] = {}

    def add(self, entry: Entry) -> None:
        """Take an entry in, behind all others."""
        for key in entry.footprint.introduces:
            self._introduced[_meaning(key)] = entry.seq
            if key.kind in _TYPE_NAMES:
                self._owners[key.spelling] = entry.seq
        for key in entry.footprint.retires:
            self._retired[_word(key)] = entry.seq
        for edit in entry.edits:
            if _names_anew(edit):
                self._named[edit.lineage] = entry.seq
        for move in entry.files:
            if move.old is not None:
                self._vacated[move.old] = entry.seq
            if move.new is not None:
                self._placed[move.new] = entry.seq

    def needs_of(self, entry: Entry) -> set[int]:
        """The earlier entries that one depends on (changes.md 4.2, first three rules)."""
        return set(self._found(entry))

    def _found(self, entry: Entry) -> Iterator[int]:
        for used in entry.footprint.uses:
            yield from _one(self._introduced.get(_meaning(used)))
        for introduced in entry.footprint.introduces:
            yield from _one(self._retired.get(_word(introduced)))
        for edit in entry.edits:
            yield from _one(self._named.get(edit.lineage))
            for address in (edit.before_address, edit.after_address):
                if address is not None:
                    yield from _one(self._owners.get(address.name.owner.rpartition("@")[2]))
                    yield from _one(self._placed.get(address.path or ""))
        for move in entry.files:
            yield from _one(self._vacated.get(move.new or ""))
            yield from _one(self._placed.get(move.old or ""))


def _one(seq: int | None) -> tuple[int, ...]:
    return () if seq is None else (seq,)


def _names_anew(edit: Edit) -> bool:
    """Whether an edit gives its unit a name: the unit is new, or its own name (not its owner's) changes."""
    if edit.after_address is None:
        return False
    if edit.before_address is None:
        return True
    return edit.before_address.name.member != edit.after_address.name.member


def _meaning(key: NameKey) -> object:
    """What a key denotes: a class stays itself under any spelling."""
    if key.kind in _TYPE_NAMES:
        return (NameKind.CLASS, key.denotes) if key.denotes else (NameKind.CLASS, key.spelling)
    return (key.kind, key.denotes, key.spelling, key.side)


def _word(key: NameKey) -> object:
    """The place in a name space that a key takes: two cannot take one place."""
    if key.kind in _TYPE_NAMES:
        return (NameKind.CLASS, key.spelling)
    return (key.kind, key.denotes, key.spelling, key.side)


def _cutters_of_uses(entry: Entry, active: Sequence[Entry], disk_uses: DiskUses) -> Iterator[int]:
    """Entries that take a use of what `entry` removes out of a unit that has it on disk (last rule)."""
    gone = {_meaning(key) for key in entry.footprint.retires}
    return (other.seq for other in active if other is not entry and _cuts_use(other, gone, disk_uses))


def _successors(entry: Entry, active: Sequence[Entry]) -> Iterator[int]:
    """Later entries that give a removed class's name to another: uses of the name go over to that one."""
    gone = {_word(key) for key in entry.footprint.retires if key.kind in _TYPE_NAMES}
    for other in active:
        if other.seq > entry.seq and any(_word(key) in gone for key in other.footprint.introduces):
            yield other.seq


def _cuts_use(
    other: Entry, gone: AbstractSet[object], disk_uses: Callable[[int], frozenset[NameKey]]
) -> bool:
    if other.kind in _MOVES:
        return False
    still = {_meaning(key) for key in other.footprint.uses} & gone
    return any(
        not still and any(_meaning(key) in gone for key in disk_uses(edit.lineage)) for edit in other.edits
    )
