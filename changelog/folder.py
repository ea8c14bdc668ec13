"""The folder `.beamtalk/`: who holds it, which epoch it is, what is set (changes.md 2).

Comes in: the project's root. Guarantees: one process writes at a time; each opening for
writing is a new epoch, durable before anything is logged in it; reading changes nothing.
Leaves: caches, history and journals of flushes in that folder to their owners.
"""

from __future__ import annotations

import json
import os
import posixpath
from collections.abc import Mapping
from typing import TYPE_CHECKING

from changelog.archive import Archive
from changelog.copies import SourceCopies
from changelog.files import DiskFiles, Files, replace_durably
from changelog.journal import JournalStorage, StoreReadOnly
from changelog.lock import FolderLock, take_lock
from changelog.log import ChangeLog, Clock, system_clock
from changelog.store import JournalStore
from lang.dataclass import dataclass, field, replace
from lang.deferred import deferred

if TYPE_CHECKING:
    import uuid
else:
    uuid = deferred("uuid")

FORMAT_VERSION = 1

Setting = str | int | bool


@dataclass(frozen=True, slots=True)
class WorkspaceLocked(Exception):
    """Another process has the workspace open; `pid` is None when it cannot be told."""

    folder: str
    pid: int | None

    def __str__(self) -> str:
        holder = "another process" if self.pid is None else f"process {self.pid}"
        return f"{self.folder} is in use by {holder}; open it with --read-only to look at it"


class FolderUnusable(Exception):
    """The folder's `workspace.json` cannot be understood; the text says why."""


@dataclass(frozen=True, slots=True)
class Identity:
    """What `workspace.json` says."""

    id: str
    epoch: int = 0
    settings: Mapping[str, Setting] = field(default_factory=dict)
    format_version: int = FORMAT_VERSION

    def encoded(self) -> bytes:
        """The bytes of the file."""
        document = {
            "id": self.id,
            "format_version": self.format_version,
            "epoch": self.epoch,
            "settings": dict(self.settings),
        }
        return (json.dumps(document, indent=2) + "\n").encode()


def decoded_identity(data: bytes) -> Identity:
    """The identity in the bytes of a `workspace.json`. Raises `FolderUnusable`."""
    try:
        document = json.loads(data)
        found = Identity(
            str(document["id"]),
            int(document["epoch"]),
            dict(document.get("settings", {})),
            int(document["format_version"]),
        )
    except (ValueError, KeyError, TypeError) as error:
        raise FolderUnusable(f"workspace.json is damaged: {error!r}") from error
    if found.format_version > FORMAT_VERSION:
        raise FolderUnusable(f"workspace.json has format {found.format_version}; this is {FORMAT_VERSION}")
    return found


class WorkspaceFolder:
    """`<root>/.beamtalk`, open for writing (with the lock) or for reading only.

    Make one with `open_for_writing` or `open_for_reading`, and close it.
    """

    def __init__(self, path: str, files: Files, identity: Identity, lock: FolderLock | None) -> None:
        self.path = path
        self._files = files
        self._identity = identity
        self._lock = lock

    @property
    def identity(self) -> Identity:
        """What `workspace.json` says by now."""
        return self._identity

    @property
    def is_read_only(self) -> bool:
        """Whether it was opened without the lock."""
        return self._lock is None

    def setting(self, name: str, default: Setting) -> Setting:
        """A setting that persists, such as `autoflush`."""
        return self._identity.settings.get(name, default)

    def set(self, name: str, value: Setting) -> None:
        """Change a setting, durably. Raises `OSError`; nothing is changed then."""
        self._write(replace(self._identity, settings={**self._identity.settings, name: value}))

    def _write(self, identity: Identity) -> None:
        if self.is_read_only:
            raise PermissionError(f"{self.path} is open for reading only")
        replace_durably(self._files, _identity_path(self.path), identity.encoded())
        self._identity = identity

    def open_log(self, clock: Clock = system_clock) -> ChangeLog:
        """The ChangeLog of this epoch; a torn end is cut off, or left when reading only."""
        changes = posixpath.join(self.path, "changes")
        path = posixpath.join(changes, "changes.jsonl")
        if self.is_read_only:
            storage = JournalStorage(_ReadOnlyLog(self._files, path), repair=False)
            return ChangeLog(JournalStore(storage), self._identity.epoch, clock)
        archive = Archive(self._files, posixpath.join(changes, "archive"))
        file = self._files.open_log(path)
        self._files.sync(changes)
        storage = JournalStorage(file, reclaim=self._take_again)
        if storage.damage:
            archive.set_aside(storage.damage)
        copies = SourceCopies(self._files, posixpath.join(changes, "sources"))
        return ChangeLog(JournalStore(storage, copies, archive), self._identity.epoch, clock)

    def _take_again(self) -> None:
        """Make the folder anew and hold it, after somebody has deleted it (`git clean -x` does).

        Raises `OSError` when the project is gone too, `StoreReadOnly` when the folder is another process's by now.
        """
        self._files.names(posixpath.dirname(self.path))
        self.close()
        _make_layout(self._files, self.path)
        try:
            self._lock = _locked(self._files, self.path)
        except WorkspaceLocked as held:
            raise StoreReadOnly(f"the change log was deleted; {held}") from held
        found = _identity(self._files, self.path)
        if found is not None and found != self._identity:
            raise StoreReadOnly("the change log was deleted, and another one stands in its place")
        self._write(self._identity)

    def close(self) -> None:
        """Give the lock back."""
        if self._lock is not None:
            self._lock.release()


def open_for_writing(root: str, files: Files | None = None) -> WorkspaceFolder:
    """Take the lock of `<root>/.beamtalk` and begin a new epoch; the folder is made when absent.

    Raises `WorkspaceLocked`, `FolderUnusable` or `OSError`; the lock is free again then.
    """
    files = files or DiskFiles()
    path = posixpath.join(root, ".beamtalk")
    _make_layout(files, path)
    lock = _locked(files, path)
    try:
        identity = _identity(files, path) or Identity(uuid.uuid4().hex)
        folder = WorkspaceFolder(path, files, identity, lock)
        folder._write(replace(identity, epoch=identity.epoch + 1))
    except BaseException:
        lock.release()
        raise
    return folder


def open_for_reading(root: str, files: Files | None = None) -> WorkspaceFolder:
    """Look at `<root>/.beamtalk` without the lock; nothing is written, no epoch begins."""
    files = files or DiskFiles()
    path = posixpath.join(root, ".beamtalk")
    return WorkspaceFolder(path, files, _identity(files, path) or Identity(""), None)


def _make_layout(files: Files, path: str) -> None:
    is_new = True
    try:
        is_new = ".gitignore" not in files.names(path)
    except FileNotFoundError:
        files.make_folder(path)
    for folder in ("changes", "changes/sources", "changes/archive", "flush"):
        files.make_folder(posixpath.join(path, folder))
    if is_new:
        files.write(posixpath.join(path, ".gitignore"), b"*\n")
        files.sync(path)


def _identity_path(folder: str) -> str:
    return posixpath.join(folder, "workspace.json")


def _identity(files: Files, folder: str) -> Identity | None:
    try:
        return decoded_identity(files.read(_identity_path(folder)))
    except FileNotFoundError:
        return None


def _locked(files: Files, folder: str) -> FolderLock:
    path = posixpath.join(folder, "lock")
    try:
        lock = take_lock(path)
    except BlockingIOError:
        raise WorkspaceLocked(folder, _holder(files, path)) from None
    try:
        files.write(path, f"{os.getpid()}\n".encode())
    except BaseException:
        lock.release()
        raise
    return lock


def _holder(files: Files, path: str) -> int | None:
    try:
        return int(files.read(path))
    except (OSError, ValueError):
        return None


class _ReadOnlyLog:
    """`LogFile` of a journal that is only looked at."""

    def __init__(self, files: Files, path: str) -> None:
        try:
            self._data = files.read(path)
        except FileNotFoundError:
            self._data = b""

    def read(self) -> bytes:
        return self._data

    def size(self) -> int:
        return len(self._data)

    def append(self, data: bytes) -> None:
        del data
        raise PermissionError("the change log is open for reading only")

    def sync(self) -> None:
        pass

    def truncate(self, length: int) -> None:
        pass

    def replace(self, data: bytes) -> None:
        del data
        raise PermissionError("the change log is open for reading only")

    def is_deleted(self) -> bool:
        return False

    def put_back(self) -> None:
        pass

    def close(self) -> None:
        pass
