"""A disk whose every call is seen, for tests of what a call at the wrong moment does (changes.md 11).

Comes in: another disk and a watcher. Guarantees: the watcher is told before and after each call,
with its number (from 0), and may raise, kill the process, or let an editor save. Leaves: the calls
themselves to the other disk.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ParamSpec, TypeVar

from workspace.flush.disk import Disk, Stat

_P = ParamSpec("_P")
_R = TypeVar("_R")


@dataclass(frozen=True, slots=True)
class Call:
    """The n-th call and its name."""

    number: int
    name: str


def nothing(call: Call) -> None:
    """A watcher that does nothing."""


class WatchedDisk:
    """Counts the calls and tells the watchers."""

    def __init__(
        self, disk: Disk, before: Callable[[Call], None] = nothing, after: Callable[[Call], None] = nothing
    ) -> None:
        self._disk = disk
        self._before = before
        self._after = after
        self.calls = 0

    def _do(self, method: Callable[_P, _R], *arguments: _P.args, **named: _P.kwargs) -> _R:
        call = Call(self.calls, method.__name__)
        self.calls += 1
        self._before(call)
        answer = method(*arguments, **named)
        self._after(call)
        return answer

    def lstat(self, path: str) -> Stat | None:
        """See `Disk`."""
        return self._do(self._disk.lstat, path)

    def read(self, path: str) -> bytes:
        """See `Disk`."""
        return self._do(self._disk.read, path)

    def readlink(self, path: str) -> str:
        """See `Disk`."""
        return self._do(self._disk.readlink, path)

    def listdir(self, path: str) -> list[str]:
        """See `Disk`."""
        return self._do(self._disk.listdir, path)

    def may_write(self, path: str) -> bool:
        """See `Disk`."""
        return self._do(self._disk.may_write, path)

    def create(self, path: str, bits: int) -> int:
        """See `Disk`."""
        return self._do(self._disk.create, path, bits)

    def write(self, descriptor: int, data: bytes) -> None:
        """See `Disk`."""
        self._do(self._disk.write, descriptor, data)

    def set_mode(self, descriptor: int, bits: int) -> None:
        """See `Disk`."""
        self._do(self._disk.set_mode, descriptor, bits)

    def set_owner(self, descriptor: int, uid: int, gid: int) -> None:
        """See `Disk`."""
        self._do(self._disk.set_owner, descriptor, uid, gid)

    def sync(self, descriptor: int) -> None:
        """See `Disk`."""
        self._do(self._disk.sync, descriptor)

    def close(self, descriptor: int) -> None:
        """See `Disk`."""
        self._do(self._disk.close, descriptor)

    def sync_folder(self, path: str) -> None:
        """See `Disk`."""
        self._do(self._disk.sync_folder, path)

    def link(self, source: str, target: str) -> None:
        """See `Disk`."""
        self._do(self._disk.link, source, target)

    def symlink(self, text: str, target: str) -> None:
        """See `Disk`."""
        self._do(self._disk.symlink, text, target)

    def rename(self, source: str, target: str) -> None:
        """See `Disk`."""
        self._do(self._disk.rename, source, target)

    def rename_new(self, source: str, target: str) -> None:
        """See `Disk`."""
        self._do(self._disk.rename_new, source, target)

    def exchange(self, one: str, other: str) -> None:
        """See `Disk`."""
        self._do(self._disk.exchange, one, other)

    def unlink(self, path: str) -> None:
        """See `Disk`."""
        self._do(self._disk.unlink, path)

    def mkdir(self, path: str) -> None:
        """See `Disk`."""
        self._do(self._disk.mkdir, path)

    def rmdir(self, path: str) -> None:
        """See `Disk`."""
        self._do(self._disk.rmdir, path)
