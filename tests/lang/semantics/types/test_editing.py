"""What an editor asks of types."""

from __future__ import annotations

import pytest

from lang.semantics.types.analysis import facts_of_unit
from lang.semantics.types.display import display
from lang.semantics.types.editing import candidates, documentation, message_at, type_at
from lang.semantics.types.facts import Facts
from lang.semantics.types.lattice import UNKNOWN, Meta, Type, known, union
from lang.syntax import parse_input

from .worlds import harbour

TEXT = "c := Crane spawn. (c lift: 3) printString"


def facts(text: str = TEXT) -> Facts:
    node = parse_input(text).units[-1].node
    assert node is not None
    return facts_of_unit(node, "", harbour())


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        ("Crane", "Crane class"),
        ("spawn", "Crane"),
        ("3", "Integer"),
        ("printString", "String"),
        ("lift", "Integer"),
    ],
)
def test_the_type_at_a_place(at: str, expected: str) -> None:
    found = type_at(facts(), TEXT.index(at))
    assert found is not None
    assert display(found[1]) == expected


def test_nothing_stands_outside() -> None:
    assert type_at(facts(), len(TEXT) + 3) is None
    assert message_at(facts(), TEXT.index("Crane")) is None


def test_a_message_is_documented() -> None:
    sent = message_at(facts(), TEXT.index("lift"))
    assert sent is not None
    assert documentation(sent) == "Crane >> lift: n :: Integer -> Integer"


@pytest.mark.parametrize(
    ("receiver", "has", "lacks"),
    [
        (known("Crane"), "lift:", "stamp"),
        (Meta("Beacon"), "lit", "flash"),
        (known("Weighable"), "weight", "stamp"),
        (union([known("Crane"), known("Winch")]), "load", "lift:"),
        (union([known("Crane"), known("UndefinedObject")]), "lift:", "flash"),
    ],
)
def test_candidates_are_what_is_understood(receiver: Type, has: str, lacks: str) -> None:
    found = {each.selector for each in candidates(receiver, harbour())}
    assert has in found
    assert lacks not in found


def test_an_unknown_receiver_has_no_candidates() -> None:
    assert candidates(UNKNOWN, harbour()) == ()


def test_own_messages_come_first() -> None:
    assert [each.selector for each in candidates(known("Beacon"), harbour())][:1] == ["flash"]
