"""Timers of programs: blocks that run later, each run in a process of its own (actors.md 12).

Guarantees: a run never comes early; runs of one timer never overlap; an error in a run is dropped and a repeating
timer goes on; a timer made in an actor ends with that actor. A pending timer is a deadline and owns no process.
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Final

from lang.runtime.blocks import Block, copy_for_crossing
from lang.runtime.processes.messages import Outcome, Raised
from lang.runtime.processes.process import Process, ProcessKind
from lang.runtime.processes.reasons import NORMAL
from lang.runtime.processes.waits import Gate

if TYPE_CHECKING:
    from lang.runtime.processes.actor_system import ActorSystem

_CANCEL_PATIENCE: Final = 0.1
"""Seconds that `cancel` waits for a run in progress."""


class Repeats(enum.Enum):
    """How often a timer's block runs."""

    ONCE = "once"
    FOR_EVER = "for ever"


class Alarm:
    """What `Timer after:do:` and `every:do:` answer."""

    def __init__(self, system: ActorSystem, seconds: float, block: Block, repeats: Repeats) -> None:
        self._system = system
        self._seconds = seconds
        self._block = copy_for_crossing(block)
        self._repeats = repeats
        self._run: Process | None = None
        self._run_ended: Gate | None = None
        self.is_active = True
        self._owner = system.owner_of_timers()
        self._key = system.make_reference().number
        system.own(self._owner, self._key, self._end_with_owner)
        self._deadline = system.scheduler.after(seconds, self._fire)

    def _fire(self) -> None:
        self._run = self._system.scheduler.start(ProcessKind.TIMER, "Timer", self._block, self._finished)

    def _finished(self, outcome: Outcome) -> None:
        if isinstance(outcome, Raised) and self._run is not None:
            self._system.log.failed_message(self._run, "Timer", outcome.error)
        self._run = None
        if self._run_ended is not None:
            self._run_ended.open()
        if self.is_active and self._repeats is Repeats.FOR_EVER:
            self._deadline = self._system.scheduler.after(self._seconds, self._fire)
        else:
            self._retire()

    def _retire(self) -> None:
        self.is_active = False
        self._system.disown(self._owner, self._key)

    def _end_with_owner(self) -> None:
        self.is_active = False
        self._deadline.cancel()
        if self._run is not None:
            self._system.scheduler.ends.end(self._run, NORMAL)

    def cancel(self) -> bool:
        """No run from now on; whether the timer was active. A run in progress may end, within 100 ms."""
        if not self.is_active:
            return False
        self._deadline.cancel()
        self._retire()
        scheduler = self._system.scheduler
        if self._run is None or self._run is scheduler.current or not scheduler.may_wait():
            return True
        gate = self._run_ended = Gate(scheduler)
        return gate.wait_at_most(_CANCEL_PATIENCE)
