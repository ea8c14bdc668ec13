"""Frozen views of who supervises whom (actors.md 13.5).

Comes in: the running processes of one image. Guarantees: a snapshot is complete when it is made and never changes; it
waits for nobody. Leaves: texts and collection messages to the library.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from lang.dataclass import dataclass, field
from lang.runtime.classes import ClassObject
from lang.runtime.processes.process import Process, ProcessKind

if TYPE_CHECKING:
    from lang.runtime.processes.actor_system import ActorSystem
    from lang.runtime.processes.pid import Pid
    from lang.runtime.processes.supervision import Child, Supervision

LISTED_CHILDREN: Final = 200
"""More children of one supervisor are counted and not listed."""


class NodeKind(enum.Enum):
    """What a node of the tree is."""

    SUPERVISOR = "beamtalkSupervisor"
    ACTOR = "beamtalkActor"
    RESTARTING = "restarting"
    SERVICE = "otpProcess"


@dataclass(eq=False, slots=True)
class ProcessNode:
    """One process of a snapshot; `children` and `parent` are filled while the snapshot is made.

    A child that its supervisor starts again has no process now, so no pid.
    """

    pid: Pid | None
    kind: NodeKind
    name: str | None
    class_object: ClassObject | None
    child_count: int = 0
    strategy: str | None = None
    max_restarts: int = 0
    window: int = 0
    parent: ProcessNode | None = None
    children: list[ProcessNode] = field(default_factory=list)

    @property
    def is_truncated(self) -> bool:
        """Whether there are children that are not listed."""
        return self.child_count > len(self.children)


@dataclass(frozen=True, slots=True)
class ProcessTree:
    """A snapshot: all nodes, each supervisor before its children; the root comes first."""

    nodes: tuple[ProcessNode, ...]

    @property
    def root(self) -> ProcessNode | None:
        """The first node."""
        return self.nodes[0] if self.nodes else None


@dataclass(frozen=True, slots=True)
class Navigator:
    """Answers the tree that it was made with."""

    tree: ProcessTree


class Snapshot:
    """Makes one snapshot. At most `limit` children of a supervisor are listed."""

    def __init__(self, system: ActorSystem, limit: int = LISTED_CHILDREN) -> None:
        self._system = system
        self._limit = limit
        self._supervisions = {s.process: s for s in system.supervisors.all_running()}

    def of_applications(self) -> ProcessTree:
        """Supervisors with their children, then the actors that nobody supervises."""
        return ProcessTree(tuple(self._application_nodes()))

    def of_everything(self) -> ProcessTree:
        """The same, and then the processes of the host: turns, timers, workers."""
        live = self._system.scheduler.processes.live.values()
        services = [p for p in live if p.kind not in (ProcessKind.ACTOR, ProcessKind.SUPERVISOR)]
        return ProcessTree((*self._application_nodes(), *(self._node(p) for p in services)))

    def below(self, process: Process) -> ProcessTree:
        """One process, with its children if it is a supervisor."""
        return ProcessTree(tuple(self._walk(process, None)))

    def _application_nodes(self) -> list[ProcessNode]:
        children = {c.process for s in self._supervisions.values() for c in s.running_children()}
        nodes: list[ProcessNode] = []
        for process in self._supervisions:
            if process not in children:
                nodes.extend(self._walk(process, None))
        alone = (actor.process for actor in self._system.live_actors() if actor.process not in children)
        return [*nodes, *(self._node(process) for process in alone)]

    def _walk(self, process: Process, parent: ProcessNode | None) -> Iterable[ProcessNode]:
        node = self._node(process)
        node.parent = parent
        yield node
        supervision = self._supervisions.get(process)
        if supervision is None:
            return
        for child in supervision.present_children()[: self._limit]:
            below = list(self._below(child, node))
            node.children.append(below[0])
            yield from below

    def _below(self, child: Child, parent: ProcessNode) -> Iterable[ProcessNode]:
        if child.process is not None:
            return self._walk(child.process, parent)
        spec = child.spec
        return [ProcessNode(None, NodeKind.RESTARTING, spec.name, spec.class_object, parent=parent)]

    def _node(self, process: Process) -> ProcessNode:
        name = self._system.names.name_of_pid(process.pid)
        supervision = self._supervisions.get(process)
        if supervision is not None:
            return _supervisor_node(process, name, supervision)
        if process.actor is not None:
            return ProcessNode(process.pid, NodeKind.ACTOR, name, process.actor.class_object)
        return ProcessNode(process.pid, NodeKind.SERVICE, name, None)


def _supervisor_node(process: Process, name: str | None, supervision: Supervision) -> ProcessNode:
    return ProcessNode(
        process.pid,
        NodeKind.SUPERVISOR,
        name,
        supervision.class_object,
        child_count=len(supervision.present_children()),
        strategy=supervision.strategy.value,
        max_restarts=supervision.max_restarts,
        window=supervision.window,
    )
