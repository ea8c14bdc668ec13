"""The completeness ladder: what may be said of a receiver that does not seem to understand (types.md 3.1).

Comes in: a type, a side and a world. Guarantees: the one decision procedure, first matching row of L-2; every
doubt moves the answer to a lower rung. Leaves: whether a selector resolves to `World.find`, severities to the
checks.
"""

from __future__ import annotations

import enum
from collections.abc import Container
from typing import TYPE_CHECKING, Final

from lang.dataclass import dataclass
from lang.semantics.types.lattice import (
    SYMBOL_CLASS,
    Difference,
    Dynamic,
    Intersection,
    Known,
    Meta,
    Never,
    Placeholder,
    Type,
    Union,
)
from lang.syntax.units import Side

if TYPE_CHECKING:
    from lang.semantics.types.world import World

HANDLER: Final = "doesNotUnderstand:args:"
_ROOT: Final = "ProtoObject"


class Rung(enum.Enum):
    """How much is known of a receiver's methods."""

    DYNAMIC = "dynamic"
    OPEN = "open"
    CLOSED_COMPLETE = "closed complete"


@dataclass(frozen=True, slots=True)
class Site:
    """What of a send matters besides its receiver's type (L-2 rows 8 and 9).

    `is_supplied_below` is true of a self-send inside an abstract class. `reflected` are the selectors that the
    same variable is sent by `perform:`; None when one is computed.
    """

    is_supplied_below: bool = False
    reflected: Container[str] | None = ()


PLAIN: Final = Site()


def classify(found: Type, side: Side, world: World) -> Rung:
    """The rung of a receiver, the site aside; `side` is the instance side but for class objects (L-3)."""
    match found:
        case Dynamic() | Placeholder():
            return Rung.DYNAMIC
        case Never():
            return Rung.OPEN
        case Difference(base=base):
            return classify(base, side, world)
        case Meta(name=name):
            return classify_class(name, Side.CLASS, world)
        case Known(name=name):
            if found.is_singleton:
                return classify_class(SYMBOL_CLASS, side, world)
            if world.is_protocol(name):
                return Rung.CLOSED_COMPLETE
            return classify_class(name, side, world)
        case Intersection(members=members) | Union(members=members):
            rungs = {classify(member, side, world) for member in members}
            return Rung.CLOSED_COMPLETE if rungs == {Rung.CLOSED_COMPLETE} else Rung.OPEN


def classify_class(name: str, side: Side, world: World) -> Rung:
    """The rung of a class on a side: rows 1 and 3 to 7, kept for each world."""
    world.remember(name)
    memory = world.memory.verdicts.setdefault(name, {})
    found = memory.get(side is Side.CLASS)
    if found is None:
        found = memory[side is Side.CLASS] = _classify_class(name, side, world)
    return found


def _classify_class(name: str, side: Side, world: World) -> Rung:
    if not world.is_class(name):
        return Rung.DYNAMIC
    if _has_handler(name, side, world) or not world.is_complete(name):
        return Rung.OPEN
    limits = world.limits
    for facts in world.chain(name):
        if facts.name in limits.broken:
            return Rung.OPEN
        if facts.name in limits.built and not world.sees_image:
            return Rung.OPEN
    is_lacking = limits.lacks_extensions and world.sees_project
    return Rung.OPEN if is_lacking else Rung.CLOSED_COMPLETE


def _has_handler(name: str, side: Side, world: World) -> bool:
    """Whether the class or an ancestor answers what nobody understands, other than the root's default (row 3)."""
    return any(
        facts.method(side, HANDLER) is not None
        for facts in world.chain(name)
        if not (facts.name == _ROOT and side is Side.INSTANCE)
    )


def classify_send(found: Type, selector: str, site: Site, world: World) -> Rung:
    """The rung of a receiver for a selector check at a site: the whole of L-2."""
    rung = classify(found, Side.INSTANCE, world)
    if rung is not Rung.CLOSED_COMPLETE:
        return rung
    if site.is_supplied_below or site.reflected is None or selector in site.reflected:
        return Rung.OPEN
    if isinstance(found, Meta) and _answers_by_instances(found.name, world):
        return Rung.OPEN
    return rung


def _answers_by_instances(name: str, world: World) -> bool:
    """A sealed class whose instance side has a handler (row 10): selector checks only."""
    facts = world.facts(name)
    return facts is not None and facts.is_sealed and _has_handler(name, Side.INSTANCE, world)
