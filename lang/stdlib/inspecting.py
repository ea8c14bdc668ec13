"""Inspector: an immutable cursor on an object and what lies below it (workspace.md 5.1).

Guarantees: nothing of the inspected object runs but `printString`; a busy, dead or
silent actor is shown as unavailable, never waited for beyond a second; a page costs a
page. Leaves: Results and Dictionaries to the primitives.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from enum import Enum
from itertools import islice
from typing import TYPE_CHECKING, Final, final

from lang.dataclass import dataclass
from lang.runtime.classes import ClassObject, MetaclassObject
from lang.runtime.collections.arrays import BtArray
from lang.runtime.collections.lists import BtList
from lang.runtime.collections.mappings import BtDictionary, BtSet
from lang.runtime.collections.tuples import BtTuple
from lang.runtime.equality import Structural, strict_equal
from lang.runtime.errors import BeamtalkError
from lang.runtime.instances import ActorObject, ValueObject, fields_of
from lang.runtime.printing import print_element
from lang.runtime.symbols import Symbol, symbol
from lang.stdlib.searching import elements_by_do

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

PAGE: Final = 50
PATIENCE: Final = 1.0
"""Seconds that an actor has to answer a snapshot."""

_SCALARS: Final = (str, bytes, int, float, Symbol, type(None))


class Kind(Enum):
    """What an inspected object is."""

    VALUE = "value"
    ACTOR = "actor"
    COLLECTION = "collection"
    FOREIGN = "foreign"


@final
@dataclass(frozen=True, slots=True)
class Field:
    """One field: by what it is found, how it is labelled, its value and its kind."""

    name: object
    label: str
    value: object
    kind: str

    @property
    def is_drillable(self) -> bool:
        """Whether something lies below it."""
        return not isinstance(self.value, _SCALARS)


@final
@dataclass(frozen=True, slots=True, eq=False)
class BtInspector:
    """A cursor: the subject, where it came from, and for an actor the state that was read."""

    subject: object
    parent: BtInspector | None = None
    name: object = None
    page: int = 1
    state: tuple[tuple[str, object], ...] | None = None
    """The snapshot of an actor; None when it was unavailable, and for all other subjects."""

    def kind(self, runtime: Runtime) -> Kind:
        """What the subject is."""
        if isinstance(self.subject, ActorObject):
            return Kind.ACTOR
        if _elements(runtime, self.subject) is not None:
            return Kind.COLLECTION
        return Kind.FOREIGN if _is_foreign(runtime, self.subject) else Kind.VALUE

    def fields(self, runtime: Runtime) -> list[Field]:
        """What lies below the subject: all of it, or the cursor's page of a collection."""
        if isinstance(self.subject, ActorObject):
            return self._state_fields()
        elements = _elements(runtime, self.subject)
        if elements is not None:
            start = min((self.page - 1) * PAGE, sys.maxsize - PAGE)
            return list(
                islice(elements, min(start, sys.maxsize - PAGE), min(start, sys.maxsize - PAGE) + PAGE)
            )
        if isinstance(self.subject, ValueObject):
            return [_slot(name, value) for name, value in sorted(fields_of(self.subject).items())]
        if _is_foreign(runtime, self.subject):
            kind = type(self.subject)
            return [
                _slot("type", f"{kind.__module__}.{kind.__qualname__}"),
                _slot("repr", _safe_repr(self.subject)),
            ]
        return []

    def size(self, runtime: Runtime) -> int:
        """How many fields or elements there are."""
        subject = self.subject
        if isinstance(subject, BtList | BtArray | BtTuple | BtDictionary | BtSet):
            return len(subject)
        if self.kind(runtime) is Kind.COLLECTION:
            count: int = runtime.send(subject, "size")
            return count
        return len(self.fields(runtime))

    def child(self, runtime: Runtime, name: object) -> BtInspector | None:
        """A cursor on the field of that name; None when there is none."""
        elements = None if isinstance(self.subject, ActorObject) else _elements(runtime, self.subject)
        for field in elements if elements is not None else self.fields(runtime):
            if strict_equal(field.name, name) or (isinstance(name, str) and field.label == name):
                return inspector_on(runtime, field.value, self, field.name)
        return None

    def path(self) -> list[object]:
        """The names from the root to here."""
        names: list[object] = []
        at = self
        while at.parent is not None:
            names.append(at.name)
            at = at.parent
        names.reverse()
        return names

    def _state_fields(self) -> list[Field]:
        if self.state is None:
            return [Field(symbol("status"), "status", symbol("unavailable"), "status")]
        return [_slot(name, value) for name, value in self.state]


def inspector_on(
    runtime: Runtime, subject: object, parent: BtInspector | None = None, name: object = None
) -> BtInspector:
    """A cursor on an object; an actor's state is read now."""
    state = _snapshot(runtime, subject) if isinstance(subject, ActorObject) else None
    return BtInspector(subject, parent, name, state=state)


def inspection_text(runtime: Runtime, cursor: BtInspector, depth: int) -> str:
    """The subject and a line for each field, to a depth; an actor that is on the path is not entered again."""
    lines: list[str] = []
    _write(runtime, cursor, depth, 0, lines, ())
    return "\n".join([_headline(runtime, cursor), *lines])


def _write(
    runtime: Runtime,
    cursor: BtInspector,
    depth: int,
    level: int,
    lines: list[str],
    around: tuple[object, ...],
) -> None:
    if level >= depth:
        return
    around = (*around, cursor.subject)
    for field in cursor.fields(runtime):
        text = print_element(runtime, field.value)
        is_around = isinstance(field.value, ActorObject) and any(field.value is other for other in around)
        lines.append(f"{'  ' * (level + 1)}{field.label}: {'↩ ' if is_around else ''}{text}")
        if field.is_drillable and not is_around:
            child = inspector_on(runtime, field.value, cursor, field.name)
            _write(runtime, child, depth, level + 1, lines, around)


def _headline(runtime: Runtime, cursor: BtInspector) -> str:
    name = runtime.class_name_of(cursor.subject)
    if isinstance(cursor.subject, ActorObject):
        return f"Inspector({name}{' = #unavailable' if cursor.state is None else ''})"
    if cursor.kind(runtime) is Kind.COLLECTION:
        return f"Inspector({name}, {cursor.size(runtime)})"
    if isinstance(cursor.subject, _SCALARS):
        return f"Inspector({name} = {print_element(runtime, cursor.subject)})"
    return f"Inspector({name})"


def _snapshot(runtime: Runtime, actor: ActorObject) -> tuple[tuple[str, object], ...] | None:
    """The state between two messages; None when the actor does not answer in time."""
    try:
        runtime.processes.call_within(actor, "fieldNames", (), PATIENCE)
    except BeamtalkError:
        return None
    return tuple(sorted(fields_of(actor).items()))


def _elements(runtime: Runtime, subject: object) -> Iterator[Field] | None:
    """The fields of a collection, one by one; None for what is none."""
    if isinstance(subject, BtDictionary):
        return (
            Field(key, print_element(runtime, key), value, "association")
            for key, value in subject.items_in_order()
        )
    if isinstance(subject, BtList | BtArray | BtTuple | BtSet):
        return _numbered(iter(subject))
    if isinstance(subject, ValueObject) and _is_collection(runtime, subject):
        return _numbered(iter(elements_by_do(runtime, subject)))
    return None


def _numbered(elements: Iterator[object]) -> Iterator[Field]:
    return (Field(index, str(index), element, "element") for index, element in enumerate(elements, start=1))


def _is_collection(runtime: Runtime, subject: ValueObject) -> bool:
    return any(c.name in ("Interval", "Bag") for c in runtime.class_of_instance(subject).chain())


def _is_foreign(runtime: Runtime, subject: object) -> bool:
    if isinstance(subject, (Structural, ValueObject, ClassObject, MetaclassObject, *_SCALARS)):
        return False
    return runtime.class_of_instance(subject).name == "PythonObject"


def _slot(name: str, value: object) -> Field:
    return Field(symbol(name), name, value, "slot")


def _safe_repr(subject: object) -> str:
    try:
        return repr(subject)
    except Exception as fault:  # noqa: BLE001 - the host's own text, best effort
        return f"<repr failed: {type(fault).__name__}>"
