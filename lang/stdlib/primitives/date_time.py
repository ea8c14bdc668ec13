"""Primitives of DateTime (stdlib.md 4.8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lang.runtime.primitive import PrimitiveTable
from lang.stdlib import arguments as expect
from lang.stdlib.results import failure
from lang.stdlib.services import services_of
from lang.stdlib.times import (
    MAX_OFFSET,
    SECOND,
    BtDateTime,
    BtDuration,
    datetime_at,
    datetime_from_iso,
    datetime_from_text,
)

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

DATE_TIME = PrimitiveTable("DateTime")


@DATE_TIME.runtime_primitive("now", class_side=True)
def now(runtime: Runtime, _self: object) -> BtDateTime:
    return _at(services_of(runtime).wall_clock() // 1_000_000_000, 0, "now")


@DATE_TIME.runtime_primitive("monotonicNow", class_side=True)
def monotonic_now(runtime: Runtime, _self: object) -> int:
    return services_of(runtime).monotonic_clock()


@DATE_TIME.primitive("year:month:day:", class_side=True)
def from_date(_self: object, y: object, m: object, d: object) -> BtDateTime:
    return _made("year:month:day:", y, m, d)


@DATE_TIME.primitive("year:month:day:hour:minute:second:", class_side=True)
def from_time(_self: object, y: object, m: object, d: object, h: object, mi: object, s: object) -> BtDateTime:
    return _made("year:month:day:hour:minute:second:", y, m, d, h, mi, s)


@DATE_TIME.primitive("year:month:day:hour:minute:second:offsetMinutes:", class_side=True)
def from_local_time(
    _self: object, y: object, m: object, d: object, h: object, mi: object, s: object, off: object
) -> BtDateTime:
    return _made("year:month:day:hour:minute:second:offsetMinutes:", y, m, d, h, mi, s, off)


@DATE_TIME.primitive("fromTimestamp:", class_side=True)
def from_timestamp(_self: object, seconds: object) -> BtDateTime:
    return _at(expect.integer(seconds, "DateTime", "fromTimestamp:"), 0, "fromTimestamp:")


@DATE_TIME.primitive("fromString:", class_side=True)
def from_string(_self: object, text: object) -> BtDateTime:
    found = datetime_from_iso(expect.text(text, "DateTime", "fromString:"))
    if found is None:
        raise expect.type_error(
            "DateTime", "fromString:", "Expected an ISO 8601 time such as 2031-05-09T00:00:00Z"
        )
    return found


@DATE_TIME.runtime_primitive("parse:format:", class_side=True)
def parse_format(runtime: Runtime, _self: object, text: object, pattern: object) -> object:
    found = datetime_from_text(
        expect.text(text, "DateTime", "parse:format:"), expect.text(pattern, "DateTime", "parse:format:")
    )
    if found is None:
        return failure(runtime, "parse_error", "DateTime", "parse:format:")
    return runtime.make_result_ok(found)


@DATE_TIME.primitive("year")
def year(self: BtDateTime) -> int:
    return self.year


@DATE_TIME.primitive("month")
def month(self: BtDateTime) -> int:
    return self.month


@DATE_TIME.primitive("day")
def day(self: BtDateTime) -> int:
    return self.day


@DATE_TIME.primitive("hour")
def hour(self: BtDateTime) -> int:
    return self.hour


@DATE_TIME.primitive("minute")
def minute(self: BtDateTime) -> int:
    return self.minute


@DATE_TIME.primitive("second")
def second(self: BtDateTime) -> int:
    return self.second


@DATE_TIME.primitive("offsetMinutes")
def offset_minutes(self: BtDateTime) -> int:
    return self.offset


@DATE_TIME.primitive("asTimestamp")
def as_timestamp(self: BtDateTime) -> int:
    return self.timestamp


@DATE_TIME.primitive("asString")
def as_string(self: BtDateTime) -> str:
    return self.iso


@DATE_TIME.primitive("printString")
def print_string(self: BtDateTime) -> str:
    return f"DateTime({self.iso})"


@DATE_TIME.primitive("toUtc")
def to_utc(self: BtDateTime) -> BtDateTime:
    return _at(self.timestamp, 0, "toUtc")


@DATE_TIME.primitive("toOffset:")
def to_offset(self: BtDateTime, minutes: object) -> BtDateTime:
    offset = expect.integer(minutes, "DateTime", "toOffset:")
    if abs(offset) > MAX_OFFSET:
        raise expect.type_error("DateTime", "toOffset:", "An offset lies within 23:59")
    return _at(self.timestamp, offset, "toOffset:")


@DATE_TIME.primitive("format:")
def format_with(self: BtDateTime, pattern: object) -> str:
    return self.formatted(expect.text(pattern, "DateTime", "format:"))


@DATE_TIME.primitive("addSeconds:")
def add_seconds(self: BtDateTime, seconds: object) -> BtDateTime:
    return _later(self, expect.integer(seconds, "DateTime", "addSeconds:"), "addSeconds:")


@DATE_TIME.primitive("addDays:")
def add_days(self: BtDateTime, days: object) -> BtDateTime:
    return _later(self, expect.integer(days, "DateTime", "addDays:") * 86_400, "addDays:")


@DATE_TIME.primitive("addDuration:")
def add_duration(self: BtDateTime, duration: object) -> BtDateTime:
    if not isinstance(duration, BtDuration):
        raise expect.type_error("DateTime", "addDuration:", "Expected a Duration")
    return _later(self, duration.whole(SECOND), "addDuration:")


@DATE_TIME.primitive("diffSeconds:")
def diff_seconds(self: BtDateTime, other: object) -> int:
    return self.timestamp - _instant(other, "diffSeconds:")


@DATE_TIME.primitive("-")
def subtract(self: BtDateTime, other: object) -> BtDuration:
    return BtDuration((self.timestamp - _instant(other, "-")) * SECOND)


@DATE_TIME.primitive("<")
def less(self: BtDateTime, other: object) -> bool:
    return self.timestamp < _instant(other, "<")


@DATE_TIME.primitive(">")
def greater(self: BtDateTime, other: object) -> bool:
    return self.timestamp > _instant(other, ">")


@DATE_TIME.primitive("<=")
def less_or_equal(self: BtDateTime, other: object) -> bool:
    return self.timestamp <= _instant(other, "<=")


@DATE_TIME.primitive(">=")
def greater_or_equal(self: BtDateTime, other: object) -> bool:
    return self.timestamp >= _instant(other, ">=")


@DATE_TIME.primitive("sameInstant:")
def same_instant(self: BtDateTime, other: object) -> bool:
    return self.timestamp == _instant(other, "sameInstant:")


def _made(selector: str, *fields: object) -> BtDateTime:
    numbers = [expect.integer(field, "DateTime", selector) for field in fields]
    made = BtDateTime(*numbers)
    if not made.is_valid:
        raise expect.type_error("DateTime", selector, "There is no such time")
    return made


def _at(timestamp: int, offset: int, selector: str) -> BtDateTime:
    found = datetime_at(timestamp, offset)
    if found is None:
        raise expect.type_error("DateTime", selector, "The time lies beyond the calendar")
    return found


def _later(time: BtDateTime, seconds: int, selector: str) -> BtDateTime:
    return _at(time.timestamp + seconds, time.offset, selector)


def _instant(other: object, selector: str) -> int:
    if not isinstance(other, BtDateTime):
        raise expect.type_error("DateTime", selector, "Expected a DateTime")
    return other.timestamp
