"""End the flushes that a crash has left (changes.md 5, recovery).

Comes in: the files in `flush/`, at any point that a kill or a power loss can leave. Guarantees: each
flush is all written and marked, or all taken back; a file that was edited after the crash has its
units spliced in, or is left alone and named, with the versions kept; a damaged journal is left and
named. Every step looks before it acts: recovery may be killed anywhere and repeated. Leaves: the
splice itself and the marks' content to whoever calls.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from workspace.flush.apply import (
    ABSENT_PRINT,
    Look,
    look,
    path_in_force,
    put,
    replace_version,
    version_before,
    was_put_aside,
)
from workspace.flush.commit import LOG_FAILURES, Marks, in_order, withdraw_rows
from workspace.flush.disk import Disk
from workspace.flush.journal import Damaged, FlushFolder, Journal, StagedRow, read_journal, write_file
from workspace.flush.kept import clean_up, discard, keep_version, kept_files, nothing_merged
from workspace.flush.outcome import Direction, LeftAlone, Recovered, RecoveryNeeded, RecoveryReport
from workspace.flush.rows import Content, FileState, UnitEdit, fingerprint
from workspace.flush.stage import begin_version, sync_present, synced_together, touched_folders, unstage

Splice = Callable[[bytes, tuple[UnitEdit, ...]], bytes | None]
"""Make unit edits on the bytes of today. Where a unit already has its text after, it stays: bytes in
which all have it come back as they are. None: a unit has neither text."""


@dataclass(frozen=True, slots=True)
class _Recovery:
    """What every step needs."""

    disk: Disk
    area: FlushFolder
    marks: Marks
    splice: Splice


def recovery_is_due(disk: Disk, area: FlushFolder) -> bool:
    """Whether a crash has left anything; for a read-only open, which only says so."""
    return bool(_ids(disk, area))


def recover(disk: Disk, area: FlushFolder, marks: Marks, splice: Splice) -> RecoveryReport:
    """End every unfinished flush. The caller holds the lock; nothing is loaded meanwhile."""
    recovery = _Recovery(disk, area, marks, splice)
    recovered: list[Recovered] = []
    blocked: list[RecoveryNeeded] = []
    try:
        ids = _ids(disk, area)
    except OSError as error:
        return RecoveryReport(blocked=(RecoveryNeeded("", str(error)),))
    for flush_id in ids:
        try:
            recovered.append(_recover_one(recovery, flush_id))
        except (*LOG_FAILURES, Damaged) as error:
            blocked.append(RecoveryNeeded(flush_id, str(error)))
    return RecoveryReport(tuple(recovered), tuple(blocked))


def _ids(disk: Disk, area: FlushFolder) -> list[str]:
    if disk.lstat(area.path) is None:
        return []
    endings = (".begin", ".json.new", ".json", ".abort")
    names = sorted(disk.listdir(area.path))
    return list(dict.fromkeys(n.removesuffix(e) for n in names for e in endings if n.endswith(e)))


def _recover_one(recovery: _Recovery, flush_id: str) -> Recovered:
    disk, area = recovery.disk, recovery.area
    if disk.lstat(area.abort(flush_id)) is not None:
        journal = read_journal(disk, area, area.abort(flush_id))
        # Marks beside an `.abort` are a log that could not be cut back: the tree must agree with it.
        return (
            _roll_forward(recovery, journal)
            if recovery.marks.exist(flush_id)
            else _roll_back(recovery, journal)
        )
    if disk.lstat(area.journal(flush_id)) is None:
        unstage(disk, area, flush_id)
        return Recovered(flush_id, Direction.NEVER_BEGUN)
    journal = read_journal(disk, area, area.journal(flush_id))
    if recovery.marks.exist(flush_id):
        clean_up(disk, area, journal, {}, _merged_by(recovery))
        return Recovered(flush_id, Direction.CLEANED_UP, (), kept_files(disk, area, journal))
    return _roll_forward(recovery, journal)


def _roll_back(recovery: _Recovery, journal: Journal) -> Recovered:
    """`.abort`: every row back to its state before."""
    left = withdraw_rows(recovery.disk, journal, journal.rows)
    clean_up(recovery.disk, recovery.area, journal, {}, left=[file.path for file in left])
    kept = kept_files(recovery.disk, recovery.area, journal)
    return Recovered(journal.flush_id, Direction.TAKEN_BACK, left, kept)


def _roll_forward(recovery: _Recovery, journal: Journal) -> Recovered:
    """`.json`: every row on to its state after; then the marks, then the clean-up."""
    disk, area = recovery.disk, recovery.area
    outcomes = [
        _advance_again(recovery, journal, row) for row, _ in in_order((row, None) for row in journal.rows)
    ]
    left = tuple(file for file in outcomes if file is not None)
    sync_present(disk, touched_folders(journal.rows, journal.made_folders))
    for row in journal.rows:
        if row.name in {file.path for file in left}:
            _keep_versions(recovery, journal, row)
    recovery.marks.append(journal)
    clean_up(disk, area, journal, {}, _merged_by(recovery))
    return Recovered(journal.flush_id, Direction.FINISHED, left, kept_files(disk, area, journal))


def _keep_versions(recovery: _Recovery, journal: Journal, row: StagedRow) -> None:
    """Of a file that is left alone: its backup and its staged text (changes.md 5)."""
    for path in (row.backup, row.temp):
        keep_version(recovery.disk, recovery.area, journal.flush_id, row, path)


# ---------------------------------------------------------------------------- one row


def _advance_again(recovery: _Recovery, journal: Journal, row: StagedRow) -> LeftAlone | None:
    """Done, in the other state, put aside, or in neither (changes.md 5, recovery)."""
    disk = recovery.disk
    current = path_in_force(disk, row)
    seen = look(disk, current)
    if seen.state == row.after and (current == row.target or row.removes):
        return None
    if seen.stat is None:
        return _fill_in(recovery, journal, row)
    if seen.state not in (row.before, row.after):
        return _merge(recovery, journal, row, current, seen)
    if not row.removes and not _has_temp(recovery, journal, row):
        return LeftAlone(row.name, "its new text is lost")
    if replace_version(disk, row, current, row.temp, seen.stat.signature):
        return None
    return LeftAlone(row.name, "it was changed while the flush was finished")


def _fill_in(recovery: _Recovery, journal: Journal, row: StagedRow) -> LeftAlone | None:
    """Nothing stands where something should: it is yet to be created, or was put aside by us."""
    if not row.creates and not was_put_aside(recovery.disk, row):
        return LeftAlone(row.name, "it was deleted after the crash")
    if look(recovery.disk, row.aside).state not in (ABSENT_PRINT, row.before, row.after):
        # A recovery was killed while it merged an edit: what it put aside is that edit.
        put(recovery.disk, row.aside, row.path)
        return _advance_again(recovery, journal, row)
    if not _has_temp(recovery, journal, row):
        return LeftAlone(row.name, "its new text is lost")
    if put(recovery.disk, row.temp, row.target):
        return None
    return LeftAlone(row.name, "a file has appeared")


def _has_temp(recovery: _Recovery, journal: Journal, row: StagedRow) -> bool:
    """Whether the staged text is there; one that is gone is made again from the edits."""
    disk = recovery.disk
    if look(disk, row.temp).state == row.after:
        return True
    state = _state_after(recovery, row)
    if state is None or fingerprint(state) != row.after:
        return False
    discard(disk, recovery.area, journal.flush_id, row, row.temp, nothing_merged)
    _clear_scratch(recovery, journal, row)
    with synced_together(disk) as written:
        begin_version(disk, row.scratch, state, row, written)
    return put(disk, row.scratch, row.temp)


def _state_after(recovery: _Recovery, row: StagedRow) -> FileState | None:
    if row.whole is not None:
        return row.whole
    for path in (version_before(recovery.disk, row), row.path):
        seen = None if path is None else look(recovery.disk, path)
        if seen is not None and seen.state == row.before and seen.data is not None:
            spliced = recovery.splice(seen.data, row.edits)
            return None if spliced is None else Content(spliced)
    return None


# ---------------------------------------------------------------------------- a file edited after the crash


def _merge(
    recovery: _Recovery, journal: Journal, row: StagedRow, current: str, seen: Look
) -> LeftAlone | None:
    """In neither state: make the unit edits on today's bytes, or leave the file alone."""
    merged = None if seen.data is None or not row.edits else recovery.splice(seen.data, row.edits)
    if merged is None or row.removes or seen.stat is None:
        return LeftAlone(row.name, "it was edited after the crash")
    if merged == seen.data and current == row.target:
        return None
    disk = recovery.disk
    _clear_scratch(recovery, journal, row)
    discard(disk, recovery.area, journal.flush_id, row, row.aside, _merged_by(recovery))
    write_file(disk, row.scratch, merged, 0o600, seen.stat.mode)
    if replace_version(disk, row, current, row.scratch, seen.stat.signature):
        return None
    return LeftAlone(row.name, "it was changed while the flush was finished")


def _clear_scratch(recovery: _Recovery, journal: Journal, row: StagedRow) -> None:
    discard(recovery.disk, recovery.area, journal.flush_id, row, row.scratch, _merged_by(recovery))


def _merged_by(recovery: _Recovery) -> Callable[[StagedRow, bytes], bool]:
    """Whether bytes in neither state are accounted for by a merge, finished or killed on the way.

    They are, when the splice of them is what stands in the tree, or when they begin the splice of
    what stands there.
    """

    def accepts(row: StagedRow, data: bytes) -> bool:
        today = look(recovery.disk, row.target).data
        if today is None or not row.edits:
            return _begins_version(recovery, row, data)
        spliced = recovery.splice(today, row.edits)
        is_torn = spliced is not None and spliced.startswith(data)
        return is_torn or recovery.splice(data, row.edits) == today or _begins_version(recovery, row, data)

    return accepts


def _begins_version(recovery: _Recovery, row: StagedRow, data: bytes) -> bool:
    """Whether the bytes are the beginning of the new text: a version whose making was killed."""
    state = _state_after(recovery, row)
    return isinstance(state, Content) and state.data.startswith(data)
