"""Functions of real numbers: what has no finite real result is bad arithmetic (language.md 4.10)."""

from __future__ import annotations

import math
from collections.abc import Callable

from lang.runtime.errors import bad_arithmetic

Number = int | float
RealFunction = Callable[[Number], float]


def _real(function: RealFunction) -> RealFunction:
    def apply(number: Number) -> float:
        try:
            result = function(number)
        except (ValueError, OverflowError):
            raise bad_arithmetic() from None
        if not math.isfinite(result):
            raise bad_arithmetic()
        return result

    return apply


as_float = _real(float)
square_root = _real(math.sqrt)
natural_logarithm = _real(math.log)
binary_logarithm = _real(math.log2)
decimal_logarithm = _real(math.log10)
exponential = _real(math.exp)
sine = _real(math.sin)
cosine = _real(math.cos)
tangent = _real(math.tan)
hyperbolic_sine = _real(math.sinh)
hyperbolic_cosine = _real(math.cosh)
hyperbolic_tangent = _real(math.tanh)
arc_sine = _real(math.asin)
arc_cosine = _real(math.acos)
arc_tangent = _real(math.atan)
