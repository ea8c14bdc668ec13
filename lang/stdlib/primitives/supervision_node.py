"""Primitives of SupervisionNode (actors.md 13.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lang.runtime.classes import ClassObject
from lang.runtime.collections.lists import BtList, list_from
from lang.runtime.collections.mappings import BtDictionary, dictionary_of
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.processes.actor_system import actors_of
from lang.runtime.processes.navigation import NodeKind, ProcessNode
from lang.runtime.processes.pid import Pid
from lang.runtime.symbols import Symbol, symbol

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

SUPERVISION_NODE = PrimitiveTable("SupervisionNode")


@SUPERVISION_NODE.primitive("pid")
def pid(self: ProcessNode) -> Pid | None:
    return self.pid


@SUPERVISION_NODE.primitive("registeredName")
def registered_name(self: ProcessNode) -> Symbol | None:
    return symbol(self.name) if self.name is not None else None


@SUPERVISION_NODE.primitive("kind")
def kind(self: ProcessNode) -> Symbol:
    return symbol(self.kind.value)


@SUPERVISION_NODE.primitive("behaviourClass")
def behaviour_class(self: ProcessNode) -> ClassObject | None:
    return self.class_object


@SUPERVISION_NODE.primitive("childCount")
def child_count(self: ProcessNode) -> int:
    return self.child_count


@SUPERVISION_NODE.primitive("children")
def children(self: ProcessNode) -> BtList:
    return list_from(self.children)


@SUPERVISION_NODE.primitive("parent")
def parent(self: ProcessNode) -> ProcessNode | None:
    return self.parent


@SUPERVISION_NODE.primitive("strategy")
def strategy(self: ProcessNode) -> Symbol | None:
    return symbol(self.strategy) if self.strategy is not None else None


@SUPERVISION_NODE.primitive("restartIntensity")
def restart_intensity(self: ProcessNode) -> BtDictionary | None:
    if self.kind is not NodeKind.SUPERVISOR:
        return None
    return dictionary_of([(symbol("maxRestarts"), self.max_restarts), (symbol("window"), self.window)])


@SUPERVISION_NODE.primitive("truncated")
def truncated(self: ProcessNode) -> bool:
    return self.is_truncated


@SUPERVISION_NODE.runtime_primitive("status")
def status(runtime: Runtime, self: ProcessNode) -> BtDictionary | None:
    process = None if self.pid is None else actors_of(runtime).scheduler.processes.find(self.pid)
    if process is None:
        return None
    state = symbol("idle" if process.idle else "busy")
    return dictionary_of([(symbol("status"), state), (symbol("queueDepth"), len(process.mailbox))])


@SUPERVISION_NODE.primitive("printString")
def print_string(self: ProcessNode) -> str:
    name = f" {self.class_object.name}" if self.class_object is not None else ""
    place = "restarting" if self.pid is None else self.pid.display
    count = f" children: {self.child_count}" if self.kind is NodeKind.SUPERVISOR else ""
    return f"#SupervisionNode<#{self.kind.value}{name} {place}{count}>"
