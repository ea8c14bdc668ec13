"""What every disk must do alike: the machine's and the simulated one."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from workspace.flush.disk import Disk, EntryKind, RealDisk
from workspace.flush.memory_disk import MemoryDisk
from workspace.flush.watched_disk import Call, WatchedDisk


class DiskContract:
    disk: Disk
    root: str

    def file(self, name: str, data: bytes = b"text", bits: int = 0o644) -> str:
        path = f"{self.root}/{name}"
        descriptor = self.disk.create(path, 0o600)
        self.disk.set_mode(descriptor, bits)
        self.disk.write(descriptor, data)
        self.disk.sync(descriptor)
        self.disk.close(descriptor)
        self.disk.sync_folder(self.root)
        return path

    def test_a_new_file_has_its_bytes_and_mode(self) -> None:
        path = self.file("a", b"\x00\r\n\xff", 0o640)
        assert self.disk.read(path) == b"\x00\r\n\xff"
        stat = self.disk.lstat(path)
        assert stat is not None
        assert (stat.kind, stat.mode.bits, stat.signature.size, stat.links) == (EntryKind.FILE, 0o640, 4, 1)

    def test_creation_never_opens_an_old_file(self) -> None:
        path = self.file("a")
        with pytest.raises(FileExistsError):
            self.disk.create(path, 0o600)

    def test_nothing_is_there(self) -> None:
        assert self.disk.lstat(f"{self.root}/none") is None
        assert self.disk.lstat(f"{self.file('a')}/below") is None
        with pytest.raises(FileNotFoundError):
            self.disk.read(f"{self.root}/none")

    def test_an_exchange_changes_names_only(self) -> None:
        one, other = self.file("a", b"1"), self.file("b", b"22")
        before = self.disk.lstat(one), self.disk.lstat(other)
        self.disk.exchange(one, other)
        assert (self.disk.lstat(other), self.disk.lstat(one)) == before
        with pytest.raises(FileNotFoundError):
            self.disk.exchange(one, f"{self.root}/none")

    def test_a_careful_rename_does_not_replace(self) -> None:
        one, other = self.file("a", b"1"), self.file("b", b"22")
        with pytest.raises(FileExistsError):
            self.disk.rename_new(one, other)
        self.disk.rename_new(one, f"{self.root}/c")
        assert sorted(self.disk.listdir(self.root)) == ["b", "c"]

    def test_a_rename_replaces(self) -> None:
        one, other = self.file("a", b"1"), self.file("b", b"22")
        self.disk.rename(one, other)
        assert self.disk.read(other) == b"1"
        assert self.disk.listdir(self.root) == ["b"]

    def test_a_rename_between_two_names_of_a_file_does_nothing(self) -> None:
        one = self.file("a")
        self.disk.link(one, f"{self.root}/b")
        self.disk.rename(one, f"{self.root}/b")
        assert sorted(self.disk.listdir(self.root)) == ["a", "b"]

    def test_a_link_is_another_name(self) -> None:
        one = self.file("a")
        self.disk.link(one, f"{self.root}/b")
        here, there = self.disk.lstat(one), self.disk.lstat(f"{self.root}/b")
        assert here is not None
        assert there is not None
        assert here.is_same_file(there)
        assert here.links == 2
        with pytest.raises(FileExistsError):
            self.disk.link(one, f"{self.root}/b")

    def test_a_symlink_is_seen_itself(self) -> None:
        self.disk.symlink("nowhere", f"{self.root}/a")
        stat = self.disk.lstat(f"{self.root}/a")
        assert stat is not None
        assert stat.kind is EntryKind.LINK
        assert self.disk.readlink(f"{self.root}/a") == "nowhere"
        self.disk.link(f"{self.root}/a", f"{self.root}/b")
        assert self.disk.readlink(f"{self.root}/b") == "nowhere"

    def test_a_symlink_is_read_through(self) -> None:
        self.file("a", b"behind")
        self.disk.symlink("a", f"{self.root}/b")
        assert self.disk.read(f"{self.root}/b") == b"behind"

    def test_folders_come_and_go(self) -> None:
        self.disk.mkdir(f"{self.root}/d")
        with pytest.raises(FileExistsError):
            self.disk.mkdir(f"{self.root}/d")
        assert self.disk.may_write(f"{self.root}/d")
        self.file("d/a")
        with pytest.raises(OSError, match="not empty"):
            self.disk.rmdir(f"{self.root}/d")
        self.disk.unlink(f"{self.root}/d/a")
        self.disk.rmdir(f"{self.root}/d")
        assert self.disk.lstat(f"{self.root}/d") is None

    def test_a_file_without_a_write_bit_is_not_writable(self) -> None:
        assert not self.disk.may_write(self.file("a", bits=0o444))
        assert self.disk.may_write(self.file("b", bits=0o644))


class TestRealDisk(DiskContract):
    @pytest.fixture(autouse=True)
    def _make(self, tmp_path: Path) -> None:
        self.disk, self.root = RealDisk(), str(tmp_path)

    def test_a_name_that_is_no_text(self) -> None:
        path = self.file("caf\udce9")
        self.disk.exchange(path, self.file("b", b"other"))
        assert self.disk.read(path) == b"other"

    def test_a_large_file_is_read_whole(self) -> None:
        data = bytes(range(256)) * 4096
        assert self.disk.read(self.file("a", data)) == data


class TestMemoryDisk(DiskContract):
    @pytest.fixture(autouse=True)
    def _make(self) -> None:
        self.disk, self.root = MemoryDisk(), "/r"
        self.disk.put_folder("/r")


class TestWatchedDisk(TestMemoryDisk):
    @pytest.fixture(autouse=True)
    def _watch(self, _make: None) -> None:
        self.seen: list[Call] = []
        self.disk = WatchedDisk(self.disk, self.seen.append)

    def test_every_call_is_numbered(self) -> None:
        self.file("a")
        assert [call.name for call in self.seen] == [
            "create",
            "set_mode",
            "write",
            "sync",
            "close",
            "sync_folder",
        ]
        assert [call.number for call in self.seen] == list(range(6))


def _at_most(k: int, n: int) -> int:
    return min(k, n - 1)


class TestCrash:
    def make(self) -> MemoryDisk:
        disk = MemoryDisk()
        disk.put_file("/a", b"old")
        return disk

    def test_what_was_synced_stays(self) -> None:
        disk = self.make()
        descriptor = disk.create("/b", 0o600)
        disk.write(descriptor, b"new")
        disk.sync(descriptor)
        assert disk.crash(lambda _n: 0).tree() == {"/a": b"old"}
        disk.sync_folder("/")
        assert disk.crash(lambda _n: 0).tree() == {"/a": b"old", "/b": b"new"}

    def test_bytes_that_were_not_synced_may_be_lost_in_part(self) -> None:
        disk = self.make()
        descriptor = disk.create("/b", 0o600)
        disk.write(descriptor, b"new!")
        disk.sync_folder("/")
        left = {disk.crash(partial(_at_most, k)).tree()["/b"] for k in range(3)}
        assert left == {b"", b"ne", b"new!"}

    def test_an_unlinked_file_comes_back_unless_the_folder_was_synced(self) -> None:
        disk = self.make()
        disk.unlink("/a")
        assert disk.crash(lambda _n: 0).tree() == {"/a": b"old"}
        disk.sync_folder("/")
        assert disk.crash(lambda _n: 0).tree() == {}

    def test_a_kill_loses_nothing(self) -> None:
        disk = self.make()
        disk.save_in_place("/a", b"typed")
        assert disk.copy().tree() == {"/a": b"typed"}
