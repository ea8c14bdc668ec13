r"""The type lattice: what a type is, and unions of types (types.md 1.1, 1.2).

Comes in: names of classes as the world spells them. Guarantees: every value is frozen and satisfies the
invariants of its variant; provenance never takes part in equality (T-1, T-2). Leaves: what needs the class
hierarchy to `operations` (intersection, difference) and `compatibility`.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from lang.dataclass import dataclass, field, replace

NIL_CLASS: Final = "UndefinedObject"
SYMBOL_CLASS: Final = "Symbol"


class How(enum.Enum):
    """Where a type comes from (T-1)."""

    DECLARED = "declared"
    INFERRED = "inferred"
    SUBSTITUTED = "substituted"
    EXTRACTED = "extracted"
    ALIASED = "aliased"


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a type comes from; `alias` is the name that it was written as (T-39)."""

    how: How
    alias: str | None = None


DECLARED: Final = Provenance(How.DECLARED)
INFERRED: Final = Provenance(How.INFERRED)
SUBSTITUTED: Final = Provenance(How.SUBSTITUTED)


class Reason(enum.Enum):
    """Why nothing is known; the value is what is shown (T-4)."""

    UNANNOTATED_PARAMETER = "unannotated parameter"
    UNANNOTATED_RETURN = "unannotated return"
    DYNAMIC_RECEIVER = "dynamic receiver"
    AMBIGUOUS_CONTROL_FLOW = "ambiguous control flow"
    UNTYPED_FFI = "untyped FFI"
    FFI_SPEC = "FFI spec is Dynamic"
    DECLARED = "explicitly declared Dynamic"
    UNKNOWN = "unknown"

    @property
    def is_root_cause(self) -> bool:
        """Whether the author could say more at this very place (D-18)."""
        return self in _ROOT_CAUSES

    @property
    def is_foreign(self) -> bool:
        """Whether the value comes from the host."""
        return self is Reason.UNTYPED_FFI


_ROOT_CAUSES: Final = frozenset(
    {
        Reason.UNANNOTATED_PARAMETER,
        Reason.UNANNOTATED_RETURN,
        Reason.AMBIGUOUS_CONTROL_FLOW,
        Reason.UNTYPED_FFI,
    }
)


@dataclass(frozen=True, slots=True)
class Known:
    """An instance of a class, of a protocol, or one singleton symbol (`name` begins with `#`)."""

    name: str
    arguments: tuple[Type, ...] = ()
    provenance: Provenance = field(default=INFERRED, compare=False)

    @property
    def is_singleton(self) -> bool:
        """Whether this is one symbol."""
        return self.name[0] == "#"


@dataclass(frozen=True, slots=True)
class Meta:
    """A class object, written `C class`; never parameterised."""

    name: str
    provenance: Provenance = field(default=INFERRED, compare=False)


@dataclass(frozen=True, slots=True)
class Placeholder:
    """A type parameter that is not substituted yet; `Self` and `Self class` too (T-3, T-6)."""

    name: str
    provenance: Provenance = field(default=DECLARED, compare=False)


@dataclass(frozen=True, slots=True, eq=False)
class Union:
    """A value of any member: two or more, flat, no duplicates; made by `union` alone."""

    members: tuple[Type, ...]
    provenance: Provenance = field(default=INFERRED, compare=False)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Union) and frozenset(self.members) == frozenset(other.members)

    def __hash__(self) -> int:
        return hash(frozenset(self.members))


@dataclass(frozen=True, slots=True)
class Intersection:
    """A value of all members at once; sorted, at least one a protocol; made by `operations` alone."""

    members: tuple[Type, ...]
    provenance: Provenance = field(default=INFERRED, compare=False)


@dataclass(frozen=True, slots=True)
class Difference:
    """A `base` that is not an `excluded`: singletons (of Symbol), or one class below `base`."""

    base: Known
    excluded: Type
    provenance: Provenance = field(default=INFERRED, compare=False)


@dataclass(frozen=True, slots=True)
class Dynamic:
    """Nothing is known and checking is off; all are equal (T-2)."""

    reason: Reason = field(default=Reason.UNKNOWN, compare=False)


@dataclass(frozen=True, slots=True)
class Never:
    """No value: the expression does not complete."""


Type = Known | Meta | Placeholder | Union | Intersection | Difference | Dynamic | Never

NEVER: Final = Never()
UNKNOWN: Final = Dynamic(Reason.UNKNOWN)
UNANNOTATED_PARAMETER: Final = Dynamic(Reason.UNANNOTATED_PARAMETER)
UNANNOTATED_RETURN: Final = Dynamic(Reason.UNANNOTATED_RETURN)
DYNAMIC_RECEIVER: Final = Dynamic(Reason.DYNAMIC_RECEIVER)
AMBIGUOUS: Final = Dynamic(Reason.AMBIGUOUS_CONTROL_FLOW)
UNTYPED_FFI: Final = Dynamic(Reason.UNTYPED_FFI)
DECLARED_DYNAMIC: Final = Dynamic(Reason.DECLARED)
SELF: Final = Placeholder("Self")
SELF_CLASS: Final = Placeholder("Self class")
NIL: Final = Known(NIL_CLASS)
SYMBOL: Final = Known(SYMBOL_CLASS)


@lru_cache(maxsize=4096)
def known(name: str, provenance: Provenance = INFERRED) -> Known:
    """The type of instances of a class without arguments; the last ones made are kept."""
    return Known(name, (), provenance)


def singleton(symbol: str, provenance: Provenance = INFERRED) -> Known:
    """The type of one symbol, whose name is given without `#`."""
    return known(f"#{symbol}", provenance)


def is_nil(found: Type) -> bool:
    """Whether this is the type of nil (T-5)."""
    return type(found) is Known and found.name == NIL_CLASS


def is_singleton(found: Type) -> bool:
    """Whether this is the type of one symbol."""
    return type(found) is Known and found.name[0] == "#"


def members_of(found: Type) -> tuple[Type, ...]:
    """The members of a union; any other type is its own only member."""
    return found.members if isinstance(found, Union) else (found,)


def without_nil(found: Type) -> Type:
    """The members that are not nil; a type that is no union is left as it is."""
    if not isinstance(found, Union):
        return found
    return union([member for member in found.members if not is_nil(member)])


def provenance_of(found: Type) -> Provenance | None:
    """Where a type comes from; None for `Dynamic` and `Never`."""
    return None if isinstance(found, Dynamic | Never) else found.provenance


def with_provenance(found: Type, provenance: Provenance) -> Type:
    """The same type from elsewhere."""
    if isinstance(found, Dynamic | Never) or found.provenance == provenance:
        return found
    return replace(found, provenance=provenance)


def untagged(found: Type) -> Type:
    """The same type, with the name of its alias forgotten: no operation keeps it (T-39)."""
    if isinstance(found, Dynamic | Never) or found.provenance.how is not How.ALIASED:
        return found
    return replace(found, provenance=DECLARED)


# ---------------------------------------------------------------- union


def union(members: Iterable[Type], provenance: Provenance = INFERRED) -> Type:
    """The one constructor of unions (T-7, T-8)."""
    flat: dict[Type, None] = {}
    is_given = False
    for each in _flattened(members):
        is_given = True
        if isinstance(each, Dynamic):
            return each
        if not isinstance(each, Never):
            flat.setdefault(untagged(each))
    if not flat:
        return NEVER if is_given else UNKNOWN
    left = _absorbed(list(flat)) if len(flat) > 1 else list(flat)
    return left[0] if len(left) == 1 else Union(tuple(left), provenance)


def _flattened(members: Iterable[Type]) -> Iterator[Type]:
    for member in members:
        if isinstance(member, Union):
            yield from member.members
        else:
            yield member


def _absorbed(members: list[Type]) -> list[Type]:
    """Symbol-like members merged into the place of the first that is no singleton (T-8)."""
    wide = [each for each in members if is_all_symbols(each) or is_symbol_difference(each)]
    if not wide:
        return members
    left_out = frozenset[str].intersection(*(excluded_symbols(each) for each in wide))
    left_out -= {each.name for each in members if isinstance(each, Known) and each.is_singleton}
    merged = symbol_without(left_out)
    kept: list[Type] = []
    for each in members:
        if each is wide[0]:
            kept.append(merged)
        elif each not in wide and not is_singleton(each):
            kept.append(each)
    return kept


def is_all_symbols(found: Type) -> bool:
    """Whether this is plain `Symbol`."""
    return type(found) is Known and found.name == SYMBOL_CLASS


def is_symbol_difference(found: Type) -> bool:
    r"""Whether this is `Symbol \ E`."""
    return type(found) is Difference and found.base.name == SYMBOL_CLASS


def excluded_symbols(found: Type) -> frozenset[str]:
    r"""The names of the singletons that `Symbol \ E` leaves out; none for other types."""
    if not isinstance(found, Difference):
        return frozenset()
    return frozenset(m.name for m in members_of(found.excluded) if isinstance(m, Known) and m.is_singleton)


def symbol_without(names: frozenset[str]) -> Type:
    """`Symbol` less these singletons; plain `Symbol` when there are none."""
    if not names:
        return SYMBOL
    return Difference(SYMBOL, union([known(name) for name in sorted(names)]))
