"""Superclasses, subclasses and inherited methods, as the units of a state tell them.

Comes in: an `ImageState`. Guarantees: answers for that state, without live objects;
project classes through the index, library classes through `state.library`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from lang.dataclass import dataclass
from lang.deferred import deferred
from lang.spelling import copy_setter
from lang.syntax.units import Side, UnitKind
from workspace.state import ImageState

if TYPE_CHECKING:
    from lang.semantics import references
else:
    references = deferred("lang.semantics.references")


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
            if mention.role is references.ReferenceRole.SUPERCLASS:
                return state.spelled(mention.name, mention.package)
    return None


def superclass_chain(state: ImageState, name: str | None) -> Iterator[str]:
    """A class and its superclasses; ends on a cycle."""
    seen: set[str] = set()
    while name is not None and name not in seen:
        yield name
        seen.add(name)
        name = superclass_of(state, name)


def direct_subclasses(state: ImageState, name: str) -> Iterator[str]:
    """The classes whose header names `name` as superclass, then those of the library."""
    for row in state.index.references_to(name.rpartition("@")[2]):
        mention = row.mention
        is_header = (
            mention.role is references.ReferenceRole.SUPERCLASS and row.owner.class_name in state.classes
        )
        if is_header and state.spelled(mention.name, mention.package) == name:
            yield row.owner.class_name
    if name in state.library:
        yield from (each.name for each in state.library.values() if each.superclass == name)


def subclass_tree(state: ImageState, name: str) -> tuple[str, ...]:
    """All transitive subclasses of a class, parents first."""
    found: dict[str, None] = {}
    waiting = deque([name])
    while waiting:
        fresh = [each for each in direct_subclasses(state, waiting.popleft()) if each not in found]
        found.update(dict.fromkeys(fresh))
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
    """Whether a class itself, or an extension of it, defines the method, accessors of fields included."""
    if state.method_unit(name, side, selector) is not None or selector in generated(state, name, side):
        return True
    library = state.library.get(name)
    return library is not None and library.defines(side, selector)


def generated(state: ImageState, name: str, side: Side) -> frozenset[str]:
    """The selectors that a value class has from its fields, without source (language.md 4.2; types.md X-10)."""
    declaring = (unit for unit in state.units_of(name) if unit.kind in (UnitKind.HEADER, UnitKind.DATA))
    rows = (state.cross_reference.rows_of(unit.lineage) for unit in declaring)
    fields = [field for each in rows if each is not None for field in each.fields]
    if not fields or "Value" not in superclass_chain(state, name):
        return frozenset()
    if side is Side.CLASS:
        return frozenset({"".join(f"{field}:" for field in fields)})
    return frozenset((*fields, *map(copy_setter, fields)))


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
