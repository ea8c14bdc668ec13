"""Equality and keys of values.

Comes in: any two values of a running program. Guarantees: `1`, `1.0` and `true` are
three things, `0.0` and `-0.0` two (stdlib.md 2.4); no message is sent, and no C code
recurses over user data. Leaves: `equals:`, which is a message, to `Runtime.equals`; the
contents of a structural type to that type, which derives from `Structural`; the order to
`ordering`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from enum import IntEnum
from math import copysign
from types import FunctionType
from typing import ClassVar, Final

from lang.runtime.errors import BeamtalkError
from lang.runtime.instances import SLOT_PREFIX, ValueObject, fields_of
from lang.runtime.symbols import Symbol

SameTest = Callable[[object, object], bool]
OrderTest = Callable[[object, object], int]

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


def compare_in_turn(mine: Sequence[object], others: Sequence[object], order: OrderTest) -> int:
    """Order of two sequences: the first difference decides, then the length."""
    for one, two in zip(mine, others, strict=False):
        if one is not two:
            result = order(one, two)
            if result:
                return result
    return len(mine) - len(others)


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
    return sign_of(one) == sign_of(two)


def sign_of(number: object) -> int:
    """The sign of a Float, that of zero included; 0 for what is none."""
    return int(copysign(1.0, number)) if isinstance(number, float) else 0
