"""What a process can wait for beside an answer: a deadline, or a gate that somebody opens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lang.runtime.processes.timers import Deadline

if TYPE_CHECKING:
    from lang.runtime.processes.process import Process
    from lang.runtime.processes.scheduler import Scheduler


class Sleep:
    """Waiting for a deadline and nothing else."""

    __slots__ = ("deadline",)

    def __init__(self, deadline: Deadline) -> None:
        self.deadline = deadline

    def abandon(self) -> None:
        """`Wait.abandon`."""
        self.deadline.cancel()

    def target(self) -> Process | None:
        """`Wait.target`: time is nobody's answer."""
        return None


class Gate:
    """Waiting for something that another process, or another thread, will tell. For one waiting process."""

    __slots__ = ("_scheduler", "_waiting", "is_open")

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        self._waiting: Process | None = None
        self.is_open = False

    def open(self) -> None:
        """Let the waiting process go on; once open, nobody waits any more."""
        self.is_open = True
        self._release()

    def wait(self) -> None:
        """Park the running process until the gate is open."""
        while not self.is_open:
            self._park()

    def wait_at_most(self, seconds: float) -> bool:
        """Park until the gate is open or the time is over; whether it is open."""
        timer = self._scheduler.after(seconds, self._release)
        try:
            while not self.is_open and timer.is_pending:
                self._park()
        finally:
            timer.cancel()
        return self.is_open

    def _park(self) -> None:
        self._waiting = self._scheduler.current
        self._scheduler.park(self)

    def _release(self) -> None:
        waiting, self._waiting = self._waiting, None
        if waiting is not None:
            self._scheduler.wake(waiting)

    def abandon(self) -> None:
        """`Wait.abandon`."""
        self._waiting = None

    def target(self) -> Process | None:
        """`Wait.target`."""
        return None
