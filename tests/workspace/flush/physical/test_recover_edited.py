"""Recovery where somebody was there after the crash (changes.md 5, recovery)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.faults.flush_scenes import (
    A2,
    AREA,
    FLUSH_ID,
    LOG,
    NO_EXCHANGE,
    SCENES,
    SYSTEMS,
    A,
    DiskMarks,
    Scene,
    assert_whole,
    flush,
    killed_at,
    marked,
    recovered,
    sources,
    splice,
)
from workspace.flush.journal import (
    Damaged,
    FlushFolder,
    Journal,
    StagedRow,
    read_begin,
    read_journal,
    write_journal,
)
from workspace.flush.memory_disk import Feature, MemoryDisk
from workspace.flush.outcome import Direction, LeftAlone, NothingWritten, Recovered, RecoveryNeeded
from workspace.flush.recover import recover, recovery_is_due
from workspace.flush.watched_disk import Call, WatchedDisk

EDIT = SCENES["edit"]


def crashed_after(
    scene: Scene, name: str, nth: int = 1, system: frozenset[Feature] = SYSTEMS["all"]
) -> MemoryDisk:
    """The disk when the process dies just after the n-th call of this name, the commit point counted."""
    disk = scene.disk(system)
    at, seen = [-1], [0]

    def find(call: Call) -> None:
        if call.name == name:
            seen[0] += 1
            if seen[0] == nth:
                at[0] = call.number

    flush(WatchedDisk(scene.disk(system), find), scene)
    assert at[0] >= 0
    killed_at(disk, at[0] + 1, lambda watched: flush(watched, scene))
    return disk.copy()


def committed(scene: Scene, system: frozenset[Feature] = SYSTEMS["all"]) -> MemoryDisk:
    """Killed right behind the commit point."""
    return crashed_after(scene, "rename", 1, system)


def one(disk: MemoryDisk) -> Recovered:
    report = recovered(disk)
    assert report.is_clear
    assert not recovery_is_due(disk, AREA)
    (only,) = report.recovered
    return only


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=SYSTEMS.keys())
@pytest.mark.parametrize("save", [MemoryDisk.save_in_place, MemoryDisk.save_by_replacing])
def test_an_edit_of_other_units_is_merged(
    system: frozenset[Feature], save: Callable[[MemoryDisk, str, bytes], None]
) -> None:
    disk = committed(EDIT, system)
    save(disk, "/p/a.bt", A + b"typed\n")
    assert one(disk) == Recovered(FLUSH_ID, Direction.FINISHED)
    assert sources(disk) == {"a.bt": A2 + b"typed\n"}
    assert marked(disk)


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=SYSTEMS.keys())
def test_a_merge_survives_kills_at_any_call(system: frozenset[Feature]) -> None:
    at, alive = 0, False
    while not alive:
        disk = committed(EDIT, system)
        disk.save_by_replacing("/p/a.bt", A + b"typed\n")
        alive = not killed_at(disk, at, recovered)
        disk = disk.copy()
        report = recovered(disk)
        assert report.is_clear
        assert not any(each.left_alone or each.kept for each in report.recovered)
        assert sources(disk) == {"a.bt": A2 + b"typed\n"}
        at += 1
    assert at > 20


def test_an_edit_of_the_same_unit_is_left_alone_and_both_versions_kept() -> None:
    disk = committed(EDIT)
    disk.save_by_replacing("/p/a.bt", b"head a\nunit by hand\n")
    found = one(disk)
    assert found.left_alone == (LeftAlone("a.bt", "it was edited after the crash"),)
    assert sources(disk) == {"a.bt": b"head a\nunit by hand\n"}
    assert {disk.read(file.kept) for file in found.kept} == {A, A2}
    assert {file.path for file in found.kept} == {"a.bt"}


def test_an_edit_of_the_new_text_is_done_already() -> None:
    disk = crashed_after(EDIT, "exchange")
    disk.save_in_place("/p/a.bt", A2 + b"typed\n")
    found = one(disk)
    assert (found.left_alone, found.kept) == ((), ())
    assert sources(disk) == {"a.bt": A2 + b"typed\n"}


def test_a_file_that_was_deleted_after_the_crash_stays_deleted() -> None:
    disk = committed(EDIT)
    disk.unlink("/p/a.bt")
    found = one(disk)
    assert found.left_alone == (LeftAlone("a.bt", "it was deleted after the crash"),)
    assert sources(disk) == {}
    assert {disk.read(file.kept) for file in found.kept} == {A, A2}


def test_a_file_to_be_deleted_that_was_edited_stays() -> None:
    disk = committed(SCENES["delete"])
    disk.save_by_replacing("/p/a.bt", A + b"typed\n")
    found = one(disk)
    assert [file.path for file in found.left_alone] == ["a.bt"]
    assert sources(disk)["a.bt"] == A + b"typed\n"


def test_a_file_in_the_way_of_a_new_one_stays() -> None:
    disk = committed(SCENES["create"])
    disk.save_in_place("/p/new/deep/b.bt", b"mine\n")
    found = one(disk)
    assert [file.path for file in found.left_alone] == ["new/deep/b.bt"]
    assert sources(disk)["new/deep/b.bt"] == b"mine\n"
    assert [disk.read(file.kept) for file in found.kept] == [SCENES["create"].after["new/deep/b.bt"]]


@pytest.mark.parametrize("name", ["edit", "create", "rename", "swap", "linked", "case"])
def test_a_temp_that_is_gone_is_made_again(name: str) -> None:
    scene = SCENES[name]
    at, alive = 0, False
    while not alive:
        disk = committed(scene)
        for path in list(disk.tree("/p")):
            if path.endswith(".new"):
                disk.unlink(path)
        alive = not killed_at(disk, at, recovered)
        disk = disk.copy()
        recovered(disk)
        assert marked(disk)
        assert_whole(disk, scene)
        at += 1


def test_a_put_aside_file_saved_anew_by_an_editor_is_merged() -> None:
    disk = crashed_after(EDIT, "rename", 2, NO_EXCHANGE)
    assert "a.bt" not in sources(disk)
    disk.save_in_place("/p/a.bt", A + b"typed\n")
    found = one(disk)
    assert (found.left_alone, found.kept) == ((), ())
    assert sources(disk) == {"a.bt": A2 + b"typed\n"}


def test_a_damaged_journal_is_left_and_reported() -> None:
    disk = committed(EDIT)
    path = AREA.journal(FLUSH_ID)
    disk.save_in_place(path, disk.read(path).replace(b"opaque", b"opaquE"))
    before = disk.tree()
    report = recovered(disk)
    assert report.blocked == (RecoveryNeeded(FLUSH_ID, "the checksum is wrong"),)
    assert not report.is_clear
    assert disk.tree() == before
    assert isinstance(flush(disk, EDIT), RecoveryNeeded)


def test_marks_beside_an_abort_decide() -> None:
    # The log could not be cut back, and the power failed: the tree must agree with it.
    scene = SCENES["rename"]
    disk = committed(scene)
    disk.rename(AREA.journal(FLUSH_ID), AREA.abort(FLUSH_ID))
    disk.put_file(f"{LOG}/{FLUSH_ID}", b"marked")
    recovered(disk)
    assert_whole(disk, scene)
    assert marked(disk)


def test_an_abort_goes_back_and_leaves_what_was_edited_since() -> None:
    scene = SCENES["edits"]
    disk = crashed_after(scene, "exchange", 3)
    disk.rename(AREA.journal(FLUSH_ID), AREA.abort(FLUSH_ID))
    disk.save_in_place("/p/src/b.bt", b"mine\n")
    found = one(disk)
    assert found.direction is Direction.TAKEN_BACK
    assert [file.path for file in found.left_alone] == ["src/b.bt"]
    assert sources(disk) == {**scene.before, "src/b.bt": b"mine\n"}
    assert scene.files["src/b.bt"] in [disk.read(file.kept) for file in found.kept]
    assert not marked(disk)


def test_recovery_is_due_only_when_something_is_left() -> None:
    assert not recovery_is_due(EDIT.disk(), AREA)
    assert recovery_is_due(committed(EDIT), AREA)
    assert not recovery_is_due(MemoryDisk(), FlushFolder("/none", "/none/flush"))


# ---------------------------------------------------------------------------- before the commit point


def test_a_backup_exists_before_the_commit_point() -> None:
    for system in SYSTEMS.values():
        disk = committed(SCENES["edits"], system)
        olds = {data for path, data in sources(disk).items() if path.endswith(".old")}
        assert olds == {SCENES["edits"].files[name] for name in ("src/a.bt", "src/b.bt", "lib/c.bt")}


def test_a_save_before_the_commit_point_stops_the_flush_there() -> None:
    names: list[str] = []
    disk = EDIT.disk()

    def watch(call: Call) -> None:
        names.append(call.name)
        if call.name == "link":
            disk.save_in_place("/p/a.bt", b"typed\n")

    outcome = flush(WatchedDisk(disk, watch), EDIT)
    assert isinstance(outcome, NothingWritten)
    assert [conflict.path for conflict in outcome.conflicts] == ["a.bt"]
    assert "rename" not in names
    assert disk.listdir(AREA.path) == []


def test_a_file_system_that_cannot_create_without_replacing_is_refused() -> None:
    for name in ("edit", "create"):
        disk = SCENES[name].disk(frozenset())
        assert isinstance(flush(disk, SCENES[name]), NothingWritten)
        assert_whole(disk, SCENES[name])


# ---------------------------------------------------------------------------- foreign bytes


class _LateEditor:
    """Marks during which an editor with an open file writes into the version that went away."""

    def __init__(self, disk: MemoryDisk) -> None:
        self._disk = disk
        self.kept_at_append: list[str] = []

    def exist(self, flush_id: str) -> bool:
        return DiskMarks(self._disk).exist(flush_id)

    def append(self, journal: Journal) -> None:
        folder = AREA.kept(journal.flush_id)
        self.kept_at_append = self._disk.listdir(folder) if self._disk.lstat(folder) else []
        DiskMarks(self._disk).append(journal)
        self._disk.save_in_place(journal.rows[0].backup, b"LATER")


def test_bytes_written_into_the_old_file_at_the_last_instant_are_kept() -> None:
    from workspace.flush.commit import FlushRequest, write  # noqa: PLC0415
    from workspace.flush.outcome import Committed  # noqa: PLC0415

    disk = EDIT.disk()
    marks = _LateEditor(disk)
    outcome = write(disk, AREA, FlushRequest(FLUSH_ID, EDIT.rows, (1,)), marks, lambda: None)
    assert isinstance(outcome, Committed)
    assert [disk.read(file.kept) for file in outcome.kept] == [b"LATER"]
    assert marks.kept_at_append == []
    assert sources(disk) == {"a.bt": A2}


def test_foreign_bytes_are_kept_and_durable_before_the_marks() -> None:
    scene, found = EDIT, [0]
    disk = scene.disk(coarseness=10**6)

    def watch(call: Call) -> None:
        # Behind the last look at the old file: only reading it again can tell.
        if call.name == "exchange":
            disk.save_in_place("/p/a.bt", b"head A\nunit a1\n")
        if call.name == "create" and disk.lstat(AREA.kept(FLUSH_ID)):
            kept = disk.listdir(AREA.kept(FLUSH_ID))
            crashed = disk.crash(lambda _n: 0)
            assert crashed.listdir(AREA.kept(FLUSH_ID)) == kept
            found[0] = len(kept)

    flush(WatchedDisk(disk, watch), scene)
    assert found == [1]


# ---------------------------------------------------------------------------- records


def test_a_journal_comes_back_as_it_was() -> None:
    for scene in SCENES.values():
        disk = committed(scene)
        journal = read_journal(disk, AREA, AREA.journal(FLUSH_ID))
        assert (journal.flush_id, journal.seqs, journal.payload) == (FLUSH_ID, (1, 2), "opaque")
        write_journal(disk, AREA, journal)
        assert disk.read(AREA.unborn(FLUSH_ID)) == disk.read(AREA.journal(FLUSH_ID))


def test_a_project_that_was_moved_is_recovered_where_it_is() -> None:
    disk = committed(EDIT)
    moved = MemoryDisk()
    for path, data in disk.tree("/p").items():
        moved.put_file(path.replace("/p/", "/elsewhere/", 1), data if isinstance(data, bytes) else b"")
    moved.put_folder("/p/.beamtalk/log")
    area = FlushFolder("/elsewhere", "/elsewhere/.beamtalk/flush")
    assert recover(moved, area, DiskMarks(moved), splice).is_clear
    assert {path: data for path, data in moved.tree("/elsewhere").items() if "beamtalk" not in path} == {
        "/elsewhere/a.bt": A2
    }


def test_any_cut_of_a_record_is_damage() -> None:
    disk = committed(EDIT)
    whole = disk.read(AREA.begin(FLUSH_ID))
    for length in range(len(whole)):
        disk.save_in_place(AREA.begin(FLUSH_ID), whole[:length])
        with pytest.raises(Damaged):
            read_begin(disk, AREA, FLUSH_ID)


def test_names_beside_a_file_are_short() -> None:
    row = StagedRow("x", "/p/x.bt", "/p/x.bt", "/p/.bt-7f-12", "absent", "absent", None, (), None)
    assert row.strays == ("/p/.bt-7f-12.old", "/p/.bt-7f-12.gone", "/p/.bt-7f-12.new", "/p/.bt-7f-12.mix")
