"""Which file-system calls a flush makes: the one seam to the project's sources (changes.md 5).

Comes in: absolute paths as text (bytes that are not UTF-8 as surrogates). Guarantees: every
call that reads or writes a project source, or a file of a flush, is one method of `Disk`, so
that a test can count the calls, fail them, or simulate what a crash leaves. Leaves: the order
of the calls, and what they mean, to `stage`, `apply` and `recover`.

The other forms are `memory_disk.MemoryDisk` (a simulation) and `watched_disk.WatchedDisk`.
"""

from __future__ import annotations

import enum
import errno
import os
import stat
from collections.abc import Callable
from typing import NamedTuple, Protocol


class EntryKind(enum.Enum):
    """What a directory entry names."""

    FILE = "file"
    FOLDER = "folder"
    LINK = "link"
    OTHER = "other"


class Signature(NamedTuple):
    """What tells one version of a file from another without reading it (changes.md 5.4)."""

    device: int
    inode: int
    size: int
    mtime_ns: int


class FileMode(NamedTuple):
    """Permission bits and owner, as a new version of a file takes them over."""

    bits: int
    uid: int
    gid: int


class Stat(NamedTuple):
    """One directory entry; a symbolic link is described itself, not what it points to."""

    kind: EntryKind
    signature: Signature
    mode: FileMode
    links: int

    def is_same_file(self, other: Stat) -> bool:
        """Whether both entries name one inode."""
        return self.signature[:2] == other.signature[:2]


class Unsupported(OSError):
    """The system or the file system does not offer this call; another way may do."""


class Disk(Protocol):
    """The file-system calls of a flush. All raise `OSError` as the system does."""

    def lstat(self, path: str) -> Stat | None:
        """The entry at `path`, None when there is none."""

    def read(self, path: str) -> bytes:
        """All bytes of a file; a symbolic link is followed."""

    def readlink(self, path: str) -> str:
        """The text of a symbolic link."""

    def listdir(self, path: str) -> list[str]:
        """Names in a folder, as they are spelled there."""

    def may_write(self, path: str) -> bool:
        """Whether the file or folder can be written: it has a write bit, and we may use it."""

    def create(self, path: str, bits: int) -> int:
        """Make a new file, never open an old one; its descriptor. The umask applies to `bits`."""

    def write(self, descriptor: int, data: bytes) -> None:
        """Write all of `data`."""

    def set_mode(self, descriptor: int, bits: int) -> None:
        """Set the permission bits."""

    def set_owner(self, descriptor: int, uid: int, gid: int) -> None:
        """Set the owner and group."""

    def sync(self, descriptor: int) -> None:
        """Make the file's bytes durable."""

    def close(self, descriptor: int) -> None:
        """Close a descriptor."""

    def sync_folder(self, path: str) -> None:
        """Make the names in a folder durable."""

    def link(self, source: str, target: str) -> None:
        """A second name for a file; never replaces."""

    def symlink(self, text: str, target: str) -> None:
        """A symbolic link with this text; never replaces."""

    def rename(self, source: str, target: str) -> None:
        """Rename; replaces what stands at `target`."""

    def rename_new(self, source: str, target: str) -> None:
        """Rename that never replaces (`FileExistsError`); `Unsupported` where refused."""

    def exchange(self, one: str, other: str) -> None:
        """Let two entries change their names in one step; `Unsupported` where refused."""

    def unlink(self, path: str) -> None:
        """Remove a name."""

    def mkdir(self, path: str) -> None:
        """Make a folder."""

    def rmdir(self, path: str) -> None:
        """Remove an empty folder."""


_KINDS = {stat.S_IFREG: EntryKind.FILE, stat.S_IFDIR: EntryKind.FOLDER, stat.S_IFLNK: EntryKind.LINK}
_REFUSED = frozenset({errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP})


class RealDisk:
    """The disk of the machine."""

    __slots__ = ("_rename_with",)

    def __init__(self) -> None:
        self._rename_with: Callable[[str, str, int], None] | None = None

    def lstat(self, path: str) -> Stat | None:
        """See `Disk`."""
        try:
            found = os.lstat(path)
        except (FileNotFoundError, NotADirectoryError):
            return None
        return Stat(
            _KINDS.get(stat.S_IFMT(found.st_mode), EntryKind.OTHER),
            Signature(found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns),
            FileMode(stat.S_IMODE(found.st_mode), found.st_uid, found.st_gid),
            found.st_nlink,
        )

    def read(self, path: str) -> bytes:
        """See `Disk`."""
        # O_NONBLOCK: a pipe put in the place of a file must not hang us.
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        try:
            return _read_all(descriptor)
        finally:
            os.close(descriptor)

    def readlink(self, path: str) -> str:
        """See `Disk`."""
        return os.readlink(path)

    def listdir(self, path: str) -> list[str]:
        """See `Disk`."""
        return os.listdir(path)

    def may_write(self, path: str) -> bool:
        """See `Disk`. The superuser could write a read-only file; whoever made it so meant it."""
        return bool(os.stat(path).st_mode & 0o222) and os.access(path, os.W_OK)

    def create(self, path: str, bits: int) -> int:
        """See `Disk`."""
        return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, bits)

    def write(self, descriptor: int, data: bytes) -> None:
        """See `Disk`."""
        left = memoryview(data)
        while left:
            left = left[os.write(descriptor, left) :]

    def set_mode(self, descriptor: int, bits: int) -> None:
        """See `Disk`."""
        os.fchmod(descriptor, bits)

    def set_owner(self, descriptor: int, uid: int, gid: int) -> None:
        """See `Disk`. Nothing is asked of the system when the owner is right already."""
        found = os.fstat(descriptor)
        if (found.st_uid, found.st_gid) != (uid, gid):
            os.fchown(descriptor, uid, gid)

    def sync(self, descriptor: int) -> None:
        """See `Disk`."""
        os.fsync(descriptor)

    def close(self, descriptor: int) -> None:
        """See `Disk`."""
        os.close(descriptor)

    def sync_folder(self, path: str) -> None:
        """See `Disk`."""
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def link(self, source: str, target: str) -> None:
        """See `Disk`."""
        os.link(source, target, follow_symlinks=False)

    def symlink(self, text: str, target: str) -> None:
        """See `Disk`."""
        os.symlink(text, target)

    def rename(self, source: str, target: str) -> None:
        """See `Disk`."""
        os.rename(source, target)

    def rename_new(self, source: str, target: str) -> None:
        """See `Disk`."""
        self._flagged_rename(source, target, 1)  # RENAME_NOREPLACE

    def exchange(self, one: str, other: str) -> None:
        """See `Disk`."""
        self._flagged_rename(one, other, 2)  # RENAME_EXCHANGE

    def unlink(self, path: str) -> None:
        """See `Disk`."""
        os.unlink(path)

    def mkdir(self, path: str) -> None:
        """See `Disk`."""
        os.mkdir(path)

    def rmdir(self, path: str) -> None:
        """See `Disk`."""
        os.rmdir(path)

    def _flagged_rename(self, source: str, target: str, flag: int) -> None:
        if self._rename_with is None:
            # Here and not above: loading ctypes takes milliseconds that only a flush should pay.
            from workspace.flush.rename_flags import renameat2  # noqa: PLC0415

            self._rename_with = renameat2
        try:
            self._rename_with(source, target, flag)
        except OSError as error:
            if error.errno in _REFUSED:
                raise Unsupported(error.errno, error.strerror, source, None, target) from error
            raise


def _read_all(descriptor: int) -> bytes:
    size = os.fstat(descriptor).st_size
    data = os.read(descriptor, size + 1)
    if len(data) == size:
        return data
    parts = [data]
    while data:
        data = os.read(descriptor, 1 << 16)
        parts.append(data)
    return b"".join(parts)
