"""Supervisors: processes that start children, watch them, and start them again (actors.md 13).

Guarantees: children start in order and end in reverse order; all that a supervisor does happens in its own process,
one event at a time; a restart is a new process from the stored spec; when restarts are too many within the window,
all children end and then the supervisor, with `#shutdown`. Reading (`which:`, `count`) happens in the caller and
never waits. Leaves: the texts of Results to the primitives.
"""

from __future__ import annotations

import enum
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from lang.dataclass import dataclass
from lang.runtime.classes import ClassObject
from lang.runtime.errors import BeamtalkError
from lang.runtime.instances import ActorObject, ValueObject
from lang.runtime.processes import ending
from lang.runtime.processes.child_specs import ChildSpec, is_supervisor_class, spec_of, specs_of
from lang.runtime.processes.messages import Procedure, RequestState, Stop
from lang.runtime.processes.process import Process, ProcessKind, link, unlink
from lang.runtime.processes.reasons import KILLED, NORMAL, SHUTDOWN
from lang.runtime.processes.spawning import spawn
from lang.runtime.symbols import Symbol, symbol

if TYPE_CHECKING:
    from lang.runtime.processes.actor_system import ActorSystem

DYNAMIC: Final = "DynamicSupervisor"


class Strategy(enum.Enum):
    """Who else is started again when a child is."""

    ONE_FOR_ONE = "oneForOne"
    ONE_FOR_ALL = "oneForAll"
    REST_FOR_ONE = "restForOne"


@dataclass(slots=True)
class Child:
    """One child of a running supervisor; `reference` and `process` are None while none runs."""

    spec: ChildSpec
    reference: ActorObject | ValueObject | None = None
    process: Process | None = None
    is_restarting: bool = False
    """Its process has ended and it will be started again."""

    def forget(self) -> None:
        """No process runs for this child now."""
        self.reference = None
        self.process = None


class Supervisors:
    """The supervisors of one image: the running one of each class, and who a reference stands for."""

    def __init__(self, system: ActorSystem) -> None:
        self._system = system
        self._running: dict[ClassObject, Supervision] = {}
        self._by_reference: dict[int, Supervision] = {}

    def running(self, class_object: ClassObject) -> Supervision | None:
        """The running supervisor of a class."""
        found = self._running.get(class_object)
        return found if found is not None and not found.process.dead else None

    def all_running(self) -> list[Supervision]:
        """Every running supervisor, in the order of start."""
        return [supervision for supervision in self._running.values() if not supervision.process.dead]

    def stop_all(self) -> None:
        """End every supervisor with its children, the last started first: the end of the program (actors.md 21.11)."""
        for supervision in reversed(self.all_running()):
            if not supervision.process.dead:
                supervision.stop()

    def of(self, reference: object) -> Supervision:
        """The supervision, running or ended, that a reference stands for."""
        return self._by_reference[id(reference)]

    def find(self, reference: object) -> Supervision | None:
        """As `of`, or None for what is no supervisor."""
        return self._by_reference.get(id(reference))

    def start(self, class_object: ClassObject) -> Supervision:
        """A fresh, running supervisor; raises the cause when a child or a method of the class fails."""
        supervision = Supervision(self._system, class_object)
        scheduler = self._system.scheduler
        # The reference is kept for good: a stale handle must stay one.
        self._by_reference[id(supervision.reference)] = supervision
        self._running[class_object] = supervision
        birth = Procedure(
            supervision.process, scheduler.current, None, "supervise", supervision.start_children
        )
        try:
            scheduler.ask(supervision.process, birth)
        except BaseException:
            self._running.pop(class_object, None)
            raise
        return supervision


class Supervision:
    """One supervisor from its start to its end."""

    def __init__(self, system: ActorSystem, class_object: ClassObject) -> None:
        self.system = system
        self.class_object = class_object
        self.is_dynamic = any(at.name == DYNAMIC for at in class_object.chain())
        self.reference: ValueObject = system.runtime.shapes.bare_instance(class_object)
        self.process = system.scheduler.processes.make(ProcessKind.SUPERVISOR, class_object.name, None)
        self.children: list[Child] = []
        self.strategy = Strategy.ONE_FOR_ONE
        self.max_restarts = 10
        self.window = 60
        self._restarts: deque[float] = deque()

    # -- what callers read ----------------------------------------------------------------------------------

    def running_children(self) -> list[Child]:
        """The children that have a process now, in start order."""
        return [child for child in self.children if child.process is not None and not child.process.dead]

    def present_children(self) -> list[Child]:
        """The running children and those that are started again, in start order."""
        return [c for c in self.children if c.is_restarting or (c.process is not None and not c.process.dead)]

    def find_child(self, class_object: ClassObject) -> Child | None:
        """The first running child of a class."""
        return next((c for c in self.running_children() if _class_of(c) is class_object), None)

    # -- what callers ask for -------------------------------------------------------------------------------

    def ask(self, name: str, action: Callable[[], object]) -> object:
        """Run something in the supervisor's process and wait for it."""
        scheduler = self.system.scheduler
        return scheduler.ask(self.process, Procedure(self.process, scheduler.current, None, name, action))

    def stop(self) -> None:
        """End all children, the last first, and the supervisor."""
        scheduler = self.system.scheduler
        stop = Stop(self.process, scheduler.current, None, NORMAL, self._end_children)
        scheduler.ask(self.process, stop)

    def start_dynamic_child(self, values: dict[str, object] | None) -> ActorObject | ValueObject:
        """One more child of a dynamic supervisor; raises when it fails to start."""
        spec = self._dynamic_spec(values)
        try:
            child = self.ask("startChild", lambda: self._add_child(spec))
        except BeamtalkError as error:
            self._tell("SupervisionChildCrashed", spec, None, {"reason": symbol(error.kind)})
            raise
        assert isinstance(child, Child)
        assert child.reference is not None
        self._tell("SupervisionChildAdded", spec, child.process)
        return child.reference

    def _tell(
        self, event: str, spec: ChildSpec, process: Process | None, more: dict[str, object] | None = None
    ) -> None:
        """Announce an event of the system about a child (actors.md 15)."""
        values = {
            "supervisor": symbol(self.class_object.name),
            "childClass": symbol(spec.class_object.name),
            "childPid": process.pid if process is not None else None,
            **(more or {}),
        }
        self.system.bus.tell(event, lambda: values)

    def terminate_class(self, class_object: ClassObject) -> None:
        """End the child whose id is the class's name, else the first of the class; none is fine."""

        def terminate() -> None:
            running = self.running_children()
            child = next((c for c in running if c.spec.id == class_object.name), None) or self.find_child(
                class_object
            )
            if child is not None:
                self._end_child(child)

        self.ask("terminate:", terminate)

    def terminate_child(self, reference: object) -> None:
        """End one child of a dynamic supervisor; one that is gone is fine."""

        def terminate() -> None:
            for child in [c for c in self.running_children() if c.reference is reference]:
                self._end_child(child)
                self.children.remove(child)

        self.ask("terminateChild:", terminate)

    # -- in the supervisor's process ------------------------------------------------------------------------

    def start_children(self) -> None:
        """Evaluate the configuration, then start the children; all or none (actors.md 13.3)."""
        try:
            self._configure()
            for child in self.children:
                self._start_child(child)
        except Exception:
            self._end_children()
            self.process.is_stopping = True
            self.process.stop_reason = SHUTDOWN
            raise

    def _configure(self) -> None:
        # Not as the class: whoever starts a supervisor may be a class method of this very class (actors.md 3).
        send, class_object = self.system.runtime.send_own, self.class_object
        self.max_restarts = _integer(send(class_object, "maxRestarts", ()), self.max_restarts)
        self.window = _integer(send(class_object, "restartWindow", ()), self.window)
        if self.is_dynamic:
            self._dynamic_spec(None)
            return
        strategy = send(class_object, "strategy", ())
        self.strategy = Strategy(strategy.name if type(strategy) is Symbol else str(strategy))
        specs = specs_of(self.system.runtime, send(class_object, "children", ()), class_object)
        self.children = [Child(spec) for spec in specs]

    def _dynamic_spec(self, values: dict[str, object] | None) -> ChildSpec:
        runtime = self.system.runtime
        spec = spec_of(runtime, runtime.send_own(self.class_object, "childClass", ()), self.class_object)
        if values is None:
            return spec
        return ChildSpec(spec.id, spec.class_object, spec.restart, spec.shutdown, values, None, None, ())

    def _add_child(self, spec: ChildSpec) -> object:
        child = Child(spec)
        self._start_child(child)
        self.children.append(child)
        return child

    def _start_child(self, child: Child) -> None:
        reference = self._begin(child.spec)
        supervision = self.system.supervisors.find(reference)
        process: Process | None = None
        if supervision is not None:
            process = supervision.process
        elif isinstance(reference, ActorObject):
            process = reference.process
        if process is None or process.dead:
            raise BeamtalkError(
                "user_error",
                f"{child.spec.id} did not start: its start method answered no live actor",
                class_name=self.class_object.name,
            )
        child.reference = reference
        child.process = process
        child.is_restarting = False
        link(process, self.process)
        key = self.system.make_reference().number
        ending.watch(process, key, lambda reason: self._tell_end(child, process, reason))

    def _begin(self, spec: ChildSpec) -> ActorObject | ValueObject:
        if spec.class_method is not None:
            answer: ActorObject | ValueObject = self.system.runtime.send(
                spec.class_object, spec.class_method, *spec.arguments
            )
            return answer
        if is_supervisor_class(spec.class_object):
            return self.system.supervisors.start(spec.class_object).reference
        if spec.name is not None:
            refusal = self.system.names.refusal_of_text(spec.name, spec.class_object.name, "spawnAs:")
            if refusal is not None:
                raise refusal
        return spawn(self.system, spec.class_object, spec.values or {}, "spawn", spec.name)

    def _tell_end(self, child: Child, process: Process, reason: object) -> None:
        """A child's process has ended: think about it in the supervisor's process."""
        if child.process is process and not self.process.dead:
            child.forget()
            child.is_restarting = child.spec.restart.wants_successor(reason)
            if reason is not NORMAL and reason is not SHUTDOWN:
                told = reason if type(reason) is Symbol else symbol("error")
                self._tell("SupervisionChildCrashed", child.spec, process, {"reason": told})
            action = Procedure(
                self.process, None, None, "child ended", lambda: self._child_ended(child, reason)
            )
            self.system.scheduler.post(self.process, action)

    def _child_ended(self, child: Child, reason: object) -> None:
        if child.process is not None or child not in self.children:
            return
        if child.spec.restart.wants_successor(reason):
            self._restart(child)
        elif self.is_dynamic:
            self.children.remove(child)

    def _restart(self, child: Child) -> None:
        affected = self._affected_by(child)
        for other in reversed(affected):
            self._end_child(other)
            other.is_restarting = True
        while self._may_restart():
            try:
                for other in affected:
                    if other.process is None:
                        self._start_child(other)
            except Exception as error:  # noqa: BLE001 (a restart that fails counts, and is tried again)
                self.system.log.failed_message(self.process, "restart", error)
            else:
                return
        self._give_up()

    def _affected_by(self, child: Child) -> list[Child]:
        """The children that are started again with this one, in start order."""
        match self.strategy:
            case Strategy.ONE_FOR_ONE:
                return [child]
            case Strategy.ONE_FOR_ALL:
                candidates = self.children
            case Strategy.REST_FOR_ONE:
                candidates = self.children[self.children.index(child) :]
        for swept in candidates:
            if swept is not child and not swept.spec.restart.wants_successor(KILLED):
                self._end_child(swept)
        return [c for c in candidates if c is child or c.spec.restart.wants_successor(KILLED)]

    def _may_restart(self) -> bool:
        now = self.system.scheduler.clock.now()
        self._restarts.append(now)
        while self._restarts and self._restarts[0] <= now - self.window:
            self._restarts.popleft()
        return len(self._restarts) <= self.max_restarts

    def _give_up(self) -> None:
        name, most = self.class_object.name, self.max_restarts
        self.system.log.note(f"{name} gave up: more than {most} restarts within {self.window} s")
        self._end_children()
        self.process.is_stopping = True
        self.process.stop_reason = SHUTDOWN

    def _end_children(self) -> object:
        for child in reversed(self.children):
            self._end_child(child)
        return None

    def _end_child(self, child: Child) -> None:
        """Run the end hook with `#shutdown`, wait as long as the spec says, then kill (actors.md 13.4)."""
        process = child.process
        child.forget()
        child.is_restarting = False
        if process is None or process.dead:
            return
        unlink(process, self.process)
        scheduler = self.system.scheduler
        nested = self._nested(process)
        hook = ending.end_hook(self.system, process, SHUTDOWN) if nested is None else nested._end_children
        stop = Stop(process, scheduler.current, child.spec.shutdown, SHUTDOWN, hook)
        try:
            scheduler.ask(process, stop)
        except BeamtalkError:
            if stop.state is RequestState.TIMED_OUT:
                scheduler.ends.end(process, KILLED)

    def _nested(self, process: Process) -> Supervision | None:
        return next((s for s in self.system.supervisors.all_running() if s.process is process), None)


def _class_of(child: Child) -> ClassObject | None:
    return child.reference.class_object if child.reference is not None else None


def _integer(value: object, default: int) -> int:
    return value if type(value) is int else default
