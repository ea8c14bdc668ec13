"""The `flushed` marks of a flush, and how they stand in its journal (changes.md 5.6, 9).

Comes in: which entries a flush writes, and what it splices for each. Guarantees: the marks
that recovery appends after a crash are those that the flush would have appended. Leaves:
appending them once to the commit.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

from changelog.codec import decode_mark, encode_mark
from changelog.entry import Mark, MarkKind, Splice
from lang.dataclass import dataclass, replace

_NO_UNIT = 0


def encode_payload(seqs: Iterable[int], splices: Mapping[int, Sequence[Splice]]) -> str:
    """The marks of a flush as the text that its journal keeps; `splices` by seq."""
    marks = [Mark(MarkKind.FLUSHED, seq, splices=tuple(splices.get(seq, ()))) for seq in seqs]
    return json.dumps([encode_mark(mark) for mark in marks], separators=(",", ":"))


def marks_of(flush_id: str, payload: str) -> tuple[Mark, ...]:
    """The marks to append when the flush with this id has reached the disk. Raises `ValueError`."""
    documents = json.loads(payload) if payload else []
    return tuple(replace(decode_mark(each), flush_id=flush_id) for each in documents)


@dataclass(frozen=True, slots=True)
class DeletedFile:
    """A file that a flush deleted: its whole text, line ends and all, and its units in order."""

    text: str
    units: tuple[int, ...]


def whole_file(path: str, data: bytes, units: Iterable[int]) -> Splice:
    """The record of a file that a flush deletes: a splice of no unit."""
    return Splice(path, _NO_UNIT, data, b"", None, None, units=tuple(units))


def deleted_files(marks: Iterable[Mark]) -> dict[int, DeletedFile]:
    """The files that flushes deleted, by the seq of the entry."""
    return {
        mark.seq: DeletedFile(splice.removed.decode("utf-8", "surrogateescape"), splice.units)
        for mark in marks
        for splice in mark.splices
        if splice.lineage == _NO_UNIT
    }


def spliced_units(marks: Iterable[Mark]) -> dict[int, frozenset[int]]:
    """The units that flushes changed, by the seq of the entry."""
    return {mark.seq: frozenset(each.lineage for each in mark.splices) for mark in marks if mark.splices}


def splices_by_lineage(marks: Iterable[Mark]) -> dict[int, tuple[Splice, ...]]:
    """What flushes did to each unit, newest first."""
    found: dict[int, tuple[Splice, ...]] = {}
    for mark in marks:
        for splice in mark.splices:
            found[splice.lineage] = (splice, *found.get(splice.lineage, ()))
    return found
