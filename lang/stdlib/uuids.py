"""Universally unique identifiers (stdlib.md 4.17)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, final

from lang.runtime.equality import OrderedByMessage, Structural

_CANONICAL: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


@final
class BtUuid(Structural, OrderedByMessage):
    """Sixteen bytes."""

    __slots__ = ("octets",)

    def __init__(self, octets: bytes) -> None:
        self.octets = octets

    def bt_label(self) -> str:
        """The class name."""
        return "Uuid"

    def bt_parts(self) -> Sequence[object]:
        """The contents."""
        return (self.octets,)

    @property
    def version(self) -> int:
        """The version number."""
        return self.octets[6] >> 4

    @property
    def text(self) -> str:
        """The canonical text, lower case."""
        digits = self.octets.hex()
        return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def uuid_from_text(text: str) -> BtUuid | None:
    """The identifier of a canonical text; None for anything else."""
    return BtUuid(bytes.fromhex(text.replace("-", ""))) if _CANONICAL.fullmatch(text) else None


def random_uuid(octets: bytes) -> BtUuid:
    """A version 4 identifier of 16 random bytes."""
    return _marked(octets, 4)


def timed_uuid(milliseconds: int, octets: bytes) -> BtUuid:
    """A version 7 identifier of a Unix time and 10 random bytes."""
    return _marked((milliseconds & (1 << 48) - 1).to_bytes(6, "big") + octets, 7)


def _marked(octets: bytes, version: int) -> BtUuid:
    marked = bytearray(octets)
    marked[6] = marked[6] & 0x0F | version << 4
    marked[8] = marked[8] & 0x3F | 0x80
    return BtUuid(bytes(marked))
