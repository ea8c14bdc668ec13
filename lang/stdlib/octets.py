"""Bytes and text: a byte sequence that is valid UTF-8 is a String (stdlib.md 4.1)."""

from __future__ import annotations

from lang.runtime.collections.lists import BtList
from lang.stdlib import arguments as expect


def value_of_octets(octets: bytes) -> str | bytes:
    """The value that a byte sequence is: a String when it is valid UTF-8, else a Binary."""
    try:
        return octets.decode("utf-8")
    except UnicodeDecodeError:
        return octets


def octets_of(value: object, class_name: str, selector: str) -> bytes:
    """The bytes of an argument that has to be a String or a Binary."""
    if type(value) is bytes:
        return value
    return expect.text(value, class_name, selector).encode()


def iolist_octets(pieces: object, class_name: str, selector: str) -> bytes:
    """The bytes of nested Lists of Strings, Binaries, bytes and code points."""
    found: list[bytes] = []
    pending: list[object] = [pieces]
    while pending:
        piece = pending.pop()
        if isinstance(piece, BtList):
            pending.extend(reversed(list(piece)))
        elif type(piece) is int:
            found.append(_integer_octets(piece, class_name, selector))
        else:
            found.append(octets_of(piece, class_name, selector))
    return b"".join(found)


def _integer_octets(number: int, class_name: str, selector: str) -> bytes:
    if 0 <= number <= 255:
        return bytes([number])
    try:
        return chr(number).encode()
    except (ValueError, OverflowError, UnicodeEncodeError):
        raise expect.type_error(class_name, selector, f"{number} is no byte and no code point") from None
