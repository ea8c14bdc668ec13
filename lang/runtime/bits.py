"""Binary patterns: taking bytes apart by segments (language.md 2.9).

A segment is (name, size, specifiers). Default: an unsigned big-endian Integer of 8
bits; an unsized `binary` segment takes the rest. A size may name an earlier segment.
"""

from __future__ import annotations

import struct
import sys
from typing import NamedTuple

Segment = tuple[str, int | str | None, tuple[str, ...]]


class Cursor(NamedTuple):
    """The bits not read yet, as an Integer and their count."""

    bits: int
    left: int

    def take(self, size: int) -> tuple[int, Cursor] | None:
        """The next `size` bits, or None when there are fewer."""
        if size < 0 or size > self.left:
            return None
        after = self.left - size
        return self.bits >> after, Cursor(self.bits & ((1 << after) - 1), after)


def binary_parts(value: object, segments: tuple[Segment, ...]) -> list[object] | None:
    """The values of all segments if they cover a String or Binary exactly, else None."""
    data = value.encode() if isinstance(value, str) else value
    if not isinstance(data, bytes):
        return None
    cursor = Cursor(int.from_bytes(data), len(data) * 8)
    parts: list[object] = []
    known: dict[str, object] = {}
    for name, size, specifiers in segments:
        read = _read(cursor, known.get(size) if isinstance(size, str) else size, frozenset(specifiers))
        if read is None:
            return None
        part, cursor = read
        parts.append(part)
        known[name] = part
    return parts if cursor.left == 0 else None


def _read(cursor: Cursor, size: object, specifiers: frozenset[str]) -> tuple[object, Cursor] | None:
    if "utf8" in specifiers:
        return _read_character(cursor)
    if specifiers & {"binary", "bytes"}:
        return _read_bytes(cursor, size)
    is_float = "float" in specifiers
    width = size if isinstance(size, int) else (64 if is_float else 8) if size is None else -1
    taken = cursor.take(width)
    if taken is None:
        return None
    bits, rest = taken
    if _is_little(specifiers) and width % 8 == 0:
        bits = int.from_bytes(bits.to_bytes(width // 8), "little")
    if is_float:
        return _float(bits, width, rest)
    if "signed" in specifiers and width and bits >> (width - 1):
        bits -= 1 << width
    return bits, rest


def _is_little(specifiers: frozenset[str]) -> bool:
    return "little" in specifiers or ("native" in specifiers and sys.byteorder == "little")


def _float(bits: int, width: int, rest: Cursor) -> tuple[object, Cursor] | None:
    formats = {16: ">e", 32: ">f", 64: ">d"}
    if width not in formats:
        return None
    (number,) = struct.unpack(formats[width], bits.to_bytes(width // 8))
    # Infinities and NaN are no numbers of the language.
    return (number, rest) if abs(number) < float("inf") else None


def _read_bytes(cursor: Cursor, size: object) -> tuple[object, Cursor] | None:
    width = cursor.left if size is None else size * 8 if isinstance(size, int) else -1
    taken = cursor.take(width) if width % 8 == 0 else None
    if taken is None:
        return None
    data = taken[0].to_bytes(width // 8)
    return text_or_bytes(data), taken[1]


def _read_character(cursor: Cursor) -> tuple[object, Cursor] | None:
    for width in (8, 16, 24, 32):
        taken = cursor.take(width)
        if taken is None:
            return None
        text = text_or_bytes(taken[0].to_bytes(width // 8))
        if isinstance(text, str) and len(text) == 1:
            return ord(text), taken[1]
    return None


def text_or_bytes(data: bytes) -> str | bytes:
    """A byte value that is valid UTF-8 *is* a String (language.md 4.12)."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data
