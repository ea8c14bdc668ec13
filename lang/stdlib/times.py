"""Durations and points in time (stdlib.md 4.8, 4.9).

Guarantees: whole milliseconds and whole seconds; the calendar is the Gregorian one,
carried back to year 0; a DateTime is its fields, and its instant is derived.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, final

from lang.dataclass import dataclass
from lang.runtime.equality import OrderedByMessage, Structural

SECOND: Final = 1000
MINUTE: Final = 60 * SECOND
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR
MAX_OFFSET: Final = 23 * 60 + 59
MAX_YEAR: Final = 9999

_ISO_DURATION: Final = re.compile(
    r"(-)?P(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d{1,3})\d*)?S)?)?", re.ASCII
)
_ISO_TIME: Final = re.compile(r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(Z|[+-]\d\d:\d\d)?", re.ASCII)
_PATTERN_PART: Final = re.compile(r"(y+|M+|d+|H+|m+|s+)|(.)", re.DOTALL)


@final
@dataclass(frozen=True, slots=True, eq=False)
class BtDuration(Structural, OrderedByMessage):
    """A length of time."""

    milliseconds: int

    def bt_label(self) -> str:
        """The class name."""
        return "Duration"

    def bt_parts(self) -> Sequence[object]:
        """The contents."""
        return (self.milliseconds,)

    def whole(self, unit: int) -> int:
        """How many whole units, toward zero."""
        count = abs(self.milliseconds) // unit
        return -count if self.milliseconds < 0 else count

    @property
    def iso(self) -> str:
        """The ISO 8601 text."""
        days, hours, minutes, seconds, rest = self._units()
        fraction = f".{rest:03}" if rest else ""
        clock = [f"{hours}H"] * bool(hours) + [f"{minutes}M"] * bool(minutes)
        clock += [f"{seconds}{fraction}S"] * bool(seconds or rest)
        text = f"P{f'{days}D' if days else ''}{'T' if clock else ''}{''.join(clock)}"
        return self._sign() + (text if text != "P" else "PT0S")

    @property
    def text(self) -> str:
        """The text for people: `1d 2h 3m 4s 5ms` without zero parts."""
        parts = zip(self._units(), ("d", "h", "m", "s", "ms"), strict=True)
        return self._sign() + (" ".join([f"{count}{unit}" for count, unit in parts if count]) or "0ms")

    def _sign(self) -> str:
        return "-" if self.milliseconds < 0 else ""

    def _units(self) -> tuple[int, int, int, int, int]:
        left = abs(self.milliseconds)
        days, left = divmod(left, DAY)
        hours, left = divmod(left, HOUR)
        minutes, left = divmod(left, MINUTE)
        return days, hours, minutes, *divmod(left, SECOND)


def duration_from_iso(text: str) -> BtDuration | None:
    """The duration of `[-]P[nD][T[nH][nM][n[.fff]S]]`, at least one part; None for anything else."""
    found = _ISO_DURATION.fullmatch(text)
    if found is None or not any(found.group(index) for index in range(2, 6)):
        return None
    days, hours, minutes, seconds = (int(found.group(index) or 0) for index in range(2, 6))
    rest = int((found.group(6) or "").ljust(3, "0"))
    total = days * DAY + hours * HOUR + minutes * MINUTE + seconds * SECOND + rest
    return BtDuration(-total if found.group(1) else total)


@final
@dataclass(frozen=True, slots=True, eq=False)
class BtDateTime(Structural, OrderedByMessage):
    """A date, a time of day and an offset from UTC in minutes."""

    year: int
    month: int
    day: int
    hour: int = 0
    minute: int = 0
    second: int = 0
    offset: int = 0

    def bt_label(self) -> str:
        """The class name."""
        return "DateTime"

    def bt_parts(self) -> Sequence[object]:
        """The contents."""
        return (self.year, self.month, self.day, self.hour, self.minute, self.second, self.offset)

    @property
    def is_valid(self) -> bool:
        """Whether there is such a time."""
        return (
            0 <= self.year <= MAX_YEAR
            and 1 <= self.month <= 12
            and 1 <= self.day <= days_in_month(self.year, self.month)
            and 0 <= self.hour < 24
            and 0 <= self.minute < 60
            and 0 <= self.second < 60
            and abs(self.offset) <= MAX_OFFSET
        )

    @property
    def timestamp(self) -> int:
        """Seconds since 1970 began in UTC."""
        local = day_number(self.year, self.month, self.day) * 86_400 + self.hour * 3600 + self.minute * 60
        return local + self.second - self.offset * 60

    @property
    def iso(self) -> str:
        """The ISO 8601 text."""
        zone = "Z"
        if self.offset:
            hours, minutes = divmod(abs(self.offset), 60)
            zone = f"{'-' if self.offset < 0 else '+'}{hours:02}:{minutes:02}"
        date = f"{self.year:04}-{self.month:02}-{self.day:02}"
        return f"{date}T{self.hour:02}:{self.minute:02}:{self.second:02}{zone}"

    def formatted(self, pattern: str) -> str:
        """The text by a pattern of runs of `y M d H m s`; all other characters stand for themselves."""
        fields = {
            "y": self.year,
            "M": self.month,
            "d": self.day,
            "H": self.hour,
            "m": self.minute,
            "s": self.second,
        }
        pieces = []
        for run, literal in _PATTERN_PART.findall(pattern):
            if not run:
                pieces.append(literal)
            elif run == "yy":
                pieces.append(f"{self.year % 100:02}")
            else:
                pieces.append(str(fields[run[0]]).rjust(len(run), "0"))
        return "".join(pieces)


def datetime_at(timestamp: int, offset: int = 0) -> BtDateTime | None:
    """The time of an instant at an offset; None beyond the calendar."""
    days, left = divmod(timestamp + offset * 60, 86_400)
    date = _date_of(days)
    if not 0 <= date[0] <= MAX_YEAR:
        return None
    return BtDateTime(*date, left // 3600, left // 60 % 60, left % 60, offset)


def datetime_from_iso(text: str) -> BtDateTime | None:
    """The time that a strict ISO 8601 text spells; None for anything else."""
    found = _ISO_TIME.fullmatch(text)
    if found is None:
        return None
    zone = found.group(7) or "Z"
    offset = 0
    if zone != "Z":
        if int(zone[4:]) >= 60:
            return None
        offset = int(zone[1:3]) * 60 + int(zone[4:])
    year, month, day, hour, minute, second = (int(found.group(index)) for index in range(1, 7))
    made = BtDateTime(year, month, day, hour, minute, second, -offset if zone[0] == "-" else offset)
    return made if made.is_valid else None


def datetime_from_text(text: str, pattern: str) -> BtDateTime | None:
    """The inverse of `formatted`, in UTC; None for what does not fit."""
    names = {"y": "year", "M": "month", "d": "day", "H": "hour", "m": "minute", "s": "second"}
    pieces = []
    for index, (run, literal) in enumerate(_PATTERN_PART.findall(pattern)):
        digits = r"\d+" if len(run) == 1 else rf"\d{{{len(run)}}}"
        pieces.append(rf"(?P<{names[run[0]]}_{index}>{digits})" if run else re.escape(literal))
    found = re.fullmatch("".join(pieces), text, re.ASCII)
    if found is None:
        return None
    fields = {"year": 0, "month": 1, "day": 1, "hour": 0, "minute": 0, "second": 0}
    for group, digits in found.groupdict().items():
        name, _, place = group.partition("_")
        is_short_year = _PATTERN_PART.findall(pattern)[int(place)][0] == "yy"
        fields[name] = int(digits) + (2000 if is_short_year else 0)
    made = BtDateTime(**fields)
    return made if made.is_valid else None


def days_in_month(year: int, month: int) -> int:
    """How many days a month has."""
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def day_number(year: int, month: int, day: int) -> int:
    """Days since 1970-01-01. Years are counted from March, so that a leap day is the last of its year."""
    shifted = year - (month <= 2)
    era, year_of_era = divmod(shifted, 400)
    day_of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    return era * 146_097 + year_of_era * 365 + year_of_era // 4 - year_of_era // 100 + day_of_year - 719_468


def _date_of(days: int) -> tuple[int, int, int]:
    """The inverse of `day_number`."""
    era, day_of_era = divmod(days + 719_468, 146_097)
    year_of_era = (day_of_era - day_of_era // 1460 + day_of_era // 36_524 - day_of_era // 146_096) // 365
    day_of_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    shifted_month = (5 * day_of_year + 2) // 153
    day = day_of_year - (153 * shifted_month + 2) // 5 + 1
    month = (shifted_month + 2) % 12 + 1
    return era * 400 + year_of_era + (month <= 2), month, day
