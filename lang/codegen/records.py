"""Compiled classes as plain data: what a cache holds of a source file.

Comes in: parsed units that passed the checks. Guarantees: nothing but numbers, texts,
tuples and code objects, so that `marshal` can write and read it. Leaves: class objects
to `lang/runtime/definitions.py`.
"""

from __future__ import annotations

import marshal
from collections.abc import Iterable, Iterator
from types import CodeType
from typing import Any

from lang.codegen.unit import CompiledUnit, Datum, unit_from_data
from lang.dataclass import dataclass

UnitData = tuple[str, int, CodeType, tuple[tuple[str, str, Datum], ...]]


@dataclass(frozen=True, slots=True)
class CompiledSlot:
    """A data declaration; `keyword` keeps its colon, `default` is a unit without parameters."""

    keyword: str
    name: str
    annotation: str | None
    doc: str | None
    default: CompiledUnit | None

    def as_data(self) -> tuple[object, ...]:
        """What `marshal` can write."""
        return (self.keyword, self.name, self.annotation, self.doc, _unit_data(self.default))


@dataclass(frozen=True, slots=True)
class CompiledMember:
    """A method: either a unit, or the name of a primitive of the standard library."""

    selector: str
    arity: int
    is_class_side: bool
    is_extension: bool
    is_sealed: bool
    is_internal: bool
    source: str
    doc: str | None
    primitive: str | None
    unit: CompiledUnit | None

    def as_data(self) -> tuple[object, ...]:
        """What `marshal` can write."""
        return (
            self.selector,
            self.arity,
            self.is_class_side,
            self.is_extension,
            self.is_sealed,
            self.is_internal,
            self.source,
            self.doc,
            self.primitive,
            _unit_data(self.unit),
        )


@dataclass(frozen=True, slots=True)
class CompiledClass:
    """A class definition with its methods; those that were read back are decoded when somebody walks them."""

    name: str
    superclass: str | None
    modifiers: tuple[str, ...]
    type_parameters: tuple[str, ...]
    doc: str | None
    slots: tuple[CompiledSlot, ...]
    methods: Iterable[CompiledMember]

    def as_data(self) -> tuple[object, ...]:
        """What `marshal` can write."""
        return (
            self.name,
            self.superclass,
            self.modifiers,
            self.type_parameters,
            self.doc,
            tuple(s.as_data() for s in self.slots),
            _packed(self.methods),
        )


@dataclass(frozen=True, slots=True)
class CompiledProtocol:
    """A protocol: (selector, whether on the class side) pairs that it requires itself."""

    name: str
    type_parameters: tuple[str, ...]
    extending: str | None
    required: tuple[tuple[str, bool], ...]
    doc: str | None

    def as_data(self) -> tuple[object, ...]:
        """What `marshal` can write."""
        return (self.name, self.type_parameters, self.extending, self.required, self.doc)


@dataclass(frozen=True, slots=True)
class PackedMembers:
    """Methods as `marshal` wrote them: most programs use few of the classes that there are."""

    packed: bytes

    def __iter__(self) -> Iterator[CompiledMember]:
        return map(_member_from, marshal.loads(self.packed))


def _packed(members: Iterable[CompiledMember]) -> bytes:
    data: Any = tuple([member.as_data() for member in members])
    return marshal.dumps(data)


def class_from_data(data: Any) -> CompiledClass:
    """The inverse of `CompiledClass.as_data`."""
    name, superclass, modifiers, type_parameters, doc, slots, methods = data
    return CompiledClass(
        name,
        superclass,
        modifiers,
        type_parameters,
        doc,
        tuple([CompiledSlot(k, n, a, d, _unit_from(u)) for k, n, a, d, u in slots]),
        PackedMembers(methods),
    )


def _unit_data(unit: CompiledUnit | None) -> tuple[object, ...] | None:
    return unit.as_data() if unit is not None else None


def _unit_from(data: UnitData | None) -> CompiledUnit | None:
    return unit_from_data(data) if data is not None else None


def _member_from(data: Any) -> CompiledMember:
    selector, arity, on_class, is_extension, is_sealed, is_internal, source, doc, primitive, unit = data
    return CompiledMember(
        selector,
        arity,
        on_class,
        is_extension,
        is_sealed,
        is_internal,
        source,
        doc,
        primitive,
        _unit_from(unit),
    )
