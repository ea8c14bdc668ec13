"""Loading, syncing and opening: what is wrong in one file or place stays there (workspace.md 1.4 to 1.7)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from changelog.folder import WorkspaceLocked
from tests.workspace.lab import COUNTER, P0, Files, Lab, lab_with, library_cache, project
from tests.workspace.laws import assert_whole
from workspace.opening import ManifestError
from workspace.sync import SyncReport


def synced(lab: Lab) -> SyncReport:
    return lab.workspace.evaluator.run(lab.workspace.loader.sync)


def problems(lab: Lab) -> dict[str, str]:
    return {each.path: each.message for each in synced(lab).problems}


def test_every_class_of_a_superclass_cycle_is_an_error(tmp_path: Path) -> None:
    files = {
        "src/Ash.bt": "Birch subclass: Ash\n",
        "src/Birch.bt": "Cedar subclass: Birch\n",
        "src/Cedar.bt": "Ash subclass: Cedar\n",
        "src/Own.bt": "Own subclass: Own\n",
        "src/Leaf.bt": "Ash subclass: Leaf\n",
        "src/Fine.bt": "Value subclass: Fine\n  x => 1\n",
    }
    with lab_with(tmp_path, files) as lab:
        found = problems(lab)
        cycle = "Superclass cycle: Ash -> Birch -> Cedar -> Ash"
        assert {path: found.get(f"src/{path}.bt") for path in ("Ash", "Birch", "Cedar")} == dict.fromkeys(
            ("Ash", "Birch", "Cedar"), cycle
        )
        assert found["src/Own.bt"] == "Superclass cycle: Own -> Own"
        assert set(found) == {"src/Ash.bt", "src/Birch.bt", "src/Cedar.bt", "src/Own.bt", "src/Leaf.bt"}
        assert lab("Fine new x") == "1"


def test_files_that_clash_leave_the_others_alone(tmp_path: Path) -> None:
    files = {
        "src/Ash.bt": "Value subclass: Ash\n  x => 1\n",
        "src/ash.bt": "Value subclass: AsH\n  x => 2\n",
        "src/deep/Elm.bt": "Value subclass: Elm\n  x => 3\n",
        "src/wide/Elm.bt": "Value subclass: Elm\n  x => 4\n",
        "src/Oak.bt": "Value subclass: Oak\n  x => 5\n",
    }
    with lab_with(tmp_path, files) as lab:
        found = problems(lab)
        assert set(found) == {"src/ash.bt", "src/wide/Elm.bt"}
        assert found["src/wide/Elm.bt"] == "Class 'Elm' is already declared in src/deep/Elm.bt"
        assert [lab(f"{name} new x") for name in ("Ash", "Elm", "Oak")] == ["1", "3", "5"]


def test_unparsable_and_undecodable_sources(tmp_path: Path) -> None:
    files: Files = {
        **P0,
        "src/Bad.bt": "Value subclass: Bad\n  x => ) 1\n",
        "src/Latin.bt": b"Value subclass: L\xe4tin\n",
    }
    with lab_with(tmp_path, files) as lab:
        assert set(problems(lab)) == {"src/Bad.bt", "src/Latin.bt"}
        assert lab("Counter spawn increment") == "1"
        lab("Counter renameTo: #Accumulator")
        lab.flush_all()
        assert lab.path("src/Latin.bt").read_bytes() == files["src/Latin.bt"]
        assert lab.read("src/Bad.bt") == files["src/Bad.bt"]


def test_a_file_that_breaks_later_keeps_its_old_classes(tmp_path: Path) -> None:
    with lab_with(tmp_path) as lab:
        lab.write("src/Counter.bt", COUNTER + "  broken => )\n")
        assert set(problems(lab)) == {"src/Counter.bt"}
        assert lab("Counter spawn increment") == "1"
        lab.write("src/Counter.bt", COUNTER + "  mended => 5\n")
        assert problems(lab) == {}
        assert lab("Counter spawn mended") == "5"


def test_sources_that_are_only_indexed_do_not_run_and_are_not_counted(tmp_path: Path) -> None:
    files = {**P0, "test/CounterTest.bt": "TestCase subclass: CounterTest\n  testOne => Counter spawn\n"}
    with lab_with(tmp_path, files) as lab:
        lab("Counter renameTo: #Accumulator")
        assert lab.error("CounterTest").kind == "class_not_found"
        report = synced(lab)
        assert (report.changed, report.deleted) == ([], [])
        assert sorted(report.unchanged) == ["src/Counter.bt", "src/Meter.bt"]
        lab.flush_all()
        assert "Accumulator spawn" in lab.read("test/CounterTest.bt")
        lab('Workspace load: "test/CounterTest.bt"')
        assert lab("CounterTest") == "CounterTest"
        assert_whole(lab)


def test_indexed_extensions_run_only_once_they_are_loaded(tmp_path: Path) -> None:
    files = {**P0, "test/Extras.bt": "Counter >> shout => Counter\n"}
    with lab_with(tmp_path, files) as lab:
        lab("Counter renameTo: #Accumulator")
        assert lab.error("Accumulator spawn shout").kind == "does_not_understand"
        lab.flush_all()
        lab('Workspace load: "test/Extras.bt"')
        assert lab("Accumulator spawn shout") == "Accumulator"


# ---------------------------------------------------------------- opening


@pytest.mark.parametrize("text", ["", "not toml", '[package]\nname = "Bad Name"\nversion = "1"\n'])
def test_a_broken_manifest_opens_nothing(tmp_path: Path, text: str) -> None:
    project(tmp_path, {**P0, "beamtalk.toml": text})
    with pytest.raises(ManifestError, match=r"beamtalk\.toml:\d+:\d+: error"):
        Lab(tmp_path)
    assert not (tmp_path / ".beamtalk").exists()


HOLD = """
import sys
from pathlib import Path
from workspace.opening import Opening, open_workspace
workspace = open_workspace(Opening(Path(sys.argv[1]), library_cache=Path(sys.argv[2])))
print("open", flush=True)
sys.stdin.read()
workspace.close()
"""


def test_a_second_process_is_told_who_has_the_workspace(tmp_path: Path) -> None:
    project(tmp_path, P0)
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path), str(library_cache())],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    assert holder.stdin is not None
    assert holder.stdout is not None
    with holder:
        assert holder.stdout.readline() == "open\n"
        with pytest.raises(WorkspaceLocked, match=rf"process {holder.pid}.*--read-only"):
            Lab(tmp_path)
        reader = Lab(tmp_path, is_read_only=True)
        reader.sync()
        assert reader("Counter spawn increment") == "1"
        before = reader.tree()
        assert reader.error("Counter >> increment => 5").kind == "runtime_error"
        assert reader("Counter spawn increment") == "1"
        assert reader.tree() == before
        reader.close()
        holder.stdin.close()
        assert holder.wait(20) == 0
    with lab_with(tmp_path) as lab:
        assert lab("Counter spawn increment") == "1"


# ---------------------------------------------------------------- restore


def restore(lab: Lab) -> tuple[list[str], list[tuple[str, str]]]:
    found = lab.workspace.evaluator.run(lab.workspace.history.restore)
    shown = [lab.workspace.evaluator.run(lambda e=e: e.class_name) for e in found.restored]
    return shown, [(each.entry.class_name, each.reason) for each in found.skipped]


def test_pending_changes_come_back_in_order(tmp_path: Path) -> None:
    with lab_with(tmp_path) as lab:
        lab("Counter >> increment => self.value := self.value + 2")
        lab("Counter renameTo: #Accumulator")
        lab("Accumulator >> increment => self.value := self.value + 3")
        lab('Workspace newClass: "Accumulator subclass: Fresh\n  y => Meter\n" at: "src/Fresh.bt"')
        lab("Meter class removeSelector: #fresh")
        lab("Accumulator renameSelector: #getValue to: #total")
        lab.restart()
        assert lab("Workspace changes size") == "0"
        assert lab("Counter spawn increment") == "1"
        done, skipped = restore(lab)
        assert (len(done), skipped) == (6, [])
        assert lab("Accumulator spawn increment") == "3"
        assert lab("Fresh spawn total") == "0"
        assert lab("Meter respondsTo: #fresh") == "false"
        assert_whole(lab)
        lab.restart()
        assert len(restore(lab)[0]) == 6
        lab.flush_all()
        lab.restart()
        assert restore(lab) == ([], [])
        assert lab("Fresh spawn increment") == "3"


def test_what_disk_changed_since_is_skipped_with_what_needs_it(tmp_path: Path) -> None:
    with lab_with(tmp_path) as lab:
        lab("Counter >> increment => self.value := self.value + 2")
        lab("Counter >> increment => self.value := self.value + 3")
        lab("Meter class >> label => Counter label")
        lab.close()
        lab.write("src/Counter.bt", COUNTER.replace("self.value + 1", "self.value + 9"))
        lab.restart()
        done, skipped = restore(lab)
        assert done == ["Meter"]
        assert [name for name, _reason in skipped] == ["Counter", "Counter"]
        assert lab("Counter spawn increment") == "9"
        assert lab("Meter label") == '"counter"'


def test_autoflush_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    with lab_with(tmp_path):
        reader = Lab(tmp_path, is_read_only=True)
        error = reader.error("Workspace autoflush: true")
        assert error.kind == "runtime_error"
        assert "open for reading only" in error.message
        assert reader("Workspace autoflush") == "false"
        reader.close()
