"""An editor saves one of the files at each call of a flush: its bytes are somewhere (changes.md 11)."""

from __future__ import annotations

import errno
import itertools
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.faults.flush_scenes import (
    AREA,
    ROOT,
    SCENES,
    SYSTEMS,
    A,
    Scene,
    flush,
    killed_at,
    marked,
    recovered,
    sources,
    splice,
)
from workspace.flush.arrange import fold
from workspace.flush.disk import Disk
from workspace.flush.memory_disk import Feature, MemoryDisk
from workspace.flush.outcome import Committed, ConflictReason, NothingWritten, RecoveryNeeded, WriteOutcome
from workspace.flush.watched_disk import Call, WatchedDisk, nothing

Save = Callable[[MemoryDisk, str, bytes], None]
SAVES: tuple[Save, ...] = (MemoryDisk.save_in_place, MemoryDisk.save_by_replacing)
every_save = pytest.mark.parametrize("save", SAVES, ids=["in-place", "by-replacing"])


def paths_of(scene: Scene) -> list[str]:
    """The paths at which an editor may have a file open."""
    return [row.path for row in scene.rows if row.path in scene.files]


def typed(scene: Scene, path: str, *, same_size: bool) -> bytes:
    before = scene.files[path]
    return b"TYPED" + before[5:] if same_size else before + b"typed\n"


def edited_flush(
    scene: Scene, disk: MemoryDisk, saves: dict[int, tuple[Save, str, bytes]]
) -> tuple[WriteOutcome, int]:
    def watch(call: Call) -> None:
        if call.number in saves:
            save, path, data = saves[call.number]
            save(disk, f"{ROOT}/{path}", data)

    watched = WatchedDisk(disk, watch, nothing)
    return flush(watched, scene), watched.calls


def assert_nothing_lost(
    scene: Scene, disk: MemoryDisk, outcome: WriteOutcome, path: str, data: bytes
) -> None:
    assert isinstance(outcome, Committed | NothingWritten)
    assert not outcome.leftovers
    tree = sources(disk)
    kept = [disk.read(file.kept) for file in outcome.kept]
    assert data in tree.values() or data in kept
    # The other files are all old or all new, as the log says, and nothing is left of the flush.
    assert isinstance(outcome, Committed) == marked(disk)
    expected = dict(scene.after if marked(disk) else scene.before)
    others = {name for name in tree.keys() | expected.keys() if name.casefold() != path.casefold()}
    assert {name: tree.get(name) for name in others} == {name: expected.get(name) for name in others}
    assert set(disk.listdir(AREA.path)) <= {"kept"}


def assert_an_editor_loses_nothing(
    scene: Scene, system: frozenset[Feature], save: Save, stride: int, *, same_size: bool = False
) -> None:
    outcomes = set()
    for path in paths_of(scene):
        data = typed(scene, path, same_size=same_size)
        for at in itertools.count(0, stride):
            disk = scene.disk(system, 1_000_000 if same_size else 1)
            outcome, calls = edited_flush(scene, disk, {at: (save, path, data)})
            if calls <= at:
                break
            outcomes.add(type(outcome))
            assert_nothing_lost(scene, disk, outcome, path, data)
            assert not isinstance(outcome, RecoveryNeeded)
            if not same_size:
                # What a signature shows never has to be kept: it is where the editor put it.
                assert not outcome.kept
                assert data in [text for name, text in sources(disk).items() if fold(name) == fold(path)]
    assert outcomes == {Committed, NothingWritten}


names = pytest.mark.parametrize("name", [name for name in SCENES if name != "create"])


@names
@every_save
def test_an_editor_that_saves_at_any_call_loses_nothing(name: str, save: Save) -> None:
    for system in (SYSTEMS["all"], SYSTEMS["links-only"]):
        assert_an_editor_loses_nothing(SCENES[name], system, save, 1)


@names
def test_a_save_that_no_signature_shows_is_kept(name: str) -> None:
    # Same size, same inode, and a clock too coarse to tell: only the bytes do.
    assert_an_editor_loses_nothing(SCENES[name], SYSTEMS["all"], SAVES[0], 1, same_size=True)


@pytest.mark.slow
@names
@every_save
@pytest.mark.parametrize("same_size", [False, True])
@pytest.mark.parametrize("system", SYSTEMS.values(), ids=SYSTEMS.keys())
def test_an_editor_on_every_system_loses_nothing(
    name: str, save: Save, system: frozenset[Feature], same_size: bool
) -> None:
    assert_an_editor_loses_nothing(SCENES[name], system, save, 1, same_size=same_size)


@given(st.data())
def test_two_saves_at_any_two_calls_lose_at_most_the_first(data: st.DataObject) -> None:
    scene = SCENES[data.draw(st.sampled_from(["edits", "rename", "swap", "delete"]))]
    system = SYSTEMS[data.draw(st.sampled_from(sorted(SYSTEMS)))]
    path = data.draw(st.sampled_from(paths_of(scene)))
    first, second = sorted(data.draw(st.lists(st.integers(0, 110), min_size=2, max_size=2, unique=True)))
    before = scene.files[path]
    saves = {
        first: (data.draw(st.sampled_from(SAVES)), path, before + b"first\n"),
        second: (data.draw(st.sampled_from(SAVES)), path, before + b"second\n"),
    }
    disk = scene.disk(system)
    outcome, calls = edited_flush(scene, disk, saves)
    if calls > first:
        last = saves[second if calls > second else first][2]
        assert_nothing_lost(scene, disk, outcome, path, last)


@given(st.data())
def test_a_save_and_an_error_at_any_two_calls_lose_nothing(data: st.DataObject) -> None:
    scene = SCENES[data.draw(st.sampled_from(["edits", "rename", "swap", "delete", "chain"]))]
    system = SYSTEMS[data.draw(st.sampled_from(sorted(SYSTEMS)))]
    path = data.draw(st.sampled_from([row.path for row in scene.rows]))
    text = scene.files.get(path, A) + b"typed\n"
    save = data.draw(st.sampled_from(SAVES))
    first, gap = data.draw(st.integers(0, 110)), data.draw(st.integers(-10, 10))
    disk = scene.disk(system)
    saved = []

    def watch(call: Call) -> None:
        if call.number == first:
            save(disk, f"{ROOT}/{path}", text)
            saved.append(call)
        if call.number == first + gap:
            raise OSError(errno.EIO, "broken")

    outcome = flush(WatchedDisk(disk, watch, nothing), scene)
    kept = [] if isinstance(outcome, RecoveryNeeded) else [file.kept for file in outcome.kept]
    report = recovered(disk)
    kept += [file.kept for each in report.recovered for file in each.kept]
    held = [*sources(disk).values(), *(disk.read(file) for file in kept if disk.lstat(file))]
    merged = [splice(text, row.edits) for row in scene.rows if row.path == path and row.edits]
    assert not saved or any(each in held for each in [text, *merged])


@every_save
@pytest.mark.parametrize("system", ["all", "links-only"])
def test_a_save_into_a_new_file_that_is_being_taken_back_is_not_lost(save: Save, system: str) -> None:
    scene, path, text = SCENES["create"], "/p/new/deep/b.bt", b"typed\n"
    broken = call_of_append(scene, SYSTEMS[system])
    for at in itertools.count(broken + 1):
        disk = scene.disk(SYSTEMS[system])
        saved: list[Call] = []

        def watch(call: Call, disk: MemoryDisk = disk, at: int = at, saved: list[Call] = saved) -> None:
            if call.number == broken:
                raise OSError(errno.ENOSPC, "full")
            if call.number == at and disk.lstat(path) is not None:
                save(disk, path, text)
                saved.append(call)

        watched = WatchedDisk(disk, watch, nothing)
        outcome = flush(watched, scene)
        assert isinstance(outcome, NothingWritten)
        held = [*sources(disk).values(), *(disk.read(file.kept) for file in outcome.kept)]
        assert not saved or text in held
        if watched.calls <= at:
            return


def test_a_conflict_names_the_file_and_leaves_no_other_alone() -> None:
    scene = SCENES["edits"]
    at = call_of_commit(scene, SYSTEMS["all"]) + 2
    disk = scene.disk()
    saves: dict[int, tuple[Save, str, bytes]] = {at: (MemoryDisk.save_in_place, "lib/c.bt", b"typed\n")}
    outcome, _ = edited_flush(scene, disk, saves)
    assert isinstance(outcome, NothingWritten)
    assert [(each.path, each.reason) for each in outcome.conflicts] == [
        ("lib/c.bt", ConflictReason.EXTERNAL_EDIT)
    ]
    assert outcome.left_alone == ()


# ---------------------------------------------------------------------------- a race and a crash


def test_a_flush_that_an_editor_stops_and_a_kill_meets_is_taken_back_or_finished() -> None:
    """The kill may come before the journal is `.abort`: then recovery goes on, and merges the edit."""
    scene = SCENES["edits"]
    ended = set()
    for system in SYSTEMS.values():
        for save, data in itertools.product(
            SAVES, (scene.files["lib/c.bt"] + b"typed\n", b"all is new here\n")
        ):
            at = call_of_commit(scene, system) + 3
            for kill in itertools.count(at + 1):
                disk = scene.disk(system)

                def action(watched: Disk, disk: MemoryDisk = disk, at: int = at, save: Save = save,
                           data: bytes = data) -> None:  # fmt: skip
                    def watch(call: Call) -> None:
                        if call.number == at:
                            save(disk, "/p/lib/c.bt", data)

                    flush(WatchedDisk(watched, watch, nothing), scene)

                alive = not killed_at(disk, kill, action)
                disk = disk.copy()
                report = recovered(disk)
                assert report.is_clear
                ended.add(marked(disk))
                merged = splice(data, scene.rows[2].edits) or data
                expected = (
                    {**scene.after, "lib/c.bt": merged}
                    if marked(disk)
                    else {**scene.before, "lib/c.bt": data}
                )
                assert sources(disk) == expected
                if alive:
                    break
    assert ended == {False, True}


def call_of_append(scene: Scene, system: frozenset[Feature]) -> int:
    """The number of the last write: the marks."""
    found: list[int] = []

    def watch(call: Call) -> None:
        if call.name == "write":
            found.append(call.number)

    flush(WatchedDisk(scene.disk(system), watch, nothing), scene)
    return found[-1]


def call_of_commit(scene: Scene, system: frozenset[Feature]) -> int:
    """The number of the first plain rename: the commit point."""
    found: list[int] = []

    def watch(call: Call) -> None:
        if call.name == "rename":
            found.append(call.number)

    disk = scene.disk(system)
    flush(WatchedDisk(disk, watch, nothing), scene)
    return found[0]


def test_the_typed_text_differs_from_all_states() -> None:
    # The law above would hold for nothing if the editor saved what the flush writes.
    assert typed(SCENES["edit"], "a.bt", same_size=True) != A
    assert len(typed(SCENES["edit"], "a.bt", same_size=True)) == len(A)
