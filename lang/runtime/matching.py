"""What patterns ask of values (language.md 4.15, 4.16).

Guarantees: a value of another kind is a failed match, never an error; destructuring
raises what language.md 4.16 says.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NoReturn

from lang.runtime.bits import binary_parts
from lang.runtime.classes import ClassObject
from lang.runtime.collections.arrays import BtArray, array_of
from lang.runtime.collections.lists import BtList
from lang.runtime.collections.mappings import BtDictionary
from lang.runtime.collections.tuples import BtTuple
from lang.runtime.equality import strict_equal
from lang.runtime.errors import BeamtalkError

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

ABSENT = object()
"""What `$lookup` answers for a key that is not there."""


def operations(runtime: Runtime) -> dict[str, object]:
    """What generated code calls in patterns."""
    return {
        "$same": strict_equal,
        "$Array": BtArray,
        "$Tuple": BtTuple,
        "$Dictionary": BtDictionary,
        "$absent": ABSENT,
        "$lookup": lookup,
        "$is_a": lambda value, wanted: is_instance(runtime, value, wanted),
        "$no_arm": no_arm,
        "$elements": lambda value, count: elements(runtime, value, count),
        "$rest": rest,
        "$binary": binary_parts,
        "$tuple_elements": lambda value, count: tuple_elements(runtime, value, count),
        "$key": lambda value, key: value_at(runtime, value, key),
        "$badmatch": badmatch,
    }


def is_instance(runtime: Runtime, value: object, wanted: object) -> bool:
    """The test of `x :: C`: exactly that class, or `Boolean` for both truth values."""
    if not isinstance(wanted, ClassObject):
        return False
    own = runtime.class_of_instance(value)
    if own is wanted:
        return True
    return wanted.name == "Boolean" and (value is True or value is False)


def lookup(value: BtDictionary, key: object) -> object:
    """The value under a key, or `ABSENT`."""
    return value.at(key, ABSENT)


def no_arm(value: object) -> NoReturn:
    """Raise for a `match:` without a matching arm."""
    del value
    raise BeamtalkError("internal_error", "no arm of the match matched the value", raw_kind="if_clause")


def badmatch(value: object) -> NoReturn:
    """Raise for a destructuring element that is not the literal in the pattern, or a wrong size."""
    del value
    raise BeamtalkError("internal_error", "internal error (badmatch): the value does not fit the pattern")


def elements(runtime: Runtime, value: object, count: int) -> list[object]:
    """The elements of a List or Array that must have at least `count`; others are sent `at:`."""
    if isinstance(value, BtList | BtArray):
        found = list(value)
        if len(found) < count:
            kind = "index_out_of_bounds" if found else "empty_collection"
            raise BeamtalkError(kind, class_name=runtime.class_name_of(value), selector="at:")
        return found
    return [runtime.send(value, "at:", index + 1) for index in range(count)]


def rest(value: Iterable[object], start: int) -> BtArray:
    """The elements of a List or Array from `start` (0-based) on, as an Array."""
    return array_of(list(value)[start:])


def tuple_elements(runtime: Runtime, value: object, count: int) -> Iterable[object]:
    """The elements of a Tuple of exactly `count`."""
    if not isinstance(value, BtTuple):
        raise BeamtalkError(
            "argument_error", "invalid argument: a Tuple is needed", class_name=runtime.class_name_of(value)
        )
    if len(value) != count:
        badmatch(value)
    return value


def value_at(runtime: Runtime, value: object, key: object) -> object:
    """The value under a key of a Dictionary, for destructuring."""
    if not isinstance(value, BtDictionary):
        raise BeamtalkError(
            "type_error",
            "expected a Dictionary but got a non-map value",
            class_name=runtime.class_name_of(value),
        )
    found = value.at(key, ABSENT)
    if found is ABSENT:
        raise BeamtalkError(
            "key_error",
            f"key not found: {runtime.print_string(key)}",
            class_name="Dictionary",
            selector="at:",
        )
    return found
