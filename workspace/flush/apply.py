"""How does one row reach its other state without overwriting anything unseen (changes.md 5.5).

Comes in: a staged row. Guarantees: a name is given only where nothing stands; a version is replaced
or removed only by a step after which it is still there under a name of ours, and only if it is the
version that was expected: another one goes back. Each function looks before it acts, so that it may
be repeated after a kill at any call. Leaves: the removal of what came away, to `kept`.
"""

from __future__ import annotations

import posixpath
from typing import NamedTuple

from workspace.flush.disk import Disk, Signature, Stat, Unsupported
from workspace.flush.journal import StagedRow
from workspace.flush.outcome import Conflict, ConflictReason, LeftAlone
from workspace.flush.rows import ABSENT, Content, fingerprint
from workspace.flush.validate import NotAFile, observe

ABSENT_PRINT = fingerprint(ABSENT)
_OTHER = "other"


class Look(NamedTuple):
    """What stands at a path: fingerprint of its state, its entry, and the bytes of a file."""

    state: str
    stat: Stat | None
    data: bytes | None


def look(disk: Disk, path: str) -> Look:
    """Read what stands at a path; something that is no file or link has a state of no row."""
    try:
        seen = observe(disk, path)
    except NotAFile:
        return Look(_OTHER, disk.lstat(path), None)
    data = seen.state.data if isinstance(seen.state, Content) else None
    return Look(fingerprint(seen.state), seen.stat, data)


# ---------------------------------------------------------------------------- three careful steps


def put(disk: Disk, source: str, target: str) -> bool:
    """Give `source` the name `target`, where nothing stands; False when something does."""
    try:
        disk.rename_new(source, target)
    except Unsupported:
        return _put_by_link(disk, source, target)
    except FileExistsError:
        return False
    return True


def _put_by_link(disk: Disk, source: str, target: str) -> bool:
    try:
        disk.link(source, target)
    except FileExistsError:
        if not _is_one_file(disk, source, target):
            return False
    disk.unlink(source)
    return True


def _is_one_file(disk: Disk, one: str, other: str) -> bool:
    here, there = disk.lstat(one), disk.lstat(other)
    return here is not None and there is not None and here.is_same_file(there)


def take(disk: Disk, path: str, spare: str, expected: Signature) -> bool:
    """Put the expected version aside under the free name `spare`; False when it is another one.

    What came away wrongly goes back. Where a third version has taken the name meanwhile, it stays
    under `spare`, and the clean-up keeps it.
    """
    if not is_version(disk, path, expected) or disk.lstat(spare) is not None:
        return False
    try:
        disk.rename(path, spare)
    except FileNotFoundError:
        # On a network also the answer to a call that was done, and asked for again.
        return is_version(disk, spare, expected)
    if is_version(disk, spare, expected):
        return True
    put(disk, spare, path)
    return False


def swap(disk: Disk, source: str, target: str, spare: str, expected: Signature) -> bool:
    """Put `source` in the place of the expected version; False when it is another one.

    What came away is then under the name `source`, or `spare` where names cannot be exchanged.
    """
    if not is_version(disk, target, expected):
        return False
    try:
        disk.exchange(source, target)
    except Unsupported:
        return take(disk, target, spare, expected) and put(disk, source, target)
    except FileNotFoundError:
        return is_version(disk, source, expected)
    if is_version(disk, source, expected):
        return True
    disk.exchange(source, target)
    return False


def is_version(disk: Disk, path: str, expected: Signature) -> bool:
    """Whether this very version stands at the path."""
    stat = disk.lstat(path)
    return stat is not None and stat.signature == expected


# ---------------------------------------------------------------------------- one row


def advance(disk: Disk, row: StagedRow, expected: Signature | None) -> Conflict | None:
    """Phase B for one row whose version before has this signature; the conflict when it has not."""
    if expected is None:
        if put(disk, row.temp, row.target):
            return None
        return Conflict(row.name, ConflictReason.TARGET_EXISTS, "a file has appeared")
    if replace_version(disk, row, row.path, row.temp, expected):
        return None
    return Conflict(
        row.name, ConflictReason.EXTERNAL_EDIT, "the file was changed while the flush was written"
    )


def replace_version(disk: Disk, row: StagedRow, current: str, source: str, expected: Signature) -> bool:
    """Bring the row's name to its state after; `current` is the path under which a version stands."""
    if row.removes:
        return take(disk, current, row.aside, expected)
    if current == row.target:
        return swap(disk, source, row.target, row.aside, expected)
    # One entry that gets another spelling: a rename between its names would do nothing.
    return take(disk, current, row.aside, expected) and put(disk, source, row.target)


def withdraw(disk: Disk, row: StagedRow) -> LeftAlone | None:
    """Bring one row back to its state before, if it still is in its state after (changes.md 5)."""
    current = path_in_force(disk, row)
    seen = look(disk, current)
    if seen.state == row.before and (current == row.path or row.creates):
        return None
    if seen.stat is None:
        restored = (row.removes or was_put_aside(disk, row)) and _put_back(disk, row)
    elif seen.state not in (row.before, row.after):
        restored = False
    else:
        restored = _replace_back(disk, row, current, seen.stat.signature)
    return None if restored else LeftAlone(row.name, "it was changed while the flush was taken back")


def _replace_back(disk: Disk, row: StagedRow, current: str, expected: Signature) -> bool:
    if row.creates:
        return take(disk, current, row.aside, expected)
    source = version_before(disk, row)
    if source is None:
        return False
    if current == row.path:
        return swap(disk, source, row.path, row.scratch, expected)
    return take(disk, current, row.scratch, expected) and put(disk, source, row.path)


def _put_back(disk: Disk, row: StagedRow) -> bool:
    source = version_before(disk, row)
    return source is not None and put(disk, source, row.path)


def version_before(disk: Disk, row: StagedRow) -> str | None:
    """Which name holds the version before: what came away, rather than the backup (it may be a copy)."""
    if disk.lstat(row.aside) is not None:
        return row.aside
    if not row.removes and look(disk, row.temp).state not in (ABSENT_PRINT, row.after):
        return row.temp
    return row.backup if disk.lstat(row.backup) is not None else None


def was_put_aside(disk: Disk, row: StagedRow) -> bool:
    """Whether it was us who took the name away."""
    return disk.lstat(row.aside) is not None or disk.lstat(row.scratch) is not None


def path_in_force(disk: Disk, row: StagedRow) -> str:
    """Which spelling the folder has now: of the row's path or of its target."""
    if not row.respells or disk.lstat(row.folder) is None:
        return row.target
    names = disk.listdir(row.folder)
    return row.path if posixpath.basename(row.path) in names else row.target
