"""Primitives of Integer (stdlib.md 3.7), and of the code points among them (3.8)."""

from __future__ import annotations

import math
import unicodedata

from lang.runtime import arithmetic
from lang.runtime.equality import loose_equal, strict_equal
from lang.runtime.errors import bad_arithmetic
from lang.runtime.primitive import PrimitiveTable
from lang.stdlib import functions

INTEGER = PrimitiveTable("Integer")
_OTHER_SPACES = "\t\n\v\f\r"


@INTEGER.primitive("+")
def add(self: int, other: object) -> int | float:
    return arithmetic.add(self, other)


@INTEGER.primitive("-")
def subtract(self: int, other: object) -> int | float:
    return arithmetic.subtract(self, other)


@INTEGER.primitive("*")
def multiply(self: int, other: object) -> int | float:
    return arithmetic.multiply(self, other)


@INTEGER.primitive("/")
def divide(self: int, other: object) -> float:
    return arithmetic.divide(self, other)


@INTEGER.primitive("div:")
def div(self: int, other: object) -> int:
    return arithmetic.truncated_quotient(self, other)


@INTEGER.primitive("%")
def remainder(self: int, other: object) -> int:
    return arithmetic.remainder(self, other)


@INTEGER.primitive("**")
def power(self: int, other: object) -> int | float:
    return arithmetic.power(self, other)


@INTEGER.primitive("raisedTo:")
def raised_to(self: int, exponent: object) -> int | float:
    return arithmetic.power(self, exponent)


@INTEGER.primitive("=:=")
def is_same(self: int, other: object) -> bool:
    return strict_equal(self, other)


@INTEGER.primitive("=/=")
def is_other(self: int, other: object) -> bool:
    return not strict_equal(self, other)


@INTEGER.primitive("/=")
def differs(self: int, other: object) -> bool:
    return not loose_equal(self, other)


@INTEGER.primitive("<")
def less(self: int, other: object) -> bool:
    return arithmetic.less(self, other)


@INTEGER.primitive(">")
def greater(self: int, other: object) -> bool:
    return arithmetic.greater(self, other)


@INTEGER.primitive("<=")
def less_or_equal(self: int, other: object) -> bool:
    return arithmetic.less_or_equal(self, other)


@INTEGER.primitive(">=")
def greater_or_equal(self: int, other: object) -> bool:
    return arithmetic.greater_or_equal(self, other)


@INTEGER.primitive("asFloat")
def as_float(self: int) -> float:
    return functions.as_float(self)


@INTEGER.primitive("asString")
def as_string(self: int) -> str:
    return str(self)


@INTEGER.primitive("printString")
def print_string(self: int) -> str:
    return str(self)


@INTEGER.primitive("bitAnd:")
def bit_and(self: int, other: object) -> int:
    return self & _bits(other)


@INTEGER.primitive("bitOr:")
def bit_or(self: int, other: object) -> int:
    return self | _bits(other)


@INTEGER.primitive("bitXor:")
def bit_xor(self: int, other: object) -> int:
    return self ^ _bits(other)


@INTEGER.primitive("bitShift:")
def bit_shift(self: int, n: object) -> int:
    return arithmetic.shift(self, n)


@INTEGER.primitive("bitNot")
def bit_not(self: int) -> int:
    return ~self


@INTEGER.primitive("gcd:")
def gcd(self: int, other: object) -> int:
    return math.gcd(self, _bits(other))


@INTEGER.primitive("lcm:")
def lcm(self: int, other: object) -> int:
    return math.lcm(self, _bits(other))


@INTEGER.primitive("isLetter")
def is_letter(self: int) -> bool:
    return _category(self).startswith("L")


@INTEGER.primitive("isDigit")
def is_digit(self: int) -> bool:
    return _category(self) == "Nd"


@INTEGER.primitive("isUppercase")
def is_uppercase(self: int) -> bool:
    return _category(self) == "Lu"


@INTEGER.primitive("isLowercase")
def is_lowercase(self: int) -> bool:
    return _category(self) == "Ll"


@INTEGER.primitive("isWhitespace")
def is_whitespace(self: int) -> bool:
    return _category(self).startswith("Z") or (0 <= self < 128 and chr(self) in _OTHER_SPACES)


@INTEGER.primitive("sqrt")
def sqrt(self: int) -> float:
    return functions.square_root(self)


@INTEGER.primitive("log")
def log(self: int) -> float:
    return functions.natural_logarithm(self)


@INTEGER.primitive("ln")
def ln(self: int) -> float:
    return functions.natural_logarithm(self)


@INTEGER.primitive("log2")
def log2(self: int) -> float:
    return functions.binary_logarithm(self)


@INTEGER.primitive("log10")
def log10(self: int) -> float:
    return functions.decimal_logarithm(self)


@INTEGER.primitive("exp")
def exp(self: int) -> float:
    return functions.exponential(self)


def _bits(value: object) -> int:
    if type(value) is not int:
        raise bad_arithmetic()
    return value


def _category(code_point: int) -> str:
    return unicodedata.category(chr(code_point)) if 0 <= code_point <= 0x10FFFF else "Cn"
