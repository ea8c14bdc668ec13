"""Who may be affected by what happened: the owners to check again, best first (types.md 6.3, 6.4).

Comes in: a state after the change and a trigger. Guarantees: every class whose code, at its types, can
reach what changed is named; the order is the same each time, and depends on the present knowledge alone.
Leaves: the cap to the caller.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, assert_never

from lang.ast import nodes as ast
from lang.ast.walk import walk
from lang.semantics.receivers import Composition, ReceiverName, ReceiverType
from lang.semantics.references import ReceiverKind, ReferenceRole
from lang.spelling import copy_setter
from lang.syntax.units import Side
from workspace import drafting
from workspace.hierarchy import generated
from workspace.install import is_live
from workspace.reaching import senders_reaching
from workspace.recheck.triggers import Classification, Trigger
from workspace.state import ImageState, Unit
from workspace.xref import Sender


class Rank(enum.IntEnum):
    """How likely a site is affected, best first (R-15)."""

    HAS_FINDING = 0
    EXACT = 1
    OWN_IN_DESCENDANT = 2
    RELATED = 3
    COMPOSED = 4
    UNTYPED = 5


@dataclass(frozen=True, slots=True)
class Candidate:
    """A class to be checked again."""

    owner: str
    rank: Rank


def candidates_of(state: ImageState, trigger: Trigger) -> tuple[Candidate, ...]:
    """The live classes that may depend on what changed, each once at its best rank, by rank and name."""
    best: dict[str, Rank] = {}
    for owner, rank in _sites(state, trigger):
        best[owner] = min(rank, best.get(owner, rank))
    return tuple(
        Candidate(owner, rank)
        for owner, rank in sorted(best.items(), key=lambda item: (item[1], item[0]))
        if _has_live_source(state, owner)
    )


def _has_live_source(state: ImageState, owner: str) -> bool:
    return any(is_live(state, unit) for unit in state.units_of(owner))


def _sites(state: ImageState, trigger: Trigger) -> Iterator[tuple[str, Rank]]:
    match trigger.classification:
        case Classification.SIGNATURE_CHANGE | Classification.REMOVAL:
            assert trigger.side is not None
            assert trigger.selector is not None
            yield from _senders(state, trigger.class_name, trigger.side, trigger.selector)
        case Classification.SHAPE_CHANGE:
            yield from _users_of_shape(state, trigger)
        case Classification.CLASS_RENAMED:
            yield from _mentions(state, trigger.before or "", lambda _role: True)
        case Classification.CLASS_REMOVED:
            yield from _mentions(state, trigger.class_name, lambda _role: True)
        case Classification.LEAF_CHANGE:
            yield from _mentions(state, trigger.class_name, lambda role: role is ReferenceRole.PATTERN)
            yield from _asserting(state)
        case Classification.ALIAS_CHANGE:
            yield from _dependents_of_alias(state, trigger.class_name)
        case other:
            assert_never(other)


# ---------------------------------------------------------------- sends


def _senders(state: ImageState, class_name: str, side: Side, selector: str) -> Iterator[tuple[str, Rank]]:
    for row in senders_reaching(state, class_name, side, selector):
        yield row.owner.class_name, _rank(row, state.receivers.of(state, row), class_name, side)


def _rank(row: Sender, receiver: ReceiverType, class_name: str, side: Side) -> Rank:
    if receiver.single == ReceiverName(class_name, is_class_object=side is Side.CLASS):
        return Rank.EXACT
    if row.site.receiver_kind in (ReceiverKind.SELF, ReceiverKind.SUPER):
        return Rank.OWN_IN_DESCENDANT
    match receiver.composition:
        case Composition.ONE:
            return Rank.RELATED
        case Composition.UNION | Composition.INTERSECTION:
            return Rank.COMPOSED
        case Composition.DYNAMIC:
            return Rank.UNTYPED


def _users_of_shape(state: ImageState, trigger: Trigger) -> Iterator[tuple[str, Rank]]:
    """R-9: constructors for every change; accessors of what went or has another type."""
    name = trigger.class_name
    for selector in ("spawnWith:", "new:", *sorted(generated(state, name, Side.CLASS))):
        yield from _senders(state, name, Side.CLASS, selector)
    for slot in trigger.slots:
        if slot.before is not None:
            yield from _senders(state, name, Side.INSTANCE, slot.name)
            yield from _senders(state, name, Side.INSTANCE, copy_setter(slot.name))


# ---------------------------------------------------------------- mentions


def _mentions(
    state: ImageState, name: str, counts: Callable[[ReferenceRole], bool]
) -> Iterator[tuple[str, Rank]]:
    for row in state.index.references_to(name):
        if counts(row.mention.role) and row.owner.class_name:
            yield row.owner.class_name, Rank.EXACT


def _asserting(state: ImageState) -> Iterator[tuple[str, Rank]]:
    """Owners of a match that must cover everything, which a new subclass may leave open."""
    for unit in state.units.values():
        if _EXHAUSTIVE in unit.text and unit.owner and _has_exhaustive_match(unit):
            yield unit.owner, Rank.RELATED


_EXHAUSTIVE: Final = "matchExhaustive:"


def _has_exhaustive_match(unit: Unit) -> bool:
    node = drafting.parsed(unit).node
    return node is not None and any(
        isinstance(each, ast.Match) and each.selector.text == _EXHAUSTIVE for each in walk(node)
    )


def _dependents_of_alias(state: ImageState, name: str) -> Iterator[tuple[str, Rank]]:
    """R-12: owners that name the alias, or one that is made of it."""
    waiting, seen = [name], {name}
    while waiting:
        for row in state.index.references_to(waiting.pop()):
            owner = row.owner.class_name
            if row.mention.role is ReferenceRole.DECLARATION:
                continue
            if owner in state.aliases and owner not in seen:
                seen.add(owner)
                waiting.append(owner)
            elif owner not in state.aliases:
                yield owner, Rank.EXACT
