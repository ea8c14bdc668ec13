"""What generated code calls besides methods: the builtins dict that all units share.

Names begin with `$`, which no identifier does. Fast cases stand in the code itself
(`lang/codegen`); what is here are the slow paths and the parts of the language that
are no sends: arithmetic on numbers, the four equality operators and the order of
values (language.md 4.10, 4.11), conditions, casts, interpolation, patterns.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING, Any, Final, NoReturn

from lang.runtime import arithmetic, matching, protection
from lang.runtime.blocks import Home, NonLocalReturn, call_block, call_with_at_most, non_local_return
from lang.runtime.collections.arrays import array_of
from lang.runtime.collections.lists import list_of
from lang.runtime.collections.mappings import dictionary_of
from lang.runtime.equality import OrderedByMessage, loose_equal, strict_equal
from lang.runtime.errors import BeamtalkError, as_beamtalk_error, bad_arithmetic
from lang.runtime.instances import ActorObject, ValueObject

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

Operation = Callable[[Any, Any], object]

ARITHMETIC: Final[dict[str, Operation]] = {
    "+": arithmetic.add,
    "-": arithmetic.subtract,
    "*": arithmetic.multiply,
    "/": arithmetic.divide,
}
"""Computed when the receiver is a number, else sent (language.md 4.10)."""

COMPARISONS: Final[dict[str, Operation]] = {
    "<": arithmetic.less,
    "<=": arithmetic.less_or_equal,
    ">": arithmetic.greater,
    ">=": arithmetic.greater_or_equal,
}
"""Computed on builtin receivers, sent to values and actors (stdlib.md 2.5)."""

NEVER_SENT: Final[dict[str, Operation]] = {
    "%": arithmetic.remainder,
    "**": arithmetic.power,
    "=:=": strict_equal,
    "==": loose_equal,
    "=/=": lambda one, two: not strict_equal(one, two),
    "/=": lambda one, two: not loose_equal(one, two),
}
"""Computed whatever the receiver (language.md 4.10, 4.11)."""

OPERATORS: Final = frozenset(ARITHMETIC) | frozenset(COMPARISONS) | frozenset(NEVER_SENT)


class CharacterKey:
    """The key under which tables hold methods of Character: its values are Integers (language.md 4.12)."""


def install(runtime: Runtime) -> None:
    """Fill the builtins of an image."""
    runtime.builtins.update(
        {
            "$type": type,
            "$int": int,
            "$str": str,
            "$float": float,
            "$bool": bool,
            "$range": range,
            "$len": len,
            "$Block": FunctionType,
            "$Exception": Exception,
            "$BaseException": BaseException,
            "$NonLocalReturn": NonLocalReturn,
            "$Home": Home,
            "$return": non_local_return,
            "$list": list_of,
            "$array": array_of,
            "$dictionary": dictionary_of,
            "$cons": list_with_tail,
            "$join": "".join,
            "$limit": loop_limit,
            "$steps": range_with_step,
            "$error": as_beamtalk_error,
            "$call": call_block,
            "$handle": call_with_at_most,
            "$Character": CharacterKey,
            **{f"$op {text}": _numeric_or_sent(runtime, text, f) for text, f in ARITHMETIC.items()},
            **{f"$op {text}": _compared_or_sent(runtime, text, f) for text, f in COMPARISONS.items()},
            **{f"$op {text}": f for text, f in NEVER_SENT.items()},
            "$not_boolean": _not_boolean(runtime),
            "$truth": _truth(runtime),
            "$foreign": _foreign_write(runtime),
            "$cast": _cast(runtime),
            "$display": _display(runtime),
            "$inside": lambda class_object: runtime.processes.is_inside(class_object),  # noqa: PLW0108 (processes come later)
        }
    )
    runtime.builtins.update(matching.operations(runtime))
    runtime.builtins.update(protection.operations(runtime))


def list_with_tail(elements: list[object], tail: object) -> object:
    """`#(a, b | tail)`: the elements before those of a List."""
    result = tail
    for element in reversed(elements):
        result = result.prepended(element)  # type: ignore[attr-defined]
    return result


def loop_limit(limit: object, step: int) -> int:
    """The last Integer that `to:do:` from an Integer may reach."""
    if type(limit) is int:
        return limit
    if type(limit) is not float:
        raise bad_arithmetic("Integer", "to:do:")
    return math.floor(limit) if step > 0 else math.ceil(limit)


def range_with_step(start: int, stop: int, step: int) -> range:
    """The Integers of `start to: stop by: step`; none for a step of 0."""
    if step == 0:
        return range(0)
    return range(start, stop + (1 if step > 0 else -1), step)


def _numeric_or_sent(runtime: Runtime, text: str, operation: Operation) -> Operation:
    table = runtime.selector(text).sel

    def operate(one: object, two: object) -> object:
        kind = type(one)
        if kind is int or kind is float:
            return operation(one, two)
        return table[kind](one, two)

    return operate


def _compared_or_sent(runtime: Runtime, text: str, operation: Operation) -> Operation:
    table = runtime.selector(text).sel

    def operate(one: object, two: object) -> object:
        if isinstance(one, ValueObject | ActorObject | OrderedByMessage):
            return table[type(one)](one, two)
        return operation(one, two)

    return operate


def _not_boolean(runtime: Runtime) -> Callable[[object, str], NoReturn]:
    def refuse(value: object, selector: str) -> NoReturn:
        raise runtime.not_understood(value, selector)

    return refuse


def _foreign_write(runtime: Runtime) -> Callable[[object, str], NoReturn]:
    def refuse(owner: object, slot: str) -> NoReturn:
        name = runtime.class_name_of(owner)
        message = f"Cannot assign to '{slot}' of {name}: objects cannot mutate others' state"
        raise BeamtalkError("immutable_value", message, class_name=name, selector=f"{slot}:=")

    return refuse


def _truth(runtime: Runtime) -> Callable[[object, str], bool]:
    def truth(value: object, selector: str) -> bool:
        """Whether a condition holds; what is no Boolean does not understand the conditional (language.md 4.9)."""
        if value is True:
            return True
        if value is False:
            return False
        raise runtime.not_understood(value, selector)

    return truth


def _cast(runtime: Runtime) -> Callable[..., None]:
    def cast(receiver: object, selector: str, *arguments: object) -> None:
        """`receiver selector!`: nothing happens on what is no actor (language.md 4.3)."""
        if isinstance(receiver, ActorObject):
            runtime.processes.cast(receiver, selector, arguments)

    return cast


def _display(runtime: Runtime) -> Callable[[object], str]:
    table = runtime.selector("displayString").sel

    def display(value: object) -> str:
        """A part of an interpolation, by `displayString` (language.md 1.4)."""
        if type(value) is str:
            return value
        text = table[type(value)](value)
        if type(text) is not str:
            raise BeamtalkError(
                "type_error", class_name=runtime.class_name_of(value), selector="displayString"
            )
        return text

    return display
