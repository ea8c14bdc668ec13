"""The world of types of a live image follows its changes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lang.semantics.types.display import display
from lang.semantics.types.ladder import Rung, classify
from lang.semantics.types.lattice import known
from lang.semantics.types.world import World
from lang.syntax.units import Side
from workspace.type_world import image_world, names_touched_by, touched_names
from workspace.workspace import Done

from .lab import Lab, lab_with

FILES = {
    "src/Gauge.bt": 'Value subclass: Gauge\n  field: unit :: String = "bar"\n  read -> Integer => 7\n',
    "src/Dial.bt": "Gauge subclass: Dial\n  class made -> Self => self new\n",
    "src/names.bt": "type Switch = #on | #off\nString >> shout -> String => self uppercase\n",
    "src/Readable.bt": "Protocol define: Readable\n  read -> Integer\n",
}


def world(lab: Lab) -> World:
    return lab.workspace.installer.world()


def returns(lab: Lab, name: str, side: Side, selector: str) -> str | None:
    found = world(lab).find(name, side, selector)
    return None if found is None or found.returns is None else display(found.returns)


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    with lab_with(tmp_path, FILES) as opened:
        opened.sync()
        yield opened


def test_project_and_library_are_in_sight(lab: Lab) -> None:
    assert returns(lab, "Dial", Side.INSTANCE, "read") == "Integer"
    assert returns(lab, "Dial", Side.INSTANCE, "unit") == "String"
    assert returns(lab, "Dial", Side.CLASS, "made") == "Self"
    assert returns(lab, "String", Side.INSTANCE, "shout") == "String"
    assert returns(lab, "String", Side.INSTANCE, "size") == "Integer"
    assert returns(lab, "ChangeLog", Side.INSTANCE, "size") == "Integer"
    assert world(lab).find("WorkspaceInterface", Side.INSTANCE, "changes") is not None
    assert display(world(lab).alias("Switch") or known("?")) == "Switch (#on | #off)"
    assert display(world(lab).alias("Timeout") or known("?")) == "Timeout (Integer | #infinity)"
    assert world(lab).missing_of(known("Dial"), "Readable") == ()
    assert classify(known("Dial"), Side.INSTANCE, world(lab)) is Rung.CLOSED_COMPLETE


def test_a_patch_is_seen_and_the_rest_is_kept(lab: Lab) -> None:
    before = world(lab)
    kept = before.find("String", Side.INSTANCE, "size")
    assert returns(lab, "Dial", Side.INSTANCE, "read") == "Integer"
    lab('Gauge >> read -> String => "7"')
    assert returns(lab, "Dial", Side.INSTANCE, "read") == "String"
    assert world(lab) is not before
    assert world(lab).find("String", Side.INSTANCE, "size") is kept
    assert world(lab) is world(lab)


def test_what_was_touched_is_named(lab: Lab) -> None:
    before = lab.state
    lab('Gauge >> read -> String => "7"')
    assert touched_names(before, lab.state) == {"Gauge"}
    lab("Value subclass: Fresh")
    assert touched_names(before, lab.state) == {"Gauge", "Fresh"}


def test_a_renamed_class_is_known_by_its_new_name_alone(lab: Lab) -> None:
    lab("Gauge renameTo: #Meter")
    assert classify(known("Dial"), Side.INSTANCE, world(lab)) is Rung.CLOSED_COMPLETE
    assert returns(lab, "Dial", Side.INSTANCE, "read") == "Integer"
    assert world(lab).find("Gauge", Side.INSTANCE, "read") is None


def test_a_world_that_followed_changes_is_one_made_anew(lab: Lab) -> None:
    asked = [
        ("Dial", "read"),
        ("Gauge", "read"),
        ("String", "shout"),
        ("Integer", "isEven"),
        ("Dial", "unit"),
    ]
    for change in (
        'Gauge >> read -> String => "7"',
        "Dial >> read -> Float => 1.5",
        "Gauge removeSelector: #read",
    ):
        for name, selector in asked:
            world(lab).find(name, Side.INSTANCE, selector)
        lab(change)
        followed = world(lab)
        fresh = image_world(lab.state, lab.workspace.installer.view(), followed.trees)
        for name, selector in asked:
            assert followed.find(name, Side.INSTANCE, selector) == fresh.find(name, Side.INSTANCE, selector)


def test_a_change_names_what_a_comparison_of_its_states_finds(lab: Lab) -> None:
    seen = 0

    def compare(done: Done) -> None:
        nonlocal seen
        seen += 1
        change = done.change
        assert names_touched_by(change) >= touched_names(change.base, change.state)

    lab.workspace.after_change.append(compare)
    for change in (
        'Gauge >> read -> String => "7"',
        "Value subclass: Fresh",
        "Gauge renameTo: #Meter",
        "Meter renameSelector: #read to: #reading",
        "Dial removeFromSystem",
        "Workspace undo",
        "Workspace undo",
    ):
        lab(change)
    assert seen >= 7
