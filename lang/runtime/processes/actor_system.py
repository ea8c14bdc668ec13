"""The actors of one image: what `Runtime.processes` is once there is a scheduler.

Comes in: sends from dispatch, wishes of primitives. Guarantees: the rules of actors.md for sends, casts, raw
messages and casts of lifecycle selectors. Leaves: spawning, ending, names, timers, supervisors to their modules;
scheduling to the scheduler.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import time_ns
from types import FrameType
from typing import TYPE_CHECKING, Final, cast

from lang.runtime.errors import BeamtalkError
from lang.runtime.instances import ActorObject
from lang.runtime.processes import entries
from lang.runtime.processes.actor_faults import BeamtalkFaults
from lang.runtime.processes.announcing import SystemBus
from lang.runtime.processes.class_side import ClassProcesses
from lang.runtime.processes.clock import Clock, MonotonicClock
from lang.runtime.processes.crew import Crew
from lang.runtime.processes.entries import crossing
from lang.runtime.processes.faults import Log
from lang.runtime.processes.messages import Outcome, Posted, Request
from lang.runtime.processes.names import UNRESOLVED, NamedProxy, Names
from lang.runtime.processes.pid import Reference
from lang.runtime.processes.process import Process, ProcessKind
from lang.runtime.processes.reasons import NORMAL, SHUTDOWN
from lang.runtime.processes.scheduler import Scheduler
from lang.runtime.processes.spawning import Births
from lang.runtime.processes.supervision import Supervisors
from lang.runtime.processes.tracing import Tracing
from lang.runtime.symbols import symbol
from lang.syntax.units import Side

if TYPE_CHECKING:
    from lang.runtime.classes import ClassObject, Function
    from lang.runtime.dispatch import Selector
    from lang.runtime.processes.pid import Pid
    from lang.runtime.runtime import Runtime

LIFECYCLE: Final = frozenset({"isAlive", "stop", "kill", "pid", "monitor", "onExit:", "delegate"})
"""Selectors that are answered at the caller; as casts they do nothing (actors.md 4.1, 6)."""


class SilentLog:
    """A log that nobody reads."""

    def failed_message(self, process: Process, selector: str, error: BaseException) -> None:
        """Drop the report."""

    def ended(self, process: Process, reason: object) -> None:
        """Drop the report."""

    def note(self, text: str) -> None:
        """Drop the text."""


class ActorSystem:
    """Actors and their processes, of one `Runtime`."""

    def __init__(self, runtime: Runtime, clock: Clock | None = None, log: Log | None = None) -> None:
        self.runtime = runtime
        self.log: Log = log if log is not None else SilentLog()
        self.scheduler = Scheduler(
            clock if clock is not None else MonotonicClock(), BeamtalkFaults(), self.log, runtime.safe_points
        )
        self.names = Names(runtime)
        self.tracing = Tracing(time_ns)
        self.classes = ClassProcesses(self.scheduler)
        self.scheduler.redirect = self.names.redirect
        self.scheduler.processes.tell_ended = self.tell_ended
        self.scheduler.stamps = runtime.retired
        self.scheduler.deliver_old = self._deliver_old
        runtime.retired.asking_frame = self._asking_frame
        self.births = Births(runtime)
        self.supervisors = Supervisors(self)
        self.bus = SystemBus(self)
        self.fixtures: dict[Pid, object] = {}
        """The suite fixture of the test that a process runs (stdlib.md 6.1)."""
        self.monitored: dict[Reference, Process] = {}
        self._last_reference = 0

    @property
    def current_actor(self) -> ActorObject | None:
        """The actor whose message runs now; None at top level, in timers and in workers."""
        return self.scheduler.current.actor

    # -- sends ----------------------------------------------------------------------------------------------

    def entry(self, selector: Selector, function: Function) -> Function:
        """What a send from outside calls for receivers of an actor type."""
        return entries.make_entry(self.scheduler, self.tracing, selector, function)

    def call(self, receiver: ActorObject, selector: str, arguments: tuple[object, ...]) -> object:
        """A sync send by the running process, which may be the receiver itself (actors.md 4)."""
        process: Process = receiver.process
        if process is self.scheduler.current:
            return self.runtime.send_own(receiver, selector, arguments)
        return self.scheduler.call(process, self.runtime.selector(selector), receiver, crossing(arguments))

    def _asking_frame(self) -> FrameType | None:
        """Where the process stands that waits for the answer of the running message."""
        message = self.scheduler.current.message
        caller = None if message is None else message.caller
        stack = None if caller is None else caller.greenlet
        return None if stack is None else stack.gr_frame

    def _deliver_old(self, message: Posted) -> object:
        """Run a message that was sent before a selector was renamed: it reaches the renamed method (changes.md 7)."""
        retired, receiver, selector = self.runtime.retired, message.receiver, message.selector.text
        if self.runtime.method_of(receiver, selector) is None:
            retired.delivering = message.stamp
            try:
                method = retired.method_for(self.runtime, receiver, selector)
            finally:
                retired.delivering = None
            if method is not None:
                return method.function(receiver, *message.arguments)
        return message.perform(message.addressee)

    def call_within(
        self, receiver: ActorObject, selector: str, arguments: tuple[object, ...], limit: float | None
    ) -> object:
        """A sync send with a time limit of its own in seconds; None waits for ever (actors.md 4.3)."""
        target = self.names.resolve(receiver, selector)
        process: Process = target.process
        scheduler = self.scheduler
        if process is scheduler.current:
            return self.runtime.send_own(target, selector, arguments)
        addressed = self.runtime.selector(selector)
        request = Request(process, scheduler.current, limit, addressed, target, crossing(arguments))
        return scheduler.ask(process, request)

    def cast(self, receiver: ActorObject, selector: str, arguments: tuple[object, ...]) -> None:
        """`receiver selector!` (actors.md 6)."""
        process: Process = receiver.process
        if process.dead or selector in LIFECYCLE:
            self._cast_oddly(receiver, selector, arguments)
            return
        addressed = self.runtime.selector(selector)
        if arguments:
            arguments = crossing(arguments)
        if self.tracing.is_enabled:
            self._cast_traced(process, addressed, receiver, arguments)
            return
        self.tracing.counted(process, selector)
        self.scheduler.cast(process, addressed, receiver, arguments)

    def _cast_traced(
        self, process: Process, selector: Selector, receiver: ActorObject, arguments: tuple[object, ...]
    ) -> None:
        """The same while capture is on: what the method sends belongs to this send (actors.md 16)."""
        caller = self.scheduler.current
        before = caller.context
        inside = caller.context = self.tracing.inside_of(before)
        self.tracing.noted(process, selector.text, "cast", "cast", before, inside)
        self.scheduler.cast(process, selector, receiver, arguments)
        caller.context = before

    def _cast_oddly(self, receiver: ActorObject, selector: str, arguments: tuple[object, ...]) -> None:
        target = self._holder_or_none(receiver)
        if target is None or target.process.dead:
            return
        if selector in LIFECYCLE:
            self.log.failed_message(target.process, selector, _lifecycle_cast(selector, target))
        else:
            self.cast(target, selector, arguments)

    def _holder_or_none(self, receiver: ActorObject) -> ActorObject | None:
        name = NamedProxy.name_of(receiver) if receiver.process is UNRESOLVED else None
        return receiver if name is None else self.names.holder(name)

    def send_raw(self, process: Process, term: object) -> None:
        """A raw message: `handleInfo:` of a Server, nothing for others (actors.md 11)."""
        actor = process.actor
        if actor is not None and is_below(actor.class_object, "Server"):
            self.scheduler.cast(process, self.runtime.selector("handleInfo:"), actor, (term,))

    def enter_class(self, class_object: ClassObject, selector: str) -> bool:
        """A class method begins (actors.md 10.2); whether `leave_class` must follow."""
        return self.classes.enter(class_object, selector)

    def is_inside(self, class_object: ClassObject) -> bool:
        """Whether the running process runs a class method of that class."""
        return self.classes.is_inside(class_object)

    def leave_class(self, class_object: ClassObject) -> None:
        """It has ended, in whatever way."""
        self.classes.leave(class_object)

    # -- who is who -----------------------------------------------------------------------------------------

    def process_of(self, actor: ActorObject, selector: str) -> Process:
        """The process that a reference means now, dead or alive; raises for a name that nobody holds."""
        process: Process = actor.process
        if process is UNRESOLVED:
            process = self.names.resolve(actor, selector).process
        return process

    def is_alive(self, actor: ActorObject) -> bool:
        """Whether the process lives, or the name is held."""
        target = self._holder_or_none(actor)
        if target is None:
            return False
        process: Process = target.process
        return not process.dead

    def live_actors(self) -> list[ActorObject]:
        """Every live actor, by pid (actors.md 20)."""
        return [
            process.actor for process in self.scheduler.processes.live.values() if process.actor is not None
        ]

    def live_actors_of(self, class_object: ClassObject) -> list[ActorObject]:
        """The live actors of a class and its subclasses, by pid."""
        return [actor for actor in self.live_actors() if actor.class_object.inherits_from(class_object)]

    def actor_at(self, pid: Pid) -> ActorObject | None:
        """The live actor of an identity."""
        process = self.scheduler.processes.find(pid)
        return process.actor if process is not None else None

    def make_reference(self) -> Reference:
        """A reference that was never given before."""
        self._last_reference += 1
        return Reference(self._last_reference)

    # -- processes of the running process --------------------------------------------------------------------

    def run_all(self, kind: ProcessKind, name: str, actions: Sequence[Callable[[], object]]) -> list[Outcome]:
        """Run computations in processes of their own, side by side; their outcomes, in order, when all have ended.

        The running process waits; if it is ended or interrupted meanwhile, they end too.
        """
        if not actions:
            return []
        if self.scheduler.current is self.scheduler.host:
            outcomes = self.scheduler.run(lambda: self.run_all(kind, name, actions))
            return cast("list[Outcome]", outcomes)
        return Crew(self.scheduler, kind, name, actions).outcomes()

    def crew(
        self, actions: Sequence[Callable[[], object]], gather: Callable[[Crew], list[Outcome]]
    ) -> list[Outcome]:
        """Run computations in worker processes of the running process, and gather their outcomes."""
        if not actions:
            return []
        if self.scheduler.current is self.scheduler.host:
            return cast("list[Outcome]", self.scheduler.run(lambda: self.crew(actions, gather)))
        return gather(Crew(self.scheduler, ProcessKind.WORKER, "Parallel", actions))

    # -- events of the system -------------------------------------------------------------------------------

    def tell_spawned(self, actor: ActorObject) -> None:
        """Announce a new actor, and later its end (actors.md 15)."""
        process: Process = actor.process
        self.tracing.started(process, self.scheduler.current.context)
        self.bus.tell("ActorSpawned", lambda: {"actorClass": symbol(process.label), "pid": process.pid})

    def tell_ended(self, process: Process, reason: object) -> None:
        """Announce the end of an actor."""
        if reason is not NORMAL and reason is not SHUTDOWN:
            self.log.ended(process, reason)
        if process.kind is ProcessKind.ACTOR:
            told = reason if reason is NORMAL or reason is SHUTDOWN else symbol("crashed")
            self.bus.tell(
                "ActorStopped",
                lambda: {"actorClass": symbol(process.label), "pid": process.pid, "reason": told},
            )

    # -- hooks ----------------------------------------------------------------------------------------------

    def run_end_hook(self, actor: ActorObject, reason: object) -> None:
        """`terminate:`, the most derived one only; its errors are ignored (actors.md 8.1)."""
        method = actor.class_object.lookup("terminate:", Side.INSTANCE)
        if method is None or method.owner.name == "Actor":
            return
        try:
            method.function(actor, reason)
        except Exception as error:  # noqa: BLE001 (the process ends anyway)
            self.log.failed_message(actor.process, "terminate:", error)

    def owner_of_timers(self) -> Process | None:
        """The running actor, whose end ends its timers; None at top level (actors.md 12)."""
        running = self.scheduler.current
        return running if running.kind is ProcessKind.ACTOR else None

    @staticmethod
    def own(owner: Process | None, key: int, release: Callable[[], None]) -> None:
        """Have `release` called when the owner ends."""
        if owner is not None and not owner.dead:
            if owner.owned is None:
                owner.owned = {}
            owner.owned[key] = release

    @staticmethod
    def disown(owner: Process | None, key: int) -> None:
        """Undo `own`."""
        if owner is not None and owner.owned is not None:
            owner.owned.pop(key, None)


def is_below(class_object: ClassObject, ancestor: str) -> bool:
    """Whether a class is a strict subclass of the class of that name."""
    return any(at.name == ancestor for at in class_object.chain() if at is not class_object)


def _lifecycle_cast(selector: str, actor: ActorObject) -> BeamtalkError:
    return BeamtalkError(
        "unsupported_operation",
        class_name=actor.class_object.name,
        selector=selector,
        hint=f"'{selector}' is no message for the mailbox: send it without '!'.",
    )


def install_actors(runtime: Runtime, clock: Clock | None = None, log: Log | None = None) -> ActorSystem:
    """Give an image its actors; before its first send to one."""
    system = ActorSystem(runtime, clock, log)
    runtime.processes = system
    return system


def actors_of(runtime: Runtime) -> ActorSystem:
    """The actors of an image; an image without any gets them now."""
    system = runtime.processes
    return system if isinstance(system, ActorSystem) else install_actors(runtime)
