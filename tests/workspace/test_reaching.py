"""The receiver-aware query over the examples of types.md 8.7."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lang.syntax.units import Side
from tests.workspace.boilers import BOILERS
from tests.workspace.lab import Lab, lab_with
from workspace.reaching import senders_reaching

MORE = {
    "src/W.bt": "Object subclass: W\n  a: w :: Weighable => w shine\n",
    "src/K.bt": "Object subclass: K\n  a => Boiler spawn\n  b => Boiler printString\n",
    "src/Lit.bt": "Object subclass: Lit\n  a: s :: Switch => s level\n  b: g :: Gauge & Weighable => g level\n",
    "src/Any.bt": "Object subclass: Any1\n  a: c :: Class => c make\n  b: c :: Gauge class => c make\n",
}


def owners(lab: Lab, class_name: str, side: Side, selector: str) -> set[str]:
    return {row.owner.class_name for row in senders_reaching(lab.state, class_name, side, selector)}


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    with lab_with(tmp_path_factory.mktemp("boilers"), {**BOILERS, **MORE}) as opened:
        yield opened


def test_ancestors_descendants_and_unknown_receivers_count_and_unrelated_ones_do_not(lab: Lab) -> None:
    reached = {"Panel", "Panel2", "Hall", "Attic", "Pair"}
    assert owners(lab, "Boiler", Side.INSTANCE, "level") == reached
    assert {"Wall", "Odd"} <= owners(lab, "Spare", Side.INSTANCE, "level")


def test_a_variable_of_the_superclass_may_hold_the_subclass(lab: Lab) -> None:
    assert "Panel" in owners(lab, "SteamBoiler", Side.INSTANCE, "level")


def test_a_protocol_is_reached_by_what_conforms(lab: Lab) -> None:
    assert owners(lab, "Pebble", Side.INSTANCE, "shine") == {"W"}
    assert owners(lab, "Gauge", Side.INSTANCE, "shine") == set()


def test_a_class_that_answers_everything_conforms_to_everything(lab: Lab) -> None:
    assert "W" in owners(lab, "Mirror", Side.INSTANCE, "shine")


def test_a_subclass_may_add_what_is_missing_and_inherit_the_method(tmp_path: Path) -> None:
    fine = {"src/FineGauge.bt": "Gauge subclass: FineGauge\n  grams -> Integer => 1\n"}
    with lab_with(tmp_path, {**BOILERS, **MORE, **fine}) as other:
        assert owners(other, "Gauge", Side.INSTANCE, "shine") == {"W"}


def test_the_sides_are_kept_apart_but_for_what_class_objects_inherit(lab: Lab) -> None:
    assert owners(lab, "Boiler", Side.INSTANCE, "spawn") == set()
    assert owners(lab, "Boiler", Side.CLASS, "spawn") == {"K"}
    assert owners(lab, "Object", Side.INSTANCE, "printString") >= {"K"}
    assert owners(lab, "Gauge", Side.CLASS, "make") == {"Any1"}
    assert owners(lab, "Gauge", Side.INSTANCE, "make") == set()


def test_receivers_are_spoken_of_by_class_alias_and_composition(lab: Lab) -> None:
    types = {
        (row.owner.class_name, row.owner.selector): str(lab.state.receivers.of(lab.state, row))
        for selector in ("level", "spawn", "make")
        for row in lab.state.index.senders_of(selector)
    }
    assert types["Pair", "a:"] == "union[Boiler, Spare]"
    assert types["Attic", "a:"] == "dynamic"
    assert types["K", "a"] == "Boiler class"
    assert types["Lit", "a:"] == "Symbol"
    assert types["Lit", "b:"] == "intersection[Gauge, Weighable]"
    assert types["Any1", "b:"] == "Gauge class"


def test_a_patched_method_is_typed_and_referred_from_at_once(tmp_path: Path) -> None:
    with lab_with(tmp_path, BOILERS) as other:
        other("Panel >> a: b :: Boiler =>\n  Gauge make\n  b level")
        assert "Panel" in owners(other, "Boiler", Side.INSTANCE, "level")
        assert "Panel" in owners(other, "Gauge", Side.CLASS, "make")
        assert other("(SystemNavigation default referencesTo: Gauge) size") == "2"  # with Odd
