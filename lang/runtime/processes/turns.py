"""The turns of processes: taking messages, running them, answering, and giving way.

Comes in: a process with messages. Guarantees: what a message wrote is kept when it succeeds and undone when it fails;
its caller goes on at once; a process that has nothing left to do is idle and owns no stack. Leaves: who runs next to
the scheduler.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from greenlet import GreenletExit, getcurrent, greenlet

from lang.runtime.processes.messages import Computation, Message, Posted, Request, RequestState
from lang.runtime.processes.process import Process
from lang.runtime.processes.signals import ProcessKilled
from lang.runtime.safepoint import TICK

if TYPE_CHECKING:
    from lang.runtime.instances import ActorObject
    from lang.runtime.processes.scheduler import Scheduler

_ANSWERED = RequestState.ANSWERED


class Turns:
    """What the stacks of a scheduler do."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler

    def work(self, process: Process) -> None:  # noqa: PLR0915 (flat on purpose)
        """The body of a pooled stack: serve a process until it must give way, go back to the pool, serve the next.

        One flat loop: this and `call` are what every sync send runs through.
        """
        scheduler = self._scheduler
        me, pool, flags = getcurrent(), scheduler.pool, scheduler.safe_points.flags
        while True:
            scheduler.current = process
            process.greenlet = me
            mailbox, actor = process.mailbox, process.actor
            next_stack: greenlet | None = None
            while next_stack is None:
                message = mailbox.popleft()
                process.message = message
                asker = message.caller
                if asker is not None:
                    process.context = asker.context
                elif type(message) is Posted:
                    process.context = message.context
                try:
                    if type(message) is Request:
                        receiver = message.receiver
                        method, arguments = message.selector.own[type(receiver)], message.arguments
                        # No unpacking for few arguments: it costs a frame of C, and each switch copies those.
                        if not arguments:
                            value = method(receiver)
                        elif len(arguments) == 1:
                            value = method(receiver, arguments[0])
                        else:
                            value = method(receiver, *arguments)
                    elif type(message) is Posted and message.stamp != scheduler.stamps.stamp:
                        value = scheduler.deliver_old(message)
                    else:
                        value = message.perform(process)
                except (ProcessKilled, GreenletExit) as signal:
                    next_stack = self._unwound(process, signal)
                    break
                except BaseException as error:  # noqa: BLE001 (one of the three outermost loops: an actor's turn)
                    self._failed(process, message, error)
                else:
                    message.value = value
                    message.state = _ANSWERED
                    if actor is not None and actor._undo:
                        if scheduler.committed is not None:
                            scheduler.committed(actor)
                        actor._undo = {}
                caller = message.caller
                if process.is_stopping or message.timer is not None or not (mailbox or process.lives_on):
                    next_stack = self._finish(process, message)
                elif not mailbox:
                    process.message = None
                    process.greenlet = None
                    process.idle = True
                    next_stack = scheduler.hub if caller is None else caller.greenlet
                elif caller is not None or flags[TICK]:
                    process.message = None
                    process.greenlet = None
                    scheduler.ready.append(process)
                    next_stack = scheduler.hub if caller is None else caller.greenlet
            pool.append(me)
            process = next_stack.switch()

    def _finish(self, process: Process, message: Message) -> greenlet | None:
        """A message is done, and it was no ordinary one; answers the stack to go on with, None to serve the next."""
        if process.dead:
            return self._killed(process)
        if message.timer is not None:
            message.timer.cancel()
        if process.is_stopping or not (process.mailbox or process.lives_on):
            return self._ended(process, message)
        process.message = None
        process.greenlet = None
        self.become_idle(process)
        caller = message.caller
        return self._scheduler.hub_stack() if caller is None else _stack_of(caller)

    def _unwound(self, process: Process, signal: BaseException) -> greenlet:
        """A stack was unwound by a signal: the process was ended, or the scheduler is being closed."""
        if isinstance(signal, GreenletExit):
            raise signal
        return self._killed(process)

    def _failed(self, process: Process, message: Message, error: BaseException) -> None:
        if process.dead:
            return
        if process.actor is not None:
            roll_back(process.actor)
        if isinstance(message, Computation):
            message.failed(error)
            return
        seen = self._scheduler.faults.classify(error, process, message.selector_name)
        message.failed(seen)
        if message.caller is None:
            self._scheduler.log.failed_message(process, message.selector_name, seen)

    def _ended(self, process: Process, message: Message) -> greenlet:
        """The process has come to its normal end; the one who asked for that goes on."""
        caller = message.caller
        process.greenlet = None
        process.message = None
        self._scheduler.ends.end(process, process.stop_reason)
        # Who asked for the end may have ended with it: a timer of the actor, for one.
        return self._scheduler.hub_stack() if caller is None or caller.dead else _stack_of(caller)

    def _killed(self, process: Process) -> greenlet:
        process.greenlet = None
        process.message = None
        return self._scheduler.hub_stack() if self._scheduler.unwinder is None else self._scheduler.unwinder

    # -- inline calls (entries.py) --------------------------------------------------------------------------

    def leave_inline(self, caller: Process, process: Process, selector: str) -> None:
        """An inline call is over and something happened meanwhile: messages came, or somebody was ended."""
        if process.dead:
            if caller.signal is not None:
                self._scheduler.ends.obey(caller)
            raise self._scheduler.faults.actor_dead(selector, process)
        self.become_idle(process)
        if caller.signal is not None:
            self._scheduler.ends.obey(caller)

    def become_idle(self, process: Process) -> None:
        """A process has done with a message: it is idle, or runnable if others have come."""
        if process.mailbox:
            self._scheduler.ready.append(process)
        elif not process.dead:
            process.idle = True

    def return_to_unwinder(self, caller: Process) -> None:
        """The callee of an inline call was ended by another stack: that goes on first, the caller later."""
        unwinder = self._scheduler.unwinder
        if unwinder is not None:
            self._scheduler.ready.append(caller)
            unwinder.switch()
            self._scheduler.current = caller


def _stack_of(caller: Process) -> greenlet:
    stack = caller.greenlet
    if stack is None:
        raise RuntimeError(f"{caller} waits without a stack")
    return stack


def roll_back(actor: ActorObject) -> None:
    """Put back what the slots held when the message began (actors.md 5)."""
    if actor._undo:
        vars(actor).update(actor._undo)
        actor._undo = {}
