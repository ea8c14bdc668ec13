"""Committing what was flushed (changes.md 10).

Comes in: the log, what memory knows of the files, and the repository around them. Guarantees: a commit
takes the files of the flushes that no commit has taken yet, and no others; what else was edited in
them is named before. Leaves: git itself to `repository`, asking to the prompt. All of it may block, and
works on values that do not change meanwhile.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from changelog.entry import Entry, Mark, MarkKind
from lang.dataclass import dataclass, field
from lang.syntax.units import UnitName
from workspace.flush.file_text import decoded
from workspace.flush.plan import FlushPlan
from workspace.flush.result import FileOperation
from workspace.flush.view import DiskFile
from workspace.manifest_source import cut_bytes
from workspace.repository import Commit, GitFailed, Repository, has_repository


@dataclass(slots=True)
class FlushedFile:
    """A file that flushes wrote: when the last of them did, and the units that they changed."""

    flushed_at: float
    units: set[UnitName] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class PlannedCommit:
    """What a commit would take, and of what was flushed what it cannot."""

    files: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    """Files that git is told to ignore."""
    elsewhere: tuple[str, ...] = ()
    """Files of a repository inside this one."""
    edited_besides: tuple[str, ...] = ()
    """Files that hold edits which no flush made."""


@dataclass(frozen=True, slots=True)
class Flushes:
    """What was flushed by when, and the files as memory knows them."""

    entries: tuple[Entry, ...]
    marks: tuple[Mark, ...]
    disk: Mapping[str, DiskFile]


class NothingToCommit(GitFailed):
    """No flush has written anything since the last commit."""


def plan_commit(root: Path, flushes: Flushes) -> PlannedCommit:
    """What `commit` would take. Raises `GitFailed`."""
    return _planned(Repository(root), root, flushes)


def commit(root: Path, flushes: Flushes, message: str) -> Commit:
    """Commit the flushed files. Raises `GitFailed`; then nothing was committed."""
    repository = Repository(root)
    planned = _planned(repository, root, flushes)
    if not planned.files:
        raise NothingToCommit(_why_nothing(planned))
    return repository.commit(message, planned.files)


def never_committed(root: Path, planned: FlushPlan) -> tuple[str, ...]:
    """Which files that a plan changes, moves or deletes git could not bring back; empty without a repository."""
    if not has_repository(root):
        return ()
    paths = [each.file for each in planned.files if each.operation is not FileOperation.CREATE]
    return Repository(root).never_committed(paths)


def _why_nothing(planned: PlannedCommit) -> str:
    left = [f"{path} is ignored by git" for path in planned.ignored]
    left += [f"{path} belongs to another repository" for path in planned.elsewhere]
    return "; ".join(["nothing was flushed since the last commit", *left])


def _planned(repository: Repository, root: Path, flushes: Flushes) -> PlannedCommit:
    found = flushed_files(flushes.entries, flushes.marks)
    named = {name: path for path in found for name in _names_on_disk(root, path)}
    differing = {each.path for each in repository.status().files}
    ignored = repository.ignored([name for name in named if os.path.lexists(root / name)])
    elsewhere = frozenset(name for name in named if repository.is_elsewhere(name))
    open_names = _not_committed_since(
        repository, [n for n in named if n in differing - elsewhere], named, found
    )
    texts = repository.committed_texts(open_names)
    besides = [
        name
        for name in open_names
        if _is_edited_besides(
            texts.get(name), _bytes_of(root / name), flushes.disk.get(named[name]), found[named[name]]
        )
    ]
    return PlannedCommit(tuple(open_names), tuple(sorted(ignored)), tuple(sorted(elsewhere)), tuple(besides))


def _not_committed_since(
    repository: Repository, names: Sequence[str], named: Mapping[str, str], found: Mapping[str, FlushedFile]
) -> list[str]:
    """The files whose last commit is older than their last flush. Git knows time by the second."""
    if not names:
        return []
    earliest = min(found[named[name]].flushed_at for name in names)
    committed = repository.changed_since(earliest)
    return sorted(n for n in names if committed.get(n, -1.0) < int(found[named[n]].flushed_at) + 1)


def flushed_files(entries: Iterable[Entry], marks: Iterable[Mark]) -> dict[str, FlushedFile]:
    """The files that flushes wrote, created, moved or deleted, by path."""
    by_seq = {entry.seq: entry for entry in entries}
    found: dict[str, FlushedFile] = {}
    for mark in marks:
        entry = by_seq.get(mark.seq)
        if mark.kind is not MarkKind.FLUSHED or not mark.timestamp or entry is None:
            continue
        moment = datetime.fromisoformat(mark.timestamp).timestamp()
        units = _units_of(entry)
        for path in _paths_of(entry, mark):
            file = found.setdefault(path, FlushedFile(moment))
            file.flushed_at = max(file.flushed_at, moment)
            file.units |= units
    return found


def _units_of(entry: Entry) -> set[UnitName]:
    addresses = (a for e in entry.edits for a in (e.before_address, e.after_address))
    return {address.name for address in addresses if address is not None}


def _paths_of(entry: Entry, mark: Mark) -> set[str]:
    found = {splice.path for splice in mark.splices}
    found |= {path for move in entry.files for path in (move.old, move.new) if path is not None}
    addresses = (a for e in entry.edits for a in (e.before_address, e.after_address))
    return found | {address.path for address in addresses if address is not None and address.path is not None}


def _names_on_disk(root: Path, path: str) -> set[str]:
    """The names that git has for a project file: behind links it knows the file that they lead to."""
    full, true_root = root / path, root.resolve()
    places = {full.parent.resolve() / full.name, full.resolve()}
    return {each.relative_to(true_root).as_posix() for each in places if each.is_relative_to(true_root)}


def _bytes_of(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def _is_edited_besides(
    committed: bytes | None, today: bytes | None, known: DiskFile | None, flushed: FlushedFile
) -> bool:
    """Whether a file differs from the last commit by more than flushes made of it."""
    if today is None:
        return False
    if known is None or known.data != today:
        return True
    return committed is not None and not _differing_units(known.path, committed, today) <= flushed.units


def _differing_units(path: str, committed: bytes, today: bytes) -> set[UnitName]:
    before, after = _unit_texts(path, committed), _unit_texts(path, today)
    return {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}


def _unit_texts(path: str, data: bytes) -> dict[UnitName, str]:
    text = decoded(data).text
    return {cut.name: text[cut.span.start : cut.span.end] for cut in cut_bytes(path, data)}
