"""A disk in memory that knows what a power loss would leave (changes.md 11).

Comes in: the calls of `Disk`. Guarantees: inodes, hard links, symlinks, modes as a file system has
them; `crash` leaves of each folder some beginning of the changes since its last fsync, and of each
file its fsynced bytes, today's, or a beginning of these, as `choose` says. Leaves: permissions are
those of an ordinary user for `may_write` only.
"""

from __future__ import annotations

import enum
import errno
import itertools
import os
import posixpath
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from workspace.flush.arrange import fold
from workspace.flush.disk import EntryKind, FileMode, Signature, Stat, Unsupported

Choose = Callable[[int], int]
"""Given n, one of 0 to n-1: which of n things a crash leaves."""


class Feature(enum.Enum):
    """What a file system may refuse."""

    LINKS = "hard links"
    EXCHANGE = "exchange of names"
    NO_REPLACE = "rename that does not replace"


ALL_FEATURES = frozenset(Feature)


@dataclass(slots=True, eq=False)
class _Inode:
    number: int
    kind: EntryKind
    mode: FileMode
    mtime: int
    data: bytes = b""
    durable_data: bytes = b""
    text: str = ""
    names: dict[str, _Inode] = field(default_factory=dict)
    durable_names: dict[str, _Inode] = field(default_factory=dict)
    since_sync: list[tuple[tuple[str, _Inode | None], ...]] = field(default_factory=list)
    links: int = 0


def _error(code: int, path: str) -> OSError:
    return OSError(code, os.strerror(code), path)


class MemoryDisk:
    """A simulated file system; `ignores_case` makes it one that compares names so.

    A file's time is the number of changes so far, divided by `coarseness`.
    """

    def __init__(
        self, features: frozenset[Feature] = ALL_FEATURES, *, ignores_case: bool = False, coarseness: int = 1
    ) -> None:
        self._features = features
        self._ignores_case = ignores_case
        self._coarseness = coarseness
        self._numbers = itertools.count(2)
        self._changes = itertools.count(1)
        self._open: dict[int, _Inode] = {}
        self._root = self._inode(EntryKind.FOLDER, 0o755)

    # ------------------------------------------------------------------ for tests

    def put_file(self, path: str, data: bytes, bits: int = 0o644) -> None:
        """A durable file, with the folders above it."""
        folder = self._make_folders(posixpath.dirname(path))
        inode = self._inode(EntryKind.FILE, bits)
        inode.data = inode.durable_data = data
        self._set(folder, (posixpath.basename(path), inode))
        self._settle(folder)

    def put_folder(self, path: str) -> None:
        """A durable folder."""
        self._make_folders(path)

    def save_in_place(self, path: str, data: bytes) -> None:
        """What an editor does that opens the file and writes; it makes one where none stands."""
        inode = self._find(path)
        if inode is None:
            inode = self._inode(EntryKind.FILE, 0o644)
            self._set(self._folder_of(path), (posixpath.basename(path), inode))
        inode.data = data
        inode.mtime = self._now()

    def save_by_replacing(self, path: str, data: bytes) -> None:
        """What an editor does that writes another file and renames it over the old one."""
        inode = self._inode(EntryKind.FILE, 0o644)
        inode.data = data
        self._set(self._folder_of(path), (self._spelled(self._folder_of(path), path), inode))

    def tree(self, top: str = "/") -> dict[str, bytes | str]:
        """Every file (its bytes) and link (its text) below a folder, by path."""
        found: dict[str, bytes | str] = {}
        inode = self._find(top)
        if inode is not None:
            for path, entry in _walk("" if top == "/" else top, inode):
                if entry.kind is not EntryKind.FOLDER:
                    found[path] = entry.text if entry.kind is EntryKind.LINK else entry.data
        return found

    def folders(self, top: str) -> set[str]:
        """Every folder below a folder."""
        inode = self._find(top)
        below = () if inode is None else _walk(top, inode)
        return {path for path, entry in below if entry.kind is EntryKind.FOLDER}

    def crash(self, choose: Choose) -> MemoryDisk:
        """The disk after a power loss; this one stays as it is."""
        after = MemoryDisk(self._features, ignores_case=self._ignores_case, coarseness=self._coarseness)
        after._numbers = itertools.count(next(self._numbers))
        after._changes = itertools.count(next(self._changes))
        after._root = _survivor(self._root, choose, {})
        _count_links(after._root)
        return after

    def copy(self) -> MemoryDisk:
        """The disk after a kill: all that was done is there, and counts as durable."""
        return self.crash(lambda n: n - 1)

    # ------------------------------------------------------------------ Disk

    def lstat(self, path: str) -> Stat | None:
        """See `Disk`."""
        inode = self._find(path)
        if inode is None:
            return None
        size = len(inode.text if inode.kind is EntryKind.LINK else inode.data)
        return Stat(inode.kind, Signature(1, inode.number, size, inode.mtime), inode.mode, inode.links)

    def read(self, path: str) -> bytes:
        """See `Disk`."""
        inode = self._existing(path)
        if inode.kind is EntryKind.LINK:
            return self.read(posixpath.normpath(posixpath.join(posixpath.dirname(path), inode.text)))
        if inode.kind is not EntryKind.FILE:
            raise _error(errno.EISDIR, path)
        return inode.data

    def readlink(self, path: str) -> str:
        """See `Disk`."""
        inode = self._existing(path)
        if inode.kind is not EntryKind.LINK:
            raise _error(errno.EINVAL, path)
        return inode.text

    def listdir(self, path: str) -> list[str]:
        """See `Disk`."""
        return list(self._existing(path).names)

    def may_write(self, path: str) -> bool:
        """See `Disk`."""
        return bool(self._existing(path).mode.bits & 0o200)

    def create(self, path: str, bits: int) -> int:
        """See `Disk`."""
        inode = self._inode(EntryKind.FILE, bits & 0o755)
        self._add(path, inode)
        descriptor = next(self._numbers)
        self._open[descriptor] = inode
        return descriptor

    def write(self, descriptor: int, data: bytes) -> None:
        """See `Disk`."""
        inode = self._open[descriptor]
        inode.data += data
        inode.mtime = self._now()

    def set_mode(self, descriptor: int, bits: int) -> None:
        """See `Disk`."""
        inode = self._open[descriptor]
        inode.mode = inode.mode._replace(bits=bits)

    def set_owner(self, descriptor: int, uid: int, gid: int) -> None:
        """See `Disk`."""
        inode = self._open[descriptor]
        inode.mode = inode.mode._replace(uid=uid, gid=gid)

    def sync(self, descriptor: int) -> None:
        """See `Disk`."""
        inode = self._open[descriptor]
        inode.durable_data = inode.data

    def close(self, descriptor: int) -> None:
        """See `Disk`."""
        del self._open[descriptor]

    def sync_folder(self, path: str) -> None:
        """See `Disk`."""
        self._settle(self._existing(path))

    def link(self, source: str, target: str) -> None:
        """See `Disk`."""
        if Feature.LINKS not in self._features:
            raise _error(errno.EPERM, source)
        self._add(target, self._existing(source))

    def symlink(self, text: str, target: str) -> None:
        """See `Disk`."""
        inode = self._inode(EntryKind.LINK, 0o777)
        inode.text = text
        self._add(target, inode)

    def rename(self, source: str, target: str) -> None:
        """See `Disk`. Between two names of one file it does nothing, as POSIX has it."""
        inode = self._existing(source)
        if self._find(target) is inode and not self._ignores_case:
            return
        self._move(source, target, inode)

    def rename_new(self, source: str, target: str) -> None:
        """See `Disk`."""
        if Feature.NO_REPLACE not in self._features:
            raise Unsupported(errno.EINVAL, os.strerror(errno.EINVAL), source)
        inode = self._existing(source)
        if self._find(target) is not None:
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), target)
        self._move(source, target, inode)

    def exchange(self, one: str, other: str) -> None:
        """See `Disk`. Both names must lie in one folder here."""
        if Feature.EXCHANGE not in self._features:
            raise Unsupported(errno.EINVAL, os.strerror(errno.EINVAL), one)
        here, there = self._existing(one), self._existing(other)
        folder = self._folder_of(one)
        if folder is not self._folder_of(other):
            raise _error(errno.EXDEV, other)
        self._set(folder, (self._spelled(folder, one), there), (self._spelled(folder, other), here))

    def unlink(self, path: str) -> None:
        """See `Disk`."""
        if self._existing(path).kind is EntryKind.FOLDER:
            raise _error(errno.EISDIR, path)
        folder = self._folder_of(path)
        self._set(folder, (self._spelled(folder, path), None))

    def mkdir(self, path: str) -> None:
        """See `Disk`."""
        self._add(path, self._inode(EntryKind.FOLDER, 0o755))

    def rmdir(self, path: str) -> None:
        """See `Disk`."""
        if self._existing(path).names:
            raise _error(errno.ENOTEMPTY, path)
        folder = self._folder_of(path)
        self._set(folder, (self._spelled(folder, path), None))

    # ------------------------------------------------------------------ inside

    def _inode(self, kind: EntryKind, bits: int) -> _Inode:
        return _Inode(next(self._numbers), kind, FileMode(bits, 1000, 1000), self._now())

    def _now(self) -> int:
        return next(self._changes) // self._coarseness

    def _make_folders(self, path: str) -> _Inode:
        inode = self._root
        for name in path.strip("/").split("/") if path.strip("/") else ():
            if name not in inode.names:
                self._set(inode, (name, self._inode(EntryKind.FOLDER, 0o755)))
                self._settle(inode)
            inode = inode.names[name]
        return inode

    def _find(self, path: str) -> _Inode | None:
        inode = self._root
        for name in path.split("/"):
            if not name:
                continue
            # A file has no names either.
            found = inode.names.get(name)
            if found is None and self._ignores_case:
                found = inode.names.get(self._spelled(inode, name))
            if found is None:
                return None
            inode = found
        return inode

    def _existing(self, path: str) -> _Inode:
        inode = self._find(path)
        if inode is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
        return inode

    def _folder_of(self, path: str) -> _Inode:
        return self._existing(path.rpartition("/")[0])

    def _spelled(self, folder: _Inode, path: str) -> str:
        name = path.rpartition("/")[2]
        if not self._ignores_case or name in folder.names:
            return name
        return next((other for other in folder.names if fold(other) == fold(name)), name)

    def _add(self, path: str, inode: _Inode) -> None:
        folder = self._folder_of(path)
        if self._find(path) is not None:
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), path)
        self._set(folder, (posixpath.basename(path), inode))

    def _move(self, source: str, target: str, inode: _Inode) -> None:
        here, there = self._folder_of(source), self._folder_of(target)
        gone = (self._spelled(here, source), None)
        replaced = self._spelled(there, target)
        come = (posixpath.basename(target) if replaced not in there.names else replaced, inode)
        if here is there:
            self._set(here, gone, come)
        else:
            self._set(there, come)
            self._set(here, gone)

    def _set(self, folder: _Inode, *changes: tuple[str, _Inode | None]) -> None:
        for name, inode in changes:
            old = folder.names.get(name)
            if old is not None:
                old.links -= 1
            _assign(folder.names, name, inode)
            if inode is not None:
                inode.links += 1
        folder.since_sync.append(changes)

    def _settle(self, folder: _Inode) -> None:
        folder.durable_names = dict(folder.names)
        folder.since_sync = []


def _assign(names: dict[str, _Inode], name: str, inode: _Inode | None) -> None:
    if inode is None:
        names.pop(name, None)
    else:
        names[name] = inode


def _walk(path: str, inode: _Inode) -> Iterator[tuple[str, _Inode]]:
    for name, entry in inode.names.items():
        yield f"{path}/{name}", entry
        if entry.kind is EntryKind.FOLDER:
            yield from _walk(f"{path}/{name}", entry)


def _survivor(inode: _Inode, choose: Choose, done: dict[int, _Inode]) -> _Inode:
    """What a crash leaves of an inode; two names of one file find one file again."""
    if inode.number in done:
        return done[inode.number]
    after = _Inode(inode.number, inode.kind, inode.mode, inode.mtime, text=inode.text)
    done[inode.number] = after
    if inode.kind is EntryKind.FOLDER:
        names = dict(inode.durable_names)
        for changes in inode.since_sync[: choose(len(inode.since_sync) + 1)]:
            for name, entry in changes:
                _assign(names, name, entry)
        after.names = {name: _survivor(entry, choose, done) for name, entry in names.items()}
        after.durable_names = dict(after.names)
    else:
        after.data = after.durable_data = _surviving_data(inode, choose)
    return after


def _surviving_data(inode: _Inode, choose: Choose) -> bytes:
    if inode.data == inode.durable_data:
        return inode.data
    return (inode.durable_data, inode.data[: len(inode.data) // 2], inode.data)[choose(3)]


def _count_links(top: _Inode) -> None:
    for _, inode in _walk("", top):
        inode.links += 1
