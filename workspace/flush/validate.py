"""Is the disk as the rows expect (changes.md 5, step 3).

Comes in: arranged rows. Guarantees: every row's path was found in the state before, readable and
writable, with the signature that it had then, or the conflicts say what is in the way; nothing is
touched. Leaves: conflicts inside a file (edits of the same unit, new references) to the plan,
which reads the same bytes through `observe`.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from dataclasses import dataclass

from workspace.flush.arrange import Arranged
from workspace.flush.disk import Disk, EntryKind, FileMode, Stat
from workspace.flush.outcome import Conflict, ConflictReason
from workspace.flush.rows import ABSENT, Absent, Content, FileState, LinkTo


@dataclass(frozen=True, slots=True)
class Seen:
    """What stands at a path; `stat` is None when nothing does."""

    state: FileState
    stat: Stat | None


@dataclass(frozen=True, slots=True)
class ValidRow:
    """A row that the disk agrees with; `stat` is the entry before, None for a created one.

    `mode` is what the new bytes take over, None for the default of a new file.
    """

    row: Arranged
    stat: Stat | None
    mode: FileMode | None


class NotAFile(OSError):
    """Something else than a file or a link stands where a source should be."""


def observe(disk: Disk, path: str) -> Seen:
    """What stands at a path now.

    The signature is taken before the bytes are read: whoever acts on them compares it again, and so
    finds a file that was changed in between.
    """
    stat = disk.lstat(path)
    if stat is None:
        return Seen(ABSENT, None)
    return Seen(_state_of(disk, path, stat), stat)


def _state_of(disk: Disk, path: str, stat: Stat) -> FileState:
    match stat.kind:
        case EntryKind.FILE:
            return Content(disk.read(path))
        case EntryKind.LINK:
            return LinkTo(disk.readlink(path))
        case _:
            raise NotAFile(f"'{path}' is not a file")


def validate(disk: Disk, rows: Iterable[Arranged]) -> tuple[ValidRow, ...] | tuple[Conflict, ...]:
    """Phase A, validate: all rows as the disk has them, or all conflicts (changes.md 5.3)."""
    valid: list[ValidRow] = []
    conflicts: list[Conflict] = []
    folders: dict[str, bool] = {}
    for row in rows:
        match _validated(disk, row, folders):
            case ValidRow() as good:
                valid.append(good)
            case Conflict() as conflict:
                conflicts.append(conflict)
    return tuple(conflicts) if conflicts else tuple(valid)


def _validated(disk: Disk, row: Arranged, folders: dict[str, bool]) -> ValidRow | Conflict:
    try:
        seen = observe(disk, row.path)
    except OSError as error:
        return Conflict(row.name, ConflictReason.UNREADABLE, str(error))
    if seen.state != row.before:
        return _difference(row, seen)
    try:
        locked = _locked(disk, row, seen, folders)
        return locked or ValidRow(row, seen.stat, _mode(disk, row, seen))
    except OSError as error:
        return Conflict(row.name, ConflictReason.UNREADABLE, str(error))


def _difference(row: Arranged, seen: Seen) -> Conflict:
    match row.before, seen.state:
        case Absent(), _:
            return Conflict(row.name, ConflictReason.TARGET_EXISTS, "a file is in the way")
        case _, Absent():
            return Conflict(row.name, ConflictReason.RELOCATED_OR_DELETED, "the file is gone")
        case _:
            return Conflict(
                row.name, ConflictReason.EXTERNAL_EDIT, "the file was changed outside the workspace"
            )


def _locked(disk: Disk, row: Arranged, seen: Seen, folders: dict[str, bool]) -> Conflict | None:
    """The conflict of a file or folder that cannot be written."""
    if isinstance(seen.state, Content) and not disk.may_write(row.path):
        return Conflict(row.name, ConflictReason.NOT_WRITABLE, "the file has no write permission")
    folder = posixpath.dirname(row.path)
    if folder not in folders:
        folders[folder] = disk.may_write(existing_folder(disk, folder))
    if not folders[folder]:
        return Conflict(row.name, ConflictReason.NOT_WRITABLE, f"the folder '{folder}' cannot be written")
    return None


def existing_folder(disk: Disk, folder: str) -> str:
    """The folder, or the nearest one above it that exists."""
    while disk.lstat(folder) is None and folder != "/":
        folder = posixpath.dirname(folder)
    return folder


def _mode(disk: Disk, row: Arranged, seen: Seen) -> FileMode | None:
    if isinstance(seen.state, Content) and seen.stat is not None:
        return seen.stat.mode
    if row.mode_from is None:
        return None
    source = disk.lstat(row.mode_from)
    return source.mode if source is not None and source.kind is EntryKind.FILE else None
