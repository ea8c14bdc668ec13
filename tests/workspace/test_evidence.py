"""How sends are sorted by a method rename: the classes and the evidence of changes.md 7."""

from __future__ import annotations

from pathlib import Path

import pytest

from lang.syntax.units import Side
from tests.workspace.boilers import BOILERS
from tests.workspace.lab import Lab, lab_with
from workspace.refactor.evidence import judge_send, target

HEAT = {
    "src/Own.bt": "Boiler subclass: Own\n  twice =>\n    self heat: 1\n    super heat: 2\n",
    "src/Sends.bt": (
        "Object subclass: Sends\n"
        "  exact: b :: Boiler => b heat: 1\n"
        "  below: b :: SteamBoiler | Own => b heat: 1\n"
        "  above: b :: Actor => b heat: 1\n"
        "  mixed: b :: Boiler | String => b heat: 1\n"
        "  asked: b :: Heatable => b heat: 1\n"
        "  weighed: b :: Weighable => b heat: 1\n"
        "  alias: b :: Heated => b heat: 1\n"
        "  other: b :: Gauge => b heat: 1\n"
        "  classy: b :: Boiler class => b heat: 1\n"
        "  unknown: b => b heat: 1\n"
        "  elsewhere => self heat: 1\n"
    ),
    "src/Heatable.bt": "Protocol define: Heatable\n  heat: n :: Integer -> Integer\n",
    "src/Heated.bt": "type Heated = Boiler | SteamBoiler\n",
}

EXPECTED = {
    "exact:": "TYPED",
    "below:": "TYPED",
    "alias:": "TYPED",
    "above:": "TYPED_OPEN",
    "mixed:": "TYPED_OPEN",
    "asked:": "TYPED_OPEN",
    "unknown:": "UNTYPED",
    "weighed:": "EXCLUDED",
    "other:": "EXCLUDED",
    "classy:": "EXCLUDED",
    "elsewhere": "EXCLUDED",
    "twice": "CONFIRMED",
}


def verdicts(lab: Lab, class_name: str, side: Side, selector: str) -> dict[str, str]:
    of = target(lab.state, class_name, side, selector)
    rows = lab.state.index.senders_of(selector)
    return {row.owner.selector or "": judge_send(lab.state, of, row).name for row in rows}


def test_every_class_of_evidence(tmp_path: Path) -> None:
    with lab_with(tmp_path, {**BOILERS, **HEAT}) as lab:
        assert verdicts(lab, "Boiler", Side.INSTANCE, "heat:") == EXPECTED


def test_an_override_below_demotes_what_was_sure(tmp_path: Path) -> None:
    override = {"src/Steamy.bt": "SteamBoiler subclass: Steamy\n  heat: n :: Integer -> Integer => 0\n"}
    with lab_with(tmp_path, {**BOILERS, **HEAT, **override}) as lab:
        found = verdicts(lab, "Boiler", Side.INSTANCE, "heat:")
    assert found["twice"] == "SHADOWED"
    assert {found[name] for name in ("exact:", "below:", "alias:")} == {"TYPED_OPEN"}


@pytest.mark.parametrize(
    ("extension", "sender", "verdict"),
    [
        ("Collection >> size2 => 1\n", "a: c :: List => c size2", "TYPED"),
        ("Collection >> size2 => 1\n\nList >> size2 => 2\n", "a: c :: List => c size2", "TYPED_OPEN"),
        ("Object >> size2 => 1\n", "class a => self size2", "TYPED_OPEN"),
    ],
)
def test_classes_of_the_library_have_their_place_in_the_hierarchy(
    tmp_path: Path, extension: str, sender: str, verdict: str
) -> None:
    files = {"src/Extras.bt": extension, "src/S.bt": f"Object subclass: S\n  {sender}\n"}
    with lab_with(tmp_path, files) as lab:
        found = verdicts(lab, extension.split()[0], Side.INSTANCE, "size2")
    assert list(found.values()) == [verdict]


def test_an_accessor_of_a_field_is_in_the_way_of_a_new_selector(tmp_path: Path) -> None:
    with lab_with(tmp_path, BOILERS) as lab:
        error = lab.error("Pebble renameSelector: #shine to: #grams")
        assert error.kind == "name_conflict"
