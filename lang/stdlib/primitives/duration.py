"""Primitives of Duration (stdlib.md 4.9)."""

from __future__ import annotations

from lang.runtime import arithmetic
from lang.runtime.primitive import PrimitiveTable
from lang.stdlib import arguments as expect
from lang.stdlib.times import DAY, HOUR, MINUTE, SECOND, BtDuration, duration_from_iso

DURATION = PrimitiveTable("Duration")


@DURATION.primitive("milliseconds:", class_side=True)
def milliseconds(_self: object, n: object) -> BtDuration:
    return _scaled(n, 1, "milliseconds:")


@DURATION.primitive("seconds:", class_side=True)
def seconds(_self: object, n: object) -> BtDuration:
    return _scaled(n, SECOND, "seconds:")


@DURATION.primitive("minutes:", class_side=True)
def minutes(_self: object, n: object) -> BtDuration:
    return _scaled(n, MINUTE, "minutes:")


@DURATION.primitive("hours:", class_side=True)
def hours(_self: object, n: object) -> BtDuration:
    return _scaled(n, HOUR, "hours:")


@DURATION.primitive("days:", class_side=True)
def days(_self: object, n: object) -> BtDuration:
    return _scaled(n, DAY, "days:")


@DURATION.primitive("fromString:", class_side=True)
def from_string(_self: object, text: object) -> BtDuration:
    found = duration_from_iso(expect.text(text, "Duration", "fromString:"))
    if found is None:
        raise expect.type_error("Duration", "fromString:", "Expected an ISO 8601 duration such as PT1H30M")
    return found


@DURATION.primitive("asMilliseconds")
def as_milliseconds(self: BtDuration) -> int:
    return self.milliseconds


@DURATION.primitive("asSeconds")
def as_seconds(self: BtDuration) -> int:
    return self.whole(SECOND)


@DURATION.primitive("asMinutes")
def as_minutes(self: BtDuration) -> int:
    return self.whole(MINUTE)


@DURATION.primitive("asHours")
def as_hours(self: BtDuration) -> int:
    return self.whole(HOUR)


@DURATION.primitive("totalDays")
def total_days(self: BtDuration) -> int:
    return self.whole(DAY)


@DURATION.primitive("isZero")
def is_zero(self: BtDuration) -> bool:
    return self.milliseconds == 0


@DURATION.primitive("isNegative")
def is_negative(self: BtDuration) -> bool:
    return self.milliseconds < 0


@DURATION.primitive("asString")
def as_string(self: BtDuration) -> str:
    return self.iso


@DURATION.primitive("printString")
def print_string(self: BtDuration) -> str:
    return self.text


@DURATION.primitive("+")
def add(self: BtDuration, other: object) -> BtDuration:
    return BtDuration(self.milliseconds + _length(other, "+"))


@DURATION.primitive("-")
def subtract(self: BtDuration, other: object) -> BtDuration:
    return BtDuration(self.milliseconds - _length(other, "-"))


@DURATION.primitive("*")
def multiply(self: BtDuration, scalar: object) -> BtDuration:
    return _scaled(scalar, self.milliseconds, "*")


@DURATION.primitive("<")
def less(self: BtDuration, other: object) -> bool:
    return self.milliseconds < _length(other, "<")


@DURATION.primitive(">")
def greater(self: BtDuration, other: object) -> bool:
    return self.milliseconds > _length(other, ">")


@DURATION.primitive("<=")
def less_or_equal(self: BtDuration, other: object) -> bool:
    return self.milliseconds <= _length(other, "<=")


@DURATION.primitive(">=")
def greater_or_equal(self: BtDuration, other: object) -> bool:
    return self.milliseconds >= _length(other, ">=")


def _scaled(number: object, unit: int, selector: str) -> BtDuration:
    if not arithmetic.is_number(number):
        raise expect.type_error("Duration", selector, "Expected a number")
    if isinstance(number, float):
        return BtDuration(arithmetic.rounded(arithmetic.multiply(number, unit)))
    return BtDuration(number * unit)


def _length(other: object, selector: str) -> int:
    if not isinstance(other, BtDuration):
        raise expect.type_error("Duration", selector, "Expected a Duration")
    return other.milliseconds
