"""Primitives of Reference (stdlib.md 5.1, actors.md 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

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


@REFERENCE.primitive("hash")
def hash_of(self: Reference) -> int:
    return self.number
