"""Arithmetic of Integers and Floats, and the comparisons of values that are not sent.

Comes in: any two values. Guarantees: no infinity, no NaN, no complex number ever
results (language.md 4.10, 6); whatever is no arithmetic is the `badarith` fault;
Booleans are no numbers. Leaves: receivers that are no numbers, to their classes.
"""

from __future__ import annotations

import math
from typing import Final, TypeGuard

from lang.runtime.errors import BeamtalkError, bad_arithmetic
from lang.runtime.ordering import compare

MAX_POWER_BITS: Final = 1 << 23
"""Powers and shifts with more bits than this are refused: the host cannot be interrupted in them."""


def is_number(value: object) -> TypeGuard[int | float]:
    """Whether a value is an Integer or a Float."""
    kind = type(value)
    return kind is int or kind is float


def add(one: object, two: object) -> int | float:
    """`one + two`."""
    if not (is_number(one) and is_number(two)):
        raise bad_arithmetic()
    try:
        return _finite(one + two)
    except OverflowError:
        raise bad_arithmetic() from None


def subtract(one: object, two: object) -> int | float:
    """`one - two`."""
    if not (is_number(one) and is_number(two)):
        raise bad_arithmetic()
    try:
        return _finite(one - two)
    except OverflowError:
        raise bad_arithmetic() from None


def multiply(one: object, two: object) -> int | float:
    """`one * two`."""
    if not (is_number(one) and is_number(two)):
        raise bad_arithmetic()
    try:
        return _finite(one * two)
    except OverflowError:
        raise bad_arithmetic() from None


def divide(one: object, two: object) -> float:
    """`one / two`: always a Float."""
    if not (is_number(one) and is_number(two)) or two == 0:
        raise bad_arithmetic()
    try:
        return _finite(one / two)
    except OverflowError:
        raise bad_arithmetic() from None


def truncated_quotient(one: object, two: object) -> int:
    """`one div: two`: Integers, toward zero."""
    if type(one) is not int or type(two) is not int or two == 0:
        raise bad_arithmetic()
    quotient = abs(one) // abs(two)
    return quotient if (one < 0) == (two < 0) else -quotient


def remainder(one: object, two: object) -> int:
    """`one % two`: Integers, with the sign of the dividend."""
    if type(one) is not int or type(two) is not int or two == 0:
        raise bad_arithmetic()
    rest = abs(one) % abs(two)
    return -rest if one < 0 else rest


def power(one: object, two: object) -> int | float:
    """`one ** two`: exact for Integers and a non-negative exponent, else a Float."""
    if not (is_number(one) and is_number(two)):
        raise bad_arithmetic()
    if isinstance(one, int) and isinstance(two, int) and two >= 0:
        _check_bits(one.bit_length() * two if abs(one) > 1 else 0)
        return int(one**two)
    return float_power(one, two)


def float_power(one: object, two: object) -> float:
    """A power as a Float; without a real and finite result it is bad arithmetic."""
    if not (is_number(one) and is_number(two)):
        raise bad_arithmetic()
    try:
        return _finite(math.pow(one, two))
    except (OverflowError, ValueError):
        raise bad_arithmetic() from None


def shift(number: object, places: object) -> int:
    """`number bitShift: places`: left, or right (arithmetic) when negative."""
    if type(number) is not int or type(places) is not int:
        raise bad_arithmetic()
    if places < 0:
        return number >> -places
    _check_bits(number.bit_length() + places if number else 0)
    return number << places


def rounded(number: float) -> int:
    """The nearest Integer, halves away from zero."""
    size = abs(number)
    whole = math.floor(size)
    if size - whole >= 0.5:
        whole += 1
    return -whole if number < 0 else whole


def less(one: object, two: object) -> bool:
    """`one < two` of values that are not sent the message (stdlib.md 2.5)."""
    return compare(one, two) < 0


def less_or_equal(one: object, two: object) -> bool:
    """`one <= two` of values that are not sent the message."""
    return compare(one, two) <= 0


def greater(one: object, two: object) -> bool:
    """`one > two` of values that are not sent the message."""
    return compare(one, two) > 0


def greater_or_equal(one: object, two: object) -> bool:
    """`one >= two` of values that are not sent the message."""
    return compare(one, two) >= 0


def _finite(number: float) -> int | float:
    if type(number) is float and not math.isfinite(number):
        raise bad_arithmetic()
    return number


def _check_bits(bits: int) -> None:
    if bits > MAX_POWER_BITS:
        raise BeamtalkError(
            "resource_error",
            f"system limit reached: a number of more than {MAX_POWER_BITS} bits",
            raw_kind="system_limit",
        )
