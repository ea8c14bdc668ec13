"""Primitives of Pid (stdlib.md 5.1, actors.md 8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lang.runtime.equality import strict_equal
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.processes import ending
from lang.runtime.processes.actor_system import actors_of
from lang.runtime.processes.pid import Pid
from lang.runtime.processes.reasons import KILLED

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

PID = PrimitiveTable("Pid")


@PID.primitive("asString")
def as_string(self: Pid) -> str:
    return self.display


@PID.runtime_primitive("isAlive")
def is_alive(runtime: Runtime, self: Pid) -> bool:
    return actors_of(runtime).scheduler.processes.find(self) is not None


@PID.runtime_primitive("kill")
def kill(runtime: Runtime, self: Pid) -> bool:
    system = actors_of(runtime)
    return ending.send_exit(system, system.scheduler.processes.find(self), KILLED)


@PID.runtime_primitive("exit:")
def exit_with(runtime: Runtime, self: Pid, reason: object) -> bool:
    system = actors_of(runtime)
    return ending.send_exit(system, system.scheduler.processes.find(self), reason)


@PID.primitive("=:=")
def is_same(self: Pid, other: object) -> bool:
    return strict_equal(self, other)


@PID.primitive("=/=")
def is_other(self: Pid, other: object) -> bool:
    return not strict_equal(self, other)


@PID.primitive("/=")
def differs(self: Pid, other: object) -> bool:
    return not strict_equal(self, other)


@PID.primitive("hash")
def hash_of(self: Pid) -> int:
    return self.number
