"""Whether a value means the same in another process: the tier of a type (types.md 4.1, 4.2).

Comes in: a type and the world. Guarantees: one derivation for checks and hover; it ends for every type. Leaves: where
values cross from one process to another to `boundaries`.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from typing import Final

from lang.class_kind import ClassKind
from lang.dataclass import dataclass
from lang.semantics.types.lattice import (
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
from lang.semantics.types.world import World


class Rank(enum.Enum):
    """How far a value can go, furthest first (S-1); the later one wins (S-2)."""

    SENDABLE = 0
    REFERENCE = 1
    HANDLE = 2
    UNKNOWN = 3


PROCESS: Final = "process"
NODE: Final = "node"


@dataclass(frozen=True, slots=True)
class Tier:
    """A rank; a handle has the scope within which it is valid."""

    rank: Rank
    scope: str | None = None

    @property
    def is_bound_to_process(self) -> bool:
        """Whether only the process that owns the value can use it: what boundaries report."""
        return self.rank is Rank.HANDLE and self.scope == PROCESS

    @property
    def label(self) -> str | None:
        """What hover shows (S-15); None for what needs no word, and for what is not known."""
        match self.rank:
            case Rank.REFERENCE:
                return "SendableRef"
            case Rank.HANDLE:
                return f"HandleScoped(#{self.scope})"
            case Rank.SENDABLE | Rank.UNKNOWN:
                return None


SENDABLE: Final = Tier(Rank.SENDABLE)
REFERENCE: Final = Tier(Rank.REFERENCE)
UNKNOWN_TIER: Final = Tier(Rank.UNKNOWN)

_BUILT_IN: Final = {
    "Pid": REFERENCE,
    "Port": Tier(Rank.HANDLE, PROCESS),
    "FileHandle": Tier(Rank.HANDLE, PROCESS),
    "Reference": SENDABLE,
    "Subscription": Tier(Rank.HANDLE, NODE),
    **dict.fromkeys(
        (
            "Integer Float Number String Symbol Boolean True False Character UndefinedObject Binary ByteArray"
        ).split(),
        SENDABLE,
    ),
}


def joined(tiers: Iterable[Tier]) -> Tier:
    """The tier of what is made of several parts: the weakest part decides (S-2)."""
    return max(tiers, key=_weakness, default=SENDABLE)


def _weakness(tier: Tier) -> tuple[int, int]:
    return tier.rank.value, {PROCESS: 2, NODE: 1}.get(tier.scope or "", 0)


def tier(type_: Type, world: World) -> Tier:
    """The tier of a type (4.2)."""
    return _Grading(world).tier(type_)


class _Grading:
    """One derivation; a type that is met again inside itself adds nothing (S-4)."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._visited: set[Known] = set()

    def tier(self, type_: Type) -> Tier:
        match type_:
            case Dynamic() | Placeholder():
                return UNKNOWN_TIER
            case Never() | Meta():
                return SENDABLE
            case Difference(base=base):
                return self.tier(base)
            case Union(members=members) | Intersection(members=members):
                return joined(map(self.tier, members))
            case Known():
                return self._of_class(type_)

    def _of_class(self, type_: Known) -> Tier:
        if type_.is_singleton:
            return SENDABLE
        built_in = _BUILT_IN.get(type_.name)
        if built_in is not None:
            return built_in
        if type_ in self._visited:
            return SENDABLE
        self._visited.add(type_)
        arguments = [self.tier(each) for each in type_.arguments]
        return joined((self._by_kind(type_), *arguments))

    def _by_kind(self, type_: Known) -> Tier:
        if not self._world.is_class(type_.name):
            return UNKNOWN_TIER
        match self._world.kind_of(type_.name):
            case ClassKind.VALUE:
                return joined(self._slot(type_, slot) for slot in self._world.slot_names(type_.name))
            case ClassKind.ACTOR:
                return REFERENCE
            case ClassKind.OBJECT:
                scopes = (facts.handle_scope for facts in self._world.chain(type_.name))
                scope = next((each for each in scopes if each is not None), None)
                return UNKNOWN_TIER if scope is None else Tier(Rank.HANDLE, scope)
            case None:
                return UNKNOWN_TIER

    def _slot(self, type_: Known, slot: str) -> Tier:
        declared = self._world.slot_type(type_, slot)
        return UNKNOWN_TIER if declared is None else self.tier(declared)
