"""Dictionary and Set over a persistent map.

Guarantees: keys are told apart by `=:=` (they are stored as `key_of` makes them);
adding and removing is logarithmic; iteration is in term order (stdlib.md 10, 11), which is
computed once for each collection that is iterated.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Final, final

import immutables

from lang.runtime.collections.lists import BtList, list_from
from lang.runtime.equality import (
    OrderTest,
    SameTest,
    Structural,
    StructuralKey,
    compare_in_turn,
    hash_of,
    key_of,
    strict_equal,
    structure_of,
    value_of_key,
)
from lang.runtime.ordering import sort_exactly

_Entries = immutables.Map[Hashable, object]
_NO_ENTRIES: Final[_Entries] = immutables.Map()
_ABSENT: Final = object()


class _Keyed(Structural):
    """What Dictionary and Set share: entries by key, and their order."""

    __slots__ = ("_order", "entries")

    def __init__(self, entries: _Entries) -> None:
        self.entries = entries
        self._order: list[object] | None = None

    def __len__(self) -> int:
        return len(self.entries)

    def __contains__(self, value: object) -> bool:
        """Whether there is an entry under that value."""
        return key_of(value) in self.entries

    def keys_in_order(self) -> list[object]:
        """The keys, as values, in term order; the caller must not change the list."""
        order = self._order
        if order is None:
            order = self._order = sort_exactly([value_of_key(key) for key in self.entries])
        return order

    def bt_key_depth(self) -> int:
        deepest = 0
        for key, value in self.entries.items():
            if isinstance(key, StructuralKey):
                deepest = max(deepest, key.depth)
            structure = structure_of(value)
            if structure is not None:
                deepest = max(deepest, structure.bt_key_depth())
        return deepest


@final
class BtDictionary(_Keyed):
    """An immutable dictionary; a collection of its values."""

    __slots__ = ()

    def at(self, key: object, default: object) -> object:
        """The value under a key, or `default`."""
        return self.entries.get(key_of(key), default)

    def put(self, key: object, value: object) -> BtDictionary:
        """A dictionary that holds `value` under `key`."""
        return BtDictionary(self.entries.set(key_of(key), value))

    def without(self, key: object) -> BtDictionary:
        """A dictionary without that key; the receiver when there is none."""
        stored = key_of(key)
        return BtDictionary(self.entries.delete(stored)) if stored in self.entries else self

    def merged(self, other: BtDictionary) -> BtDictionary:
        """A dictionary of both; the entries of `other` win."""
        return BtDictionary(self.entries.update(other.entries))

    def values_in_order(self) -> list[object]:
        """The values, in the order of `keys_in_order`."""
        entries = self.entries
        return [entries[key_of(key)] for key in self.keys_in_order()]

    def items_in_order(self) -> list[tuple[object, object]]:
        """Pairs of key and value, in term order of the keys."""
        return list(zip(self.keys_in_order(), self.values_in_order(), strict=True))

    def __iter__(self) -> Iterator[object]:
        return iter(self.values_in_order())

    def bt_label(self) -> str:
        """The class name."""
        return "Dictionary"

    def bt_parts(self) -> Sequence[object]:
        """The contents."""
        return self.values_in_order()

    def bt_equal(self, other: Structural, same: SameTest) -> bool:
        """Keys by `=:=` always, values by `same` (stdlib.md 2.4)."""
        if not isinstance(other, BtDictionary) or len(self.entries) != len(other.entries):
            return False
        find = other.entries.get
        for key, value in self.entries.items():
            found = find(key, _ABSENT)
            if found is not value and (found is _ABSENT or not same(value, found)):
                return False
        return True

    def bt_hash(self) -> int:
        """A hash of the contents."""
        result = hash("Dictionary")
        for key, value in self.entries.items():
            result ^= hash((hash(key), hash_of(value)))
        return result

    def bt_compare(self, other: Structural, order: OrderTest) -> int:
        """Fewer entries first, then keys, then values (stdlib.md 2.5)."""
        if not isinstance(other, BtDictionary):
            return super().bt_compare(other, order)
        return (
            len(self.entries) - len(other.entries)
            or compare_in_turn(self.keys_in_order(), other.keys_in_order(), order)
            or compare_in_turn(self.values_in_order(), other.values_in_order(), order)
        )


@final
class BtSet(_Keyed):
    """An immutable set, seen in term order."""

    __slots__ = ()

    @property
    def f_elements(self) -> BtList:
        """What the getter of the field `elements` reads (stdlib-api.tsv)."""
        return list_from(self)

    def added(self, element: object) -> BtSet:
        """A set with that element."""
        key = key_of(element)
        return self if key in self.entries else BtSet(self.entries.set(key, None))

    def without(self, element: object) -> BtSet:
        """A set without that element; the receiver when it is absent."""
        key = key_of(element)
        return BtSet(self.entries.delete(key)) if key in self.entries else self

    def union(self, other: BtSet) -> BtSet:
        """The elements of either."""
        small, large = sorted((self, other), key=len)
        return BtSet(large.entries.update(small.entries))

    def intersection(self, other: BtSet) -> BtSet:
        """The elements of both."""
        small, large = sorted((self, other), key=len)
        return _set_of_keys([key for key in small.entries if key in large.entries])

    def difference(self, other: BtSet) -> BtSet:
        """The elements of the receiver that are not in `other`."""
        return _set_of_keys([key for key in self.entries if key not in other.entries])

    def is_subset_of(self, other: BtSet) -> bool:
        """Whether every element is in `other`."""
        if len(self.entries) > len(other.entries):
            return False
        theirs = other.entries
        for key in self.entries:  # noqa: SIM110 (no frame of C for each level)
            if key not in theirs:
                return False
        return True

    def __iter__(self) -> Iterator[object]:
        return iter(self.keys_in_order())

    def bt_label(self) -> str:
        """The class name."""
        return "Set"

    def bt_equal(self, other: Structural, same: SameTest) -> bool:
        """Strictly by keys; loosely element by element, as a List would be (stdlib.md 2.4)."""
        if same is strict_equal and isinstance(other, BtSet):
            return len(self.entries) == len(other.entries) and self.is_subset_of(other)
        return super().bt_equal(other, same)

    def bt_parts(self) -> Sequence[object]:
        """The contents."""
        return self.keys_in_order()

    def bt_hash(self) -> int:
        """A hash of the contents."""
        result = hash("Set")
        for key in self.entries:
            result ^= hash((hash(key), 1))
        return result


EMPTY_DICTIONARY: Final = BtDictionary(_NO_ENTRIES)
EMPTY_SET: Final = BtSet(_NO_ENTRIES)


def dictionary_of(pairs: Iterable[tuple[object, object]]) -> BtDictionary:
    """A Dictionary of pairs of key and value; a later pair wins."""
    return BtDictionary(immutables.Map({key_of(key): value for key, value in pairs}))


def set_of(elements: Iterable[object]) -> BtSet:
    """A Set of the elements of anything iterable."""
    return _set_of_keys([key_of(element) for element in elements])


def _set_of_keys(keys: Iterable[Hashable]) -> BtSet:
    return BtSet(immutables.Map(dict.fromkeys(keys)))
