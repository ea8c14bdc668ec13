"""The lattice, its laws (types.md 1, 9.3) and the tables of intersection and difference."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lang.semantics.types.annotations import resolved
from lang.semantics.types.compatibility import FITS, Verdict, compatible, fit, widened
from lang.semantics.types.display import display
from lang.semantics.types.lattice import (
    DECLARED_DYNAMIC,
    NEVER,
    NIL,
    SYMBOL,
    UNKNOWN,
    Difference,
    Dynamic,
    How,
    Intersection,
    Known,
    Meta,
    Never,
    Reason,
    Type,
    Union,
    known,
    members_of,
    provenance_of,
    singleton,
    union,
    without_nil,
)
from lang.semantics.types.operations import difference, intersect
from lang.semantics.types.world import World

from .worlds import harbour, parsed, world_of

WORLD = harbour()

CLASSES = (
    "Integer", "Number", "String", "Symbol", "Object", "UndefinedObject", "Beacon", "Crane", "TowerCrane", "Parrot",
)  # fmt: skip
single = st.one_of(
    st.sampled_from(CLASSES).map(known),
    st.sampled_from(("red", "green", "blue")).map(singleton),
    st.sampled_from(("Weighable", "Launchable")).map(known),
    st.sampled_from(CLASSES).map(Meta),
    st.sampled_from(("Integer", "String")).map(lambda name: Known("List", (known(name),))),
)
bottom_or_top = st.sampled_from((NEVER, UNKNOWN, DECLARED_DYNAMIC))


def _extended(types: st.SearchStrategy[Type]) -> st.SearchStrategy[Type]:
    return st.one_of(
        st.lists(types, min_size=2, max_size=4).map(union),
        st.tuples(types, types).map(lambda pair: difference(pair[0], pair[1], WORLD)),
        st.tuples(types, types).map(lambda pair: intersect(pair[0], pair[1], WORLD)),
    )


types = st.recursive(st.one_of(single, bottom_or_top), _extended, max_leaves=6)


def written(text: str, world: World = WORLD) -> Type:
    alias = parsed(f"type Case = {text}\n").units[0].node
    return resolved(alias.type, world)  # type: ignore[union-attr]


# ---------------------------------------------------------------- laws


@given(types, types)
def test_union_commutes(one: Type, other: Type) -> None:
    assert union([one, other]) == union([other, one])


@given(types, types, types)
def test_union_is_associative_up_to_dynamic(one: Type, two: Type, three: Type) -> None:
    assert union([union([one, two]), three]) == union([one, union([two, three])])


@given(types)
def test_union_with_itself_is_itself(one: Type) -> None:
    assert union([one, one]) == one


@given(types, types)
def test_intersection_commutes(one: Type, other: Type) -> None:
    assert intersect(one, other, WORLD) == intersect(other, one, WORLD)


@given(types.filter(lambda t: not isinstance(t, Dynamic)))
def test_object_is_neutral_in_intersections(one: Type) -> None:
    assert intersect(one, known("Object"), WORLD) == one


@given(single)
def test_a_type_less_itself_is_never(one: Type) -> None:
    assert difference(one, one, WORLD) == NEVER


@given(types, types)
def test_differences_do_not_nest(one: Type, other: Type) -> None:
    for member in members_of(difference(one, other, WORLD)):
        if isinstance(member, Difference):
            assert isinstance(member.base, Known)
            assert not any(isinstance(each, Difference) for each in members_of(member.excluded))


@given(types)
def test_compatible_is_reflexive(one: Type) -> None:
    assert compatible(one, one, WORLD)


@given(types, st.sampled_from((UNKNOWN, DECLARED_DYNAMIC)))
def test_dynamic_absorbs(one: Type, dynamic: Type) -> None:
    assert union([one, dynamic]) == UNKNOWN
    assert compatible(one, dynamic, WORLD)
    assert compatible(dynamic, one, WORLD)


@given(types)
def test_every_type_keeps_the_invariants_of_its_variant(one: Type) -> None:
    match one:
        case Union(members=members):
            assert len(members) > 1
            assert len(set(members)) == len(members)
            assert not any(isinstance(each, Union | Dynamic | Never) for each in members)
        case Intersection(members=members):
            assert len(members) > 1
            assert list(members) == sorted(members, key=display)
            assert any(isinstance(each, Known) and WORLD.is_protocol(each.name) for each in members)
        case Known(name=name, arguments=arguments):
            assert not (name.startswith("#") and arguments)
        case _:
            pass


# ---------------------------------------------------------------- tables


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ("Integer | Integer", "Integer"),
        ("Integer | Number", "Integer | Number"),
        ("#a | Symbol", "Symbol"),
        ("Symbol \\ (#a | #b) | #a", "Symbol \\ #b"),
        ("Symbol \\ #a | #a", "Symbol"),
        ("Symbol \\ #a | #c", "Symbol \\ #a"),
        ("Symbol \\ (#a | #b) | Symbol \\ (#b | #c)", "Symbol \\ #b"),
        ("Integer | Never", "Integer"),
        ("Never", "Never"),
        ("Integer | Dynamic", "Dynamic (explicitly declared Dynamic)"),
        ("String | nil", "String | Nil"),
        ("Integer & Number", "Integer"),
        ("Integer & String", "Never"),
        ("Weighable & Launchable", "Launchable & Weighable"),
        ("Weighable & Pallet", "Pallet & Weighable"),
        ("#a & Object", "#a"),
        ("#a & Symbol", "#a"),
        ("(Integer | String) & Number", "Integer"),
        ("Number \\ Integer", "Number \\ Integer"),
        ("Integer \\ Number", "Never"),
        ("(Number \\ Integer) & Integer", "Never"),
        ("(Integer | String) \\ String", "Integer"),
        ("(List(Integer) | List(Symbol)) \\ List(Integer)", "List(Symbol)"),
        ("List(Integer) \\ List", "List(Integer)"),
        ("Integer \\ String", "Integer"),
        ("Beacon class", "Beacon class"),
        ("Lamp", "Lamp (#red | #green)"),
        ("Lamp | Nil", "#red | #green | Nil"),
        ("Dictionary(Symbol, List(Integer | Nil))", "Dictionary(Symbol, List(Integer | Nil))"),
        ("E", "E"),
    ],
)
def test_types_as_written_and_shown(members: str, expected: str) -> None:
    assert display(written(members)) == expected


@pytest.mark.parametrize(
    ("actual", "expected", "verdict"),
    [
        ("Integer", "Number", Verdict.FITS),
        ("Number", "Integer", Verdict.NOT),
        ("Integer | String", "Integer", Verdict.PARTLY),
        ("String | Symbol", "Integer", Verdict.NOT),
        ("Integer | Dynamic", "String", Verdict.FITS),
        ("Integer", "Integer | Nil", Verdict.FITS),
        ("Symbol", "#on", Verdict.NOT),
        ("#on", "Symbol", Verdict.FITS),
        ("#on", "#off", Verdict.NOT),
        ("Beacon class", "Class", Verdict.FITS),
        ("Beacon class", "Integer", Verdict.NOT),
        ("Beacon", "Class", Verdict.NOT),
        ("TowerCrane class", "Crane class", Verdict.FITS),
        ("List(Integer)", "List(Number)", Verdict.FITS),
        ("List(Integer)", "List(String)", Verdict.NOT),
        ("List(Integer | String)", "List(String)", Verdict.NOT),
        ("List", "List(String)", Verdict.FITS),
        ("Zeppelin", "Integer", Verdict.FITS),
        ("Integer", "Zeppelin", Verdict.FITS),
        ("Pallet", "Weighable", Verdict.FITS),
        ("Beacon", "Weighable", Verdict.NOT),
        ("Parrot", "Weighable", Verdict.FITS),
        ("Pallet", "Launchable", Verdict.NOT),
        ("Barge", "Weighable & Launchable", Verdict.FITS),
        ("Pallet class", "Weighable", Verdict.NOT),
        ("#a", "Symbol \\ (#a | #b)", Verdict.NOT),
        ("#c", "Symbol \\ (#a | #b)", Verdict.FITS),
        ("Symbol", "Symbol \\ #a", Verdict.FITS),
        ("Integer", "Number \\ Integer", Verdict.NOT),
        ("Number", "Number \\ Integer", Verdict.FITS),
        ("Number \\ Integer", "String", Verdict.NOT),
        ("Weighable & Pallet", "Pallet", Verdict.FITS),
        ("Never", "Integer", Verdict.FITS),
        ("Integer", "Never", Verdict.NOT),
    ],
)
def test_what_fits(actual: str, expected: str, verdict: Verdict) -> None:
    assert fit(written(actual), written(expected), WORLD).verdict is verdict


def test_a_partly_fitting_union_names_what_does_not_fit() -> None:
    found = fit(written("Integer | String | Nil"), written("Integer"), WORLD)
    assert found.unfit == written("String | Nil")
    assert fit(NIL, NIL, WORLD) == FITS


def test_singletons_widen_to_symbol() -> None:
    assert widened(written("#a | #b")) == SYMBOL
    assert widened(written("#a | Integer")) == written("#a | Integer")


def test_nil_is_taken_out_of_unions_only() -> None:
    assert without_nil(written("String | Nil")) == known("String")
    assert without_nil(NIL) == NIL


def test_the_tag_of_an_alias_does_not_survive_operations() -> None:
    lamp = written("Lamp")
    tag = provenance_of(lamp)
    assert tag is not None
    assert (tag.how, tag.alias) == (How.ALIASED, "Lamp")
    assert provenance_of(union([lamp, NEVER])) != tag
    assert display(difference(lamp, singleton("red"), WORLD)) == "#green"


def test_reasons_are_shown_and_do_not_count() -> None:
    assert display(Dynamic(Reason.UNTYPED_FFI)) == "Dynamic (untyped FFI)"
    assert display(UNKNOWN) == "Dynamic"
    assert Dynamic(Reason.UNTYPED_FFI) == UNKNOWN


@pytest.mark.parametrize(
    "step", ["Result(A{0}, A{0})", "A{0} | A{0}", "Block(A{0}, A{0}) | A{0}", "List(A{0})"]
)
def test_aliases_that_double_end(step: str) -> None:
    lines = ["type A0 = #a | #b", *(f"type A{n + 1} = {step.format(n)}" for n in range(60))]
    world = world_of("\n".join(lines) + "\n")
    last = world.alias("A60")
    assert last is not None
    assert compatible(last, last, world)
    assert union([last, last]) == last
    assert intersect(last, last, world) == last
    assert display(last)


def test_an_alias_that_leads_back_to_itself_ends() -> None:
    world = world_of("type Hither = Yonder | Integer\ntype Yonder = Hither | Symbol\n")
    assert world.alias("Hither") is not None
