"""Superclasses, subclasses and inherited methods, as the units of a state tell them.

Comes in: an `ImageState`. Guarantees: answers for that state, without live objects;
project classes through the index, library classes through `state.library`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from lang.semantics.references import ReferenceRole
from lang.syntax.units import Side
from workspace.state import ImageState


def superclass_of(state: ImageState, name: str) -> str | None:
    """The superclass of a class; None at a root, and for unknown classes."""
    lineage = state.classes.get(name)
    if lineage is None:
        return None
    if lineage < 0:
        return state.library[name].superclass
    rows = state.cross_reference.rows_of(lineage)
    if rows is not None:
        for mention in rows.references.classes:
            if mention.role is ReferenceRole.SUPERCLASS:
                return mention.name
    return None


def superclass_chain(state: ImageState, name: str | None) -> Iterator[str]:
    """A class and its superclasses; ends on a cycle."""
    seen: set[str] = set()
    while name is not None and name not in seen:
        yield name
        seen.add(name)
        name = superclass_of(state, name)


def direct_subclasses(state: ImageState, name: str) -> Iterator[str]:
    """The classes whose header names `name` as superclass."""
    for row in state.index.references_to(name):
        if row.mention.role is ReferenceRole.SUPERCLASS:
            yield row.owner.class_name


def subclass_tree(state: ImageState, name: str) -> tuple[str, ...]:
    """All transitive subclasses of a class, parents first."""
    found: list[str] = []
    waiting = [name]
    while waiting:
        fresh = [each for each in direct_subclasses(state, waiting.pop(0)) if each not in found]
        found.extend(fresh)
        waiting.extend(fresh)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class ClassTree:
    """What a replay asks of a state: from a class name to it and all its subclasses, and whose classes they are."""

    package: str | None
    below: Callable[[str], frozenset[str]]


def class_tree(state: ImageState) -> ClassTree:
    """The classes of this state."""
    return ClassTree(state.package, lambda name: frozenset((name, *subclass_tree(state, name))))


def defines(state: ImageState, name: str, side: Side, selector: str) -> bool:
    """Whether a class itself, or an extension of it, defines the method."""
    if state.method_unit(name, side, selector) is not None:
        return True
    library = state.library.get(name)
    return library is not None and selector in library.selectors(side)


def defining_class(state: ImageState, start: str | None, side: Side, selector: str) -> str | None:
    """The class at or above `start` that defines the method.

    Above the last class of the class side come `Class` and its superclasses, instance side.
    """
    for name in superclass_chain(state, start):
        if defines(state, name, side, selector):
            return name
    if side is Side.CLASS and start is not None:
        return defining_class(state, "Class", Side.INSTANCE, selector)
    return None
