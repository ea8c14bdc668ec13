"""Text as URLs carry it: percent escapes of UTF-8 bytes (stdlib.md 3.9, RFC 3986)."""

from __future__ import annotations

from string import hexdigits
from typing import Final

_HEX: Final = frozenset(hexdigits.encode())


class BadEscape(ValueError):
    """A `%` with two characters behind it that are not both hex digits."""


def escaped(text: str) -> str:
    """The text with all but unreserved characters escaped."""
    from urllib.parse import quote  # noqa: PLC0415 (5 ms, and few programs speak of URLs)

    return quote(text, safe="")


def unescaped(octets: bytes) -> bytes:
    """The bytes with escapes replaced; one that is cut off at the end stays. Raises `BadEscape`."""
    first, *rest = octets.split(b"%")
    decoded = [first]
    for position, piece in enumerate(rest, start=1):
        if len(piece) < 2 and position == len(rest):
            decoded.append(b"%" + piece)
        elif len(piece) < 2 or not _HEX.issuperset(piece[:2]):
            raise BadEscape
        else:
            decoded.append(bytes([int(piece[:2], 16)]) + piece[2:])
    return b"".join(decoded)
