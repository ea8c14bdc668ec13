"""A child process that is killed (SIGKILL) at each call on the machine's own disk (changes.md 11)."""

from __future__ import annotations

import itertools
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faults.flush_scenes import FLUSH_ID, SCENES, Scene, splice
from workspace.flush.commit import FlushRequest, write
from workspace.flush.disk import Disk, RealDisk, Unsupported
from workspace.flush.journal import FlushFolder, Journal
from workspace.flush.recover import recover
from workspace.flush.watched_disk import Call, WatchedDisk

REAL_SCENES = [name for name in SCENES if not name.startswith("case")]


class FileMarks:
    """A log of one line a flush."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def exist(self, flush_id: str) -> bool:
        return self._path.exists() and f"{flush_id}\n" in self._path.read_text()

    def append(self, journal: Journal) -> None:
        with self._path.open("a") as log:
            log.write(f"{journal.flush_id}\n")
            log.flush()
            os.fsync(log.fileno())


class PlainDisk(RealDisk):
    """A system without `renameat2`."""

    def rename_new(self, source: str, target: str) -> None:
        raise Unsupported(source)

    def exchange(self, one: str, other: str) -> None:
        raise Unsupported(one)


class Place:
    def __init__(self, root: Path, scene: Scene) -> None:
        self.root, self.scene = root, scene
        self.area = FlushFolder(str(root), str(root / ".beamtalk/flush"))
        self.marks = FileMarks(root / ".beamtalk/log")
        (root / ".beamtalk").mkdir(parents=True)
        for name, data in scene.files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_bytes(data)
        for name, text in scene.links.items():
            (root / name).symlink_to(text)

    def flush(self, disk: Disk) -> None:
        write(disk, self.area, FlushRequest(FLUSH_ID, self.scene.rows, (1,)), self.marks, lambda: None)

    def recover(self, disk: Disk) -> None:
        assert recover(disk, self.area, self.marks, splice).is_clear

    def tree(self) -> dict[str, bytes | str]:
        own = self.root / ".beamtalk"
        found: dict[str, bytes | str] = {}
        for path in self.root.rglob("*"):
            if own not in path.parents and (path.is_symlink() or path.is_file()):
                name = str(path.relative_to(self.root))
                found[name] = str(path.readlink()) if path.is_symlink() else path.read_bytes()
        return found

    def assert_whole(self) -> None:
        marked = self.marks.exist(FLUSH_ID)
        assert self.tree() == dict(self.scene.after if marked else self.scene.before)
        flush = self.root / ".beamtalk/flush"
        assert not flush.exists() or list(flush.iterdir()) == []


def killed_in_child(action: Callable[[Disk], None], disk: Disk, at: int) -> bool:
    """Run in a child that kills itself before call `at`; whether it died of that."""

    def watch(call: Call) -> None:
        if call.number == at:
            os.kill(os.getpid(), signal.SIGKILL)

    child = os.fork()
    if child == 0:
        try:
            action(WatchedDisk(disk, watch))
        except BaseException:  # noqa: BLE001 - nothing of the child may go on in the test run
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0
    return os.WIFSIGNALED(status)


def enumerate_kills(tmp_path: Path, name: str, disk: Disk, stride: int, second_stride: int) -> None:
    for at in itertools.count(0, stride):
        for again in itertools.count(0, second_stride):
            place = Place(tmp_path / f"{at}-{again}", SCENES[name])
            died = killed_in_child(place.flush, disk, at)
            died_again = killed_in_child(place.recover, disk, again)
            place.recover(disk)
            place.assert_whole()
            if not died_again:
                break
        if not died:
            return


@pytest.mark.parametrize("disk", [RealDisk(), PlainDisk()], ids=["renameat2", "plain"])
def test_a_killed_process_leaves_all_or_nothing(tmp_path: Path, disk: Disk) -> None:
    enumerate_kills(tmp_path, "rename", disk, 7, 23)


STRIDE = int(os.environ.get("KILL_STRIDE", "4"))
"""Every how many calls a process is killed; `KILL_STRIDE=1` kills at each, and takes a quarter of an hour."""


@pytest.mark.slow
@pytest.mark.parametrize("name", REAL_SCENES)
@pytest.mark.parametrize("disk", [RealDisk(), PlainDisk()], ids=["renameat2", "plain"])
def test_a_process_killed_at_many_calls_leaves_all_or_nothing(tmp_path: Path, name: str, disk: Disk) -> None:
    enumerate_kills(tmp_path, name, disk, STRIDE, 7)
