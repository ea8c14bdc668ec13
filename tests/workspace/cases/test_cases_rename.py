"""Public cases N1 to N6: renaming a class or method writes the right names and no others."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.workspace.lab import COUNTER, METER, P0, lab_with

RENAMED_METER = (
    METER.replace("=> Counter spawn", "=> Accumulator spawn")
    .replace("c :: Counter", "c :: Accumulator")
    .replace("{(Counter spawn)", "{(Accumulator spawn)")
)


def test_n1_names_inside_interpolation_are_renamed(tmp_path: Path) -> None:
    with lab_with(tmp_path) as lab:
        lab("Counter renameTo: #Accumulator")
        lab.flush_all()
        assert lab.read("src/Meter.bt") == RENAMED_METER
        assert lab.read("src/Accumulator.bt") == COUNTER.replace("subclass: Counter", "subclass: Accumulator")
        assert not lab.path("src/Counter.bt").exists()
        assert lab("Meter fresh") == '"new 0"'


NOTES = """/// Talks about Counter.
Object subclass: Notes
  class text => "Counter"
  class sym => #Counter
  class look => Beamtalk classNamed: #Counter
"""


def test_n2_strings_symbols_and_comments_stay_and_are_reported(tmp_path: Path) -> None:
    with lab_with(tmp_path, {**P0, "src/Notes.bt": NOTES}) as lab:
        lab("Counter renameTo: #Accumulator")
        sites = '(Workspace changes activeEntries last proseSites select: [:s | s file =:= "src/Notes.bt"])'
        assert lab(f"{sites} collect: [:s | s line]") == "#(1, 3, 4, 5)"
        assert lab(f"({sites} select: [:s | s isReflective]) collect: [:s | s line]") == "#(5)"
        lab.flush_all()
        assert lab.read("src/Notes.bt") == NOTES


def test_n3_two_mentions_on_a_line_and_a_longer_name(tmp_path: Path) -> None:
    pair = "  class pair => #((Counter spawn), (Counter spawn), CounterPool)\n"
    pool = "Object subclass: CounterPool\n  class size => 0\n"
    with lab_with(tmp_path, {**P0, "src/Meter.bt": METER + pair, "src/CounterPool.bt": pool}) as lab:
        for name in ("VeryLongAccumulatorName", "C"):
            present = "Counter" if name != "C" else "VeryLongAccumulatorName"
            lab(f"{present} renameTo: #{name}")
            lab.flush_all()
            assert f"  class pair => #(({name} spawn), ({name} spawn), CounterPool)\n" in lab.read(
                "src/Meter.bt"
            )
            assert lab.read("src/CounterPool.bt") == pool
            assert lab("Meter pair size") == "3"
        assert lab("CounterPool size") == "0"


@pytest.mark.parametrize(
    ("wish", "kind"),
    [
        ("Counter renameTo: #counter", "invalid_argument"),
        ("Counter renameTo: #'Bad Name'", "invalid_argument"),
        ("Counter renameTo: #'1st'", "invalid_argument"),
        ("Counter renameTo: #Meter", "class_already_exists"),
        ("Counter renameTo: #Integer", "stdlib_shadowing"),
        ("Counter renameTo: #Counter", "class_already_exists"),
        ('Counter renameTo: "Tally"', "type_error"),
        ("Counter renameSelector: #increment to: #getValue", "name_conflict"),
        ("Counter renameSelector: #increment to: #incrementBy:", "invalid_argument"),
        ("Counter renameSelector: #increment to: #'in crement'", "invalid_argument"),
        ("Counter renameSelector: #increment to: #self", "invalid_argument"),
        ("Counter renameSelector: #increment to: #+", "invalid_argument"),
        ("Counter renameSelector: #nosuch to: #other", "selector_not_found"),
        ("Counter renameSelector: #increment to: #printString", "name_conflict"),
    ],
)
def test_n4_impossible_names_are_refused(tmp_path: Path, wish: str, kind: str) -> None:
    with lab_with(tmp_path) as lab:
        before, state = lab.tree(), lab.state
        assert lab.error(wish).kind == kind
        assert lab("Workspace changes allEntries size") == "0"
        assert lab("Counter spawn increment") == "1"
        assert lab.tree() == before
        assert (lab.state.units, lab.state.index) == (state.units, state.index)


def test_n5_a_pending_patch_is_renamed_with_the_rest(tmp_path: Path) -> None:
    with lab_with(tmp_path) as lab:
        lab("Meter class >> make => Counter spawnWith: #{#value => 7}")
        lab("Counter renameTo: #Accumulator")
        assert lab("Meter make getValue") == "7"
        lab.flush_all()
        lab.restart()
        assert lab("Meter make getValue") == "7"
        assert "  class make => Accumulator spawnWith: #{#value => 7}\n" in lab.read("src/Meter.bt")


def test_n6_a_change_of_case_only(tmp_path: Path) -> None:
    with lab_with(tmp_path) as lab:
        lab("Counter renameTo: #COUNTER")
        lab.flush_all()
        names = {path.name for path in lab.path("src").iterdir()}
        assert names == {"COUNTER.bt", "Meter.bt"}
        assert lab.read("src/COUNTER.bt") == COUNTER.replace("subclass: Counter", "subclass: COUNTER")
        assert lab("Meter make getValue") == "0"
