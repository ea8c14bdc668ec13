"""What a world answers: methods, slots, parameters, protocols, and the ladder (types.md 1.6, 1.7, 3.1)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lang.semantics.types.display import display
from lang.semantics.types.ladder import PLAIN, Rung, Site, classify, classify_send
from lang.semantics.types.lattice import UNKNOWN, Known, Meta, Type, known, singleton, union
from lang.semantics.types.methods import Made
from lang.semantics.types.world import Knowledge, Limits, World
from lang.stdlib.trees import LibraryTrees
from lang.syntax.units import Side

from .worlds import harbour, library, world_of

WORLD = harbour()
INSTANCE, CLASS = Side.INSTANCE, Side.CLASS


def shown(found: Type | None) -> str | None:
    return None if found is None else display(found)


@pytest.mark.parametrize(
    ("name", "side", "selector", "owner", "returns"),
    [
        ("Crane", INSTANCE, "lift:", "Crane", "Integer"),
        ("TowerCrane", INSTANCE, "load", "Crane", "Integer"),
        ("Beacon", CLASS, "lit", "Beacon", "Self"),
        ("Beacon", CLASS, "name", "Behaviour", "Symbol"),
        ("Beacon", CLASS, "new", "Value", "Self"),
        ("Pallet", INSTANCE, "weight", "Pallet", "Integer"),
        ("Pallet", INSTANCE, "withMark:", "Pallet", "Self"),
        ("Pallet", CLASS, "weight:mark:", "Pallet", "Pallet"),
        ("Integer", INSTANCE, "isNil", "Object", "Boolean"),
        ("List", INSTANCE, "collect:", "List", "List(R)"),
        ("Bin", INSTANCE, "open", "Bin", "T"),
    ],
)
def test_a_message_is_answered_by(
    name: str, side: Side, selector: str, owner: str, returns: str | None
) -> None:
    found = WORLD.find(name, side, selector)
    assert found is not None
    assert (found.owner, shown(found.returns)) == (owner, returns)


@pytest.mark.parametrize(
    ("name", "side", "selector"),
    [
        ("Beacon", INSTANCE, "lit"),
        ("Beacon", CLASS, "flash"),
        ("Crane", INSTANCE, "gear"),
        ("Zeppelin", INSTANCE, "go"),
    ],
)
def test_a_message_is_not_answered(name: str, side: Side, selector: str) -> None:
    assert WORLD.find(name, side, selector) is None


def test_generated_methods_say_so() -> None:
    found = WORLD.find("Pallet", INSTANCE, "withWeight:")
    assert found is not None
    assert found.made is Made.GENERATED
    assert found.parameters == (known("Integer"),)


def test_slots_are_inherited_and_typed() -> None:
    assert WORLD.slot_names("TowerCrane") == ("load", "gear")
    assert shown(WORLD.slot_type(known("TowerCrane"), "gear")) == "#low | #high"
    assert shown(WORLD.slot_type(Known("Bin", (known("String"),)), "item")) == "String"
    assert WORLD.slot_type(known("Bin"), "item") == UNKNOWN


GENERICS = world_of(
    "Value subclass: Holder(T)\n  field: item :: T\n  take -> T => self.item\n",
    "Holder(String) subclass: TextHolder\n",
    "Holder(List(U)) subclass: PassHolder(U)\n",
    "Holder subclass: BareHolder\n",
)


@pytest.mark.parametrize(
    ("receiver", "expected"),
    [
        (Known("Holder", (known("Integer"),)), {"T": "Integer"}),
        (known("TextHolder"), {"T": "String"}),
        (Known("PassHolder", (known("Float"),)), {"T": "List(Float)"}),
        (known("BareHolder"), {}),
        (known("PassHolder"), {"T": "List(Dynamic)"}),
    ],
)
def test_arguments_pass_upward_through_headers(receiver: Known, expected: dict[str, str]) -> None:
    found = GENERICS.bindings(receiver, "Holder")
    assert {name: display(each) for name, each in found.items()} == expected


def test_protocols_extend_each_other_and_cycles_end() -> None:
    world = world_of(
        "Protocol define: Movable\n  move: n :: Integer -> Integer\n",
        "Protocol define: Steerable\n  extending: Movable\n  steer -> Symbol\n  class make -> Self\n",
        "Protocol define: Ring\n  extending: Gnir\n  one -> Integer\n",
        "Protocol define: Gnir\n  extending: Ring\n  two -> Integer\n",
        "Value subclass: Dinghy\n  steer => #left\n",
    )
    assert set(world.requirements("Steerable").instance) == {"move:", "steer"}
    assert set(world.requirements("Ring").instance) == {"one", "two"}
    assert world.missing_of(known("Dinghy"), "Steerable") == ("move:", "class make")
    assert world.missing_of(Meta("Dinghy"), "Steerable") == ("steer", "move:")


# ---------------------------------------------------------------- the ladder

LADDER = world_of(
    "Value subclass: Mirror\n  doesNotUnderstand: sel args: args => nil\n",
    "Mirror subclass: TintedMirror\n",
    "sealed Value subclass: Shut\n  doesNotUnderstand: sel args: args => nil\n",
    "Missing subclass: Orphan\n",
    "Value subclass: Cracked\n  torn => 3 + )\n",
    "Value subclass: Gauge\n  read -> Integer => 7\n",
)


@pytest.mark.parametrize(
    ("found", "rung"),
    [
        (known("Gauge"), Rung.CLOSED_COMPLETE),
        (known("Mirror"), Rung.OPEN),
        (known("TintedMirror"), Rung.OPEN),
        (Meta("Mirror"), Rung.CLOSED_COMPLETE),
        (known("Orphan"), Rung.OPEN),
        (known("Cracked"), Rung.OPEN),
        (known("Zeppelin"), Rung.DYNAMIC),
        (UNKNOWN, Rung.DYNAMIC),
        (singleton("on"), Rung.CLOSED_COMPLETE),
        (known("Integer"), Rung.CLOSED_COMPLETE),
        (union([known("Integer"), known("Mirror")]), Rung.OPEN),
    ],
)
def test_the_rung_of_a_receiver(found: Type, rung: Rung) -> None:
    assert classify(found, INSTANCE, LADDER) is rung


@pytest.mark.parametrize(
    ("site", "rung"),
    [
        (PLAIN, Rung.CLOSED_COMPLETE),
        (Site(is_supplied_below=True), Rung.OPEN),
        (Site(reflected=frozenset({"blink"})), Rung.OPEN),
        (Site(reflected=frozenset({"blonk"})), Rung.CLOSED_COMPLETE),
        (Site(reflected=None), Rung.OPEN),
    ],
)
def test_the_site_of_a_send_counts(site: Site, rung: Rung) -> None:
    assert classify_send(known("Gauge"), "blink", site, LADDER) is rung


def test_a_sealed_class_with_a_handler_is_open_on_its_class_side() -> None:
    assert classify_send(Meta("Shut"), "go", PLAIN, LADDER) is Rung.OPEN
    assert classify_send(Meta("Mirror"), "go", PLAIN, LADDER) is Rung.CLOSED_COMPLETE


def test_less_knowledge_is_a_lower_rung() -> None:
    view, trees = LADDER.view, LADDER.trees
    lacking = World(view, trees, Knowledge.PROJECT_COMPLETE, Limits(lacks_extensions=True))
    built = World(view, trees, Knowledge.PROJECT_COMPLETE, Limits(built=frozenset({"Gauge"})))
    live = World(view, trees, Knowledge.IMAGE_COMPLETE, Limits(built=frozenset({"Gauge"})))
    assert classify(known("Gauge"), INSTANCE, lacking) is Rung.OPEN
    assert classify(known("Gauge"), INSTANCE, built) is Rung.OPEN
    assert classify(known("Gauge"), INSTANCE, live) is Rung.CLOSED_COMPLETE


# ---------------------------------------------------------------- from one world to the next


def test_the_next_world_forgets_what_was_touched() -> None:
    before = world_of("Value subclass: Gauge\n  read -> Integer => 7\n")
    assert shown(before.find("Gauge", INSTANCE, "read").returns) == "Integer"  # type: ignore[union-attr]
    kept = before.find("Integer", INSTANCE, "isEven")
    new = world_of('Value subclass: Gauge\n  read -> String => "7"\n')
    after = before.succeeded(new.view, new.trees, frozenset({"Gauge"}))
    assert shown(after.find("Gauge", INSTANCE, "read").returns) == "String"  # type: ignore[union-attr]
    assert after.find("Integer", INSTANCE, "isEven") is kept


def test_a_touched_alias_is_forgotten_everywhere() -> None:
    before = world_of("type Lamp = #red\n", "Value subclass: Post\n  lit -> Lamp => #red\n")
    assert shown(before.find("Post", INSTANCE, "lit").returns) == "Lamp (#red)"  # type: ignore[union-attr]
    new = world_of("type Lamp = #blue\n", "Value subclass: Post\n  lit -> Lamp => #red\n")
    after = before.succeeded(new.view, new.trees, frozenset({"Lamp"}))
    assert shown(after.find("Post", INSTANCE, "lit").returns) == "Lamp (#blue)"  # type: ignore[union-attr]


# ---------------------------------------------------------------- the library, piece by piece


def test_the_library_read_on_demand_is_the_library_read_at_once() -> None:
    whole, lazy = library(), LibraryTrees()
    for name, facts in whole.view.classes.items():
        assert lazy.header(name) == whole.trees.header(name)
        assert lazy.slots(name) == whole.trees.slots(name)
        for side, selector in facts.methods:
            assert lazy.method(name, side, selector) == whole.trees.method(name, side, selector)
    assert lazy.aliases == whole.view.aliases
    assert lazy.protocol("Printable") == whole.trees.protocol("Printable")
    assert lazy.header("NoSuchClass") is None


def test_every_annotation_of_the_library_means_something() -> None:
    world = library()
    bad = [
        (name, selector)
        for name, facts in world.view.classes.items()
        for side, selector in facts.methods
        for found in _types(world, name, side, selector)
        for each in _parts(found)
        if isinstance(each, Known | Meta)
        and not each.name.startswith("#")
        and not world.is_meaningful(each.name)
    ]
    assert bad == []


def _types(world: World, name: str, side: Side, selector: str) -> list[Type]:
    found = world.own_method(name, side, selector)
    assert found is not None
    return [each for each in (*found.parameters, found.returns) if each is not None]


def _parts(found: Type) -> list[Type]:
    inner = getattr(found, "arguments", ()) or getattr(found, "members", ())
    return [found, *(part for each in inner for part in _parts(each))]


def test_limits_are_kept_from_one_world_to_the_next() -> None:
    limits = replace(Limits(), lacks_extensions=True)
    before = World(WORLD.view, WORLD.trees, Knowledge.PROJECT_COMPLETE, limits)
    assert before.succeeded(WORLD.view, WORLD.trees, frozenset()).limits is limits
