"""Entries, and files that fail, for the tests of the change log."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from changelog.entry import ChangeKind, Edit, Intent, NewEntry, UnitAddress
from changelog.files import Files, LogFile
from lang.syntax.units import Side, UnitKind, UnitName


def fixed_clock() -> datetime:
    return datetime(2026, 11, 30, 12, 0, 0, 5000, tzinfo=UTC)


def method_address(selector: str, owner: str = "Counter", path: str | None = "src/Counter.bt") -> UnitAddress:
    return UnitAddress(path, UnitName(UnitKind.METHOD, owner, Side.INSTANCE, selector))


def patch(
    selector: str,
    before: str | None,
    after: str | None,
    lineage: int = 1,
    intent: Intent = Intent.DURABLE,
    reverts: int | None = None,
) -> NewEntry:
    """A patch of a method of Counter; without `after` its removal."""
    address = method_address(selector)
    edit = Edit(lineage, address if before is not None else None, address, before, after)
    kind = ChangeKind.REMOVE_METHOD if after is None else ChangeKind.INSTANCE
    return NewEntry(kind, "Counter", selector, Side.INSTANCE, edits=(edit,), intent=intent, reverts=reverts)


class FailingFiles:
    """Another `Files`, of which the n-th changing call fails (a later one too when `for_ever`)."""

    def __init__(self, real: Files, fail: Callable[[int, str], bool]) -> None:
        self.real = real
        self.fail = fail
        self.calls: list[str] = []

    def step(self, name: str) -> None:
        self.calls.append(name)
        if self.fail(len(self.calls), name):
            raise OSError(28, f"no space left on device ({name}, call {len(self.calls)})")

    def read(self, path: str) -> bytes:
        return self.real.read(path)

    def write(self, path: str, data: bytes) -> None:
        self.step("write")
        self.real.write(path, data)

    def sync(self, path: str) -> None:
        self.step("sync")
        self.real.sync(path)

    def rename(self, old: str, new: str) -> None:
        self.step("rename")
        self.real.rename(old, new)

    def remove(self, path: str) -> None:
        self.step("remove")
        self.real.remove(path)

    def names(self, folder: str) -> tuple[str, ...]:
        return self.real.names(folder)

    def make_folder(self, path: str) -> None:
        self.step("make_folder")
        self.real.make_folder(path)

    def open_log(self, path: str) -> LogFile:
        self.step("open_log")
        return FailingLog(self, self.real.open_log(path))


class FailingLog:
    """A `LogFile` whose calls fail with those of its `FailingFiles`; a failing append tears."""

    def __init__(self, files: FailingFiles, real: LogFile) -> None:
        self.files = files
        self.real = real

    def read(self) -> bytes:
        return self.real.read()

    def size(self) -> int:
        return self.real.size()

    def append(self, data: bytes) -> None:
        try:
            self.files.step("append")
        except OSError:
            self.real.append(data[: len(data) // 2])
            raise
        self.real.append(data)

    def sync(self) -> None:
        self.files.step("log sync")
        self.real.sync()

    def truncate(self, length: int) -> None:
        self.files.step("truncate")
        self.real.truncate(length)

    def replace(self, data: bytes) -> None:
        self.files.step("replace")
        self.real.replace(data)

    def is_deleted(self) -> bool:
        return self.real.is_deleted()

    def put_back(self) -> None:
        self.files.step("put back")
        self.real.put_back()

    def close(self) -> None:
        self.real.close()
