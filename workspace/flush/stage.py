"""Everything that takes space, made beside the sources before the commit (changes.md 5, step 4).

Comes in: validated rows with their bytes after. Guarantees: `<id>.begin` names all that is made;
each temp is durable with mode and owner; each backup holds the version before; missing folders are
made; the signatures are still those of the validation, or a conflict says so. Whatever fails is
taken away again. Leaves: the journal, and every source untouched.
"""

from __future__ import annotations

import errno
import posixpath
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from workspace.flush.disk import Disk, Signature, Unsupported
from workspace.flush.journal import (
    Beginning,
    Damaged,
    FlushFolder,
    StagedRow,
    fill_file,
    read_begin,
    write_begin,
    write_file,
)
from workspace.flush.outcome import Conflict, ConflictReason
from workspace.flush.rows import Absent, Content, FileState, LinkTo, fingerprint
from workspace.flush.validate import ValidRow, existing_folder

NEW_FILE_BITS = 0o666
_OPEN_AT_ONCE = 100
_LINK_REFUSED = frozenset(
    {errno.EPERM, errno.EMLINK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EXDEV, errno.EINVAL}
)


@dataclass(frozen=True, slots=True)
class Staged:
    """Rows that are ready to be committed, with the signature of each version before (None: created)."""

    rows: tuple[StagedRow, ...]
    signatures: tuple[Signature | None, ...]
    made_folders: tuple[str, ...]


def name_strays(flush_id: str, valid: Sequence[ValidRow]) -> tuple[StagedRow, ...]:
    """Give each row the short names `.bt-<id>-<n>` beside its target (file names have a limit)."""
    return tuple(_named(flush_id, number, ready) for number, ready in enumerate(valid))


def _named(flush_id: str, number: int, ready: ValidRow) -> StagedRow:
    row = ready.row
    stem = posixpath.join(posixpath.dirname(row.target), f".bt-{flush_id}-{number}")
    can_be_made_again = bool(row.edits) and isinstance(row.before, Content)
    whole = None if can_be_made_again else row.after
    before, after = fingerprint(row.before), fingerprint(row.after)
    return StagedRow(row.name, row.path, row.target, stem, before, after, ready.mode, row.edits, whole)


def stage(
    disk: Disk, area: FlushFolder, flush_id: str, valid: Sequence[ValidRow]
) -> Staged | tuple[Conflict, ...]:
    """Phase A, stage: all but the journal. Raises `OSError` with nothing left behind that `.begin` does not name."""
    rows = name_strays(flush_id, valid)
    missing = missing_folders(disk, rows)
    write_begin(disk, area, flush_id, Beginning(tuple(s for row in rows for s in row.strays), missing))
    for folder in missing:
        disk.mkdir(folder)
    make_temps(disk, rows, valid)
    make_backups(disk, rows, valid)
    for folder in touched_folders(rows, missing):
        disk.sync_folder(folder)
    conflicts = changed_since(disk, valid)
    if conflicts:
        return conflicts
    signatures = tuple(None if ready.stat is None else ready.stat.signature for ready in valid)
    return Staged(rows, signatures, missing)


def missing_folders(disk: Disk, rows: Iterable[StagedRow]) -> tuple[str, ...]:
    """Folders to be made, from the top down."""
    missing: dict[str, None] = {}
    for folder in dict.fromkeys(row.folder for row in rows):
        top = existing_folder(disk, folder)
        steps = folder[len(top) :].strip("/").split("/") if folder != top else []
        for step in steps:
            top = posixpath.join(top, step)
            missing[top] = None
    return tuple(missing)


def touched_folders(rows: Iterable[StagedRow], made: Iterable[str]) -> tuple[str, ...]:
    """Every folder in which a name appears, once."""
    return tuple(
        dict.fromkeys([*(posixpath.dirname(folder) for folder in made), *(row.folder for row in rows)])
    )


# ---------------------------------------------------------------------------- temps


def make_temps(disk: Disk, rows: Sequence[StagedRow], valid: Sequence[ValidRow]) -> None:
    """The new versions, with mode and owner, durable. Two hard links of one file stay two links of one."""
    twins: dict[tuple[int, int, str], str] = {}
    proved: set[str] = set()
    coming = [pair for pair in zip(rows, valid, strict=True) if not pair[0].removes]
    for start in range(0, len(coming), _OPEN_AT_ONCE):
        with synced_together(disk) as written:
            for row, ready in coming[start : start + _OPEN_AT_ONCE]:
                if not _is_linked_to_twin(disk, row, ready, twins):
                    begin_version(disk, row.temp, ready.row.after, row, written)
                if row.folder not in proved:
                    prove_creation(disk, row)
                    proved.add(row.folder)


@contextmanager
def synced_together(disk: Disk) -> Iterator[list[int]]:
    """Descriptors that join the list are synced at the end: so the file system writes many in one go."""
    written: list[int] = []
    try:
        yield written
        for descriptor in written:
            disk.sync(descriptor)
    finally:
        for descriptor in written:
            disk.close(descriptor)


def _is_linked_to_twin(
    disk: Disk, row: StagedRow, ready: ValidRow, twins: dict[tuple[int, int, str], str]
) -> bool:
    if ready.stat is None or ready.stat.links < 2:
        return False
    device, inode = ready.stat.signature[:2]
    twin = twins.setdefault((device, inode, row.after), row.temp)
    return twin != row.temp and is_linked(disk, twin, row.temp)


def begin_version(disk: Disk, path: str, state: FileState, row: StagedRow, written: list[int]) -> None:
    """A file or link in this state under a name of ours; its descriptor, to be synced, joins `written`."""
    match state:
        case Content(data):
            # Private until the mode is set: the file may be.
            bits = NEW_FILE_BITS if row.mode is None else 0o600
            written.append(disk.create(path, bits))
            fill_file(disk, written[-1], data, row.mode)
        case LinkTo(text):
            disk.symlink(text, path)
        case Absent():
            raise ValueError("nothing cannot be written")


def prove_creation(disk: Disk, row: StagedRow) -> None:
    """Make sure, while nothing is at stake, that this file system can give a name without replacing."""
    try:
        disk.rename_new(row.temp, row.aside)
    except Unsupported:
        disk.link(row.temp, row.aside)
        disk.unlink(row.aside)
    else:
        disk.rename_new(row.aside, row.temp)


# ---------------------------------------------------------------------------- backups


def make_backups(disk: Disk, rows: Sequence[StagedRow], valid: Sequence[ValidRow]) -> None:
    """The versions before: a second name for each file, or a durable copy where links are refused."""
    for row, ready in zip(rows, valid, strict=True):
        match ready.row.before:
            case Content(data):
                if not is_linked(disk, row.path, row.backup):
                    write_file(disk, row.backup, data, 0o600, row.mode)
            case LinkTo(text):
                disk.symlink(text, row.backup)
            case Absent():
                pass


def is_linked(disk: Disk, source: str, target: str) -> bool:
    """Make a hard link; False when the system refuses links here."""
    try:
        disk.link(source, target)
    except OSError as error:
        if error.errno in _LINK_REFUSED:
            return False
        raise
    return True


# ---------------------------------------------------------------------------- the last look, and the way back


def changed_since(disk: Disk, valid: Iterable[ValidRow]) -> tuple[Conflict, ...]:
    """Rows whose signature is not that of the validation any more."""
    return tuple(conflict for ready in valid if (conflict := _changed(disk, ready)) is not None)


def _changed(disk: Disk, ready: ValidRow) -> Conflict | None:
    now = disk.lstat(ready.row.path)
    name = ready.row.name
    match ready.stat, now:
        case None, None:
            return None
        case None, _:
            return Conflict(name, ConflictReason.TARGET_EXISTS, "a file has appeared")
        case _, None:
            return Conflict(name, ConflictReason.RELOCATED_OR_DELETED, "the file is gone")
        case before, after if before.signature == after.signature:
            return None
        case _:
            return Conflict(name, ConflictReason.EXTERNAL_EDIT, "the file was changed while the flush began")


def unstage(disk: Disk, area: FlushFolder, flush_id: str) -> None:
    """Remove what `<id>.begin` lists, then the list (changes.md 5.4). May be repeated at any point.

    Nothing of it was ever put in the place of a source. A list that was cut off is older than
    anything that it would have named.
    """
    beginning = _listed(disk, area, flush_id)
    for path in (*beginning.files, area.unborn(flush_id)):
        if disk.lstat(path) is not None:
            disk.unlink(path)
    remove_empty(disk, beginning.folders)
    sync_present(
        disk, dict.fromkeys(posixpath.dirname(path) for path in (*beginning.files, *beginning.folders))
    )
    if disk.lstat(area.begin(flush_id)) is not None:
        disk.unlink(area.begin(flush_id))
    disk.sync_folder(area.path)


def _listed(disk: Disk, area: FlushFolder, flush_id: str) -> Beginning:
    if disk.lstat(area.begin(flush_id)) is None:
        return Beginning((), ())
    try:
        return read_begin(disk, area, flush_id)
    except Damaged:
        return Beginning((), ())


def remove_empty(disk: Disk, folders: Sequence[str]) -> None:
    """Remove folders that were made, unless somebody has put something there."""
    for folder in reversed(folders):
        if disk.lstat(folder) is not None and not disk.listdir(folder):
            try:
                disk.rmdir(folder)
            except OSError as error:
                if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                    raise


def sync_present(disk: Disk, folders: Iterable[str]) -> None:
    """Make the names durable in each folder that is still there."""
    for folder in folders:
        if disk.lstat(folder) is not None:
            disk.sync_folder(folder)
