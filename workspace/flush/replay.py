"""The replay of selected entries over what disk holds (changes.md 4.2, "Replay").

Comes in: files as the image knows them on disk, all entries of the epoch in order, and
which of them are written now or were written before. Guarantees: texts are threaded by
lineage, so that what is left out leaves no trace; the outcome says for each file where it
goes and what becomes of its units. Pure. Leaves: today's bytes to `plan`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet

from changelog.entry import ChangeKind, Edit, Entry
from lang.dataclass import dataclass, field, replace
from lang.source import SourceText
from lang.syntax.units import UnitName
from workspace.flush.file_text import decoded, encoded
from workspace.flush.marks import DeletedFile
from workspace.flush.splice import default_column
from workspace.flush.tracks import Tracks, track
from workspace.flush.view import Cut, DiskFile, DiskUnit, Rewrite

_RENAMES = frozenset({ChangeKind.RENAME_CLASS, ChangeKind.RENAME_METHOD, ChangeKind.MOVE_CLASS})


@dataclass(frozen=True, slots=True)
class UnitOutcome:
    """What a replay makes of one unit.

    `origin` is the unit as it stands (on disk, or in the text that its file is created
    with); None: it is new. `text` None: it is gone. `column` None: `text` has the
    indentation of its place. `by` is the seq that edited it last.
    """

    lineage: int
    origin: DiskUnit | None
    name: UnitName
    text: str | None
    column: int | None
    by: int


@dataclass(frozen=True, slots=True)
class FileOutcome:
    """What a replay makes of one file.

    `origin` None: the file is created, with the text `created`. `path` None: it is
    deleted. `seqs` are the entries that touched it, `moved_by` is the last that created,
    moved or deleted it.
    """

    origin: DiskFile | None
    path: str | None
    created: str | None
    units: tuple[UnitOutcome, ...]
    seqs: frozenset[int]
    moved_by: int = 0


@dataclass(slots=True)
class _File:
    origin: DiskFile | None
    path: str | None
    created: str | None = None
    unclaimed: list[DiskUnit] = field(default_factory=list)
    moved_by: int = 0
    seqs: set[int] = field(default_factory=set)

    def claim(self, lineage: int, name: UnitName) -> DiskUnit | None:
        """The unit of a created text that an edit speaks of: that of its lineage, else of its name."""
        for unit in self.unclaimed:
            if unit.lineage == lineage or (not unit.lineage and unit.name == name):
                self.unclaimed.remove(unit)
                return replace(unit, lineage=lineage)
        return None


@dataclass(slots=True)
class _Unit:
    origin: DiskUnit | None
    file: int
    name: UnitName
    text: str | None
    column: int | None = None
    by: int = 0


@dataclass(frozen=True, slots=True)
class Asks:
    """What a replay asks of others.

    `deleted` are the files that flushes deleted, by the seq of the entry: its revert brings
    them back. `spliced` are the units that flushes changed, likewise.
    """

    rewrite: Rewrite
    cut: Cut
    deleted: Mapping[int, DeletedFile]
    spliced: Mapping[int, frozenset[int]]


def replay(
    disk: Mapping[str, DiskFile],
    entries: Sequence[Entry],
    written: AbstractSet[int],
    flushed: AbstractSet[int],
    asks: Asks,
) -> tuple[FileOutcome, ...]:
    """Replay the `written` entries over `disk`; `flushed` ones are in it already.

    `entries` are all of the epoch, in order.
    """
    replaying = _Replay(disk, entries, written, flushed, asks)
    for entry in entries:
        if entry.seq in written:
            replaying.apply(entry)
        elif entry.seq in flushed and entry.kind in _RENAMES:
            replaying.rename_pending_texts(entry)
    return replaying.outcome()


class _Replay:
    """The state of a replay: files by token, units by lineage."""

    def __init__(
        self,
        disk: Mapping[str, DiskFile],
        entries: Sequence[Entry],
        written: AbstractSet[int],
        flushed: AbstractSet[int],
        asks: Asks,
    ) -> None:
        self._asks = asks
        self._tracks: Tracks = track(entries, flushed)
        self._files: dict[int, _File] = {}
        self._units: dict[int, _Unit] = {}
        self._patched: set[int] = set()
        self._overtaken = _overtaken(entries, flushed)
        self._take_in(disk, entries, written)

    def _take_in(
        self, disk: Mapping[str, DiskFile], entries: Sequence[Entry], written: AbstractSet[int]
    ) -> None:
        wanted: set[int] = set()
        for entry in entries:
            lineages = {edit.lineage for edit in entry.edits}
            if entry.seq in written:
                wanted |= lineages
            if entry.kind not in _RENAMES:
                wanted |= lineages
        for token, path in self._tracks.disk_paths.items():
            origin = None if path is None else disk.get(path)
            self._files[token] = _File(origin, None if origin is None else path)
        tokens = {file.path: token for token, file in self._files.items() if file.path is not None}
        for path, known in disk.items():
            for unit in known.units:
                if unit.lineage in wanted:
                    if path not in tokens:
                        tokens[path] = self._tracks.fresh_token()
                        self._files[tokens[path]] = _File(known, path)
                    self._units[unit.lineage] = _Unit(unit, tokens[path], unit.name, unit.text)

    # -------------------------------------------------------------- one entry

    def apply(self, entry: Entry) -> None:
        """Apply a written entry."""
        self._move_files(entry)
        edits = {edit.lineage: edit for edit in entry.edits}
        for edit in entry.edits:
            if self._overtaken.get(edit.lineage, 0) > entry.seq:
                continue
            if entry.kind in _RENAMES:
                self._rename(entry, edit)
            else:
                self._replace(entry, edit)
        if entry.kind in _RENAMES:
            for lineage, unit in self._units.items():
                if lineage not in edits and self._may_mention(entry, lineage):
                    self._rewrite_unseen(entry, lineage, unit)

    def _move_files(self, entry: Entry) -> None:
        for token, move in self._tracks.moves.get(entry.seq, ()):
            file = self._files.setdefault(token, _File(None, None))
            file.path = move.new
            file.moved_by = entry.seq
            file.seqs.add(entry.seq)
            if move.old is None:
                known = self._asks.deleted.get(entry.reverts or 0, DeletedFile(move.text or "", ()))
                file.created = known.text
                file.unclaimed = self._units_of(known)

    def _units_of(self, created: DeletedFile) -> list[DiskUnit]:
        """The units of a created text, until edits claim them; without lineage where that is not known."""
        text = decoded(encoded(created.text)).text
        cuts = tuple(self._asks.cut(SourceText(text)))
        known = created.units if len(created.units) == len(cuts) else (0,) * len(cuts)
        return [
            DiskUnit(lineage, each.name, text[each.span.start : each.span.end])
            for lineage, each in zip(known, cuts, strict=True)
        ]

    def _replace(self, entry: Entry, edit: Edit) -> None:
        unit = self._units.get(edit.lineage)
        if unit is not None and unit.text is None and self._comes_back_elsewhere(entry, edit, unit):
            self._units[-edit.lineage], unit = unit, None
        if unit is None:
            unit = self._new_unit(entry, edit)
        if unit is None:
            return
        column = None if edit.column is None and unit.origin is not None else _column(edit, unit.name)
        self._units[edit.lineage] = unit
        unit.text, unit.column, unit.by = edit.after, column, entry.seq
        if edit.after_address is not None:
            unit.name = _renamed(unit.name, edit)
        self._patched.add(edit.lineage)
        self._files[unit.file].seqs.add(entry.seq)

    def _comes_back_elsewhere(self, entry: Entry, edit: Edit, unit: _Unit) -> bool:
        """Whether a removed unit is written anew in another file, perhaps one of the same path."""
        path = edit.after_address.path if edit.after_address is not None else None
        return edit.before is None and self._tracks.tokens[entry.seq].get(path or "") != unit.file

    def _new_unit(self, entry: Entry, edit: Edit) -> _Unit | None:
        """The unit of an edit that is not on disk; None when it, or its file, does not come there."""
        address = edit.after_address
        if edit.after is None or address is None or address.path is None:
            return None
        token = self._tracks.tokens[entry.seq].get(address.path)
        if token is None or token not in self._files:
            return None
        return _Unit(self._files[token].claim(edit.lineage, address.name), token, address.name, None)

    # -------------------------------------------------------------- renames

    def _rename(self, entry: Entry, edit: Edit) -> None:
        unit = self._units.get(edit.lineage)
        if unit is None or unit.text is None:
            return
        if unit.text == edit.before and edit.after is not None:
            unit.text = edit.after
        else:
            unit.text = self._rewritten(entry, edit.lineage, unit)
        unit.name = _renamed(unit.name, edit)
        unit.by = entry.seq
        self._files[unit.file].seqs.add(entry.seq)

    def _may_mention(self, entry: Entry, lineage: int) -> bool:
        """A rename that is taken back concerns what it had changed on disk, and nothing else."""
        return entry.reverts is None or lineage in self._asks.spliced.get(entry.reverts, ())

    def _rewrite_unseen(self, entry: Entry, lineage: int, unit: _Unit) -> None:
        """A unit that mentions the old name here, though in memory it did not when it was renamed."""
        if unit.text is None:
            return
        text = self._rewritten(entry, lineage, unit)
        if text != unit.text:
            unit.text, unit.by = text, entry.seq
            self._files[unit.file].seqs.add(entry.seq)

    def rename_pending_texts(self, entry: Entry) -> None:
        """A rename that is on disk already: texts that are put in now are written with it applied."""
        edits = {edit.lineage: edit for edit in entry.edits}
        for lineage in self._patched:
            unit = self._units[lineage]
            if unit.text is None:
                continue
            edit = edits.get(lineage)
            if edit is not None and edit.before == unit.text and edit.after is not None:
                unit.text = edit.after
            else:
                unit.text = self._rewritten(entry, lineage, unit)

    def _rewritten(self, entry: Entry, lineage: int, unit: _Unit) -> str:
        column = default_column(unit.name.kind) if unit.column is None else unit.column
        return self._asks.rewrite(entry, lineage, unit.name, unit.text or "", column)

    # -------------------------------------------------------------- outcome

    def outcome(self) -> tuple[FileOutcome, ...]:
        """The files that differ from the disk."""
        units: dict[int, list[UnitOutcome]] = {}
        for lineage, unit in self._units.items():
            if unit.by and not (unit.origin is None and unit.text is None):
                outcome = UnitOutcome(lineage, unit.origin, unit.name, unit.text, unit.column, unit.by)
                units.setdefault(unit.file, []).append(outcome)
        for token, file in self._files.items():
            for number, left in enumerate(file.unclaimed, 1):
                gone = UnitOutcome(left.lineage or -number, left, left.name, None, None, file.moved_by)
                units.setdefault(token, []).append(gone)
        found = [
            FileOutcome(
                f.origin, f.path, f.created, tuple(units.get(token, ())), frozenset(f.seqs), f.moved_by
            )
            for token, f in self._files.items()
            if f.seqs and (f.origin is not None or f.path is not None)
        ]
        return tuple(sorted(found, key=_path_of))


def _path_of(outcome: FileOutcome) -> str:
    return outcome.origin.path if outcome.origin is not None else outcome.path or ""


def _column(edit: Edit, name: UnitName) -> int:
    return default_column(name.kind) if edit.column is None else edit.column


def _overtaken(entries: Iterable[Entry], flushed: AbstractSet[int]) -> dict[int, int]:
    """For each unit the newest flushed patch of it: what is older must not come over it again."""
    return {
        edit.lineage: entry.seq
        for entry in entries
        if entry.seq in flushed and entry.kind not in _RENAMES
        for edit in entry.edits
    }


def _renamed(name: UnitName, edit: Edit) -> UnitName:
    """The name of a unit after an edit: only what the edit changes in it changes."""
    if edit.after_address is None or edit.before_address is None:
        return name
    old, new = edit.before_address.name, edit.after_address.name
    owner = new.owner if old.owner != new.owner else name.owner
    member = new.member if old.member != new.member else name.member
    side = new.side if old.side != new.side else name.side
    return replace(name, owner=owner, member=member, side=side)
