"""Primitives of SystemAnnouncer (actors.md 15)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lang.runtime.classes import ClassObject
from lang.runtime.errors import BeamtalkError
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.processes.actor_system import actors_of
from lang.runtime.processes.announcing import SystemBus
from lang.runtime.symbols import Symbol

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

SYSTEM_ANNOUNCER = PrimitiveTable("SystemAnnouncer")


@SYSTEM_ANNOUNCER.runtime_primitive("current", class_side=True)
def current(runtime: Runtime, self: ClassObject) -> SystemBus:
    return actors_of(runtime).bus


@SYSTEM_ANNOUNCER.primitive("refuseToWait:")
def refuse_to_wait(self: SystemBus, selector: Symbol) -> object:
    raise BeamtalkError(
        "unsupported_operation",
        class_name="SystemAnnouncer",
        selector=selector.name,
        hint="Events of the system are announced without waiting: use announce:.",
    )
