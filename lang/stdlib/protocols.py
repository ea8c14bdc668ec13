"""Protocols at run time: which there are, and what conforms (language.md 4.18).

Guarantees: conformance is structural, by the methods a class has; an override of
`doesNotUnderstand:args:` counts for nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lang.runtime.classes import ClassObject
from lang.runtime.errors import BeamtalkError
from lang.syntax.units import Side

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime


def named(runtime: Runtime, name: str) -> ClassObject | None:
    """The protocol of that name; None for an unknown one, and for a class."""
    found = runtime.class_named(name)
    return found if found is not None and found.definition.protocol is not None else None


def every(runtime: Runtime) -> list[ClassObject]:
    """All protocols, in the order of the names' mapping."""
    return [c for c in runtime.classes() if c.definition.protocol is not None]


def required(runtime: Runtime, protocol: ClassObject) -> Iterator[tuple[str, Side]]:
    """What a protocol asks for, the requirements of the protocols that it extends included."""
    seen: set[ClassObject] = set()
    at: ClassObject | None = protocol
    while at is not None and at not in seen:
        seen.add(at)
        info = at.definition.protocol
        if info is None:
            raise BeamtalkError("internal_error", f"{at.name} is no protocol", class_name=at.name)
        yield from info.required
        at = named(runtime, info.extending) if info.extending is not None else None


def conforms(runtime: Runtime, class_object: ClassObject, protocol: ClassObject) -> bool:
    """Whether a class has a method for everything that a protocol asks for."""
    if class_object.definition.protocol is not None:
        return False
    return all(
        class_object.lookup(selector, side) is not None for selector, side in required(runtime, protocol)
    )


def conforming(runtime: Runtime, protocol: ClassObject) -> list[ClassObject]:
    """All classes that conform to a protocol."""
    return [c for c in runtime.classes() if conforms(runtime, c, protocol)]
