"""The tier of a type (types.md 4.1, 4.2): composition, generics, scopes, the built-in table."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lang.semantics.modules import WORKSPACE, registry_of
from lang.semantics.sight import Sight
from lang.semantics.surfaces import PackageSource, fragments_of, surface_of
from lang.semantics.types.annotations import resolved
from lang.semantics.types.lattice import NEVER, UNKNOWN, Difference, Known, Meta
from lang.semantics.types.sendability import (
    REFERENCE,
    SENDABLE,
    UNKNOWN_TIER,
    Rank,
    Tier,
    joined,
    tier,
)
from lang.semantics.types.trees import FileTrees
from lang.semantics.types.world import Knowledge, World
from lang.source import SourceText
from lang.syntax import parse_file, parse_input
from workspace.analysis import library_source

SOURCES = {
    "Cable": "Object subclass: Cable\n  handleScope: #process\n  n => 1\n",
    "DeepCable": "Cable subclass: DeepCable\n  m => 1\n",
    "Table": "Object subclass: Table\n  handleScope: #node\n  n => 1\n",
    "Clamp": "Object subclass: Clamp\n  handleScope: #session\n  n => 1\n",
    "Plain": "Object subclass: Plain\n  n => 1\n",
    "Spool": "Value subclass: Spool\n  field: cable :: Cable\n  field: turns :: Integer = 0\n",
    "BigSpool": "Spool subclass: BigSpool\n  field: more :: Integer = 0\n",
    "Mixed": "Value subclass: Mixed\n  field: port :: Port\n  field: other = nil\n",
    "Ring": "Value subclass: Ring\n  field: next :: Ring | Nil = nil\n  field: n :: Integer = 0\n",
    "Crate": "Value subclass: Crate(T)\n  field: item :: T\n",
    "Diver": "Actor subclass: Diver\n  state: line :: Port | Nil = nil\n",
    "Weighable": "Protocol define: Weighable\n  grams -> Integer\n",
    "handles": "type Handle = Port | Nil\n",
    "Lost": "Gone subclass: Lost\n  n => 1\n",
}
PROCESS = Tier(Rank.HANDLE, "process")


def _world() -> World:
    library = library_source()
    own = PackageSource(
        WORKSPACE, tuple(parse_file(SourceText(text, f"{name}.bt")) for name, text in SOURCES.items())
    )
    registry, _refused = registry_of(fragments_of((library, own)))
    view = Sight(WORKSPACE, map(surface_of, (library, own)), registry).view()
    return World(view, FileTrees((*library.files, *own.files)), Knowledge.PROJECT_COMPLETE)


WORLD = _world()


def graded(annotation: str) -> Tier:
    node = parse_input(f"x :: {annotation} := nil").units[0].node
    written = node.body[0].annotation  # type: ignore[union-attr]
    return tier(resolved(written, WORLD), WORLD)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        ("Integer", SENDABLE),
        ("String | Nil", SENDABLE),
        ("#on | #off", SENDABLE),
        ("Pid", REFERENCE),
        ("Port", PROCESS),
        ("FileHandle", PROCESS),
        ("Reference", SENDABLE),
        ("Subscription", Tier(Rank.HANDLE, "node")),
        ("List(Integer)", SENDABLE),
        ("List(Port)", PROCESS),
        ("Dictionary(Symbol, List(Port))", PROCESS),
        ("Cable", PROCESS),
        ("DeepCable", PROCESS),
        ("Table", Tier(Rank.HANDLE, "node")),
        ("Clamp", Tier(Rank.HANDLE, "session")),
        ("Plain", UNKNOWN_TIER),
        ("Spool", PROCESS),
        ("BigSpool", PROCESS),
        ("List(Spool)", PROCESS),
        ("List(Plain)", UNKNOWN_TIER),
        ("Mixed", UNKNOWN_TIER),
        ("Ring", SENDABLE),
        ("Crate(Port)", PROCESS),
        ("Crate(Integer)", SENDABLE),
        ("Diver", REFERENCE),
        ("Weighable", UNKNOWN_TIER),
        ("Handle", PROCESS),
        ("Port | Table", PROCESS),
        ("Port | Object", UNKNOWN_TIER),
        ("Lost", UNKNOWN_TIER),
        ("NoSuchClass", UNKNOWN_TIER),
        ("Dynamic", UNKNOWN_TIER),
    ],
)
def test_the_tier_of_a_type(annotation: str, expected: Tier) -> None:
    assert graded(annotation) == expected


def test_class_objects_and_what_never_is_are_sendable() -> None:
    assert tier(Meta("Cable"), WORLD) == SENDABLE
    assert tier(NEVER, WORLD) == SENDABLE
    assert tier(UNKNOWN, WORLD) == UNKNOWN_TIER
    assert tier(Difference(Known("Cable"), Known("DeepCable")), WORLD) == PROCESS


def test_hover_says_what_is_no_plain_value() -> None:
    shown = [graded(each).label for each in ("Integer", "Pid", "Diver", "Table", "Spool", "Plain")]
    assert shown == [
        None,
        "SendableRef",
        "SendableRef",
        "HandleScoped(#node)",
        "HandleScoped(#process)",
        None,
    ]


tiers = st.sampled_from(
    [SENDABLE, REFERENCE, UNKNOWN_TIER, PROCESS, Tier(Rank.HANDLE, "node"), Tier(Rank.HANDLE, "x")]
)


@given(tiers, tiers, tiers)
def test_joining_is_a_maximum(one: Tier, two: Tier, three: Tier) -> None:
    assert joined((one, one)) == one
    assert joined((one, two)) == joined((two, one))
    assert joined((joined((one, two)), three)) == joined((one, joined((two, three))))
    assert joined((one, SENDABLE)) == one
    assert joined((one, UNKNOWN_TIER)) == UNKNOWN_TIER
