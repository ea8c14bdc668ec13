"""What a change of the image did that code elsewhere may depend on (types.md 6.2).

Comes in: a change, with the states before and after it. Guarantees: nothing for a change that no sender,
subclass or mention can notice (a body, a class that nobody knew before); renamed classes
count as the same class. Leaves: who depends on it to `candidates`.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from lang.syntax.units import Side, UnitKind
from workspace.change import Change
from workspace.hierarchy import defines, direct_subclasses, superclass_chain, superclass_of
from workspace.install import is_live
from workspace.recheck.signatures import (
    MethodKey,
    MethodSignature,
    effective_signature,
    shape_of,
)
from workspace.state import ImageState, Unit


class Classification(enum.Enum):
    """What happened (types.md R-5 to R-7)."""

    SIGNATURE_CHANGE = "signature_change"
    REMOVAL = "removal"
    SHAPE_CHANGE = "shape_change"
    LEAF_CHANGE = "leaf_change"
    ALIAS_CHANGE = "alias_change"
    CLASS_REMOVED = "class_removed"
    CLASS_RENAMED = "class_renamed"


@dataclass(frozen=True, slots=True)
class SlotChange:
    """A slot that came, went or has another type; None where it is not there."""

    name: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class Trigger:
    """One thing that happened to a class (or alias).

    `side` and `selector` are those of a method. `before` and `after` are its result types, or the names of
    a class that was renamed.
    """

    classification: Classification
    class_name: str
    side: Side | None = None
    selector: str | None = None
    before: str | None = None
    after: str | None = None
    slots: tuple[SlotChange, ...] = ()


def triggers_of(change: Change) -> tuple[Trigger, ...]:
    """All that happened, each once, in the order of the units that were touched."""
    return tuple(dict.fromkeys(_Diff(change).all()))


def inferred_changes(change: Change, owner: str) -> Iterator[Trigger]:
    """The methods of a class that a change did not touch, and that answer something else after it (R-13)."""
    for unit in change.state.units_of(owner):
        if unit.is_method and unit.lineage not in change.touched and is_live(change.state, unit):
            key = MethodKey(owner, unit.name.side or Side.INSTANCE, unit.name.member)
            before, after = effective_signature(change.base, key), effective_signature(change.state, key)
            if before is not None and before != after:
                yield _method_trigger(key, before, after)


class _Diff:
    """One comparison of two states."""

    def __init__(self, change: Change) -> None:
        self._base = change.base
        self._state = change.state
        self._pairs = [
            (_live(change.base, lineage), _live(change.state, lineage)) for lineage in sorted(change.touched)
        ]
        self._renamed = {
            before.owner: after.owner
            for before, after in self._pairs
            if before is not None and after is not None and _is_renaming(before, after)
        }

    def all(self) -> Iterator[Trigger]:
        for old, new in dict.fromkeys(self._methods()):
            yield from self._compared(old, new)
        for before, after in self._pairs:
            yield from self._declaration(before, after)

    # ------------------------------------------------------------ methods

    def _methods(self) -> Iterator[tuple[MethodKey, MethodKey]]:
        """The methods that touched units define or defined, as they are called before and after."""
        for before, after in self._pairs:
            for unit, old_name, name in (
                (before, before.owner, self._renamed.get(before.owner, before.owner)) if before else _NONE,
                (after, self._name_before(after.owner), after.owner) if after else _NONE,
            ):
                is_known = old_name in self._base.classes and name in self._state.classes
                if unit is not None and unit.is_method and is_known:
                    side, selector = unit.name.side or Side.INSTANCE, unit.name.member
                    yield MethodKey(old_name, side, selector), MethodKey(name, side, selector)

    def _name_before(self, name: str) -> str:
        return next((old for old, new in self._renamed.items() if new == name), name)

    def _compared(self, old: MethodKey, new: MethodKey) -> Iterator[Trigger]:
        before, after = effective_signature(self._base, old), effective_signature(self._state, new)
        if before is None or before.renamed(self._renamed) == after:
            return
        yield _method_trigger(new, before, after)

    # ------------------------------------------------------------ declarations

    def _declaration(self, before: Unit | None, after: Unit | None) -> Iterator[Trigger]:
        some = before or after
        if some is None:
            return
        match some.kind:
            case UnitKind.HEADER:
                yield from self._header(before, after)
            case UnitKind.DATA:
                owner = self._renamed.get(some.owner, some.owner)
                yield from self._shape(self._name_before(owner), owner)
            case UnitKind.ALIAS:
                yield from _alias(before, after)
            case _:
                pass

    def _header(self, before: Unit | None, after: Unit | None) -> Iterator[Trigger]:
        if before is None:
            assert after is not None
            if after.owner not in self._base.classes:
                yield from self._leaf(after.owner)
            return
        if after is None:
            if before.owner not in self._state.classes:
                yield Trigger(Classification.CLASS_REMOVED, before.owner)
            return
        if before.owner != after.owner:
            yield Trigger(Classification.CLASS_RENAMED, after.owner, before=before.owner, after=after.owner)
        yield from self._shape(before.owner, after.owner)
        yield from self._superclass(before.owner, after.owner)

    def _leaf(self, name: str) -> Iterator[Trigger]:
        """A new class may be the first below its superclass."""
        above = superclass_of(self._state, name)
        if above is None or above not in self._base.classes:
            return
        if next(direct_subclasses(self._base, above), None) is None:
            yield Trigger(Classification.LEAF_CHANGE, above)

    def _shape(self, old_name: str, name: str) -> Iterator[Trigger]:
        if old_name not in self._base.classes or name not in self._state.classes:
            return
        before, after = shape_of(self._base, old_name), shape_of(self._state, name)
        changed = tuple(
            SlotChange(slot, before.get(slot), after.get(slot))
            for slot in dict.fromkeys((*before, *after))
            if before.get(slot) != after.get(slot)
        )
        if changed:
            yield Trigger(Classification.SHAPE_CHANGE, name, slots=changed)

    def _superclass(self, old_name: str, name: str) -> Iterator[Trigger]:
        """Another superclass is a change of every inherited selector that now means something else."""
        old_above, above = superclass_of(self._base, old_name), superclass_of(self._state, name)
        if old_above is None or self._renamed.get(old_above, old_above) == above:
            return
        yield from self._leaf(name)
        old_chain = list(superclass_chain(self._base, old_above))
        kept = set(superclass_chain(self._state, above))
        for side, selector in self._defined_in(each for each in old_chain if each not in kept):
            if not defines(self._state, name, side, selector):
                yield from self._compared(
                    MethodKey(old_name, side, selector), MethodKey(name, side, selector)
                )

    def _defined_in(self, classes: Iterable[str]) -> dict[tuple[Side, str], None]:
        return {
            (unit.name.side or Side.INSTANCE, unit.name.member): None
            for name in classes
            for unit in self._base.units_of(name)
            if unit.is_method
        }


_NONE: Final = (None, "", "")


def _live(state: ImageState, lineage: int) -> Unit | None:
    unit = state.units.get(lineage)
    return unit if unit is not None and is_live(state, unit) else None


def _is_renaming(before: Unit, after: Unit) -> bool:
    return before.kind is UnitKind.HEADER and before.owner != after.owner


def _method_trigger(key: MethodKey, before: MethodSignature, after: MethodSignature | None) -> Trigger:
    if after is None:
        return Trigger(Classification.REMOVAL, key.class_name, key.side, key.selector)
    return Trigger(
        Classification.SIGNATURE_CHANGE, key.class_name, key.side, key.selector, before.result, after.result
    )


def _alias(before: Unit | None, after: Unit | None) -> Iterator[Trigger]:
    if before is not None and (after is None or before.text != after.text):
        yield Trigger(Classification.ALIAS_CHANGE, before.owner)
