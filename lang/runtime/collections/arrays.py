"""Array: indexed, with cheap replacement of single elements.

Guarantees: `at:` constant; `at:put:` logarithmic on average. A small array is copied; a
large one keeps its replacements in a persistent map over a shared base, until they are
a quarter of it: then the base is renewed, once for all arrays made from this one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, final

import immutables

from lang.runtime.equality import Structural

_SMALL: Final = 64
_Overlay = immutables.Map[int, object]
_NONE_REPLACED: Final[_Overlay] = immutables.Map()


@final
class BtArray(Structural):
    """An immutable array; `_base` is never changed once it is shared."""

    __slots__ = ("_base", "_replaced")

    def __init__(self, base: list[object], replaced: _Overlay = _NONE_REPLACED) -> None:
        self._base = base
        self._replaced = replaced

    def __len__(self) -> int:
        return len(self._base)

    def __iter__(self) -> Iterator[object]:
        return iter(self._elements())

    def __getitem__(self, index: int) -> object:
        """The element at a 0-based index that lies within the array."""
        replaced = self._replaced
        if replaced and index in replaced:
            return replaced[index]
        return self._base[index]

    def replaced(self, index: int, element: object) -> BtArray:
        """An array with another element at a 0-based index that lies within."""
        base = self._base
        if len(base) <= _SMALL:
            copy = list(base)
            copy[index] = element
            return BtArray(copy)
        if len(self._replaced) * 4 > len(base):
            base = self._elements()
        return BtArray(base, self._replaced.set(index, element))

    def _elements(self) -> list[object]:
        replaced = self._replaced
        if replaced:
            merged = list(self._base)
            for index, element in replaced.items():
                merged[index] = element
            # Keeping the merged base changes no element: the same array, stored flat.
            self._base, self._replaced = merged, _NONE_REPLACED
        return self._base

    def bt_label(self) -> str:
        """The class name."""
        return "Array"

    def bt_parts(self) -> Sequence[object]:
        """The contents."""
        return self._elements()


def array_of(elements: list[object]) -> BtArray:
    """An Array that takes over a Python list: the caller must not keep it."""
    return BtArray(elements)


def array_from(elements: Iterable[object]) -> BtArray:
    """An Array of the elements of anything iterable, copied."""
    return BtArray(list(elements))
