"""The scheduler: which process runs, on which stack, and until when (actors.md 21).

Comes in: messages for processes, deadlines, and actions from other threads. Guarantees: one message of a process
at a time, in the order of arrival; a sync send to an idle process is a direct hand-off (two switches); every
greenlet is started by the hub, at the bottom of the thread's stack, and taken from a pool; an idle process owns no
stack; a deadlock through sync sends is told at once; time-outs are registered only when the callee really blocks;
no process is switched, interrupted or killed but at a wait or a safe point. Leaves: what a message means, and the
shape of errors (`Faults`).

One thread, the one that runs the hub, does all of this. Other threads only call `call_soon`.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, assert_never

from greenlet import getcurrent, greenlet

from lang.runtime.processes.clock import Action, Clock
from lang.runtime.processes.duties import Duties
from lang.runtime.processes.ends import Ends
from lang.runtime.processes.faults import Faults, Log
from lang.runtime.processes.messages import (
    Addressed,
    Computation,
    Ended,
    Message,
    NoStamps,
    Outcome,
    Posted,
    Raised,
    RequestState,
    Returned,
    Stamps,
)
from lang.runtime.processes.patience import Patience
from lang.runtime.processes.pid import Pid
from lang.runtime.processes.process import Process, ProcessKind, Wait, chain_to
from lang.runtime.processes.process_table import ProcessTable
from lang.runtime.processes.reasons import NORMAL
from lang.runtime.processes.stacks import Stacks
from lang.runtime.processes.ticker import Ticker
from lang.runtime.processes.timers import Deadline
from lang.runtime.processes.turns import Turns
from lang.runtime.processes.waits import Sleep
from lang.runtime.safepoint import SafePoints

if TYPE_CHECKING:
    from lang.runtime.instances import ActorObject

Redirect = Callable[[Process, Addressed, object], tuple[Process, object]]

_ANSWERED = RequestState.ANSWERED
_FAILED = RequestState.FAILED


class Scheduler:
    """All processes of one image."""

    def __init__(self, clock: Clock, faults: Faults, log: Log, safe_points: SafePoints) -> None:
        self.clock = clock
        self.faults = faults
        self.log = log
        self.safe_points = safe_points
        self.processes = ProcessTable(self.wake, log.ended)
        self.turns = Turns(self)
        self.ends = Ends(self)
        self.ready: deque[Process] = deque()
        self.duties = Duties(clock, log, safe_points)
        self._patience = Patience(self.duties.after, self.wake)
        self.stacks = Stacks(self.turns.work)
        self.pool = self.stacks.pool
        self.unwinder: greenlet | None = None
        self.critical_depth = 0
        self.host = Process(Pid(0), ProcessKind.HOST, "host", None)
        self.host.idle = False
        self.current = self.host
        self.hub: greenlet | None = None
        self._thread: int | None = None
        self._last_message: Message | None = None
        self._ticker = Ticker(self._is_running, self._tick)
        safe_points.serve = self._serve_safe_point
        self.redirect: Redirect = self._refuse_dead
        """Where a send to a dead process goes: nowhere, unless the receiver stands for a name."""
        self.contexts: dict[str, object] = {}
        """The trace contexts of sessions, by the label of their top-level processes (actors.md 1.1)."""
        self.stamps: Stamps = NoStamps()
        self.committed: Callable[[ActorObject], None] | None = None
        """Told of an actor whose message has written slots and succeeded, before the undo is dropped."""
        self.deliver_old: Callable[[Posted], object] = _perform
        """Runs a message that was sent before the last retirement of selectors."""

    # -- processes ------------------------------------------------------------------------------------------

    def start(
        self, kind: ProcessKind, label: str, action: Callable[[], object], done: Callable[[Outcome], None]
    ) -> Process:
        """A new process that runs `action` and ends; `done` gets its outcome, in that process or at its end."""
        process = self.processes.make(kind, label)
        if kind is ProcessKind.TOP_LEVEL:
            process.context = self.contexts.get(label)
        self.post(process, Computation(process, action, done))
        return process

    # -- messages -------------------------------------------------------------------------------------------

    def call(
        self, target: Process, selector: Addressed, receiver: object, arguments: tuple[object, ...]
    ) -> object:
        """A sync send from the running process (actors.md 4.1), with the patience of the target."""
        if target.dead:
            target, receiver = self.redirect(target, selector, receiver)
        caller = self.current
        stamp = self.stamps.stamp
        return self.ask(
            target,
            Posted(target, caller, target.patience, selector, receiver, arguments, stamp, caller.context),
        )

    def _refuse_dead(self, target: Process, selector: Addressed, _receiver: object) -> tuple[Process, object]:
        raise self.faults.actor_dead(selector.text, target)

    def ask(self, target: Process, message: Message) -> object:
        """Post a message whose caller is the running process, and wait for its answer."""
        caller = self.current
        if caller is self.host:
            return self._ask_from_outside(target, message)
        if target.idle:
            target.idle = False
            target.mailbox.append(message)
            caller.parked = message
            pool = self.pool
            if pool and not self.critical_depth:
                pool.pop().switch(target)
            else:
                self._leave_to_hub(target)
        else:
            if target.dead:
                raise self.faults.actor_dead(message.selector_name, target)
            if target.is_in_chain_of(caller):
                raise self.faults.deadlock(message.selector_name, target, chain_to(caller, target))
            target.mailbox.append(message)
            caller.parked = message
            self._patience.arm(message)
            self._patience.arm_callers(caller)
            self._switch_to_hub()
        self.current = caller
        caller.parked = None
        return self.settle(target, message)

    def settle(self, target: Process, message: Message) -> object:
        """What the running process gets of a message that it has waited for."""
        caller = self.current
        if caller.signal is not None:
            self.ends.obey(caller)
        if message.state is _ANSWERED:
            return message.value
        return self._no_answer(target, message)

    def _no_answer(self, target: Process, message: Message) -> object:
        error = message.value
        if message.state is _FAILED and isinstance(error, BaseException):
            raise error
        if message.state is RequestState.TIMED_OUT:
            raise self.faults.timeout(message.selector_name, target)
        raise self.faults.actor_dead(message.selector_name, target)

    def _ask_from_outside(self, target: Process, message: Message) -> object:
        """A sync send from host code that no process runs: a process of its own sends it."""

        def send() -> object:
            message.caller = self.current
            return self.ask(target, message)

        return self.run(send)

    def cast(
        self, target: Process, selector: Addressed, receiver: object, arguments: tuple[object, ...]
    ) -> None:
        """An asynchronous send; nothing happens when the target is dead (actors.md 6)."""
        if not target.dead:
            stamps = self.stamps
            stamp = stamps.stamp_for(selector.text) if stamps.stamp else 0
            target.mailbox.append(
                Posted(target, None, None, selector, receiver, arguments, stamp, self.current.context)
            )
            if target.idle:
                target.idle = False
                self.ready.append(target)

    def post(self, target: Process, message: Message) -> None:
        """Enqueue a message that nobody waits for."""
        if target.dead:
            message.lost(target.exit_reason)
            return
        target.mailbox.append(message)
        if target.idle:
            target.idle = False
            self.ready.append(target)

    def post_first(self, process: Process, message: Message) -> None:
        """Enqueue a message before all others that wait: it runs between two messages, next."""
        process.mailbox.appendleft(message)
        if process.idle:
            process.idle = False
            self.ready.append(process)

    # -- waiting --------------------------------------------------------------------------------------------

    def park(self, wait: Wait) -> None:
        """Stop running the current process until it is woken; then obey what it was told meanwhile."""
        process = self.current
        process.parked = wait
        self._patience.arm_callers(process)
        self._switch_to_hub()
        self.current = process
        process.parked = None
        if process.signal is not None:
            self.ends.obey(process)

    def wake(self, process: Process) -> None:
        """A parked process is runnable again."""
        if process.parked is not None and not process.dead:
            process.parked = None
            self.ready.append(process)

    def may_wait(self) -> bool:
        """Whether a process runs that may park now."""
        return self.current is not self.host and not self.critical_depth

    def sleep(self, seconds: float) -> None:
        """Park the running process for that time; others run meanwhile."""
        process = self.current
        if process is self.host:
            self.run(lambda: self.sleep(seconds))
            return
        self.park(Sleep(self.after(seconds, lambda: self.wake(process))))

    def pause(self) -> None:
        """Let the other runnable processes run first."""
        process = self.current
        if self.ready and not self.critical_depth and process is not self.host:
            self._patience.arm_callers(process)
            self.ready.append(process)
            self._switch_to_hub()
            self.current = process
            if process.signal is not None:
                self.ends.obey(process)

    def after(self, seconds: float, action: Callable[[], None]) -> Deadline:
        """Run a short runtime action, never Beamtalk code, after that time."""
        return self.duties.after(seconds, action)

    # -- safe points ----------------------------------------------------------------------------------------

    def _serve_safe_point(self) -> None:
        """Serve what is due at a safe point of the running process."""
        if self.critical_depth:  # `critical` asks again at its end
            return
        if threading.get_ident() != self._thread:
            self.safe_points.request()
            return
        self.duties.serve()
        process = self.current
        if process.signal is not None:
            self.ends.obey(process)
        self.pause()
        self._patience.arm_callers(process)

    @contextmanager
    def critical(self) -> Iterator[None]:
        """An uninterruptible section: no switch, no interrupt, no service until it is left (docs invariant 3)."""
        self.critical_depth += 1
        try:
            yield
        finally:
            self.critical_depth -= 1
            if not self.critical_depth:
                self.safe_points.request()

    def call_soon(self, action: Action) -> None:
        """Run a short runtime action in the scheduler's thread at its next safe point. Any thread may call."""
        self.duties.call_soon(action)

    def _is_running(self) -> bool:
        """Asked by the ticker's thread: does any process run now."""
        return self.current is not self.host

    def _tick(self) -> None:
        """The ticker's thread, once a slice: ask for service if somebody waits for what runs now."""
        message, last = self.current.message, self._last_message
        self._last_message = message
        if (
            self.ready
            or self.duties.are_due
            # A sync message that took a whole slice: its caller's time-out is perhaps not registered yet.
            or (
                message is not None
                and message is last
                and message.caller is not None
                and message.timer is None
            )
        ):
            self.safe_points.request()

    # -- stacks ---------------------------------------------------------------------------------------------

    def _switch_to_hub(self) -> None:
        if self.critical_depth:
            raise RuntimeError("a process must not wait inside a critical section")
        self.hub_stack().switch()

    def _leave_to_hub(self, target: Process) -> None:
        """Have the hub start a new stack for the target at once."""
        self.ready.appendleft(target)
        self._switch_to_hub()

    def hub_stack(self) -> greenlet:
        """The stack that everything is started from."""
        hub = self.hub
        if hub is None:
            raise RuntimeError("the scheduler does not run")
        return hub

    # -- the hub --------------------------------------------------------------------------------------------

    def run(self, action: Callable[[], object]) -> object:
        """Run a computation as a new top-level process, from the thread of the hub, until it has ended."""
        if self.current is not self.host:
            raise RuntimeError("the scheduler already runs a process in this thread")
        outcomes: list[Outcome] = []
        process = self.start(ProcessKind.TOP_LEVEL, "main", action, outcomes.append)
        self.run_hub(lambda: bool(outcomes))
        return self.value_of(outcomes[0], process)

    def value_of(self, outcome: Outcome, process: Process) -> object:
        """The value of a computation, or its error raised."""
        match outcome:
            case Returned(value):
                return value
            case Raised(error):
                raise error
            case Ended(BaseException() as reason):
                raise reason
            case Ended():
                raise self.faults.actor_dead("value", process)
            case _:
                assert_never(outcome)

    def run_hub(self, until: Callable[[], bool]) -> None:
        """Run processes, deadlines and actions in this thread until `until` holds."""
        if self.hub is not None:
            raise RuntimeError("the hub runs already")
        if len(self.stacks) and self._thread != threading.get_ident():
            raise RuntimeError("the scheduler belongs to another thread")
        self._thread = threading.get_ident()
        self.hub = hub = getcurrent()
        if hub.parent is not None:
            raise RuntimeError("the hub must be the root of its thread's stacks")
        try:
            while not until():
                self._turn()
        finally:
            self.hub = None
            self.current = self.host

    def _turn(self) -> None:
        self.current = self.host
        if self.safe_points.is_requested or self.duties.are_handed_in:
            self.safe_points.poll()
            if not self.ready:
                return  # an action may have ended what the hub runs for: ask before sleeping
        if self.ready:
            self._ticker.wake()
            self._resume(self.ready.popleft())
        else:
            self.stacks.trim()
            self.duties.wait()

    def _resume(self, process: Process) -> None:
        stack = process.greenlet
        if process.dead:
            return
        if process.signal is not None:
            self.safe_points.request()
        if stack is not None:
            stack.switch()
        else:
            self.stacks.serve(process, self.hub_stack())

    def end_all(self) -> None:
        """End every process but the running one, without `terminate:`; the running one at its next safe point."""
        for process in tuple(self.processes.live.values()):
            self.ends.end(process, NORMAL)

    @property
    def stack_count(self) -> int:
        """How many stacks there are, in use or parked."""
        return len(self.stacks)

    def close(self) -> None:
        """End every process and drop all stacks; from the thread of the hub, when the hub does not run."""
        self.hub = getcurrent()
        try:
            self.end_all()
            self.stacks.drop_parked()
        finally:
            self.hub = None
            self._ticker.close()


def _perform(message: Posted) -> object:
    return message.perform(message.addressee)
