"""`Erlang math`: real functions; the answers are Floats, as there (stdlib.md 8)."""

from __future__ import annotations

import math
from collections.abc import Callable

from lang.runtime.errors import bad_arithmetic
from lang.stdlib.erlang.terms import ErlangModule, number

MATH = ErlangModule("math")


def _enter(name: str, function: Callable[[float], float]) -> None:
    def apply(argument: object) -> float:
        return _computed(lambda: function(number(argument)))

    MATH.function(name)(apply)


def _enter_binary(name: str, function: Callable[[float, float], float]) -> None:
    def apply(one: object, two: object) -> float:
        return _computed(lambda: function(number(one), number(two)))

    MATH.function(name)(apply)


def _computed(run: Callable[[], float]) -> float:
    try:
        result = float(run())
    except (ValueError, OverflowError, ZeroDivisionError):
        raise bad_arithmetic() from None
    if not math.isfinite(result):
        raise bad_arithmetic()
    return result


for _name in "sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp log log2 log10 sqrt".split():
    _enter(_name, getattr(math, _name))
_enter("floor", math.floor)
_enter("ceil", math.ceil)
_enter_binary("pow", math.pow)
_enter_binary("atan2", math.atan2)
_enter_binary("fmod", math.fmod)


@MATH.function("pi")
def pi() -> float:
    return math.pi
