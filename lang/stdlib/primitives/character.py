"""Primitives of Character: a code point that the source shows to be one (stdlib.md 3.8)."""

from __future__ import annotations

from lang.runtime import arithmetic
from lang.runtime.equality import hash_of, loose_equal, strict_equal
from lang.runtime.primitive import PrimitiveTable
from lang.stdlib import arguments as expect
from lang.stdlib.joining import character_text
from lang.stdlib.primitives import integer

CHARACTER = PrimitiveTable("Character")


@CHARACTER.primitive("value:", class_side=True)
def value(_self: object, code_point: object) -> int:
    number = expect.integer(code_point, "Character", "value:")
    return ord(character_text(number, "Character", "value:"))


@CHARACTER.primitive("=:=")
def is_same(self: int, other: object) -> bool:
    return strict_equal(self, other)


@CHARACTER.primitive("=/=")
def is_other(self: int, other: object) -> bool:
    return not strict_equal(self, other)


@CHARACTER.primitive("/=")
def differs(self: int, other: object) -> bool:
    return not loose_equal(self, other)


@CHARACTER.primitive("<")
def less(self: int, other: object) -> bool:
    return arithmetic.less(self, other)


@CHARACTER.primitive(">")
def greater(self: int, other: object) -> bool:
    return arithmetic.greater(self, other)


@CHARACTER.primitive("<=")
def less_or_equal(self: int, other: object) -> bool:
    return arithmetic.less_or_equal(self, other)


@CHARACTER.primitive(">=")
def greater_or_equal(self: int, other: object) -> bool:
    return arithmetic.greater_or_equal(self, other)


@CHARACTER.primitive("asInteger")
def as_integer(self: int) -> int:
    return self


@CHARACTER.primitive("asString")
def as_string(self: int) -> str:
    return character_text(self, "Character", "asString")


@CHARACTER.primitive("printString")
def print_string(self: int) -> str:
    return f"${character_text(self, 'Character', 'printString')}"


@CHARACTER.primitive("hash")
def hash_value(self: int) -> int:
    return abs(hash_of(self))


CHARACTER.primitive("isLetter")(integer.is_letter)
CHARACTER.primitive("isDigit")(integer.is_digit)
CHARACTER.primitive("isUppercase")(integer.is_uppercase)
CHARACTER.primitive("isLowercase")(integer.is_lowercase)
CHARACTER.primitive("isWhitespace")(integer.is_whitespace)


@CHARACTER.primitive("uppercase")
def uppercase(self: int) -> int:
    return ord(chr(self).upper()[0])


@CHARACTER.primitive("lowercase")
def lowercase(self: int) -> int:
    return ord(chr(self).lower()[0])
