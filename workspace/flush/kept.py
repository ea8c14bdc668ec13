"""What may be removed when a flush has ended, and what must be kept (changes.md 5.6).

Comes in: a journal whose rows have reached one state or the other. Guarantees: nothing is removed
but bytes in the state before or after of its row, and names of files that stand in the tree; other
bytes were written by somebody at the last instant and go to `flush/kept/<id>/`. Backups, asides,
temps, journal and `.begin` go in this order, so that a kill leaves what the next clean-up needs.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable

from workspace.flush.apply import Look, look
from workspace.flush.disk import Disk, Signature
from workspace.flush.journal import FlushFolder, Journal, StagedRow, write_file
from workspace.flush.outcome import KeptFile
from workspace.flush.stage import is_linked, remove_empty, sync_present, touched_folders

Known = dict[str, Signature]
"""Strays that were read and hold no foreign bytes, with the signature that they had."""

Accepts = Callable[[StagedRow, bytes], bool]
"""Whether bytes in neither state are none of anybody's, for they were merged into the tree."""


def nothing_merged(_row: StagedRow, _data: bytes) -> bool:
    """For a flush that merged nothing: every other text is foreign."""
    return False


def keep_foreign(disk: Disk, area: FlushFolder, journal: Journal) -> Known:
    """Read backups, asides and left temps again; keep what is in neither state (changes.md 5.6)."""
    known: Known = {}
    present = _present(disk, journal)
    for row in journal.rows:
        for path in row.strays:
            if path in present:
                _examine(disk, area, journal, row, path, known)
    return known


def _present(disk: Disk, journal: Journal) -> set[str]:
    folders = [folder for folder in journal.folders if disk.lstat(folder) is not None]
    return {posixpath.join(folder, name) for folder in folders for name in disk.listdir(folder)}


def _examine(
    disk: Disk, area: FlushFolder, journal: Journal, row: StagedRow, path: str, known: Known
) -> None:
    # Backup and came-away version are mostly one file: read once.
    read = known.get(row.backup)
    if read is not None and _has(disk, path, read):
        known[path] = read
        return
    seen = look(disk, path)
    if not _is_ours(disk, row, seen, nothing_merged):
        keep(disk, area, journal.flush_id, row, path)
    elif seen.stat is not None:
        known[path] = seen.stat.signature


def _is_ours(disk: Disk, row: StagedRow, seen: Look, accepts: Accepts) -> bool:
    if seen.stat is None or seen.state in (row.before, row.after):
        return True
    target = disk.lstat(row.target)
    if target is not None and target.is_same_file(seen.stat):
        return True
    return seen.data is not None and accepts(row, seen.data)


def discard(
    disk: Disk, area: FlushFolder, flush_id: str, row: StagedRow, path: str, accepts: Accepts
) -> None:
    """Remove one of a row's names, unless it holds foreign bytes: those are kept."""
    seen = look(disk, path)
    if seen.stat is None:
        return
    if _is_ours(disk, row, seen, accepts):
        disk.unlink(path)
    else:
        keep(disk, area, flush_id, row, path)


def keep(disk: Disk, area: FlushFolder, flush_id: str, row: StagedRow, path: str) -> None:
    """Move a file to `flush/kept/<id>/`, durable there before its old name goes."""
    folder = area.kept(flush_id)
    ensure_folder(disk, folder)
    if not _is_kept_already(disk, folder, path):
        _copy_to(disk, path, _free_name(disk, folder, row, path))
        disk.sync_folder(folder)
    disk.unlink(path)


def keep_version(disk: Disk, area: FlushFolder, flush_id: str, row: StagedRow, path: str) -> None:
    """Keep a version of a file that was left alone, unless it is that very file."""
    stat, target = disk.lstat(path), disk.lstat(row.target)
    if stat is not None and target is not None and stat.is_same_file(target):
        disk.unlink(path)
    elif stat is not None:
        keep(disk, area, flush_id, row, path)


def _is_kept_already(disk: Disk, folder: str, path: str) -> bool:
    stat = disk.lstat(path)
    others = (disk.lstat(posixpath.join(folder, name)) for name in disk.listdir(folder))
    return stat is not None and any(other is not None and other.is_same_file(stat) for other in others)


def _copy_to(disk: Disk, path: str, kept: str) -> None:
    if not is_linked(disk, path, kept):
        write_file(disk, kept, disk.read(path), 0o600, None)


def _free_name(disk: Disk, folder: str, row: StagedRow, path: str) -> str:
    """`<n>.<what>-<file name>`, numbered when the name is taken."""
    part = posixpath.basename(path).rpartition("-")[2]
    file_name = posixpath.basename(row.name)[-150:]
    taken, number, name = set(disk.listdir(folder)), 1, f"{part}-{file_name}"
    while name in taken:
        number += 1
        name = f"{part}-{number}-{file_name}"
    return posixpath.join(folder, name)


def ensure_folder(disk: Disk, folder: str) -> None:
    """Make a folder and those above it, durably."""
    if disk.lstat(folder) is None:
        above = posixpath.dirname(folder)
        ensure_folder(disk, above)
        disk.mkdir(folder)
        disk.sync_folder(above)


def kept_files(disk: Disk, area: FlushFolder, journal: Journal) -> tuple[KeptFile, ...]:
    """All that was kept of a flush, now or by a clean-up that was killed."""
    folder = area.kept(journal.flush_id)
    if disk.lstat(folder) is None:
        return ()
    names = sorted(disk.listdir(folder))
    return tuple(KeptFile(_row_of(journal, name).name, posixpath.join(folder, name)) for name in names)


def _row_of(journal: Journal, kept_name: str) -> StagedRow:
    return journal.rows[int(kept_name.partition(".")[0])]


def clean_up(
    disk: Disk,
    area: FlushFolder,
    journal: Journal,
    known: Known,
    accepts: Accepts = nothing_merged,
    left: Iterable[str] = (),
) -> None:
    """Remove backups, asides, temps, journal and `.begin`, in this order (changes.md 5.6).

    `left` names the rows whose files were left alone: their versions before and after are kept.
    """
    left_names = frozenset(left)
    for path, row in _strays_in_order(_present(disk, journal), journal):
        if row.name in left_names:
            keep_version(disk, area, journal.flush_id, row, path)
        elif (signature := known.get(path)) is not None and _has(disk, path, signature):
            disk.unlink(path)
        else:
            discard(disk, area, journal.flush_id, row, path, accepts)
    remove_empty(disk, journal.made_folders)
    # The names must be gone for good before the only list of them is.
    sync_present(disk, touched_folders(journal.rows, journal.made_folders))
    flush_id = journal.flush_id
    for path in (area.journal(flush_id), area.abort(flush_id), area.begin(flush_id)):
        if disk.lstat(path) is not None:
            disk.unlink(path)
    disk.sync_folder(area.path)


def _has(disk: Disk, path: str, signature: Signature) -> bool:
    stat = disk.lstat(path)
    return stat is not None and stat.signature == signature


def _strays_in_order(present: set[str], journal: Journal) -> list[tuple[str, StagedRow]]:
    by_kind = zip(*(row.strays for row in journal.rows), strict=True)
    return [
        (path, row)
        for paths in by_kind
        for path, row in zip(paths, journal.rows, strict=True)
        if path in present
    ]  # fmt: skip
