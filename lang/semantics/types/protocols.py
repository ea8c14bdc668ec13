"""Whether a class does what a protocol asks (types.md 1.6).

Comes in: a class or a class object, and the name of a protocol. Guarantees: only what the ladder calls closed and
complete is ever said to miss something; a class that cannot be judged conforms (T-24). Leaves: argument and
result types of requirements, which are documentation (T-26).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from lang.dataclass import dataclass
from lang.semantics.types.ladder import Rung, classify
from lang.semantics.types.lattice import Known, Meta
from lang.semantics.types.methods import MethodType
from lang.semantics.types.operations import class_name_of
from lang.syntax.units import Side

if TYPE_CHECKING:
    from lang.semantics.types.world import World


@dataclass(frozen=True, slots=True)
class Requirements:
    """What a protocol asks of instances, and of their class, by selector."""

    instance: Mapping[str, MethodType]
    on_class: Mapping[str, MethodType]


def missing_of(actual: Known | Meta, protocol: str, world: World) -> tuple[str, ...]:
    """What `actual` provably lacks of a protocol; `class ` before requirements of the class side."""
    if classify(actual, Side.INSTANCE, world) is not Rung.CLOSED_COMPLETE:
        return ()
    asked = world.requirements(protocol)
    if isinstance(actual, Meta):
        # A class object is a witness by its class side (T-25).
        return tuple(s for s in asked.instance if world.find(actual.name, Side.CLASS, s) is None)
    if world.is_protocol(actual.name):
        return tuple(_missing_of_protocol(actual.name, asked, world))
    return tuple(_missing_of_class(class_name_of(actual), asked, world))


def _missing_of_class(name: str, asked: Requirements, world: World) -> Iterator[str]:
    yield from (s for s in asked.instance if world.find(name, Side.INSTANCE, s) is None)
    if asked.on_class and classify(Meta(name), Side.CLASS, world) is Rung.CLOSED_COMPLETE:
        yield from (f"class {s}" for s in asked.on_class if world.find(name, Side.CLASS, s) is None)


def _missing_of_protocol(name: str, asked: Requirements, world: World) -> Iterator[str]:
    """Of another protocol: what neither it nor `Object` has (T-27)."""
    given = world.requirements(name)
    for selector in asked.instance:
        if selector not in given.instance and world.find("Object", Side.INSTANCE, selector) is None:
            yield selector
    yield from (f"class {s}" for s in asked.on_class if s not in given.on_class)
