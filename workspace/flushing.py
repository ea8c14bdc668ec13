"""Flushing an image: plan, write, mark, and let memory take the new paths (changes.md 4, 5).

Comes in: the log, the image and the disk. Guarantees: memory changes only after the marks
are in the log, and in one swap; a plan with conflicts writes nothing. Leaves: what to select
to the caller, the writing to `workspace/flush/commit`.
"""

from __future__ import annotations

import posixpath
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from immutables import Map

from changelog.entry import NameKey, UnitAddress
from changelog.log import ChangeLog
from lang.semantics.references import references_of
from lang.source import SourceText
from lang.stdlib.blocking import run_blocking
from lang.syntax import cut_file, parse_unit
from lang.syntax.units import UnitKind, UnitName
from workspace.flush import commit
from workspace.flush.disk import Disk
from workspace.flush.file_text import decoded
from workspace.flush.journal import FlushFolder, Journal
from workspace.flush.marks import marks_of
from workspace.flush.outcome import (
    Committed,
    Direction,
    NothingWritten,
    RecoveryNeeded,
    RecoveryReport,
    WriteOutcome,
)
from workspace.flush.plan import FlushPlan, FlushRequest, World, plan
from workspace.flush.recover import recover, recovery_is_due
from workspace.flush.result import FlushConflict, FlushResult, touched_files
from workspace.flush.rows import UnitEdit
from workspace.flush.splice import default_column, reapply
from workspace.flush.view import DiskFile
from workspace.flush_turns import FlushTurns
from workspace.footprint import used_by
from workspace.hierarchy import class_tree
from workspace.image import Image
from workspace.manifest import MANIFEST_NAME
from workspace.manifest_source import SUPERVISOR, cut_manifest, cut_source, parse_source
from workspace.pending import Pending
from workspace.refactor import replay
from workspace.registration import rebound
from workspace.state import ImageState, Unit


@dataclass(frozen=True, slots=True)
class LogMarks:
    """The `flushed` marks of the log, as the commit asks for them, from whatever thread."""

    log: ChangeLog
    turns: FlushTurns

    def exist(self, flush_id: str) -> bool:
        """Whether the log has marks of this flush."""
        return self.turns.run_on_evaluator(lambda: bool(self.log.marks_of_flush(flush_id)))

    def append(self, journal: Journal) -> None:
        """Append the marks of this flush, once."""
        if not self.exist(journal.flush_id):
            marks = marks_of(journal.flush_id, journal.payload)
            self.turns.run_on_evaluator(lambda: self.log.mark(*marks))


class Flushing:
    """Plans and writes flushes of one project. `list_sources` lists project sources by path."""

    def __init__(
        self,
        image: Image,
        log: ChangeLog,
        pending: Pending,
        disk: Disk,
        folder: FlushFolder,
        list_sources: Callable[[], tuple[str, ...]],
    ) -> None:
        self._image = image
        self._log = log
        self._pending = pending
        self._disk = disk
        self._folder = folder
        self._list_sources = list_sources
        self._turns = FlushTurns(image.actors.scheduler)
        self._unfinished: dict[str, FlushPlan] = {}
        self.blocked: str | None = None

    # ------------------------------------------------------------ planning

    def plan(self, request: FlushRequest) -> FlushPlan:
        """What a flush would do; nothing is changed."""
        return plan(request, self._world())

    def _world(self) -> World:
        state = self._image.state
        tree = class_tree(state)
        return World(
            entries=self._log.current_entries(),
            marks=self._log.current_marks(),
            view=self._pending.view(),
            disk=state.disk,
            read=self._read,
            rewrite=lambda entry, lineage, name, text, column: replay.forwards(
                entry, lineage, name, text, column, tree
            ),
            disk_uses=lambda lineage: disk_uses(state, lineage),
            new_references=self._new_references,
            cut=cut_source,
        )

    def _read(self, path: str) -> bytes | None:
        full = posixpath.join(self._folder.root, path)
        try:
            return self._disk.read(full)
        except FileNotFoundError:
            return None

    def _new_references(self, name: str) -> Iterator[str]:
        """Project files with units, unseen by memory, that use a class name (changes.md 5.3)."""
        known = self._image.state.disk
        for path in (*self._list_sources(), MANIFEST_NAME):
            data = self._read(path)
            if data is None or name.encode() not in data:
                continue
            if path not in known or known[path].data != data:
                seen = {unit.text for unit in known[path].units} if path in known else set()
                if _uses_unseen(data, path, name, seen):
                    yield path

    # ------------------------------------------------------------ writing

    def flush(self, request: FlushRequest) -> FlushResult:
        """End what is unfinished, plan and write. The caller is parked; others go on, and may log."""
        self.end_unfinished()
        if self.blocked is not None:
            return FlushResult(failure=f"recovery needed: {self.blocked}", needs_recovery=True)
        return self._write(self.plan(request))

    def wait_for_end(self) -> None:
        """Wait, in another thread than the evaluator, until no flush is at work."""
        self._turns.wait_for_end()

    def _write(self, planned: FlushPlan) -> FlushResult:
        """Write a plan; with conflicts nothing is written."""
        if planned.conflicts or (not planned.rows and not planned.seqs):
            return FlushResult(
                skipped=planned.withheld, conflicts=planned.conflicts, warnings=planned.warnings
            )
        flush_id = uuid.uuid4().hex[:12]
        request = commit.FlushRequest(flush_id, planned.rows, planned.seqs, planned.payload)
        turns = self._turns
        marks = LogMarks(self._log, turns)

        def publish() -> None:
            turns.run_on_evaluator(lambda: self._publish(planned))

        outcome = turns.run(
            lambda: commit.write(self._disk, self._folder, request, marks, publish),
            lambda work: run_blocking(self._image.runtime, work),
        )
        if isinstance(outcome, RecoveryNeeded):
            self._unfinished[flush_id] = planned
        return self._result(planned, outcome)

    def _result(self, planned: FlushPlan, outcome: WriteOutcome) -> FlushResult:
        match outcome:
            case Committed():
                return FlushResult(
                    planned.entries,
                    touched_files(planned.files),
                    planned.withheld,
                    warnings=(*planned.warnings, *_left_behind(outcome)),
                )
            case NothingWritten():
                conflicts = tuple(
                    FlushConflict(each.path, each.reason, _seqs_of(planned, each.path), each.detail)
                    for each in outcome.conflicts
                )
                failure = None if conflicts else f"nothing was written: {outcome.reason}"
                return FlushResult(
                    skipped=planned.withheld,
                    conflicts=conflicts,
                    warnings=(*planned.warnings, *_left_behind(outcome)),
                    failure=failure,
                )
            case RecoveryNeeded():
                self.blocked = outcome.reason
                return FlushResult(failure=f"recovery needed: {outcome.reason}")

    def _publish(self, planned: FlushPlan) -> None:
        """Memory takes the new paths, hashes and module bindings in one swap (changes.md 5.6)."""
        with self._image.critical():
            self._image.state = after_flush(self._image.state, planned.files_after)

    # ------------------------------------------------------------ recovery

    def recover(self) -> RecoveryReport:
        """End unfinished flushes; before anything is loaded, and before a flush."""
        report = recover(self._disk, self._folder, LogMarks(self._log, self._turns), _spliced)
        self.blocked = report.blocked[0].reason if report.blocked else None
        for each in report.recovered:
            planned = self._unfinished.pop(each.flush_id, None)
            if planned is not None and each.direction in (Direction.FINISHED, Direction.CLEANED_UP):
                self._publish(planned)
        return report

    def end_unfinished(self) -> None:
        """Wait for the flush that is at work, and end one that a failure has left (changes.md 5, step 1)."""
        self._turns.wait_until_free()
        if self.blocked is not None or self.look().is_due:
            self.recover()

    def look(self) -> RecoveryReport:
        """Whether a recovery waits, for who may write nothing (changes.md 5)."""
        try:
            return RecoveryReport(is_due=recovery_is_due(self._disk, self._folder))
        except OSError as error:
            return RecoveryReport(blocked=(RecoveryNeeded("", str(error)),))


def _left_behind(outcome: Committed | NothingWritten) -> list[str]:
    """What a flush could not clean up, or kept of others: nothing of it may go unsaid (changes.md 5.6)."""
    found = [f"{each.path}: bytes of another program were kept in {each.kept}" for each in outcome.kept]
    if isinstance(outcome, NothingWritten):
        found += [f"{each.path} was left alone: {each.reason}" for each in outcome.left_alone]
    return found + [f"{path} could not be removed" for path in outcome.leftovers]


def _spliced(data: bytes, edits: tuple[UnitEdit, ...]) -> bytes | None:
    is_manifest = any(edit.name == SUPERVISOR for edit in edits)
    return reapply(data, edits, cut_manifest if is_manifest else cut_file)


def _seqs_of(planned: FlushPlan, path: str) -> tuple[int, ...]:
    return tuple(
        entry.seq
        for entry in planned.entries
        if any(
            a is not None and a.path == path for e in entry.edits for a in (e.before_address, e.after_address)
        )
    )


def _uses_unseen(data: bytes, path: str, name: str, seen: set[str]) -> bool:
    parsed = parse_source(SourceText(decoded(data).text, path))
    return any(
        unit.text not in seen
        and unit.node is not None
        and any(mention.name == name for mention in references_of(unit.node).classes)
        for unit in parsed.units
    )


def disk_uses(state: ImageState, lineage: int) -> frozenset[NameKey]:
    """The names that a unit's text on disk uses."""
    for path, file in state.disk.items():
        for unit in file.units:
            if unit.lineage == lineage:
                return _uses_of(state, path, unit.name, unit.text, lineage)
    return frozenset()


def _uses_of(state: ImageState, path: str, name: UnitName, text: str, lineage: int) -> frozenset[NameKey]:
    node = parse_unit(text, name.kind, default_column(name.kind)).node
    if node is None:
        return frozenset()
    unit = Unit(lineage, UnitAddress(path, name), text, default_column(name.kind))
    return frozenset(used_by(_named_as_on_disk(state), unit, references_of(node)))


def _named_as_on_disk(state: ImageState) -> ImageState:
    """The state with class names as disk spells them: a pending rename has not reached it."""
    classes = {name: lineage for name, lineage in state.classes.items() if lineage < 0}
    for file in state.disk.values():
        for unit in file.units:
            if unit.name.kind is UnitKind.HEADER:
                classes[unit.name.owner] = unit.lineage
    return replace(state, classes=Map(classes))


def after_flush(state: ImageState, files: Mapping[str, DiskFile | None]) -> ImageState:
    """The state after a flush: disk is what was written, memory texts are those of disk."""
    disk = state.disk.mutate()
    for path, file in files.items():
        if file is None:
            disk.pop(path, None)
        else:
            disk[path] = file
    flushed = replace(state, disk=disk.finish(), change_number=state.change_number + 1)
    return replace(flushed, registry=rebound(flushed))
