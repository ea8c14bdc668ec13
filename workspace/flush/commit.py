"""All of a flush reaches the disk or none of it (changes.md 5, steps 3 to 6).

Comes in: the frozen rows of a plan. Guarantees: `Committed` with everything written and marked;
`NothingWritten` with the tree as before and the reason; or `RecoveryNeeded`, with a journal from
which `recover` ends the flush. Errors of the disk never leave as exceptions. Leaves: the plan
(which rows), the marks' content and the swap in memory to whoever calls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from changelog.journal import StoreReadOnly
from workspace.flush.apply import advance, withdraw
from workspace.flush.arrange import arrange
from workspace.flush.disk import Disk, Signature
from workspace.flush.journal import FlushFolder, Journal, StagedRow, write_journal
from workspace.flush.kept import Known, clean_up, ensure_folder, keep_foreign, kept_files
from workspace.flush.outcome import (
    Committed,
    Conflict,
    KeptFile,
    LeftAlone,
    NothingWritten,
    RecoveryNeeded,
    WriteOutcome,
)
from workspace.flush.rows import Row
from workspace.flush.stage import Staged, stage, sync_present, touched_folders, unstage
from workspace.flush.validate import ValidRow, validate

_T = TypeVar("_T")


LOG_FAILURES = (OSError, StoreReadOnly)
"""What an append to the log raises when it has not been made."""


class Marks(Protocol):
    """The `flushed` marks of the ChangeLog, as far as the commit knows them."""

    def exist(self, flush_id: str) -> bool:
        """Whether the log has marks with this flush id, durably."""

    def append(self, journal: Journal) -> None:
        """Append the marks of this flush with one fsync, once: again is no change.

        Raises one of `LOG_FAILURES` after having cut the log back, durably, so that `exist` is false again.
        """


@dataclass(frozen=True, slots=True)
class FlushRequest:
    """A frozen plan as the disk sees it. `payload` is what the marks need besides `seqs`; opaque here."""

    flush_id: str
    rows: tuple[Row, ...]
    seqs: tuple[int, ...]
    payload: str = ""


@dataclass(frozen=True, slots=True)
class _Flush:
    """What every step needs."""

    disk: Disk
    area: FlushFolder
    marks: Marks
    publish: Callable[[], None]


def write(
    disk: Disk, area: FlushFolder, request: FlushRequest, marks: Marks, publish: Callable[[], None]
) -> WriteOutcome:
    """Write a plan. `publish` is called once the marks are in the log: memory takes the new paths and hashes.

    Recovery (step 1) must have been run; an unfinished flush refuses this one.
    """
    flush = _Flush(disk, area, marks, publish)
    try:
        ensure_folder(disk, area.path)
        if unfinished := unfinished_flushes(disk, area):
            return RecoveryNeeded(unfinished[0], "an earlier flush is not finished")
        valid = validate(disk, arrange(disk, area.root, request.rows))
    except OSError as error:
        return NothingWritten(str(error))
    if conflicts := _conflicts(valid):
        return NothingWritten("the disk is not as expected", conflicts)
    return _stage_and_commit(flush, request, tuple(ready for ready in valid if isinstance(ready, ValidRow)))


def unfinished_flushes(disk: Disk, area: FlushFolder) -> list[str]:
    """Ids of the flushes past their commit point that are not ended."""
    if disk.lstat(area.path) is None:
        return []
    names = sorted(disk.listdir(area.path))
    return [name.rpartition(".")[0] for name in names if name.endswith((".json", ".abort"))]


def _conflicts(found: Sequence[object]) -> tuple[Conflict, ...]:
    return tuple(item for item in found if isinstance(item, Conflict))


# ---------------------------------------------------------------------------- step 4: stage, commit point


def _stage_and_commit(flush: _Flush, request: FlushRequest, valid: tuple[ValidRow, ...]) -> WriteOutcome:
    try:
        staged = stage(flush.disk, flush.area, request.flush_id, valid)
        if not isinstance(staged, Staged):
            return _nothing_staged(flush, request.flush_id, "the disk was changed", staged)
        journal = Journal(request.flush_id, staged.rows, staged.made_folders, request.seqs, request.payload)
        write_journal(flush.disk, flush.area, journal)
    except OSError as error:
        return _nothing_staged(flush, request.flush_id, str(error))
    return _commit(flush, journal, staged)


def _nothing_staged(
    flush: _Flush, flush_id: str, reason: str, conflicts: tuple[Conflict, ...] = ()
) -> NothingWritten:
    """Failure before the commit point: remove what `.begin` lists (changes.md 5.4)."""
    try:
        unstage(flush.disk, flush.area, flush_id)
    except OSError as error:
        return NothingWritten(reason, conflicts, leftovers=(str(error),))
    return NothingWritten(reason, conflicts)


def _commit(flush: _Flush, journal: Journal, staged: Staged) -> WriteOutcome:
    """The rename of the journal is the commit point: before it temps are rubbish, after it we go through."""
    disk, area, flush_id = flush.disk, flush.area, journal.flush_id
    try:
        disk.rename(area.unborn(flush_id), area.journal(flush_id))
    except OSError as error:
        # A call can fail after it was done (on a network, when the answer is lost).
        if not _is_there(disk, area.journal(flush_id)):
            return _nothing_staged(flush, flush_id, str(error))
        return _take_back(flush, journal, (), str(error), ())
    reached: list[StagedRow] = []
    try:
        disk.sync_folder(area.path)
        conflict = write_rows(disk, journal, staged.signatures, reached)
        if conflict is not None:
            return _take_back(flush, journal, reached, conflict.detail, (conflict,))
        return _finish(flush, journal)
    except LOG_FAILURES as error:
        return _take_back(flush, journal, reached, str(error), ())


def _is_there(disk: Disk, path: str) -> bool:
    try:
        return disk.lstat(path) is not None
    except OSError:
        return True


# ---------------------------------------------------------------------------- step 5: phase B


def write_rows(
    disk: Disk, journal: Journal, signatures: Sequence[Signature | None], reached: list[StagedRow]
) -> Conflict | None:
    """Phase B: creates, then replacements, then removals; each touched folder is fsynced at the end.

    `reached` collects the rows that may have left their state before.
    """
    for row, expected in in_order(zip(journal.rows, signatures, strict=True)):
        reached.append(row)
        conflict = advance(disk, row, expected)
        if conflict is not None:
            return conflict
    for folder in touched_folders(journal.rows, journal.made_folders):
        disk.sync_folder(folder)
    return None


def in_order(rows: Iterable[tuple[StagedRow, _T]]) -> list[tuple[StagedRow, _T]]:
    """Creates, then replacements, then removals (changes.md 5.5)."""
    return sorted(rows, key=lambda pair: (not pair[0].creates, pair[0].removes))


# ---------------------------------------------------------------------------- step 6: finish


def _finish(flush: _Flush, journal: Journal) -> Committed | RecoveryNeeded:
    """Keep foreign bytes, append the marks, publish, clean up. Raises when there are no marks."""
    known = keep_foreign(flush.disk, flush.area, journal)
    try:
        flush.marks.append(journal)
    except LOG_FAILURES as error:
        if not flush.marks.exist(journal.flush_id):
            raise
        # Marks of which nobody can say that they are durable: the journal stays and tells the next open.
        return RecoveryNeeded(journal.flush_id, f"the log failed: {error}")
    flush.publish()
    leftovers = _cleaned_up(flush, journal, known, ())
    return Committed(journal.flush_id, _kept(flush, journal), leftovers)


def _cleaned_up(
    flush: _Flush, journal: Journal, known: Known, left: tuple[LeftAlone, ...]
) -> tuple[str, ...]:
    """Clean up; what cannot be is said, and left to the next recovery."""
    try:
        clean_up(flush.disk, flush.area, journal, known, left=[file.path for file in left])
    except OSError as error:
        return (str(error),)
    return ()


def _kept(flush: _Flush, journal: Journal) -> tuple[KeptFile, ...]:
    try:
        return kept_files(flush.disk, flush.area, journal)
    except OSError as error:
        return (KeptFile(str(error), flush.area.kept(journal.flush_id)),)


# ---------------------------------------------------------------------------- an error in phase B


def _take_back(
    flush: _Flush,
    journal: Journal,
    reached: Sequence[StagedRow],
    reason: str,
    conflicts: tuple[Conflict, ...],
) -> NothingWritten | RecoveryNeeded:
    """Roll back under the name `.abort`; when that fails too the journal stays (changes.md 5)."""
    disk, area, flush_id = flush.disk, flush.area, journal.flush_id
    try:
        disk.rename(area.journal(flush_id), area.abort(flush_id))
        disk.sync_folder(area.path)
        # A file that stopped the flush is named by its conflict already.
        stopped = {conflict.path for conflict in conflicts}
        left = tuple(file for file in withdraw_rows(disk, journal, reached) if file.path not in stopped)
    except OSError as error:
        return RecoveryNeeded(flush_id, f"{reason}; and it could not be taken back: {error}")
    leftovers = _cleaned_up(flush, journal, {}, left)
    return NothingWritten(reason, conflicts, left, _kept(flush, journal), leftovers)


def withdraw_rows(disk: Disk, journal: Journal, rows: Sequence[StagedRow]) -> tuple[LeftAlone, ...]:
    """Put rows back, last first; what was changed meanwhile is left alone and named."""
    outcomes = [withdraw(disk, row) for row in reversed(rows)]
    sync_present(disk, journal.folders)
    return tuple(left for left in outcomes if left is not None)
