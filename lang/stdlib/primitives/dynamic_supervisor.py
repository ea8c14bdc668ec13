"""Primitives of DynamicSupervisor (actors.md 13); they run in the caller."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lang.runtime.classes import ClassObject
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.processes.spawning import values_of
from lang.stdlib import supervising

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

DYNAMIC_SUPERVISOR = PrimitiveTable("DynamicSupervisor")


@DYNAMIC_SUPERVISOR.runtime_primitive("supervise", class_side=True)
def supervise(runtime: Runtime, self: ClassObject) -> object:
    return supervising.supervise(runtime, self)


@DYNAMIC_SUPERVISOR.runtime_primitive("current", class_side=True)
def current(runtime: Runtime, self: ClassObject) -> object:
    return supervising.current(runtime, self)


@DYNAMIC_SUPERVISOR.runtime_primitive("startChild")
def start_child(runtime: Runtime, self: object) -> object:
    return supervising.attempt(
        runtime, self, "startChild", "child_start_failed", lambda s: s.start_dynamic_child(None)
    )


@DYNAMIC_SUPERVISOR.runtime_primitive("startChild:")
def start_child_with(runtime: Runtime, self: object, values: object) -> object:
    return supervising.attempt(
        runtime,
        self,
        "startChild:",
        "child_start_failed",
        lambda s: s.start_dynamic_child(values_of(s.class_object, values, "startChild:")),
    )


@DYNAMIC_SUPERVISOR.runtime_primitive("terminateChild:")
def terminate_child(runtime: Runtime, self: object, child: object) -> object:
    return supervising.attempt(
        runtime, self, "terminateChild:", "terminate_failed", lambda s: s.terminate_child(child)
    )


@DYNAMIC_SUPERVISOR.runtime_primitive("count")
def count(runtime: Runtime, self: object) -> int:
    return len(supervising.live(runtime, self, "count").running_children())


@DYNAMIC_SUPERVISOR.runtime_primitive("stop")
def stop(runtime: Runtime, self: object) -> None:
    supervising.live(runtime, self, "stop").stop()


@DYNAMIC_SUPERVISOR.runtime_primitive("isAlive")
def is_alive(runtime: Runtime, self: object) -> bool:
    return supervising.is_alive(runtime, self)


@DYNAMIC_SUPERVISOR.runtime_primitive("printString")
def print_string(runtime: Runtime, self: object) -> str:
    return supervising.text_of(runtime, self, "DynamicSupervisor")
