r"""May a value of one type be used where another is declared, without comment? (types.md 1.5).

Comes in: the actual and the expected type, and a `Conformance` for what protocols ask. Guarantees: doubt answers
yes (T-14, T-17, T-18). Leaves: how a misfit is worded and how severe it is to the checks.
"""

from __future__ import annotations

import enum
from typing import Protocol

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
    members_of,
    union,
)
from lang.semantics.types.operations import TOWER, ClassOrder, class_name_of


class Conformance(ClassOrder, Protocol):
    """The order of classes, and what protocols ask of them (types.md 1.6)."""

    def missing_of(self, actual: Known | Meta, protocol: str) -> tuple[str, ...]:
        """The requirements that it provably does not meet, in order; `class ` before those of the class side."""


def compatible(actual: Type, expected: Type, order: Conformance) -> bool:
    """Whether `actual` fits entirely; of a union every member must (for the verdict on a union see `fit`)."""
    if isinstance(actual, Dynamic | Never | Placeholder) or isinstance(expected, Dynamic | Placeholder):
        return True
    if isinstance(expected, Never):
        return False
    if isinstance(actual, Union):
        return actual == expected or all(compatible(member, expected, order) for member in actual.members)
    if isinstance(expected, Union):
        return any(compatible(actual, member, order) for member in expected.members)
    if isinstance(expected, Intersection):
        return all(compatible(actual, member, order) for member in expected.members)
    if isinstance(actual, Intersection):
        return any(compatible(member, expected, order) for member in actual.members)
    if isinstance(expected, Difference):
        return _fits_difference(actual, expected, order)
    if isinstance(actual, Difference):
        return compatible(actual.base, expected, order)
    return _single(actual, expected, order)


def _fits_difference(actual: Type, expected: Difference, order: Conformance) -> bool:
    if not compatible(actual, expected.base, order):
        return False
    if not isinstance(actual, Known):
        return True
    if actual.is_singleton or not _names_symbols(expected.excluded):
        return not any(compatible(actual, member, order) for member in members_of(expected.excluded))
    return True


def _names_symbols(excluded: Type) -> bool:
    return all(isinstance(member, Known) and member.is_singleton for member in members_of(excluded))


def _single(actual: Known | Meta, expected: Known | Meta, order: Conformance) -> bool:
    match actual, expected:
        case Known() | Meta(), Known() if order.is_protocol(expected.name):
            same = isinstance(actual, Known) and actual.name == expected.name
            return same or not order.missing_of(actual, expected.name)
        case Known(), Known():
            return _nominal(actual, expected, order)
        case Meta(), Meta():
            return _is_at_or_below(actual.name, expected.name, order)
        case Meta(), Known():
            return expected.name in TOWER or not order.is_known_name(expected.name)
        case Known(), Meta():
            return not order.is_known_name(actual.name) and not actual.is_singleton
    return False


def _nominal(actual: Known, expected: Known, order: Conformance) -> bool:
    if expected.is_singleton:
        return actual.name == expected.name
    if order.is_protocol(actual.name):
        # Whatever conforms may be anything: the nominal walk says nothing about it.
        return True
    if not _is_at_or_below(class_name_of(actual), expected.name, order):
        return False
    if actual.name != expected.name or len(actual.arguments) != len(expected.arguments):
        return True
    pairs = zip(actual.arguments, expected.arguments, strict=True)
    return all(compatible(given, wanted, order) for given, wanted in pairs)


def _is_at_or_below(name: str, ancestor: str, order: Conformance) -> bool:
    if name == ancestor or not order.is_known_name(name) or not order.is_known_name(ancestor):
        return True
    return order.is_below(name, ancestor) or not order.is_complete(name)


# ---------------------------------------------------------------- verdicts


class Verdict(enum.Enum):
    """How a value fits (T-20)."""

    FITS = "fits"
    PARTLY = "partly"
    NOT = "not"


@dataclass(frozen=True, slots=True)
class Fit:
    """The verdict, and the part of the actual type that does not fit."""

    verdict: Verdict
    unfit: Type | None = None


FITS = Fit(Verdict.FITS)


def fit(actual: Type, expected: Type, order: Conformance) -> Fit:
    """The member count rule for unions (T-20), plain compatibility for the rest."""
    if not isinstance(actual, Union):
        return FITS if compatible(actual, expected, order) else Fit(Verdict.NOT, actual)
    if any(not isinstance(member, Known) for member in actual.members):
        return FITS
    unfit = [member for member in actual.members if not compatible(member, expected, order)]
    if not unfit:
        return FITS
    verdict = Verdict.NOT if len(unfit) == len(actual.members) else Verdict.PARTLY
    return Fit(verdict, union(unfit))


def widened(found: Type) -> Type:
    """A singleton, or a union of nothing but singletons, as `Symbol` (T-38)."""
    are_symbols = all(isinstance(member, Known) and member.is_singleton for member in members_of(found))
    return Known(SYMBOL_CLASS) if are_symbols else found
