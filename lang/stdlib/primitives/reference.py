"""Primitives of Reference (stdlib.md 5.1, actors.md 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lang.runtime.equality import strict_equal
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.processes import ending
from lang.runtime.processes.actor_system import actors_of
from lang.runtime.processes.pid import Reference

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

REFERENCE = PrimitiveTable("Reference")


@REFERENCE.primitive("asString")
def as_string(self: Reference) -> str:
    return self.display


@REFERENCE.runtime_primitive("demonitor")
def demonitor(runtime: Runtime, self: Reference) -> bool:
    return ending.demonitor(actors_of(runtime), self)


@REFERENCE.primitive("=:=")
def is_same(self: Reference, other: object) -> bool:
    return strict_equal(self, other)


@REFERENCE.primitive("=/=")
def is_other(self: Reference, other: object) -> bool:
    return not strict_equal(self, other)


@REFERENCE.primitive("/=")
def differs(self: Reference, other: object) -> bool:
    return not strict_equal(self, other)


@REFERENCE.primitive("hash")
def hash_of(self: Reference) -> int:
    return self.number
