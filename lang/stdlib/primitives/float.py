"""Primitives of Float (stdlib.md 3.7)."""

from __future__ import annotations

import math

from lang.runtime import arithmetic
from lang.runtime.equality import loose_equal, strict_equal
from lang.runtime.errors import bad_arithmetic
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.text import float_text
from lang.stdlib import functions

FLOAT = PrimitiveTable("Float")


@FLOAT.primitive("pi", class_side=True)
def pi(_self: object) -> float:
    return math.pi


@FLOAT.primitive("e", class_side=True)
def e(_self: object) -> float:
    return math.e


@FLOAT.primitive("+")
def add(self: float, other: object) -> int | float:
    return arithmetic.add(self, other)


@FLOAT.primitive("-")
def subtract(self: float, other: object) -> int | float:
    return arithmetic.subtract(self, other)


@FLOAT.primitive("*")
def multiply(self: float, other: object) -> int | float:
    return arithmetic.multiply(self, other)


@FLOAT.primitive("/")
def divide(self: float, other: object) -> float:
    return arithmetic.divide(self, other)


@FLOAT.primitive("**")
def power(self: float, other: object) -> float:
    return arithmetic.float_power(self, other)


@FLOAT.primitive("raisedTo:")
def raised_to(self: float, exponent: object) -> float:
    return arithmetic.float_power(self, exponent)


@FLOAT.primitive("=:=")
def is_same(self: float, other: object) -> bool:
    return strict_equal(self, other)


@FLOAT.primitive("=/=")
def is_other(self: float, other: object) -> bool:
    return not strict_equal(self, other)


@FLOAT.primitive("/=")
def differs(self: float, other: object) -> bool:
    return not loose_equal(self, other)


@FLOAT.primitive("<")
def less(self: float, other: object) -> bool:
    return arithmetic.less(self, other)


@FLOAT.primitive(">")
def greater(self: float, other: object) -> bool:
    return arithmetic.greater(self, other)


@FLOAT.primitive("<=")
def less_or_equal(self: float, other: object) -> bool:
    return arithmetic.less_or_equal(self, other)


@FLOAT.primitive(">=")
def greater_or_equal(self: float, other: object) -> bool:
    return arithmetic.greater_or_equal(self, other)


@FLOAT.primitive("rounded")
def rounded(self: float) -> int:
    return arithmetic.rounded(self)


@FLOAT.primitive("ceiling")
def ceiling(self: float) -> int:
    return math.ceil(self)


@FLOAT.primitive("floor")
def floor(self: float) -> int:
    return math.floor(self)


@FLOAT.primitive("truncated")
def truncated(self: float) -> int:
    return math.trunc(self)


@FLOAT.primitive("asInteger")
def as_integer(self: float) -> int:
    return math.trunc(self)


@FLOAT.primitive("asString")
def as_string(self: float) -> str:
    return float_text(self)


@FLOAT.primitive("printString")
def print_string(self: float) -> str:
    return float_text(self)


@FLOAT.primitive("atan2:")
def atan2(self: float, other: object) -> float:
    if not arithmetic.is_number(other):
        raise bad_arithmetic()
    return math.atan2(self, functions.as_float(other))


@FLOAT.primitive("sin")
def sin(self: float) -> float:
    return functions.sine(self)


@FLOAT.primitive("cos")
def cos(self: float) -> float:
    return functions.cosine(self)


@FLOAT.primitive("tan")
def tan(self: float) -> float:
    return functions.tangent(self)


@FLOAT.primitive("sinh")
def sinh(self: float) -> float:
    return functions.hyperbolic_sine(self)


@FLOAT.primitive("cosh")
def cosh(self: float) -> float:
    return functions.hyperbolic_cosine(self)


@FLOAT.primitive("tanh")
def tanh(self: float) -> float:
    return functions.hyperbolic_tangent(self)


@FLOAT.primitive("asin")
def asin(self: float) -> float:
    return functions.arc_sine(self)


@FLOAT.primitive("acos")
def acos(self: float) -> float:
    return functions.arc_cosine(self)


@FLOAT.primitive("atan")
def atan(self: float) -> float:
    return functions.arc_tangent(self)


@FLOAT.primitive("sqrt")
def sqrt(self: float) -> float:
    return functions.square_root(self)


@FLOAT.primitive("log")
def log(self: float) -> float:
    return functions.natural_logarithm(self)


@FLOAT.primitive("ln")
def ln(self: float) -> float:
    return functions.natural_logarithm(self)


@FLOAT.primitive("log2")
def log2(self: float) -> float:
    return functions.binary_logarithm(self)


@FLOAT.primitive("log10")
def log10(self: float) -> float:
    return functions.decimal_logarithm(self)


@FLOAT.primitive("exp")
def exp(self: float) -> float:
    return functions.exponential(self)
