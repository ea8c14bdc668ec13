"""How the ChangeLog reaches the disk: the one seam for all of its file-system calls.

Comes in: paths as text. Guarantees: nothing in `changelog` touches the disk but through
a `Files` and the `LogFile` that it opens, each call one step that a test can let fail.
Leaves: what the bytes mean, to `journal`, `folder` and `copies`.
"""

from __future__ import annotations

import errno
import os
import posixpath
from typing import Protocol


class LogFile(Protocol):
    """An open file that grows at its end. All but `read` may raise `OSError`."""

    def read(self) -> bytes:
        """All bytes of the file."""

    def size(self) -> int:
        """Its length in bytes."""

    def append(self, data: bytes) -> None:
        """Put bytes at the end; they may be torn when this raises or the process ends."""

    def sync(self) -> None:
        """Return when all bytes are durable."""

    def truncate(self, length: int) -> None:
        """Cut the file to a length."""

    def replace(self, data: bytes) -> None:
        """Let the file have these bytes instead, durably; a crash leaves the old or the new ones."""

    def is_deleted(self) -> bool:
        """Whether somebody has removed its name: what is appended then is gone with the process."""

    def put_back(self) -> None:
        """Give a deleted file its name and its bytes again, durably; `FileExistsError` when the name is taken."""

    def close(self) -> None:
        """Give the file back; a second call does nothing."""


class Files(Protocol):
    """The file-system calls that the ChangeLog needs; all may raise `OSError`."""

    def read(self, path: str) -> bytes:
        """The bytes of a file; `FileNotFoundError` when it is absent."""

    def write(self, path: str, data: bytes) -> None:
        """Create or replace a file in place, mode 0600, not durable."""

    def sync(self, path: str) -> None:
        """Return when a file's bytes, or a folder's entries, are durable."""

    def rename(self, old: str, new: str) -> None:
        """Give a file another name; what bore it is replaced in the same instant."""

    def remove(self, path: str) -> None:
        """Unlink a file."""

    def names(self, folder: str) -> tuple[str, ...]:
        """The names in a folder, sorted; `FileNotFoundError` when it is absent."""

    def make_folder(self, path: str) -> None:
        """Make a folder, mode 0700, with those above it; one that exists is left as it is."""

    def open_log(self, path: str) -> LogFile:
        """Open a file for growing, mode 0600; it is created when absent."""


class DiskFiles:
    """`Files` on the real disk."""

    def read(self, path: str) -> bytes:
        """See `Files`."""
        with open(path, "rb") as file:
            return file.read()

    def write(self, path: str, data: bytes) -> None:
        """See `Files`."""
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        try:
            _write_all(descriptor, data)
        finally:
            os.close(descriptor)

    def sync(self, path: str) -> None:
        """See `Files`."""
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def rename(self, old: str, new: str) -> None:
        """See `Files`."""
        os.replace(old, new)

    def remove(self, path: str) -> None:
        """See `Files`."""
        os.unlink(path)

    def names(self, folder: str) -> tuple[str, ...]:
        """See `Files`."""
        return tuple(sorted(os.listdir(folder)))

    def make_folder(self, path: str) -> None:
        """See `Files`."""
        os.makedirs(path, mode=0o700, exist_ok=True)

    def open_log(self, path: str) -> LogFile:
        """See `Files`."""
        return _DiskLogFile(self, path)


class _DiskLogFile:
    """`LogFile` on the real disk."""

    def __init__(self, files: DiskFiles, path: str) -> None:
        self._files = files
        self._path = path
        self._descriptor: int | None = _opened_for_growing(path)

    def _open(self) -> int:
        if self._descriptor is None:
            raise ValueError(f"{self._path} is closed")
        return self._descriptor

    def read(self) -> bytes:
        with open(self._path, "rb") as file:
            return file.read()

    def size(self) -> int:
        return os.fstat(self._open()).st_size

    def append(self, data: bytes) -> None:
        _write_all(self._open(), data)

    def sync(self) -> None:
        os.fsync(self._open())

    def truncate(self, length: int) -> None:
        os.ftruncate(self._open(), length)

    def replace(self, data: bytes) -> None:
        replace_durably(self._files, self._path, data)
        self.close()
        self._descriptor = _opened_for_growing(self._path)

    def is_deleted(self) -> bool:
        return os.fstat(self._open()).st_nlink == 0 and not self._is_named()

    def _is_named(self) -> bool:
        """Asked beside the count of links, which some file systems do not keep."""
        try:
            return os.path.samestat(os.fstat(self._open()), os.stat(self._path))
        except (FileNotFoundError, NotADirectoryError):
            return False

    def put_back(self) -> None:
        if os.path.lexists(self._path):
            raise FileExistsError(errno.EEXIST, "another change log stands there", self._path)
        self.replace(_all_of(self._open()))

    def close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def _opened_for_growing(path: str) -> int:
    return os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)


def _all_of(descriptor: int) -> bytes:
    parts: list[bytes] = []
    at = 0
    while part := os.pread(descriptor, 1 << 20, at):
        parts.append(part)
        at += len(part)
    return b"".join(parts)


def _write_all(descriptor: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]


class MemoryFiles:
    """`Files` without a disk: for a workspace that keeps nothing, and for tests."""

    def __init__(self) -> None:
        self.contents: dict[str, bytearray] = {}
        self.folders: set[str] = set()

    def _found(self, path: str) -> bytearray:
        try:
            return self.contents[path]
        except KeyError:
            raise FileNotFoundError(path) from None

    def read(self, path: str) -> bytes:
        """See `Files`."""
        return bytes(self._found(path))

    def write(self, path: str, data: bytes) -> None:
        """See `Files`."""
        self.contents[path] = bytearray(data)

    def sync(self, path: str) -> None:
        """Nothing to do: memory has no other state."""

    def rename(self, old: str, new: str) -> None:
        """See `Files`."""
        self.contents[new] = self._found(old)
        del self.contents[old]

    def remove(self, path: str) -> None:
        """See `Files`."""
        self._found(path)
        del self.contents[path]

    def names(self, folder: str) -> tuple[str, ...]:
        """See `Files`."""
        if folder not in self.folders:
            raise FileNotFoundError(folder)
        paths = (*self.contents, *self.folders)
        return tuple(sorted({posixpath.basename(p) for p in paths if posixpath.dirname(p) == folder}))

    def make_folder(self, path: str) -> None:
        """See `Files`."""
        while path not in self.folders and path != posixpath.dirname(path):
            self.folders.add(path)
            path = posixpath.dirname(path)

    def open_log(self, path: str) -> LogFile:
        """See `Files`."""
        return _MemoryLogFile(self.contents.setdefault(path, bytearray()))


class _MemoryLogFile:
    """`LogFile` over a byte array."""

    def __init__(self, content: bytearray) -> None:
        self._content = content

    def read(self) -> bytes:
        return bytes(self._content)

    def size(self) -> int:
        return len(self._content)

    def append(self, data: bytes) -> None:
        self._content += data

    def sync(self) -> None:
        pass

    def truncate(self, length: int) -> None:
        del self._content[length:]

    def replace(self, data: bytes) -> None:
        self._content[:] = data

    def is_deleted(self) -> bool:
        return False

    def put_back(self) -> None:
        pass

    def close(self) -> None:
        pass


def replace_durably(files: Files, path: str, data: bytes) -> None:
    """Give a file new bytes so that a crash leaves the old ones or the new ones, whole."""
    fresh = f"{path}.new"
    files.write(fresh, data)
    files.sync(fresh)
    files.rename(fresh, path)
    files.sync(posixpath.dirname(path))
