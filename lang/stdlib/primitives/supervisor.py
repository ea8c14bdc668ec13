"""Primitives of Supervisor (actors.md 13); they run in the caller."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lang.runtime.classes import ClassObject
from lang.runtime.collections.lists import BtList, list_from
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.processes.actor_faults import type_error
from lang.runtime.processes.supervision import Supervision
from lang.runtime.symbols import symbol
from lang.stdlib import supervising

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

SUPERVISOR = PrimitiveTable("Supervisor")


@SUPERVISOR.runtime_primitive("supervise", class_side=True)
def supervise(runtime: Runtime, self: ClassObject) -> object:
    return supervising.supervise(runtime, self)


@SUPERVISOR.runtime_primitive("current", class_side=True)
def current(runtime: Runtime, self: ClassObject) -> object:
    return supervising.current(runtime, self)


@SUPERVISOR.runtime_primitive("children")
def children(runtime: Runtime, self: object) -> BtList:
    running = supervising.live(runtime, self, "children").running_children()
    return list_from([symbol(child.spec.id) for child in running])


@SUPERVISOR.runtime_primitive("which:")
def which(runtime: Runtime, self: object, wanted: object) -> object:
    class_object = _class(wanted, "which:")

    def find(supervision: Supervision) -> object:
        child = supervision.find_child(class_object)
        return child.reference if child is not None else None

    return supervising.attempt(runtime, self, "which:", "stale_handle", find)


@SUPERVISOR.runtime_primitive("terminate:")
def terminate(runtime: Runtime, self: object, wanted: object) -> object:
    class_object = _class(wanted, "terminate:")
    return supervising.attempt(
        runtime, self, "terminate:", "terminate_failed", lambda s: s.terminate_class(class_object)
    )


@SUPERVISOR.runtime_primitive("count")
def count(runtime: Runtime, self: object) -> int:
    return len(supervising.live(runtime, self, "count").running_children())


@SUPERVISOR.runtime_primitive("stop")
def stop(runtime: Runtime, self: object) -> None:
    supervising.live(runtime, self, "stop").stop()


@SUPERVISOR.runtime_primitive("isAlive")
def is_alive(runtime: Runtime, self: object) -> bool:
    return supervising.is_alive(runtime, self)


@SUPERVISOR.runtime_primitive("printString")
def print_string(runtime: Runtime, self: object) -> str:
    return supervising.text_of(runtime, self, "Supervisor")


def _class(value: object, selector: str) -> ClassObject:
    if not isinstance(value, ClassObject):
        raise type_error("Supervisor", selector, "Expected a class.")
    return value
