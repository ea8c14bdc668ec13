"""Tuple: a fixed heterogeneous sequence (stdlib.md 3.15)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar, final

from lang.runtime.equality import Rank, Structural
from lang.runtime.symbols import Symbol, symbol


@final
class BtTuple(Structural):
    """An immutable tuple of elements."""

    __slots__ = ("elements",)
    bt_rank: ClassVar[Rank] = Rank.TUPLE

    def __init__(self, elements: tuple[object, ...]) -> None:
        self.elements = elements

    def __len__(self) -> int:
        return len(self.elements)

    def __iter__(self) -> Iterator[object]:
        return iter(self.elements)

    def __getitem__(self, index: int) -> object:
        return self.elements[index]

    def is_tagged(self, tag: str) -> bool:
        """Whether the first element is the Symbol of that name."""
        first = self.elements[0] if self.elements else None
        return isinstance(first, Symbol) and first is symbol(tag)

    def bt_label(self) -> str:
        """The class name."""
        return "Tuple"

    def bt_parts(self) -> Sequence[object]:
        """The contents."""
        return self.elements


def tuple_of(elements: Iterable[object]) -> BtTuple:
    """A Tuple of the elements of anything iterable."""
    return BtTuple(tuple(elements))
