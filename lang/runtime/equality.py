"""Equality, keys and the total order of values.

Comes in: any two values of a running program. Guarantees: `1`, `1.0` and `true` are
three things, `0.0` and `-0.0` two (stdlib.md 2.4); the order is total and never raises
(stdlib.md 2.5); no message is sent, and no C code recurses over user data. Leaves:
`equals:`, which is a message, to `Runtime.equals`; the contents of a structural type to
that type, which derives from `Structural`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from enum import IntEnum
from functools import cmp_to_key
from math import copysign
from types import FunctionType
from typing import ClassVar, Final, TypeVar

from lang.runtime.errors import BeamtalkError
from lang.runtime.instances import SLOT_PREFIX, ValueObject, fields_of
from lang.runtime.symbols import Symbol

SameTest = Callable[[object, object], bool]
OrderTest = Callable[[object, object], int]
Ordered = TypeVar("Ordered", str, bytes, tuple[str, int])

MAX_KEY_DEPTH: Final = 1000
"""Keys within keys beyond this depth are refused: a look-up recurses in C (design, Depth)."""


_HASH_BITS: Final = (1 << 61) - 1
"""A hash is cut to so many bits at each step: an Integer that grows would make it quadratic."""


class Rank(IntEnum):
    """The families of the total order, ascending (stdlib.md 2.5)."""

    NUMBER = 0
    SYMBOL = 1
    REFERENCE = 2
    BLOCK = 3
    PORT = 4
    PID = 5
    TUPLE = 6
    HANDLE = 7
    DICTIONARY = 8
    LIST = 9
    TEXT = 10


class Structural:
    """Base of every type whose instances are compared by contents (stdlib.md 2.4).

    Instances are immutable to programs. Equal values have the same kind and the same
    parts, one by one; a type that has no order of parts overrides the three tests.
    """

    __slots__ = ()
    bt_rank: ClassVar[Rank] = Rank.DICTIONARY

    def bt_kind(self) -> object:
        """What has to be the same object in equal values: a type, or a class object."""
        return type(self)

    def bt_parts(self) -> Sequence[object]:
        """The compared contents, in a fixed order."""
        raise NotImplementedError

    def bt_label(self) -> str:
        """The class name, by which unlike values of one rank are ordered."""
        raise NotImplementedError

    def bt_equal(self, other: Structural, same: SameTest) -> bool:
        """Whether the parts of a value of the same kind pass `same`, one by one."""
        mine, others = self.bt_parts(), other.bt_parts()
        if len(mine) != len(others):
            return False
        for one, two in zip(mine, others, strict=True):  # noqa: SIM110 (no frame of C for each level)
            if one is not two and not same(one, two):
                return False
        return True

    def bt_hash(self) -> int:
        """A number that equal values share within a run."""
        result = hash(self.bt_label())
        for part in self.bt_parts():
            result = ((result * 1000003) ^ hash_of(part)) & _HASH_BITS
        return hash(result)

    def bt_compare(self, other: Structural, order: OrderTest) -> int:
        """Order among values of one rank: by size, then by class name, then by parts."""
        mine, others = self.bt_parts(), other.bt_parts()
        if len(mine) != len(others):
            return len(mine) - len(others)
        if self.bt_kind() is not other.bt_kind() and self.bt_label() != other.bt_label():
            return -1 if self.bt_label() < other.bt_label() else 1
        return compare_in_turn(mine, others, order)

    def bt_key_depth(self) -> int:
        """How deep keys lie within keys in this value."""
        deepest = 0
        for part in self.bt_parts():
            structure = structure_of(part)
            if structure is not None:
                deepest = max(deepest, structure.bt_key_depth())
        return deepest


class OrderedByMessage:
    """Marks library values whose `<` and its like are messages, as those of Value instances (stdlib.md 2.5)."""

    __slots__ = ()


class FieldView(Structural):
    """A Value instance seen by its fields, in order of their names."""

    __slots__ = ("_class_object", "_fields")

    def __init__(self, value: ValueObject) -> None:
        self._class_object = value.class_object
        self._fields = sorted(fields_of(value).items())

    def bt_kind(self) -> object:
        """The class."""
        return self._class_object

    def bt_parts(self) -> Sequence[object]:
        """The contents."""
        return [value for _, value in self._fields]

    def bt_label(self) -> str:
        """The class name."""
        return self._class_object.name

    def bt_compare(self, other: Structural, order: OrderTest) -> int:
        """By the number of fields, their names, the class name, then the values (stdlib.md 2.5)."""
        if isinstance(other, FieldView) and len(self._fields) == len(other._fields):
            mine, others = [name for name, _ in self._fields], [name for name, _ in other._fields]
            if mine != others:
                return -1 if mine < others else 1
        return super().bt_compare(other, order)


class StructuralKey:
    """A structural value as a key, with its hash computed once."""

    __slots__ = ("depth", "hash", "value")

    def __init__(self, value: object, structure: Structural) -> None:
        self.value = value
        self.hash = structure.bt_hash()
        self.depth = structure.bt_key_depth() + 1
        if self.depth > MAX_KEY_DEPTH:
            raise BeamtalkError("resource_error", "system limit reached: keys nested too deep")

    def __hash__(self) -> int:
        return self.hash

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, StructuralKey) or self.hash != other.hash:
            return False
        return strict_equal(self.value, other.value)


class IdentityKey:
    """A value of the host as a key: its own `==` and `hash` are not consulted."""

    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value) >> 4

    def __eq__(self, other: object) -> bool:
        return isinstance(other, IdentityKey) and self.value is other.value


class ScalarKey:
    """A Boolean or a Float as a key: Python would merge it with an Integer."""

    __slots__ = ("hash", "value")

    def __init__(self, value: float) -> None:
        self.value = value
        self.hash = hash((type(value), value))

    def __hash__(self) -> int:
        return self.hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ScalarKey) and strict_equal(self.value, other.value)


_TRUE: Final = ScalarKey(True)
_FALSE: Final = ScalarKey(False)
_NUMBERS: Final = frozenset({int, float})
_PLAIN: Final = frozenset({str, int, Symbol, type(None), bytes, FunctionType})


def key_of(value: object) -> Hashable:
    """A hashable stand-in, equal to that of another value exactly when the two are `=:=`.

    Strings, Integers and Symbols stand for themselves. `value_of_key` leads back.
    """
    kind = type(value)
    if kind in _PLAIN:
        return value
    if value is True:
        return _TRUE
    if value is False:
        return _FALSE
    if isinstance(value, float):
        return ScalarKey(value)
    structure = structure_of(value)
    return IdentityKey(value) if structure is None else StructuralKey(value, structure)


def value_of_key(key: object) -> object:
    """The value that a key of `key_of` stands for."""
    if isinstance(key, (ScalarKey, StructuralKey, IdentityKey)):
        return key.value
    return key


def hash_of(value: object) -> int:
    """A number that `=:=` values share; equal to the hash of their keys."""
    kind = type(value)
    if kind in _PLAIN:
        return hash(value)
    structure = structure_of(value)
    return hash(key_of(value)) if structure is None else structure.bt_hash()


def strict_equal(one: object, two: object) -> bool:
    """`=:=`: same kind and same contents, at any depth (stdlib.md 2.4)."""
    if one is two:
        return True
    kind = type(one)
    if kind is str or kind is int or kind is bytes:
        return type(two) is kind and one == two
    if kind is float:
        return type(two) is float and one == two and (one != 0.0 or _same_sign(one, two))
    return _same_structure(one, two, strict_equal)


def loose_equal(one: object, two: object) -> bool:
    """`==`: as strict, but Integers and Floats compare by value (stdlib.md 2.4)."""
    if one is two:
        return True
    kind = type(one)
    if kind is str or kind is bytes:
        return type(two) is kind and one == two
    if kind is int or kind is float:
        other = type(two)
        return (other is int or other is float) and one == two
    return _same_structure(one, two, loose_equal)


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
    return by_kind or _sign_of(one) - _sign_of(two)


def compare_in_turn(mine: Sequence[object], others: Sequence[object], order: OrderTest) -> int:
    """Order of two sequences: the first difference decides, then the length."""
    for one, two in zip(mine, others, strict=False):
        if one is not two:
            result = order(one, two)
            if result:
                return result
    return len(mine) - len(others)


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
    return number, isinstance(number, float), _sign_of(number)


def _sorted(values: list[object], kinds: set[type], order: OrderTest) -> list[object]:
    # Texts are ordered natively; code-point order is UTF-8 order.
    if kinds == {str}:
        return sorted(values)  # type: ignore[type-var]
    if kinds == {Symbol}:
        return sorted(values, key=_symbol_text)
    return sorted(values, key=cmp_to_key(order))


def structure_of(value: object) -> Structural | None:
    """A value by its contents; None for what is compared by identity, and for scalars."""
    if isinstance(value, Structural):
        return value
    return FieldView(value) if isinstance(value, ValueObject) else None


def _same_structure(one: object, two: object, same: SameTest) -> bool:
    if isinstance(one, ValueObject):
        return isinstance(two, ValueObject) and _same_fields(one, two, same)
    if not (isinstance(one, Structural) and isinstance(two, Structural)):
        return False
    return one.bt_kind() is two.bt_kind() and one.bt_equal(two, same)


def _same_fields(one: ValueObject, two: ValueObject, same: SameTest) -> bool:
    if one.class_object is not two.class_object:
        return False
    for slot in one.class_object.all_slots():
        attribute = SLOT_PREFIX + slot.name
        mine, theirs = getattr(one, attribute), getattr(two, attribute)
        if mine is not theirs and not same(mine, theirs):
            return False
    return True


def _same_sign(one: object, two: object) -> bool:
    return _sign_of(one) == _sign_of(two)


def _sign_of(number: object) -> int:
    return int(copysign(1.0, number)) if isinstance(number, float) else 0


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
