"""Which pending entries a flush is asked for (changes.md 4.1).

Comes in: the active entries, a filter and a gesture. Guarantees: ephemeral entries are
never selected; tier 2 is told apart. Leaves: what must go along to `closure`.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import assert_never

from changelog.entry import AuthorKind, ChangeKind, Entry, Intent
from lang.dataclass import dataclass
from workspace.flush.tracks import Tracks


class Gesture(enum.Enum):
    """Whether this one flush may destroy and move files."""

    PLAIN = "plain"
    DESTRUCTIVE = "destructive"


@dataclass(frozen=True, slots=True)
class Everything:
    """All that is pending."""


@dataclass(frozen=True, slots=True)
class OfClass:
    """What targets a class, by its present name."""

    name: str


@dataclass(frozen=True, slots=True)
class OfKinds:
    """Entries of kinds and of author kinds; both must hold; empty author kinds mean all.

    Names that are no kind select nothing.
    """

    kinds: frozenset[str]
    author_kinds: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class OfEntry:
    """One entry."""

    seq: int


@dataclass(frozen=True, slots=True)
class OfFile:
    """What touches a file, by its path on disk or in memory."""

    path: str


Filter = Everything | OfClass | OfKinds | OfEntry | OfFile


EVERYTHING = Everything()


def kinds_filter(names: Sequence[str]) -> OfKinds:
    """The filter of `flushKinds:`: kinds and author kinds in one list."""
    authors = {kind.value for kind in AuthorKind}
    asked = frozenset(names)
    known = frozenset(kind.value for kind in ChangeKind)
    kinds = asked - authors
    return OfKinds(kinds if kinds or not asked & authors else known, asked & authors)


def selected(active: Sequence[Entry], chosen: Filter, tracks: Tracks) -> frozenset[int]:
    """The seqs of the active entries that a filter selects."""
    durable = (entry for entry in active if entry.intent is Intent.DURABLE)
    return frozenset(entry.seq for entry in durable if _is_chosen(entry, active, chosen, tracks))


def _is_chosen(entry: Entry, active: Sequence[Entry], chosen: Filter, tracks: Tracks) -> bool:
    match chosen:
        case Everything():
            return True
        case OfClass(name=name):
            return _present_name(entry, active) == name
        case OfKinds(kinds=kinds, author_kinds=authors):
            return entry.kind.value in kinds and (not authors or entry.author_kind.value in authors)
        case OfEntry(seq=seq):
            return entry.seq == seq
        case OfFile(path=path):
            return path in _paths(entry, tracks)
        case _:
            assert_never(chosen)


def _present_name(entry: Entry, active: Sequence[Entry]) -> str:
    name = entry.class_name
    for later in active:
        if later.seq > entry.seq and later.kind is ChangeKind.RENAME_CLASS and later.old_class == name:
            name = later.class_name
    return name


def _paths(entry: Entry, tracks: Tracks) -> frozenset[str]:
    tokens = {*tracks.tokens.get(entry.seq, {}).values(), *(t for t, _ in tracks.moves.get(entry.seq, ()))}
    found = {tracks.disk_paths.get(token) for token in tokens}
    found |= {tracks.memory_paths.get(token) for token in tokens}
    return frozenset(path for path in found if path is not None)


def ungestured(active: Sequence[Entry], gesture: Gesture) -> frozenset[int]:
    """Destructive entries that this flush may not write.

    A rename, move or removal of a class whose `new-class` is still pending destroys
    nothing (changes.md 4.1).
    """
    if gesture is Gesture.DESTRUCTIVE:
        return frozenset()
    fresh = frozenset(
        edit.lineage for entry in active if entry.kind is ChangeKind.NEW_CLASS for edit in entry.edits
    )
    return frozenset(entry.seq for entry in active if entry.is_destructive and not _is_of(entry, fresh))


def _is_of(entry: Entry, fresh: AbstractSet[int]) -> bool:
    if entry.kind is ChangeKind.RENAME_METHOD:
        return False
    return bool(entry.edits) and entry.edits[0].lineage in fresh
