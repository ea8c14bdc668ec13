"""Renames, flushed and undone: every byte of every file (changes.md 4.2, 6, 9)."""

from __future__ import annotations

import itertools
import stat
from pathlib import Path

import pytest

from tests.workspace.lab import COUNTER, MANIFEST, P0, Files, Lab, lab_with, tree_of
from tests.workspace.laws import assert_whole

BIRDS: Files = {
    "src/Owl.bt": "/// Owl.\nValue subclass: Owl\n  field: x = 1\n  prey => Mouse new\n  hunts: m :: Mouse => m\n",
    "src/mouse.bt": b'Value subclass: Mouse\r\n\r\n  eater => Owl new\r\n\tname => "Mouse of {Owl new prey eater}"',
    "src/deep/Barn.bt": b"\xef\xbb\xbfObject subclass: Barn\n  class owl => Owl new // Owl\n  class pair => #(Owl, Mouse, #Owl)\n",
    "src/Extras.bt": "type Animal = Owl | Mouse\n\n\nOwl >> hoot => Mouse\n\nMouse class >> born: o :: Animal => Mouse new\n",
    "test/OwlTest.bt": "TestCase subclass: OwlTest\n  testOwl => self assert: Owl new prey class equals: Mouse\n",
    "src/Broken.bt": "Value subclass: Broken\n  one => Owl new\n  two => ) Owl\n  three => Mouse new\n",
}


def renamed(tree: dict[str, bytes | str], old: str, new: str) -> dict[str, bytes | str]:
    """The tree with a name replaced everywhere but in text, as a person would."""
    kept = ("/// Owl", "// Owl", "#Owl", '"Mouse of', ") Owl", "OwlTest", "testOwl")
    found: dict[str, bytes | str] = {}
    for path, data in tree.items():
        assert isinstance(data, bytes)
        text = data.decode()
        for number, piece in enumerate(kept):
            text = text.replace(piece, f"\0{number}\0")
        text = text.replace(old, new)
        for number, piece in enumerate(kept):
            text = text.replace(f"\0{number}\0", piece)
        name = path.replace(f"src/{old}.bt", f"src/{new}.bt").replace(
            f"src/{old.lower()}.bt", f"src/{new.lower()}.bt"
        )
        found[name] = text.encode()
    return found


def test_every_source_of_the_project_is_renamed(tmp_path: Path) -> None:
    with lab_with(tmp_path, BIRDS) as lab:
        before = lab.tree()
        lab("Owl renameTo: #Eagle")
        assert lab.tree() == before
        lab.flush_all()
        assert lab.tree() == renamed(before, "Owl", "Eagle")
        assert_whole(lab)
        lab("Workspace undo")
        lab.flush_all()
        assert lab.tree() == before


def test_the_broken_unit_is_reported_as_prose(tmp_path: Path) -> None:
    with lab_with(tmp_path, BIRDS) as lab:
        lab("Owl renameTo: #Eagle")
        sites = lab(
            '(Workspace changes activeEntries last proseSites select: [:s | s file =:= "src/Broken.bt"])'
            " collect: [:s | s line]"
        )
        assert sites == "#(3)"


def test_two_classes_exchange_their_names(tmp_path: Path) -> None:
    files = {
        "src/Owl.bt": "Value subclass: Owl\n  isOwl => true\n  other => Crow new\n",
        "src/Crow.bt": "Value subclass: Crow\n  isOwl => false\n  other => Owl new\n",
        "src/User.bt": "Value subclass: User\n  both => #(Owl new isOwl, Crow new isOwl)\n",
    }
    with lab_with(tmp_path, files) as lab:
        before = lab.tree()
        lab("Owl renameTo: #Temporary")
        lab("Crow renameTo: #Owl")
        lab("Temporary renameTo: #Crow")
        assert lab("User new both") == "#(true, false)"
        assert lab("Crow new isOwl") == "true"
        assert_whole(lab)
        lab.flush_all()
        assert lab.read("src/Crow.bt") == "Value subclass: Crow\n  isOwl => true\n  other => Owl new\n"
        assert lab.read("src/Owl.bt") == "Value subclass: Owl\n  isOwl => false\n  other => Crow new\n"
        assert lab.read("src/User.bt") == "Value subclass: User\n  both => #(Crow new isOwl, Owl new isOwl)\n"
        for _ in range(3):
            lab("Workspace undo")
        lab.flush_all()
        assert lab.tree() == before
        for _ in range(3):
            lab("Workspace redo")
        lab.flush_all()
        assert lab("User new both") == "#(true, false)"
        lab.restart()
        assert lab("User new both") == "#(true, false)"


def chain_files() -> dict[str, str]:
    names = ("A", "B", "C", "D")
    return {
        f"src/{name}.bt": f"Value subclass: {name}\n  name => #{name}\n  next => {following} new\n"
        for name, following in itertools.pairwise((*names, "A"))
    }


def test_a_chain_of_renames(tmp_path: Path) -> None:
    with lab_with(tmp_path, chain_files()) as lab:
        before = lab.tree()
        for old, new in (("D", "E"), ("C", "D"), ("B", "C"), ("A", "B")):
            lab(f"{old} renameTo: #{new}")
        assert lab("E new next class") == "B"
        lab.flush_all()
        assert sorted(lab.tree()) == ["beamtalk.toml", *(f"src/{n}.bt" for n in "BCDE")]
        assert lab.read("src/E.bt") == "Value subclass: E\n  name => #D\n  next => B new\n"
        for _ in range(4):
            lab("Workspace undo")
        lab.flush_all()
        assert lab.tree() == before


def test_a_patch_between_a_rename_and_its_way_back(tmp_path: Path) -> None:
    with lab_with(tmp_path, BIRDS) as lab:
        before = lab.tree()
        lab("Owl renameTo: #Eagle")
        lab("Barn class >> owl => Eagle new prey")
        lab("Eagle renameTo: #Owl")
        lab.flush_all()
        after = lab.tree()
        old = before.pop("src/deep/Barn.bt")
        assert isinstance(old, bytes)
        assert after.pop("src/deep/Barn.bt") == old.replace(b"owl => Owl new // Owl", b"owl => Owl new prey")
        assert after == before


def test_rename_flush_patch_undo_undo(tmp_path: Path) -> None:
    with lab_with(tmp_path, BIRDS) as lab:
        before = lab.tree()
        lab("Owl renameTo: #Eagle")
        lab.flush_all()
        lab("Barn class >> owl => Eagle new prey")
        lab("Workspace undo")
        lab("Workspace undo")
        lab.flush_all()
        assert lab.tree() == before


def test_a_patch_undone_below_a_rename_that_went_to_disk(tmp_path: Path) -> None:
    with lab_with(tmp_path, BIRDS) as lab:
        before = lab.tree()
        lab("Barn class >> owl => Owl new prey")
        lab("Owl renameTo: #Eagle")
        lab.flush_all()
        lab("Workspace changes revert: (Workspace changes allEntries at: 1)")
        lab("Workspace changes revert: (Workspace changes allEntries at: 2)")
        lab.flush_all()
        assert lab.tree() == before


def test_an_overridden_method_renames_no_self_send(tmp_path: Path) -> None:
    """The flush finds again what the rename was sure of, and no more."""
    files = {
        "src/Base.bt": "Value subclass: Base\n  one => 1\n\n  two => self one\n",
        "src/Kid.bt": "Base subclass: Kid\n  one => super one\n",
    }
    with lab_with(tmp_path, files) as lab:
        lab("Base renameSelector: #one to: #first")
        lab.flush_all()
        assert lab.read("src/Base.bt") == "Value subclass: Base\n  first => 1\n\n  two => self one\n"
        assert lab.read("src/Kid.bt") == files["src/Kid.bt"]
        lab("Workspace undo")
        lab.flush_all()
        assert lab.read("src/Base.bt") == files["src/Base.bt"]


def test_accepted_candidates_take_no_others_along(tmp_path: Path) -> None:
    files = {
        "src/Base.bt": "Value subclass: Base\n  one => 1\n\n  two => self one\n\n  three => self one\n",
        "src/Kid.bt": "Base subclass: Kid\n  one => 2\n",
    }
    with lab_with(tmp_path, files) as lab:
        lab("Base renameSelector: #one to: #first")
        lab("e := Workspace changes activeEntries last")
        lab("e accept: (e candidateSites select: [:s | s selector =:= #two])")
        lab.flush_all()
        assert lab.read("src/Base.bt") == files["src/Base.bt"].replace("  one =>", "  first =>").replace(
            "two => self one", "two => self first"
        )


def test_links_modes_and_line_ends_of_renamed_files(tmp_path: Path) -> None:
    real = tmp_path / "real/Barn.bt"
    real.parent.mkdir()
    real.write_bytes(b"Value subclass: Barn\r\n\towl => Owl new\r\n\tcrow => Crow new")
    real.chmod(0o600)
    (tmp_path / "src").mkdir()
    (tmp_path / "src/Barn.bt").symlink_to("../real/Barn.bt")
    files = {
        "src/Owl.bt": "Value subclass: Owl\n  x => Barn\n",
        "src/Crow.bt": "Value subclass: Crow\n  x => 1\n",
    }
    with lab_with(tmp_path, files) as lab:
        lab("Owl renameTo: #Eagle")
        lab("Barn renameTo: #Stable")
        lab.flush_all()
        assert (tmp_path / "src/Stable.bt").is_symlink()
        assert not (tmp_path / "src/Barn.bt").is_symlink()
        target = (tmp_path / "src/Stable.bt").resolve()
        assert target.read_bytes() == b"Value subclass: Stable\r\n\towl => Eagle new\r\n\tcrow => Crow new"
        assert stat.S_IMODE(target.stat().st_mode) == 0o600


# ---------------------------------------------------------------- conflicts


def test_a_conflict_in_one_file_writes_none(tmp_path: Path) -> None:
    with lab_with(tmp_path, BIRDS) as lab:
        lab("Owl renameTo: #Eagle")
        lab.write(
            "src/deep/Barn.bt", lab.read("src/deep/Barn.bt").replace("owl => Owl new", "owl => Owl new prey")
        )
        before = lab.tree()
        result = lab.flush()
        assert {each.file for each in result.conflicts} == {"src/deep/Barn.bt"}
        assert "external_edit" in {each.reason.value for each in result.conflicts}
        assert lab.tree() == before
        assert lab("Workspace changes size") == "1"
        assert lab("Eagle new prey class") == "Mouse"


def test_an_edit_of_another_unit_is_merged(tmp_path: Path) -> None:
    with lab_with(tmp_path, BIRDS) as lab:
        lab("Owl renameTo: #Eagle")
        barn = lab.read("src/deep/Barn.bt")
        lab.write("src/deep/Barn.bt", barn + "\n  class mine => 4\n")
        lab.flush_all()
        assert lab.read("src/deep/Barn.bt").endswith("\n  class mine => 4\n")
        assert "owl => Eagle new // Owl" in lab.read("src/deep/Barn.bt")
        lab.sync()
        assert lab("Barn mine") == "4"


def test_a_new_use_of_the_old_name_is_a_conflict(tmp_path: Path) -> None:
    with lab_with(tmp_path, BIRDS) as lab:
        lab("Owl renameTo: #Eagle")
        lab.write("src/Newcomer.bt", "Value subclass: Newcomer\n  x => Owl new\n")
        before = lab.tree()
        result = lab.flush()
        assert [each.reason.value for each in result.conflicts] == ["new_reference"]
        assert lab.tree() == before
        lab.write("src/Newcomer.bt", "Value subclass: Newcomer\n  x => 3\n")
        lab.flush_all()


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    with lab_with(tmp_path, BIRDS) as lab:
        lab("Owl renameTo: #Eagle")
        before = lab.tree()
        deep = lab.path("src/deep")
        deep.chmod(0o500)
        lab.path("src/deep/Barn.bt").chmod(0o400)
        try:
            result = lab.flush()
        finally:
            deep.chmod(0o700)
            lab.path("src/deep/Barn.bt").chmod(0o600)
        assert [each.reason.value for each in result.conflicts] == ["not_writable"]
        assert lab.tree() == before
        lab.flush_all()


# ---------------------------------------------------------------- the manifest

SERVICE = MANIFEST + '\n[application]\n# The Root of it all.\nsupervisor = "Root" # Root\n'
ROOT = "Supervisor subclass: Root\n  class children => #()\n"


@pytest.mark.parametrize("quote", ['"', "'"])
def test_the_supervisor_of_the_manifest_is_a_site(tmp_path: Path, quote: str) -> None:
    manifest = SERVICE.replace('"Root"', f"{quote}Root{quote}").replace("\n", "\r\n")
    with lab_with(tmp_path, {"src/Root.bt": ROOT, "beamtalk.toml": manifest}) as lab:
        before = lab.tree()
        lab("Root renameTo: #Trunk")
        assert (
            lab("Workspace changes activeEntries last printString")
            == '"Root -> Trunk (rename-class, 2 sites in 2 files)"'
        )
        assert lab("(Workspace changes activeEntries last sites collect: [:s | s line])") == "#(1, 7)"
        lab.flush_all()
        assert lab.read("beamtalk.toml") == manifest.replace(f"{quote}Root{quote}", f"{quote}Trunk{quote}")
        assert lab("Workspace changes isEmpty") == "true"
        lab("Workspace undo")
        lab.flush_all()
        assert lab.tree() == before


def test_an_edit_elsewhere_in_the_manifest_is_merged(tmp_path: Path) -> None:
    with lab_with(tmp_path, {"src/Root.bt": ROOT, "beamtalk.toml": SERVICE}) as lab:
        lab("Root renameTo: #Trunk")
        edited = SERVICE.replace("0.1.0", "0.2.0")
        lab.write("beamtalk.toml", edited)
        lab.flush_all()
        assert lab.read("beamtalk.toml") == edited.replace('"Root"', '"Trunk"')


def test_another_supervisor_by_now_is_a_conflict(tmp_path: Path) -> None:
    with lab_with(tmp_path, {"src/Root.bt": ROOT, "beamtalk.toml": SERVICE}) as lab:
        lab("Root renameTo: #Trunk")
        lab.write("beamtalk.toml", SERVICE.replace('"Root"', '"Other"'))
        before = tree_of(tmp_path)
        assert [each.file for each in lab.flush().conflicts] == ["beamtalk.toml"]
        assert tree_of(tmp_path) == before


def test_a_manifest_without_a_supervisor_is_no_site(tmp_path: Path) -> None:
    with lab_with(tmp_path, {"src/Root.bt": ROOT}) as lab:
        lab("Root renameTo: #Trunk")
        lab.flush_all()
        assert lab.read("beamtalk.toml") == MANIFEST


def restored(lab: Lab) -> list[str]:
    """What `restore` skipped."""
    found = lab.workspace.evaluator.run(lab.workspace.history.restore)
    return [each.reason for each in found.skipped]


def test_a_rename_with_the_manifest_comes_back_after_a_restart(tmp_path: Path) -> None:
    with lab_with(tmp_path, {"src/Root.bt": ROOT, "beamtalk.toml": SERVICE}) as lab:
        lab("Root renameTo: #Trunk")
        lab.restart()
        assert restored(lab) == []
        lab.flush_all()
        assert lab.read("beamtalk.toml") == SERVICE.replace('"Root"', '"Trunk"')


# ---------------------------------------------------------------- moves


@pytest.mark.parametrize(
    ("wishes", "left"),
    [
        (('Workspace moveClass: Owl to: "src/deep/Owl.bt"', "Owl removeFromSystem"), None),
        (
            (
                'Workspace moveClass: Owl to: "src/deep/Owl.bt"',
                'Workspace moveClass: Owl to: "src/far/Owl.bt"',
            ),
            "src/far/Owl.bt",
        ),
        (
            ('Workspace moveClass: Owl to: "src/deep/Owl.bt"', 'Workspace moveClass: Owl to: "src/Owl.bt"'),
            "src/Owl.bt",
        ),
    ],
)
def test_moves_that_follow_one_another_leave_nothing_pending(
    tmp_path: Path, wishes: tuple[str, ...], left: str | None
) -> None:
    files = {"src/Owl.bt": "Value subclass: Owl\n  x => 1\n"}
    with lab_with(tmp_path, files) as lab:
        before = lab.tree()
        for wish in wishes:
            lab(wish)
        lab.flush_all()
        assert lab("Workspace changes size") == "0"
        assert [path for path in lab.tree() if path.endswith(".bt")] == ([left] if left else [])
        for _ in wishes:
            lab("Workspace undo")
        lab.flush_all()
        assert lab.tree() == before


# ---------------------------------------------------------------- reverts of what disk has changed since

ASH: Files = {"src/Ash.bt": "Value subclass: Ash\n  one => 1\n\n  two => self one\n"}


def test_an_edit_that_was_synced_after_the_flush_is_not_taken_back(tmp_path: Path) -> None:
    with lab_with(tmp_path, ASH) as lab:
        lab("Ash >> one => 2")
        lab.flush_all()
        lab.write("src/Ash.bt", lab.read("src/Ash.bt").replace("one => 2", "one => 3"))
        lab.sync()
        before = lab.tree()
        assert lab.error("Workspace undo").kind == "runtime_error"
        assert lab("Ash new two") == "3"
        lab.flush_all()
        assert lab.tree() == before


def test_a_removed_method_that_came_back_on_disk_is_not_doubled(tmp_path: Path) -> None:
    with lab_with(tmp_path, ASH) as lab:
        lab("Ash removeSelector: #one")
        lab.flush_all()
        lab.write("src/Ash.bt", lab.read("src/Ash.bt") + "\n  one => 4\n")
        lab.sync()
        assert lab.error("Workspace undo").kind == "runtime_error"
        assert lab("Ash new two") == "4"
        assert_whole(lab)


def test_a_cascade_that_cannot_be_finished_is_not_begun(tmp_path: Path) -> None:
    with lab_with(tmp_path, ASH) as lab:
        lab('Workspace newClass: "Value subclass: Elm\n  x => 1\n" at: "src/Elm.bt"')
        lab("Elm >> x => 2")
        lab("Ash >> one => Elm")
        lab.flush_all()
        lab.write("src/Elm.bt", lab.read("src/Elm.bt").replace("x => 2", "x => 3"))
        lab.sync()
        texts, logged = lab.state.units, len(lab.workspace.log.entries)
        wish = "Workspace changes revert: (Workspace changes allEntries at: 1) cascade: true"
        assert lab.error(wish).kind == "runtime_error"
        assert len(lab.workspace.log.entries) == logged
        assert lab.state.units == texts


SUM = """Value subclass: Sum
  field: n = 0
  + other => Sum new: #{#n => self.n + 1}
  near: other => other
  both => self + 3 - 4
  last => self near: [:x | x]
  far => (Sum new + 3 * 4) n
"""
SUMS: Files = {"src/Sum.bt": SUM}


def test_an_operator_that_would_take_other_operands_is_refused(tmp_path: Path) -> None:
    with lab_with(tmp_path, {"src/Sum.bt": f"{SUM}  group => (self + 3 * 4) n\n"}) as lab:
        before = lab.state.units
        refusal = lab.error("Sum renameSelector: #+ to: #%")
        assert refusal.kind == "invalid_argument"
        assert "in Sum>>group" in refusal.message
        assert lab.state.units == before


def test_an_operator_of_the_same_operands_is_renamed(tmp_path: Path) -> None:
    with lab_with(tmp_path, SUMS) as lab:
        lab("Sum renameSelector: #+ to: #%")
        lab.flush_all()
        assert "both => self % 3 - 4\n" in lab.read("src/Sum.bt")


def test_a_candidate_that_would_take_other_operands_is_refused(tmp_path: Path) -> None:
    with lab_with(tmp_path, SUMS) as lab:
        lab("Sum renameSelector: #+ to: #%")
        logged = len(lab.workspace.log.entries)
        lab("rename := Workspace changes activeEntries last")
        assert lab.error("rename accept: rename candidateSites").kind == "invalid_argument"
        assert len(lab.workspace.log.entries) == logged


def test_a_send_that_would_become_a_pattern_match_is_refused(tmp_path: Path) -> None:
    with lab_with(tmp_path, SUMS) as lab:
        before = lab.state.units
        lab.error("Sum renameSelector: #near: to: #match:")
        assert lab.state.units == before


def test_a_class_of_that_name_in_another_package_keeps_it_in_a_replay(tmp_path: Path) -> None:
    files: Files = {
        "src/Ivy.bt": "Value subclass: Ivy\n  class one => 1\n",
        "src/User.bt": "Value subclass: User\n  class use => #(Ivy, stdlib@Ivy)\n",
    }
    with lab_with(tmp_path, files) as lab:
        before = lab.tree()
        lab('User class tryCompile: #use source: "use => #(Ivy, stdlib@Ivy, 3)"')
        lab("Ivy renameTo: #Oak")
        lab.flush_all()
        assert lab.read("src/User.bt") == "Value subclass: User\n  class use => #(Oak, stdlib@Ivy)\n"
        lab("Workspace undo")
        lab.flush_all()
        assert lab.tree() == before


def test_force_writes_one_unit_over_an_edit_outside(tmp_path: Path) -> None:
    """changes.md 5: a named change may overwrite the unit that was edited, and no more of the file."""
    with lab_with(tmp_path, P0) as lab:
        lab("Counter >> getValue => self.value + 1")
        path = lab.root / "src/Counter.bt"
        edited = COUNTER.replace("getValue => self.value", "getValue => 7").replace(
            "/// Adds one.", "/// Adds 1."
        )
        path.write_text(edited)
        assert lab("(Workspace flush) conflicts size") == "1"
        assert path.read_text() == edited
        assert lab.error("Workspace flush: #instance force: true").kind == "type_error"
        assert lab("(Workspace flush: (Workspace changes activeEntries first) force: true) flushed") == "1"
        assert path.read_text() == edited.replace("getValue => 7", "getValue => self.value + 1")


def test_transcripts_and_file_names_that_speak_of_the_class_are_reported(tmp_path: Path) -> None:
    files = {
        **P0,
        "src/CounterExtras.bt": 'Counter >> shout => "!"\n',
        "src/CounterPool.bt": "Object subclass: CounterPool\n",
        "src/counters.bt": "type Many = List\n",
        "test/counter_run.btscript": "c := Counter spawn\nc increment // => 1\nCounterPool new\n",
    }
    with lab_with(tmp_path, files) as lab:
        lab("p := Counter previewRenameTo: #Tally")
        shown = lab('p proseSites collect: [:s | "{s file}:{s line}"]')
        assert shown == (
            '#("src/Meter.bt:1", "src/Meter.bt:5", "test/counter_run.btscript:1", '
            '"src/CounterExtras.bt:1", "test/counter_run.btscript:1")'
        )
        lab("Counter renameTo: #Tally")
        lab.flush_all()
        assert lab.read("test/counter_run.btscript") == files["test/counter_run.btscript"]
