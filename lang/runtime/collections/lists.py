"""List: a view of a buffer that grows at both ends.

Guarantees: `add:` and `addFirst:` amortised constant when each list is extended once
(the usual accumulation), `at:`, `rest`, `take:` and `drop:` constant. Lists share a
buffer; the one whose view ends where the buffer ends may extend it in place, because no
other view can see the new slot. Any other extension copies its view first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import ClassVar, final

from lang.runtime.equality import OrderTest, Rank, Structural, compare_in_turn


@final
class BtList(Structural):
    """An immutable sequence.

    The view covers places `low` to `high` (exclusive); place p >= 0 is `back[p]`, a
    negative place is `front[-p - 1]`.
    """

    __slots__ = ("_back", "_front", "_high", "_low")
    bt_rank: ClassVar[Rank] = Rank.LIST

    def __init__(self, back: list[object], front: list[object], low: int, high: int) -> None:
        self._back = back
        self._front = front
        self._low = low
        self._high = high

    def __len__(self) -> int:
        return self._high - self._low

    def __iter__(self) -> Iterator[object]:
        """The elements, first to last; later growth of the shared buffer is not seen."""
        low, high = self._low, self._high
        if low >= 0:
            return islice(self._back, low, high)
        front = self._front[max(-high, 0) : -low]
        front.reverse()
        return chain(front, islice(self._back, max(high, 0)))

    def __getitem__(self, index: int) -> object:
        """The element at a 0-based index that lies within the list."""
        place = self._low + index
        return self._back[place] if place >= 0 else self._front[~place]

    def appended(self, element: object) -> BtList:
        """A list with `element` behind the last."""
        back, high = self._back, self._high
        if len(back) == high:
            back.append(element)
            return BtList(back, self._front, self._low, high + 1)
        copy = list(self)
        copy.append(element)
        return list_of(copy)

    def prepended(self, element: object) -> BtList:
        """A list with `element` before the first."""
        front, low = self._front, self._low
        if len(front) == -low:
            front.append(element)
            return BtList(self._back, front, low - 1, self._high)
        copy = list(self)
        return BtList(copy, [element], -1, len(copy))

    def concatenated(self, elements: Sequence[object] | BtList) -> BtList:
        """A list with the elements of another behind the last."""
        if not len(elements):
            return self
        back, high = self._back, self._high
        if len(back) == high:
            back.extend(list(elements))
            return BtList(back, self._front, self._low, high + len(elements))
        return list_of([*self, *elements])

    def sliced(self, start: int, end: int) -> BtList:
        """The elements from the 0-based `start` to `end` (exclusive), both within the list."""
        if end <= start:
            return list_of([])
        return BtList(self._back, self._front, self._low + start, self._low + end)

    def bt_label(self) -> str:
        """The class name."""
        return "List"

    def bt_parts(self) -> Sequence[object]:
        """The contents."""
        return list(self)

    def bt_compare(self, other: Structural, order: OrderTest) -> int:
        """Element by element, a prefix first (stdlib.md 2.5)."""
        return compare_in_turn(self.bt_parts(), other.bt_parts(), order)


def list_of(elements: list[object]) -> BtList:
    """A List that takes over a Python list: the caller must not keep it."""
    return BtList(elements, [], 0, len(elements))


def list_from(elements: Iterable[object]) -> BtList:
    """A List of the elements of anything iterable, copied."""
    return list_of(list(elements))
