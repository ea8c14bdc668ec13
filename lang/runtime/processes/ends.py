"""How processes are told to end, and unwind: interrupts, kills, exit signals (actors.md 8, 21.4, 21.8).

Guarantees: a process unwinds at a safe point, at a wait, or at once when it is parked; an interrupt runs `ensure:`
blocks, a kill does not; when `end` returns the books are closed. Leaves: whose links and watchers follow, to the
table of processes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from greenlet import getcurrent

from lang.runtime.processes.process import Process, ProcessSignal
from lang.runtime.processes.signals import Interrupted, ProcessKilled

if TYPE_CHECKING:
    from greenlet import greenlet

    from lang.runtime.processes.scheduler import Scheduler


class Ends:
    """The ends of one scheduler's processes."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler

    def interrupt(self, process: Process) -> None:
        """Unwind a top-level process at its next safe point or at once if it waits (actors.md 21.4).

        A second interrupt, before the first has unwound, ends the process without its `ensure:` blocks.
        """
        if process.dead:
            return
        process.signal = ProcessSignal.INTERRUPT
        self._scheduler.safe_points.request()
        self._cut_wait(process)

    def _cut_wait(self, process: Process) -> None:
        parked = process.parked
        if parked is not None:
            parked.abandon()
            self._scheduler.wake(process)

    def obey(self, process: Process) -> None:
        """Do what the running process was told to do: unwind, in one way or another."""
        signal, process.signal = process.signal, None
        match signal:
            case ProcessSignal.INTERRUPT if process.interrupted:
                self.end(process, Interrupted())
            case ProcessSignal.INTERRUPT:
                process.interrupted = True
                raise Interrupted
            case ProcessSignal.KILL:
                raise ProcessKilled(process)
            case None:
                return

    def end(self, process: Process, reason: object) -> None:
        """End a process at once (actors.md 8): no `terminate:`, no `ensure:`, and whoever is linked goes along.

        When this returns the process is gone, its waiters are answered, its watchers told. If the running process
        is among the victims, it unwinds here.
        """
        victims = self._scheduler.processes.bury_linked(process, reason)
        me = getcurrent()
        for victim in victims:
            stack = victim.greenlet
            if stack is not None and stack is not me:
                self._unwind(victim, stack)
        if any(victim.greenlet is me for victim in victims):
            self._end_own_stack(victims)

    def _end_own_stack(self, victims: list[Process]) -> None:
        current = self._scheduler.current
        for victim in victims:
            if victim is not current:
                victim.signal = ProcessSignal.KILL
        if current in victims:
            if self._scheduler.duties.is_serving or self._scheduler.critical_depth:
                current.signal = ProcessSignal.KILL
                self._scheduler.safe_points.request()
            else:
                raise ProcessKilled(current)

    def _unwind(self, victim: Process, stack: greenlet) -> None:
        """Throw into a parked stack and come back when it has let go."""
        before, running = self._scheduler.unwinder, self._scheduler.current
        self._scheduler.unwinder = getcurrent()
        try:
            stack.throw(ProcessKilled(victim))
        finally:
            self._scheduler.unwinder = before
            self._scheduler.current = running
