"""What a change did, as its dependents see it (types.md 6.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.workspace.boilers import BOILERS
from tests.workspace.lab import lab_with
from workspace.change import Change
from workspace.recheck.triggers import Classification, SlotChange, Trigger, triggers_of

MORE = {
    "src/Valve.bt": "Object subclass: Valve\n  a: b :: Boiler => b drain\n",
    "src/Drain.bt": "Boiler >> drain -> Nil => nil\n",
    "src/Steamy.bt": "SteamBoiler subclass: Steamy\n  level -> Integer => 3\n  heat: n -> Integer => n\n",
}

Told = Callable[[str], list[str]]


@pytest.fixture
def told(tmp_path: Path) -> Iterator[Told]:
    """What an input did, in short."""
    with lab_with(tmp_path, {**BOILERS, **MORE}) as lab:
        changes: list[Change] = []
        lab.workspace.after_change.append(lambda done: changes.append(done.change))

        def ask(text: str) -> list[str]:
            changes.clear()
            lab(text)
            return [_short(trigger) for change in changes for trigger in triggers_of(change)]

        yield ask


def _short(trigger: Trigger) -> str:
    parts = [trigger.classification.value, trigger.class_name]
    if trigger.selector is not None:
        parts.append(trigger.selector)
    parts += [f"{s.name}:{s.before}>{s.after}" for s in trigger.slots]
    return " ".join(parts)


def test_a_body_is_nobodys_business(told: Told) -> None:
    assert told("Boiler >> level -> Integer => self.level + 1") == []


def test_types_of_results_and_parameters_are(told: Told) -> None:
    assert told('Boiler >> level -> String => "9"') == ["signature_change Boiler level"]
    assert told("Boiler >> level -> Symbol => #hi") == ["signature_change Boiler level"]
    assert told("Boiler >> heat: n :: Float -> Integer => 1") == ["signature_change Boiler heat:"]


def test_a_new_selector_is_compared_with_what_it_overrides(told: Told) -> None:
    assert told('SteamBoiler >> level -> String => "s"') == ["signature_change SteamBoiler level"]
    assert told("SteamBoiler >> label -> String | Nil => nil") == []
    assert told("Boiler >> brandNew => 1") == []


def test_a_removal_is_one_unless_the_same_is_inherited(told: Told) -> None:
    assert told("Boiler removeSelector: #drain") == ["removal Boiler drain"]
    assert told("Steamy removeSelector: #level") == []
    assert told("Steamy removeSelector: #heat:") == ["signature_change Steamy heat:"]


def test_a_renamed_method_is_gone_under_its_old_name(told: Told) -> None:
    assert told("Boiler renameSelector: #drain to: #empty") == ["removal Boiler drain"]


def test_shapes(told: Told) -> None:
    source = "Actor subclass: Boiler\n  state: level :: String\n  state: extra = 1\n"
    assert "shape_change Boiler level:Integer>String mode:#idle | #hot>None extra:None>Dynamic" in told(
        source
    )


def test_a_renamed_class_is_the_same_class(told: Told) -> None:
    assert told("Boiler renameTo: #Kettle") == ["class_renamed Kettle"]
    assert told("Workspace undo") == ["class_renamed Boiler"]


def test_a_removed_class_and_a_first_subclass(told: Told) -> None:
    assert told("Spare removeFromSystem") == ["class_removed Spare"]
    assert told("Gauge subclass: Fine") == ["leaf_change Gauge"]
    assert told("Gauge subclass: Finer") == []


def test_another_alias(told: Told) -> None:
    assert told("type Switch = #on | #off | #dim") == ["alias_change Switch"]


def test_another_superclass_changes_what_is_inherited(told: Told) -> None:
    assert "removal SteamBoiler level" in told("Actor subclass: SteamBoiler\n  vent -> Nil => nil")


def test_a_first_load_says_nothing(tmp_path: Path) -> None:
    with lab_with(tmp_path, BOILERS) as lab:
        assert not lab.workspace.rechecking.rounds.is_waiting


def test_facts_of_triggers(tmp_path: Path) -> None:
    with lab_with(tmp_path, BOILERS) as lab:
        heard: list[Trigger] = []
        lab.workspace.after_change.append(lambda done: heard.extend(triggers_of(done.change)))
        lab('Boiler >> level -> String => "9"')
        lab("Value subclass: Pebble\n  field: grams :: Float = 1.0\n")
    assert (heard[0].before, heard[0].after) == ("Integer", "String")
    shape = next(each for each in heard if each.classification is Classification.SHAPE_CHANGE)
    assert shape.slots == (SlotChange("grams", "Integer", "Float"),)
