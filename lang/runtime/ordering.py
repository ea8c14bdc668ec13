"""The total order of values: `<`, `sort`, and the order in which sets and dictionaries keep their keys.

Comes in: any two values. Guarantees: the order is total and never raises (stdlib.md 2.5); no message is sent, and no C
code recurses over user data. Leaves: the order of the parts of a structural value to its type.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cmp_to_key
from types import FunctionType
from typing import ClassVar, Final, TypeVar

from lang.runtime.equality import OrderTest, Rank, Structural, sign_of, structure_of
from lang.runtime.instances import ValueObject
from lang.runtime.symbols import Symbol

Ordered = TypeVar("Ordered", str, bytes, tuple[str, int])

_NUMBERS: Final = frozenset({int, float})


def compare(one: object, two: object) -> int:
    """Negative, zero or positive: the total order of `<` and `sort` (stdlib.md 2.5)."""
    if (type(one) is str and type(two) is str) or (type(one) is int and type(two) is int):
        return (one > two) - (one < two)  # type: ignore[operator]
    rank, other_rank = _rank_of(one), _rank_of(two)
    if rank != other_rank:
        return -1 if rank < other_rank else 1
    if one is two:
        return 0
    mine, theirs = structure_of(one), structure_of(two)
    if mine is not None and theirs is not None:
        return mine.bt_compare(theirs, compare)
    return _compare_scalars(rank, one, two)


def compare_exactly(one: object, two: object) -> int:
    """As `compare`, but an Integer stands before the Float of the same value.

    The order in which sets and dictionaries keep their keys, among which both may be.
    """
    rank = _rank_of(one)
    if rank is not _rank_of(two) or one is two:
        return compare(one, two)
    mine, theirs = structure_of(one), structure_of(two)
    if mine is not None and theirs is not None:
        return mine.bt_compare(theirs, compare_exactly)
    by_value = compare(one, two)
    if by_value or rank is not Rank.NUMBER:
        return by_value
    by_kind = isinstance(one, float) - isinstance(two, float)
    return by_kind or sign_of(one) - sign_of(two)


def sort_values(values: Iterable[object], order: OrderTest | None = None) -> list[object]:
    """The values ascending in term order; stable (stdlib.md 3.13).

    `order` stands for `compare` where the caller has to look after other processes between comparisons.
    """
    found = list(values)
    kinds = set(map(type, found))
    if kinds <= _NUMBERS:  # Python compares Integers and Floats by their exact values, too
        return sorted(found)  # type: ignore[type-var]
    return _sorted(found, kinds, order or compare)


def sort_exactly(values: Iterable[object]) -> list[object]:
    """The values in the order in which sets and dictionaries keep them."""
    found = list(values)
    kinds = set(map(type, found))
    if kinds <= _NUMBERS:
        return sorted(found) if float not in kinds else sorted(found, key=_exact_place)  # type: ignore[type-var]
    return _sorted(found, kinds, compare_exactly)


def _exact_place(number: object) -> tuple[object, bool, int]:
    """Of equal numbers, Integers first, then by sign: what `compare_exactly` says, for the host's own sort."""
    return number, isinstance(number, float), sign_of(number)


def _sorted(values: list[object], kinds: set[type], order: OrderTest) -> list[object]:
    # Texts are ordered natively; code-point order is UTF-8 order.
    if kinds == {str}:
        return sorted(values)  # type: ignore[type-var]
    if kinds == {Symbol}:
        return sorted(values, key=_symbol_text)
    return sorted(values, key=cmp_to_key(order))


_RANKS: Final[dict[type, Rank]] = {
    int: Rank.NUMBER,
    float: Rank.NUMBER,
    Symbol: Rank.SYMBOL,
    bool: Rank.SYMBOL,
    type(None): Rank.SYMBOL,
    FunctionType: Rank.BLOCK,
    str: Rank.TEXT,
    bytes: Rank.TEXT,
}


def _rank_of(value: object) -> Rank:
    rank = _RANKS.get(type(value))
    if rank is not None:
        return rank
    if isinstance(value, (Structural, Ranked)):
        return value.bt_rank
    return Rank.DICTIONARY if isinstance(value, ValueObject) else Rank.HANDLE


class Ranked:
    """Base of identity-compared values that have a place of their own in the order."""

    __slots__ = ()
    bt_rank: ClassVar[Rank] = Rank.HANDLE

    def bt_order(self) -> tuple[str, int]:
        """By what values of one rank are ordered: a name, then a number."""
        raise NotImplementedError


def _compare_scalars(rank: Rank, one: object, two: object) -> int:
    if one is two:
        return 0
    match rank:
        case Rank.NUMBER:
            return int(one > two) - int(one < two)  # type: ignore[operator]
        case Rank.SYMBOL:
            return _by(_symbol_text(one), _symbol_text(two))
        case Rank.TEXT:
            return _by(_octets(one), _octets(two))
        case _:
            return _by(_place_of(one), _place_of(two))


def _by(one: Ordered, two: Ordered) -> int:
    return (one > two) - (one < two)


def _symbol_text(value: object) -> str:
    if isinstance(value, Symbol):
        return value.name
    return "nil" if value is None else "true" if value is True else "false"


def _octets(value: object) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode()


def _place_of(value: object) -> tuple[str, int]:
    return value.bt_order() if isinstance(value, Ranked) else (type(value).__name__, id(value))
