"""Files as the language sees them (stdlib.md 4.12).

Guarantees: faults of the operating system become kinds of Results; a handle is
unbuffered and knows its mode; open handles can be listed. Leaves: Results and argument
checks to the primitives.
"""

from __future__ import annotations

import errno
import os
import stat
import threading
from collections.abc import Callable, Iterator
from enum import Enum
from pathlib import Path
from typing import Final, final

CHUNK: Final = 65_536


class Mode(Enum):
    """How a file is opened."""

    READ = "read"
    WRITE = "write"
    APPEND = "append"
    READ_WRITE = "readWrite"

    @property
    def flags(self) -> int:
        """The flags of the operating system."""
        return {
            Mode.READ: os.O_RDONLY,
            Mode.WRITE: os.O_WRONLY | os.O_CREAT | os.O_TRUNC,
            Mode.APPEND: os.O_WRONLY | os.O_CREAT | os.O_APPEND,
            Mode.READ_WRITE: os.O_RDWR | os.O_CREAT,
        }[self]

    @property
    def writes(self) -> bool:
        """Whether the file may be changed."""
        return self is not Mode.READ

    @property
    def reads(self) -> bool:
        """Whether the file may be read."""
        return self in (Mode.READ, Mode.READ_WRITE)


def size_of(path: Path) -> int | None:
    """The bytes of a regular file, or of none; None for what may keep its reader waiting, as a pipe does."""
    try:
        status = path.stat()
    except OSError:
        return 0
    return status.st_size if stat.S_ISREG(status.st_mode) else None


class ClosedHandle(OSError):
    """An operation on a closed handle, or against its mode."""


def kind_of(fault: OSError) -> str:
    """The error kind of a fault of the operating system."""
    match fault.errno:
        case errno.ENOENT | errno.ENOTDIR:
            return "file_not_found"
        case errno.EACCES | errno.EPERM:
            return "permission_denied"
        case errno.ENOTEMPTY:
            return "not_empty"
        case _:
            return "io_error"


@final
class BtFileHandle:
    """An open file. `release` is called once, when it closes. Operations of several threads take turns."""

    __slots__ = ("_descriptor", "_lock", "_release", "mode", "owner", "path")

    def __init__(self, path: str, mode: Mode, owner: object, release: Callable[[BtFileHandle], None]) -> None:
        self.path = path
        self.mode = mode
        self.owner = owner
        self._release = release
        self._lock = threading.Lock()
        self._descriptor: int | None = os.open(path, mode.flags | os.O_CLOEXEC, 0o666)
        if not Path(path).is_file():
            self._forget()
            raise OSError(errno.EISDIR, "not a regular file", path)

    @property
    def is_open(self) -> bool:
        """Whether the handle can be used."""
        return self._descriptor is not None

    def read(self, count: int) -> bytes:
        """At most that many bytes; none at the end."""
        pieces = []
        with self._lock:
            descriptor = self._readable()
            while count > 0 and (piece := os.read(descriptor, min(count, CHUNK))):
                pieces.append(piece)
                count -= len(piece)
        return b"".join(pieces)

    def read_all(self) -> bytes:
        """The bytes from here."""
        pieces = []
        with self._lock:
            descriptor = self._readable()
            while piece := os.read(descriptor, CHUNK):
                pieces.append(piece)
        return b"".join(pieces)

    def octets_left(self) -> int:
        """About how many bytes there are to read; 0 where that cannot be told."""
        if self._descriptor is None:
            return 0
        return os.fstat(self._descriptor).st_size

    def write(self, octets: bytes) -> None:
        """Write all bytes."""
        with self._lock:
            descriptor = self._open_descriptor()
            if not self.mode.writes:
                raise ClosedHandle(errno.EBADF, "the handle does not write")
            left = memoryview(octets)
            while left:
                left = left[os.write(descriptor, left) :]

    def position(self) -> int:
        """Where the next byte is read or written."""
        return os.lseek(self._open_descriptor(), 0, os.SEEK_CUR)

    def seek(self, offset: int) -> int:
        """Go to an absolute position; it may lie behind the end."""
        return os.lseek(self._open_descriptor(), offset, os.SEEK_SET)

    def flush(self) -> None:
        """Nothing is buffered; the handle has to be open."""
        self._open_descriptor()

    def sync(self) -> None:
        """Hand what was written to the disk."""
        with self._lock:
            os.fsync(self._open_descriptor())

    def close(self) -> None:
        """Close the handle; may be repeated."""
        with self._lock:
            if self._descriptor is not None:
                self._forget()

    def check_readable(self) -> None:
        """Raise `ClosedHandle` unless the handle can be read from."""
        self._readable()

    def _readable(self) -> int:
        descriptor = self._open_descriptor()
        if not self.mode.reads:
            raise ClosedHandle(errno.EBADF, "the handle does not read")
        return descriptor

    def _open_descriptor(self) -> int:
        if self._descriptor is None:
            raise ClosedHandle(errno.EBADF, "the handle is closed")
        return self._descriptor

    def _forget(self) -> None:
        descriptor, self._descriptor = self._descriptor, None
        self._release(self)
        if descriptor is not None:
            os.close(descriptor)


def lines_of(handle: BtFileHandle) -> Iterator[bytes]:
    """The lines from where a handle stands, without their ends."""
    return _Lines(handle)


class _Lines(Iterator[bytes]):
    """Reads chunks, hands out lines."""

    def __init__(self, handle: BtFileHandle) -> None:
        self._handle = handle
        self._ready: list[bytes] = []
        self._rest = b""
        self._is_at_end = False

    def __next__(self) -> bytes:
        while not self._ready and not self._is_at_end:
            self._fill()
        if self._ready:
            return self._ready.pop()
        raise StopIteration

    def _fill(self) -> None:
        chunk = self._handle.read(CHUNK)
        if not chunk:
            self._is_at_end = True
            if self._rest:
                self._ready.append(self._rest.removesuffix(b"\r"))
            return
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        self._ready = [line.removesuffix(b"\r") for line in reversed(lines)]
