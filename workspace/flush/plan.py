"""The plan of a flush: which entries, which files, which bytes (changes.md 4, 5.2 to 5.4).

How the image calls it. All is pure but for `read`:

* `DiskFile` and `DiskUnit` (from here) are what the image keeps of each project file. `units`
  carry the lineages of memory, texts are LF; `data` are the bytes that memory was built from.
  A unit removed and written anew, or taken back, keeps its lineage.
* `plan(request, world)` answers a `FlushPlan`. `FlushRequest.filter` and `gesture` say what is
  asked for (`selection`). `World` is a frozen look at the image: the log's entries of all epochs
  and marks, the `ActiveView`, the `DiskFile`s by path, and what the plan asks: `read` (bytes of
  today, `None` when absent, `OSError` as the system has it), `rewrite` (a rename's rewriting of
  one text), `disk_uses` (names used by a unit's disk text), `new_references` (files with units
  unseen by memory that use a class name).
* A plan with `conflicts` must not be written. Else hand `rows` to the commit with
  `plan.seqs` and `plan.payload`; the marks are `marks_of(flush_id, payload)`, also after a crash.
* After the commit the image takes `files_after`: a `DiskFile` for each path that the plan
  wrote, None for one that is gone. A file into which an outside edit of other units was merged
  has a snapshot with an empty hash: the next sync reads it again.
* Recovery splices with `splice.reapply(data, edits, cut_file)`.

Guarantees: rows give the replay of the entries written and nothing else; the new text was cut
again and holds it. Leaves: symlinks, file modes and the writing itself to the commit.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping, Sequence

from changelog.active import ActiveView
from changelog.entry import ChangeKind, Entry, Mark, Snapshot, Splice
from lang.dataclass import dataclass, field, replace
from lang.syntax import cut_file
from workspace.flush.closure import Closure, Skipped, closure
from workspace.flush.diff import created_diff, deleted_diff, unified_diff
from workspace.flush.file_text import decoded, encoded
from workspace.flush.marks import (
    deleted_files,
    encode_payload,
    marks_of,
    spliced_units,
    splices_by_lineage,
    whole_file,
)
from workspace.flush.outcome import ConflictReason
from workspace.flush.replay import Asks, FileOutcome, UnitOutcome, replay
from workspace.flush.result import FileOperation, FlushConflict, PlannedFile
from workspace.flush.rows import ABSENT, Content, FileState, Row, UnitEdit, sha256_of
from workspace.flush.selection import EVERYTHING, Filter, Gesture, selected, ungestured
from workspace.flush.splice import FileProblem, Spliced, SpliceDefect, UnitChange, splice_file
from workspace.flush.tracks import track
from workspace.flush.view import Cut, DiskFile, DiskUnit, DiskUses, NewReferences, Read, Rewrite

__all__ = ["DiskFile", "DiskUnit", "FlushPlan", "FlushRequest", "OnConflict", "World", "marks_of", "plan"]


class OnConflict(enum.Enum):
    """What to do with a unit that was edited on disk (changes.md 5, `force: true`)."""

    REFUSE = "refuse"
    OVERWRITE_UNIT = "overwrite unit"


@dataclass(frozen=True, slots=True)
class FlushRequest:
    """What the user asks for."""

    filter: Filter = EVERYTHING
    gesture: Gesture = Gesture.PLAIN
    on_conflict: OnConflict = OnConflict.REFUSE


@dataclass(frozen=True, slots=True)
class World:
    """A frozen look at the image, and what the plan asks of it; see the top of this module."""

    entries: Sequence[Entry]
    marks: Sequence[Mark]
    view: ActiveView
    disk: Mapping[str, DiskFile]
    read: Read
    rewrite: Rewrite
    disk_uses: DiskUses = lambda _lineage: frozenset()
    new_references: NewReferences = lambda _name: ()
    cut: Cut = cut_file


@dataclass(frozen=True, slots=True)
class FlushPlan:
    """What a flush would do. `entries` are written, in order; `seqs` get the `flushed` mark.

    `seqs` has `entries` and, besides, older patches that those replace wholly.
    """

    entries: tuple[Entry, ...] = ()
    pulled_in: tuple[Entry, ...] = ()
    withheld: tuple[Skipped, ...] = ()
    files: tuple[PlannedFile, ...] = ()
    conflicts: tuple[FlushConflict, ...] = ()
    warnings: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    seqs: tuple[int, ...] = ()
    payload: str = ""
    files_after: Mapping[str, DiskFile | None] = field(default_factory=dict)

    @property
    def diff(self) -> str:
        """The unified diff of all files."""
        return "".join(each.diff for each in self.files)


def plan(request: FlushRequest, world: World) -> FlushPlan:
    """Plan a flush; nothing is changed, and the disk is only read."""
    closed = _close(request, world)
    if not closed.written:
        return FlushPlan(withheld=closed.skipped, warnings=closed.warnings)
    outcomes = replay(
        world.disk,
        world.view.entries,
        frozenset(entry.seq for entry in closed.written),
        world.view.flushed,
        Asks(world.rewrite, world.cut, deleted_files(world.marks), spliced_units(world.marks)),
    )
    drawing = _Drawing(request, world)
    for outcome in outcomes:
        drawing.take(outcome)
    drawing.check_new_references(closed.written)
    return _finished(closed, world, drawing)


def _close(request: FlushRequest, world: World) -> Closure:
    active = world.view.active
    tracks = track(world.view.entries, world.view.flushed)
    chosen = selected(active, request.filter, tracks)
    replaced = [entry for entry in world.view.entries if entry.seq in world.view.shadowed]
    return closure(active, replaced, chosen, ungestured(active, request.gesture), world.disk_uses)


def _finished(closed: Closure, world: World, drawing: _Drawing) -> FlushPlan:
    base = FlushPlan(closed.written, closed.pulled_in, closed.skipped, warnings=closed.warnings)
    rows = drawing.rows()
    if drawing.conflicts:
        conflicts = tuple(sorted(drawing.conflicts, key=lambda each: each.file))
        return replace(base, files=drawing.files(), conflicts=conflicts)
    seqs = tuple(sorted({e.seq for e in closed.written} | superseded(world.view, closed.written)))
    return replace(
        base,
        files=drawing.files(),
        rows=rows,
        seqs=seqs,
        payload=encode_payload(seqs, drawing.splices),
        files_after=drawing.files_after,
    )


def superseded(view: ActiveView, written: Sequence[Entry]) -> frozenset[int]:
    """Pending patches all of whose units later written ones replace: what they said is on disk, overwritten."""
    newest: dict[int, int] = {}
    for entry in written:
        if entry.kind not in _RENAMES:
            newest.update((edit.lineage, entry.seq) for edit in entry.edits)
    return frozenset(
        entry.seq
        for entry in view.entries
        if entry.seq in view.shadowed and all(newest.get(edit.lineage, 0) > entry.seq for edit in entry.edits)
    )


_RENAMES = frozenset({ChangeKind.RENAME_CLASS, ChangeKind.RENAME_METHOD, ChangeKind.MOVE_CLASS})


# ------------------------------------------------------------------ files to rows


@dataclass(frozen=True, slots=True)
class _Drawn:
    """One file of the plan with its bytes before and after; None where it is absent."""

    outcome: FileOutcome
    before: bytes | None
    after: bytes | None
    edits: tuple[UnitEdit, ...]
    planned: PlannedFile


class _Drawing:
    """Collects what becomes of files, and what is in the way."""

    def __init__(self, request: FlushRequest, world: World) -> None:
        self._world = world
        self._on_conflict = request.on_conflict
        self._history = splices_by_lineage(world.marks)
        self._drawn: list[_Drawn] = []
        self.conflicts: list[FlushConflict] = []
        self.splices: dict[int, list[Splice]] = {}
        self.files_after: dict[str, DiskFile | None] = {}

    # -------------------------------------------------------------- one file

    def take(self, outcome: FileOutcome) -> None:
        """Draw up what becomes of one file."""
        path = outcome.origin.path if outcome.origin is not None else outcome.path
        assert path is not None
        try:
            before = None if outcome.origin is None else self._world.read(path)
        except OSError as error:
            self._refuse(outcome, path, ConflictReason.UNREADABLE, str(error))
            return
        if outcome.path is None:
            self._delete(outcome, path, before)
        elif outcome.origin is None:
            self._write(outcome, path, None, encoded(outcome.created or ""))
        elif before is None:
            self._refuse(outcome, path, ConflictReason.RELOCATED_OR_DELETED, "the file is gone")
        else:
            self._write(outcome, path, before, before)

    def _delete(self, outcome: FileOutcome, path: str, before: bytes | None) -> None:
        if outcome.origin is None:
            return
        self.files_after.setdefault(path, None)
        if before is None:
            return
        if sha256_of(before) != outcome.origin.snapshot.sha256:
            detail = "the file was changed outside the workspace since it was loaded"
            self._refuse(outcome, path, ConflictReason.EXTERNAL_EDIT, detail)
            return
        diff = deleted_diff(path, before.decode("utf-8", "replace"))
        planned = PlannedFile(path, FileOperation.DELETE, None, diff)
        self.splices.setdefault(outcome.moved_by, []).append(
            whole_file(path, before, (unit.lineage for unit in outcome.origin.units))
        )
        self._drawn.append(_Drawn(outcome, before, None, (), planned))

    def _write(self, outcome: FileOutcome, path: str, before: bytes | None, base: bytes) -> None:
        known = outcome.origin.units if outcome.origin is not None else _created_units(outcome)
        changes = tuple(change for unit in outcome.units if (change := self._change(unit)) is not None)
        lineages = [(unit.name, unit.lineage) for unit in known]
        try:
            made = splice_file(path, base, lineages, changes, self._world.cut)
        except SpliceDefect as defect:
            # Nothing may be written then (changes.md 5.4); the user must hear which file it is.
            made = FileProblem(ConflictReason.UNPARSABLE, f"the new text does not read as intended: {defect}")
        if isinstance(made, FileProblem):
            self._refuse(outcome, path, made.reason, made.detail)
            return
        target = outcome.path or path
        self._record_splices(outcome, made, target)
        edits = tuple(change.as_unit_edit(made.texts) for change in changes)
        drawn = _Drawn(outcome, before, made.data, edits, _planned(outcome, path, target, before, made))
        if before is not None and before == made.data and path == target:
            return
        self._drawn.append(drawn)
        if path != target:
            self.files_after.setdefault(path, None)
        self.files_after[target] = _file_after(outcome, target, before, made)

    def _change(self, unit: UnitOutcome) -> UnitChange | None:
        origin = unit.origin
        if origin is not None and unit.text == origin.text:
            return None
        forced = self._on_conflict is OnConflict.OVERWRITE_UNIT
        return UnitChange(
            lineage=unit.lineage,
            name=None if origin is None else origin.name,
            before=None if origin is None or forced else origin.text,
            after_name=None if unit.text is None else unit.name,
            after=unit.text,
            column=unit.column,
            history=self._history.get(unit.lineage, ()),
        )

    def _record_splices(self, outcome: FileOutcome, made: Spliced, target: str) -> None:
        by = {unit.lineage: unit.by for unit in outcome.units}
        if outcome.origin is not None:
            for splice in made.splices:
                self.splices.setdefault(by[splice.lineage], []).append(replace(splice, path=target))

    def _refuse(self, outcome: FileOutcome, path: str, reason: ConflictReason, detail: str) -> None:
        self.conflicts.append(FlushConflict(path, reason, tuple(sorted(outcome.seqs)), detail))

    # -------------------------------------------------------------- all files

    def check_new_references(self, written: Iterable[Entry]) -> None:
        """Units that memory has not seen must not use a name that is renamed away (changes.md 5.3)."""
        for entry in written:
            if entry.kind is ChangeKind.RENAME_CLASS and entry.old_class is not None:
                for path in self._world.new_references(entry.old_class):
                    detail = f"{entry.old_class} is used in text that is not loaded yet"
                    self.conflicts.append(
                        FlushConflict(path, ConflictReason.NEW_REFERENCE, (entry.seq,), detail)
                    )

    def rows(self) -> tuple[Row, ...]:
        """A row for each path whose state changes; conflicts of paths that are taken are added."""
        before: dict[str, FileState] = {}
        for drawn in self._drawn:
            if drawn.outcome.origin is not None and drawn.before is not None:
                before[drawn.outcome.origin.path] = Content(drawn.before)
        after: dict[str, _Drawn] = {}
        for drawn in self._drawn:
            path = drawn.outcome.path
            if path is None:
                continue
            if path in after:
                self._refuse(
                    drawn.outcome, path, ConflictReason.TARGET_EXISTS, "two files would have this path"
                )
            elif path not in before:
                self._check_free(drawn, path)
            after[path] = drawn
        paths = sorted(before.keys() | after.keys())
        return tuple(_row(path, before.get(path, ABSENT), after.get(path)) for path in paths)

    def _check_free(self, drawn: _Drawn, path: str) -> None:
        origin = drawn.outcome.origin
        if origin is not None and origin.path.casefold() == path.casefold():
            return  # where letter case does not count, both are one entry: the commit knows
        try:
            if self._world.read(path) is None:
                return
        except OSError:
            pass
        self._refuse(drawn.outcome, path, ConflictReason.TARGET_EXISTS, "a file is in the way")

    def files(self) -> tuple[PlannedFile, ...]:
        """What the plan does, file by file."""
        return tuple(drawn.planned for drawn in self._drawn)


def _row(path: str, before: FileState, drawn: _Drawn | None) -> Row:
    if drawn is None or drawn.after is None:
        return Row(path, before, ABSENT)
    origin = drawn.outcome.origin
    mode_from = None if origin is None else origin.path
    return Row(path, before, Content(drawn.after), mode_from, drawn.edits if origin is not None else ())


def _created_units(outcome: FileOutcome) -> tuple[DiskUnit, ...]:
    return tuple(unit.origin for unit in outcome.units if unit.origin is not None)


def _planned(
    outcome: FileOutcome, path: str, target: str, before: bytes | None, made: Spliced
) -> PlannedFile:
    if outcome.origin is None or before is None:
        diff = created_diff(target, decoded(made.data).text)
        return PlannedFile(target, FileOperation.CREATE, None, diff)
    diff = unified_diff(path, target, made.before.text, made.edits)
    if path == target:
        return PlannedFile(path, FileOperation.EDIT, None, diff)
    return PlannedFile(path, FileOperation.RENAME, target, diff)


def _file_after(outcome: FileOutcome, target: str, before: bytes | None, made: Spliced) -> DiskFile:
    """The file as the image is to remember it: what is merged from outside stays unseen."""
    known = outcome.origin
    is_merged = known is not None and before is not None and sha256_of(before) != known.snapshot.sha256
    snapshot = Snapshot(0, len(made.data), "" if is_merged else sha256_of(made.data))
    changed = {unit.lineage: unit for unit in outcome.units}
    old = known.units if known is not None else ()
    units = [_unit_after(unit, changed.pop(unit.lineage, None), made) for unit in old]
    units += [_unit_after(None, each, made) for each in changed.values()]
    order = {lineage: number for number, lineage in enumerate(made.names)}
    left = sorted((u for u in units if u is not None), key=lambda u: order.get(u.lineage, len(order)))
    return DiskFile(target, snapshot, made.data, tuple(left))


def _unit_after(unit: DiskUnit | None, outcome: UnitOutcome | None, made: Spliced) -> DiskUnit | None:
    """A unit as disk has it now. What was edited outside keeps the text that memory was built from."""
    if outcome is None:
        return None if unit is None else replace(unit, name=made.names.get(unit.lineage, unit.name))
    if outcome.text is None:
        return None
    name = made.names.get(outcome.lineage, outcome.name)
    return DiskUnit(outcome.lineage, name, made.texts.get(outcome.lineage, outcome.text))
