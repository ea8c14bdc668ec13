"""An error of the system at each call of a flush and of a recovery (changes.md 11)."""

from __future__ import annotations

import errno
import itertools
import os
from collections.abc import Callable

import pytest

from tests.faults.flush_scenes import (
    SCENES,
    SYSTEMS,
    Scene,
    assert_whole,
    flush,
    killed_at,
    marked,
    recovered,
    sources,
)
from workspace.flush.disk import Disk
from workspace.flush.memory_disk import Feature, MemoryDisk
from workspace.flush.outcome import Committed, NothingWritten, RecoveryNeeded, WriteOutcome
from workspace.flush.watched_disk import Call, WatchedDisk, nothing

CODES = (errno.ENOSPC, errno.EACCES, errno.EIO, errno.EXDEV, errno.EROFS, errno.ENOENT, errno.EEXIST)
Watch = Callable[[Call], None]
Wrap = Callable[[Disk, Watch], WatchedDisk]


def before_call(disk: Disk, watch: Watch) -> WatchedDisk:
    return WatchedDisk(disk, watch, nothing)


def after_call(disk: Disk, watch: Watch) -> WatchedDisk:
    """The call is done and reports an error all the same."""
    return WatchedDisk(disk, nothing, watch)


def once(code: int, at: int) -> Watch:
    def watch(call: Call) -> None:
        if call.number == at:
            raise OSError(code, os.strerror(code), call.name)

    return watch


def from_then_on(code: int, at: int) -> Watch:
    def watch(call: Call) -> None:
        if call.number >= at:
            raise OSError(code, os.strerror(code), call.name)

    return watch


def assert_outcome_is_true(disk: MemoryDisk, scene: Scene, outcome: WriteOutcome) -> None:
    """What was said is so; and the next recovery leaves nothing behind."""
    match outcome:
        case Committed(leftovers=leftovers):
            assert marked(disk)
            told = bool(leftovers)
            tree: dict[str, bytes | str] | None = dict(scene.after)
        case NothingWritten(leftovers=leftovers, left_alone=left, reason=reason):
            assert not marked(disk)
            assert not left
            assert_same_files(disk, scene)
            assert reason
            told = bool(leftovers)
            tree = scene.before
        case RecoveryNeeded(reason=reason):
            assert reason
            told, tree = True, None
    if tree is not None:
        seen = sources(disk)
        assert tree.items() <= seen.items()
        assert told or tree == seen
    assert recovered(disk).is_clear
    assert_whole(disk, scene)


def assert_same_files(disk: MemoryDisk, scene: Scene) -> None:
    """Not only the bytes: the very files stand there, so that their other names stay theirs."""
    for name in scene.files:
        now, then = disk.lstat(f"/p/{name}"), scene.disk().lstat(f"/p/{name}")
        assert now is not None
        assert then is not None
        assert (now.signature, now.mode) == (then.signature, then.mode)


def assert_errors_do_no_harm(
    scene: Scene,
    system: frozenset[Feature],
    wrap: Wrap,
    fail: Callable[[int, int], Watch],
    codes: tuple[int, ...],
) -> set[type[WriteOutcome]]:
    seen: set[type[WriteOutcome]] = set()
    for at, code in ((at, code) for at in itertools.count() for code in codes):
        disk = scene.disk(system)
        watched = wrap(disk, fail(code, at))
        outcome = flush(watched, scene)
        seen.add(type(outcome))
        assert_outcome_is_true(disk, scene, outcome)
        if watched.calls <= at:
            return seen
    raise AssertionError


pairs = pytest.mark.parametrize(
    ("scene", "system"),
    [
        pytest.param(SCENES[name], SYSTEMS[system], id=f"{name}-{system}")
        for name, system in itertools.product(SCENES, SYSTEMS)
        if system == "all" or name == "rename"
    ],
)
all_pairs = pytest.mark.parametrize(
    ("scene", "system"),
    [
        pytest.param(SCENES[name], SYSTEMS[system], id=f"{name}-{system}")
        for name, system in itertools.product(SCENES, SYSTEMS)
    ],
)


@pairs
def test_an_error_at_any_call_leaves_all_or_nothing(scene: Scene, system: frozenset[Feature]) -> None:
    seen = assert_errors_do_no_harm(scene, system, before_call, once, (errno.ENOSPC, errno.EEXIST))
    assert seen == {Committed, NothingWritten, RecoveryNeeded} or seen == {Committed, NothingWritten}


@pairs
def test_a_disk_that_fails_from_any_call_on_leaves_all_or_nothing(
    scene: Scene, system: frozenset[Feature]
) -> None:
    seen = assert_errors_do_no_harm(scene, system, before_call, from_then_on, (errno.EIO,))
    assert seen == {Committed, NothingWritten, RecoveryNeeded}


@pairs
def test_a_call_that_is_done_and_fails_leaves_all_or_nothing(
    scene: Scene, system: frozenset[Feature]
) -> None:
    assert_errors_do_no_harm(scene, system, after_call, once, (errno.ENOENT,))


@pytest.mark.slow
@all_pairs
@pytest.mark.parametrize("fail", [once, from_then_on])
@pytest.mark.parametrize("wrap", [before_call, after_call])
def test_every_error_at_every_call(
    scene: Scene, system: frozenset[Feature], wrap: Wrap, fail: Callable[[int, int], Watch]
) -> None:
    assert_errors_do_no_harm(scene, system, wrap, fail, CODES)


def assert_failing_recovery_does_no_harm(
    scene: Scene, killed: int, fail: Callable[[int, int], Watch]
) -> bool:
    first = scene.disk()
    if not killed_at(first, killed, lambda watched: flush(watched, scene)):
        return False
    for at in itertools.count():
        disk = first.copy()
        watched = WatchedDisk(disk, fail(errno.EIO, at), nothing)
        recovered(watched)
        assert recovered(disk).is_clear
        assert_whole(disk, scene)
        if watched.calls <= at:
            return True
    raise AssertionError


@pytest.mark.parametrize("name", ["rename", "swap"])
@pytest.mark.parametrize("fail", [once, from_then_on])
def test_a_recovery_that_fails_is_repeated(name: str, fail: Callable[[int, int], Watch]) -> None:
    killed = 0
    while assert_failing_recovery_does_no_harm(SCENES[name], killed, fail):
        killed += 9
    assert killed > 50


def remove_folder(disk: MemoryDisk, folder: str) -> None:
    for path in disk.tree(folder):
        disk.unlink(path)
    disk.rmdir(folder)


def test_a_folder_that_vanishes_at_any_call_is_survived() -> None:
    scene = SCENES["edits"]
    for at in itertools.count():
        disk = scene.disk()

        def watch(call: Call, disk: MemoryDisk = disk, at: int = at) -> None:
            if call.number == at:
                remove_folder(disk, "/p/lib")

        watched = WatchedDisk(disk, watch, nothing)
        outcome = flush(watched, scene)
        recovered(disk)
        rest = {path: data for path, data in sources(disk).items() if path.startswith("src/")}
        expected = scene.after if marked(disk) else scene.before
        assert rest == {path: data for path, data in expected.items() if path.startswith("src/")}
        assert set(disk.listdir("/p/.beamtalk/flush")) <= {"kept"}
        if watched.calls <= at:
            assert isinstance(outcome, Committed)
            return
