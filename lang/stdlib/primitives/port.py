"""Primitives of Port, which has no instances on this host (stdlib.md 5.1)."""

from __future__ import annotations

from lang.runtime.equality import hash_of, strict_equal
from lang.runtime.primitive import PrimitiveTable

PORT = PrimitiveTable("Port")


@PORT.primitive("asString")
def as_string(_self: object) -> str:
    return "Port"


@PORT.primitive("=:=")
def is_same(self: object, other: object) -> bool:
    return strict_equal(self, other)


@PORT.primitive("=/=")
def is_other(self: object, other: object) -> bool:
    return not strict_equal(self, other)


@PORT.primitive("/=")
def differs(self: object, other: object) -> bool:
    return not strict_equal(self, other)


@PORT.primitive("hash")
def hash_value(self: object) -> int:
    return abs(hash_of(self))
