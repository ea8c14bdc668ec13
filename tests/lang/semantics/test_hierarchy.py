"""What the view of classes answers, complete or not (language.md 4.1)."""

from __future__ import annotations

import pytest

from lang.class_kind import ClassKind
from lang.semantics.check import check_unit, findings_between
from lang.semantics.hierarchy import AnyName, ClassFacts, ClassView, MethodFact, view_of
from lang.source import SourceText
from lang.syntax import parse_file, parse_input
from lang.syntax.units import Side

from .library import checked, library_view


def facts(name: str, superclass: str | None, *selectors: str, slots: tuple[str, ...] = ()) -> ClassFacts:
    methods = {(Side.INSTANCE, each): MethodFact(each, Side.INSTANCE) for each in selectors}
    return ClassFacts(name, superclass, slots=slots, methods=methods)


VIEW = view_of(
    [
        facts("ProtoObject", None),
        facts("Object", "ProtoObject", "hash"),
        facts("Value", "Object"),
        facts("Actor", "Object"),
        facts("Seg", "Value", "width", slots=("lo", "hi")),
        facts("Longer", "Seg", "hash", slots=("more",)),
        facts("Orphan", "Nowhere", "own"),
        facts("Ring", "Knot"),
        facts("Knot", "Ring"),
    ]
)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Longer", ClassKind.VALUE),
        ("Actor", ClassKind.ACTOR),
        ("Object", ClassKind.OBJECT),
        ("Orphan", None),
        ("Ring", None),
        ("Missing", None),
    ],
)
def test_the_kind_is_found_from_the_ancestors(name: str, kind: ClassKind | None) -> None:
    assert VIEW.kind_of(name) is kind


def test_slots_come_with_inherited_ones_first() -> None:
    assert VIEW.slots_of("Longer") == ("lo", "hi", "more")


def test_the_nearest_definition_is_found() -> None:
    found = VIEW.find_method("Longer", Side.INSTANCE, "hash")
    assert found is not None
    assert found[0].name == "Longer"
    assert VIEW.find_method("Seg", Side.INSTANCE, "hash") is not None
    assert VIEW.find_method("Seg", Side.CLASS, "hash") is None
    assert VIEW.find_method("Ring", Side.INSTANCE, "hash") is None


def test_a_class_with_subclasses_is_a_parent() -> None:
    assert "Seg" in VIEW.parents
    assert "Longer" not in VIEW.parents


def test_a_file_adds_what_it_declares() -> None:
    text = (
        "sealed Seg subclass: Short\n  field: n = 0\n  classState: c = 1\n  m => 1\n  sealed class k => 2\n"
    )
    view = VIEW.with_file(parse_file(SourceText(text + "\nShort >> ext => 3\n")))
    short = view.facts("Short")
    assert short is not None
    assert short.is_sealed
    assert (short.slots, short.class_slots) == (("n",), ("c",))
    made = {(m.side.value, m.selector, m.is_sealed, m.is_extension) for m in short.methods.values()}
    assert made == {
        ("instance", "m", False, False),
        ("class", "k", True, False),
        ("instance", "ext", False, True),
    }
    assert VIEW.facts("Short") is None


def test_a_method_of_the_body_stands_before_an_extension() -> None:
    view = VIEW.with_file(parse_file(SourceText("Seg subclass: Short\n  m => 1\n\nShort >> m => 2\n")))
    found = view.find_method("Short", Side.INSTANCE, "m")
    assert found is not None
    assert not found[1].is_extension


def messages(view: ClassView, text: str) -> list[str]:
    (unit,) = parse_input(text).units
    assert unit.node is not None
    return [each.message for each in check_unit(unit.node, "", view)]


def test_names_of_a_session_are_known_to_its_inputs() -> None:
    assert messages(library_view(), "x + 1") == ["Undefined variable: x"]
    assert messages(library_view().with_names({"x"}), "x + 1") == []
    assert messages(library_view().with_names(AnyName()), "x + y") == []


def test_what_is_wrong_between_units_is_told_by_position() -> None:
    parsed = parse_file(SourceText("Object subclass: Twice\n  a => 1\n  b => 2\n  a => 3\n"))
    world = library_view()
    found = findings_between(parsed.units, world, world.with_file(parsed))
    assert {at: [each.message for each in here] for at, here in found.items()} == {
        3: ["Duplicate method `a`"]
    }


def test_a_unit_with_a_syntax_error_is_not_judged() -> None:
    parsed = checked("Object subclass: Broken\n  a => (1 + missing\n  b => absent\n")
    said = [each.message for each in parsed.all_diagnostics()]
    assert "Undefined variable: absent" in said
    assert "Undefined variable: missing" not in said
