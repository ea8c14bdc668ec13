"""From the type of a receiver to what the cross-reference index says of it (types.md X-2)."""

from __future__ import annotations

from typing import assert_never

from lang.semantics.receivers import (
    DYNAMIC,
    ReceiverType,
    class_object,
    instance_of,
    intersection_of,
    union_of,
)
from lang.semantics.types.lattice import (
    SYMBOL_CLASS,
    Difference,
    Dynamic,
    How,
    Intersection,
    Known,
    Meta,
    Never,
    Placeholder,
    Type,
    Union,
)
from lang.semantics.types.world import World


def projected(found: Type, world: World) -> ReceiverType:
    """The names of a type; arguments never matter (X-3), and what is not in the world rules nothing out."""
    match found:
        case Known(provenance=provenance) if provenance.how is How.EXTRACTED:
            return DYNAMIC
        case Known(name=name):
            name = SYMBOL_CLASS if found.is_singleton else name
            return instance_of(name) if world.is_class(name) or world.is_protocol(name) else DYNAMIC
        case Meta(name=name):
            return class_object(name) if world.is_class(name) else DYNAMIC
        case Difference(base=base):
            return projected(base, world)
        case Union(members=members):
            return union_of(projected(each, world) for each in members)
        case Intersection(members=members):
            return intersection_of(projected(each, world) for each in members)
        case Placeholder() | Dynamic() | Never():
            return DYNAMIC
        case other:
            assert_never(other)
