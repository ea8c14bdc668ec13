r"""Intersection and difference of types: what is left after a test (types.md 1.3).

Comes in: two types and the order of classes. Guarantees: the tables of 1.3, first matching row; no nested
`Difference`; an answer for every pair. Leaves: which test narrows what to `narrowing`.
"""

from __future__ import annotations

from typing import Protocol

from lang.semantics.types.display import structure
from lang.semantics.types.lattice import (
    NEVER,
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
    excluded_symbols,
    is_all_symbols,
    is_symbol_difference,
    symbol_without,
    union,
    untagged,
)


class ClassOrder(Protocol):
    """What types ask about classes. Names that are not known are below nothing, and nothing is below them."""

    def is_known_name(self, name: str) -> bool:
        """Whether a class or protocol has this name."""

    def is_protocol(self, name: str) -> bool:
        """Whether a protocol has this name."""

    def is_below(self, name: str, ancestor: str) -> bool:
        """Whether `ancestor` is the class or above it."""

    def is_complete(self, name: str) -> bool:
        """Whether every superclass is known."""


TOWER = frozenset({"Class", "Behaviour", "Object", "ProtoObject"})
"""What a class object is an instance of, however it is declared (T-12)."""


def class_name_of(found: Known) -> str:
    """The class that answers for it: that of a singleton is `Symbol`."""
    return SYMBOL_CLASS if found.is_singleton else found.name


# ---------------------------------------------------------------- intersection


def intersect(one: Type, other: Type, order: ClassOrder) -> Type:
    """A value that is both; `Never` when nothing can be."""
    if isinstance(one, Dynamic):
        return other
    if isinstance(other, Dynamic):
        return one
    if isinstance(one, Never) or isinstance(other, Never):
        return NEVER
    if _is_object(one):
        return other
    if _is_object(other):
        return one
    return _intersect_parts(untagged(one), untagged(other), order)


def _is_object(found: Type) -> bool:
    return isinstance(found, Known) and found.name == "Object"


def _intersect_parts(one: Type, other: Type, order: ClassOrder) -> Type:
    for this, that in ((one, other), (other, one)):
        if isinstance(this, Difference):
            return difference(intersect(this.base, that, order), this.excluded, order)
    if isinstance(one, Union):
        return union([intersect(member, other, order) for member in one.members])
    if isinstance(other, Union):
        return union([intersect(one, member, order) for member in other.members])
    for this, that in ((one, other), (other, one)):
        if isinstance(this, Intersection):
            return _merged(this, that, order)
    if one == other or isinstance(other, Placeholder):
        return one
    if isinstance(one, Placeholder):
        return other
    return _intersect_single(one, other, order)


def _merged(one: Intersection, other: Type, order: ClassOrder) -> Type:
    members = list(one.members)
    for added in other.members if isinstance(other, Intersection) else (other,):
        pairs = [intersect(member, added, order) for member in members]
        if any(isinstance(pair, Never) for pair in pairs):
            return NEVER
        reduced = [pair if not isinstance(pair, Intersection) else None for pair in pairs]
        if any(pair is not None for pair in reduced):
            members = [new or old for old, new in zip(members, reduced, strict=True)]
        else:
            members.append(added)
    return _stored(members)


def _stored(members: list[Type]) -> Type:
    kept = sorted(dict.fromkeys(members), key=structure)
    return kept[0] if len(kept) == 1 else Intersection(tuple(kept))


def _intersect_single(one: Type, other: Type, order: ClassOrder) -> Type:
    match one, other:
        case Known(), Known():
            return _intersect_known(one, other, order)
        case Meta(), Meta():
            if order.is_below(one.name, other.name):
                return one
            return other if order.is_below(other.name, one.name) else NEVER
        case (Meta() as meta, Known() as instance) | (Known() as instance, Meta() as meta):
            if order.is_protocol(instance.name):
                return _stored([meta, instance])
            return meta if instance.name in TOWER else NEVER
    return NEVER


def _intersect_known(one: Known, other: Known, order: ClassOrder) -> Type:
    for this, that in ((one, other), (other, one)):
        if this.is_singleton and not that.is_singleton and order.is_below(SYMBOL_CLASS, that.name):
            return this
    if one.name != other.name and (order.is_protocol(one.name) or order.is_protocol(other.name)):
        return _stored([one, other])
    if one.name == other.name:
        return _intersect_arguments(one, other, order)
    if order.is_below(one.name, other.name):
        return one
    if order.is_below(other.name, one.name):
        return other
    return NEVER if _is_decided(one, order) and _is_decided(other, order) else other


def _intersect_arguments(one: Known, other: Known, order: ClassOrder) -> Known:
    """The same class twice: its arguments pairwise; one that has none says nothing about them."""
    if len(one.arguments) != len(other.arguments):
        return max(one, other, key=lambda each: len(each.arguments))
    pairs = zip(one.arguments, other.arguments, strict=True)
    return Known(one.name, tuple(intersect(this, that, order) for this, that in pairs))


def _is_decided(found: Known, order: ClassOrder) -> bool:
    """Whether all that stands above is known, so that a class that is not found there is not there."""
    name = class_name_of(found)
    return order.is_known_name(name) and order.is_complete(name)


# ---------------------------------------------------------------- difference


def difference(one: Type, removed: Type, order: ClassOrder) -> Type:
    """A `one` that is no `removed`, as far as types can say it."""
    if isinstance(one, Dynamic) or isinstance(removed, Dynamic | Never):
        return one
    if isinstance(one, Never):
        return NEVER
    one, removed = untagged(one), untagged(removed)
    if isinstance(removed, Union):
        left: Type = one
        for member in removed.members:
            left = difference(left, member, order)
        return left
    if isinstance(one, Union):
        return union([difference(member, removed, order) for member in one.members])
    return _difference_single(one, removed, order)


def _difference_single(one: Type, removed: Type, order: ClassOrder) -> Type:
    is_symbols = is_all_symbols(one) or is_symbol_difference(one)
    if is_symbols and isinstance(removed, Known) and removed.is_singleton:
        return symbol_without(excluded_symbols(one) | {removed.name})
    if one == removed:
        return NEVER
    if not (isinstance(one, Known) and isinstance(removed, Known)) or one.arguments or removed.arguments:
        return one
    if removed.is_singleton or order.is_protocol(one.name) or order.is_protocol(removed.name):
        return one
    if order.is_below(class_name_of(one), removed.name):
        return NEVER
    return Difference(one, removed) if order.is_below(removed.name, one.name) else one
