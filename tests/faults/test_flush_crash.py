"""Kill a flush at each call of the file system, recover, kill the recovery likewise (changes.md 11)."""

from __future__ import annotations

import errno
import itertools
import random
from collections.abc import Callable

import pytest

from tests.faults.flush_scenes import (
    SCENES,
    SYSTEMS,
    Killed,
    Scene,
    assert_whole,
    flush,
    killed_at,
    marked,
    recovered,
    sources,
)
from workspace.flush.memory_disk import Feature, MemoryDisk
from workspace.flush.outcome import Committed, Direction
from workspace.flush.watched_disk import Call, WatchedDisk, nothing

every_scene = pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES.keys())
every_system = pytest.mark.parametrize("system", SYSTEMS.values(), ids=SYSTEMS.keys())
Choose = Callable[[int], int]


@every_scene
@every_system
def test_a_flush_writes_all(scene: Scene, system: frozenset[Feature]) -> None:
    disk = scene.disk(system)
    assert flush(disk, scene) == Committed("7f")
    assert marked(disk)
    assert_whole(disk, scene)


def crashed_disks(scene: Scene, system: frozenset[Feature], choose: Choose) -> list[MemoryDisk]:
    """What each kill of the flush leaves."""
    found = []
    for at in itertools.count():
        disk = scene.disk(system)
        alive = not killed_at(disk, at, lambda watched: flush(watched, scene))
        found.append(disk.crash(choose))
        if alive:
            return found
    raise AssertionError


def everything(n: int) -> int:
    return n - 1


def nothing_unsynced(_n: int) -> int:
    return 0


# Each scene where all is offered, and each system where names change places and appear.
some_pairs = pytest.mark.parametrize(
    ("scene", "system"),
    [
        pytest.param(SCENES[scene], SYSTEMS[system], id=f"{scene}-{system}")
        for scene, system in itertools.product(SCENES, SYSTEMS)
        if system == "all" or scene in {"rename", "case"} or (scene, system) == ("swap", "links-only")
    ],
)


@some_pairs
def test_a_kill_at_any_call_leaves_all_or_nothing(scene: Scene, system: frozenset[Feature]) -> None:
    outcomes: set[Direction] = set()
    for disk in crashed_disks(scene, system, everything):
        report = recovered(disk)
        assert report.is_clear
        assert not any(each.left_alone or each.kept for each in report.recovered)
        outcomes.update(each.direction for each in report.recovered)
        assert_whole(disk, scene)
    # The enumeration has seen each kind of end.
    assert outcomes == {Direction.NEVER_BEGUN, Direction.FINISHED, Direction.CLEANED_UP}


def assert_power_loss_does_no_harm(scene: Scene, system: frozenset[Feature], seeds: range) -> None:
    chooses: list[Choose] = [nothing_unsynced, *(random.Random(seed).randrange for seed in seeds)]
    for choose in chooses:
        for disk in crashed_disks(scene, system, choose):
            report = recovered(disk)
            assert report.is_clear
            assert not any(each.left_alone or each.kept for each in report.recovered)
            assert_whole(disk, scene)


@some_pairs
def test_a_power_loss_at_any_call_leaves_all_or_nothing(scene: Scene, system: frozenset[Feature]) -> None:
    assert_power_loss_does_no_harm(scene, system, range(1))


@pytest.mark.slow
@every_scene
@every_system
def test_power_losses_of_many_kinds_leave_all_or_nothing(scene: Scene, system: frozenset[Feature]) -> None:
    assert_power_loss_does_no_harm(scene, system, range(1, 12))


def assert_recovery_survives_kills(disk: MemoryDisk, scene: Scene, choose: Choose, stride: int) -> None:
    for at in itertools.count(0, stride):
        again = disk.copy()
        alive = not killed_at(again, at, recovered)
        again = again.crash(choose)
        report = recovered(again)
        assert report.is_clear
        assert not any(each.left_alone or each.kept for each in report.recovered)
        assert_whole(again, scene)
        if alive:
            return


@pytest.mark.parametrize("name", ["rename", "swap", "create", "case"])
def test_a_recovery_killed_now_and_then_is_repeated(name: str) -> None:
    scene = SCENES[name]
    for system in (SYSTEMS["all"], SYSTEMS["links-only"], SYSTEMS["no-replace-only"]):
        for disk in crashed_disks(scene, system, everything)[::7]:
            assert_recovery_survives_kills(disk, scene, everything, 4)
            assert_recovery_survives_kills(disk, scene, nothing_unsynced, 6)


def broken_then_crashed(scene: Scene, system: frozenset[Feature], broken: int, choose: Choose) -> bool:
    """An error at one call, a crash at each later one; False when the error comes too late to matter."""
    for at in itertools.count(broken + 1):
        disk = scene.disk(system)
        calls = [0]

        def watch(call: Call, at: int = at, calls: list[int] = calls) -> None:
            calls[0] = call.number
            if call.number == broken:
                raise OSError(errno.EIO, "broken")
            if call.number == at:
                raise Killed

        try:
            flush(WatchedDisk(disk, watch, nothing), scene)
            alive = True
        except Killed:
            alive = False
        disk = disk.crash(choose)
        assert recovered(disk).is_clear
        assert_whole(disk, scene)
        if alive:
            return calls[0] >= broken
    raise AssertionError


@pytest.mark.parametrize("choose", [everything, nothing_unsynced, random.Random(5).randrange])
@pytest.mark.parametrize("system", ["all", "links-only"])
def test_a_crash_while_a_flush_is_taken_back_leaves_all_or_nothing(choose: Choose, system: str) -> None:
    for name in ("rename", "create"):
        broken = 0
        while broken_then_crashed(SCENES[name], SYSTEMS[system], broken, choose):
            broken += 5


@pytest.mark.slow
@every_scene
@every_system
def test_a_crash_at_any_call_of_any_taking_back_leaves_all_or_nothing(
    scene: Scene, system: frozenset[Feature]
) -> None:
    for start, choose in enumerate([everything, nothing_unsynced, random.Random(7).randrange]):
        broken = start
        while broken_then_crashed(scene, system, broken, choose):
            broken += 3


@pytest.mark.slow
@every_scene
@every_system
def test_a_recovery_killed_at_any_call_is_repeated(scene: Scene, system: frozenset[Feature]) -> None:
    for disk in crashed_disks(scene, system, everything):
        assert_recovery_survives_kills(disk, scene, everything, 1)
    for choose in (nothing_unsynced, random.Random(9).randrange):
        for disk in crashed_disks(scene, system, choose)[::4]:
            assert_recovery_survives_kills(disk, scene, choose, 4)


def test_a_kill_before_the_commit_point_and_one_behind_it_differ() -> None:
    trees = [sources(disk) for disk in crashed_disks(SCENES["swap"], SYSTEMS["all"], everything)]
    assert SCENES["swap"].before in trees
    assert SCENES["swap"].after in trees
