"""What is due: the deadlines of the scheduler, and the actions that other threads hand in (actors.md 21.3).

Guarantees: actions run one at a time, in the scheduler's thread, at safe points or while nothing runs; one that
fails is noted and takes nobody along. They only wake, post and start; they never run code of a program. Leaves:
when to serve, to the scheduler.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import TYPE_CHECKING

from lang.runtime.processes.clock import Action, Clock, Inbox
from lang.runtime.processes.timers import Deadline, DeadlineHeap

if TYPE_CHECKING:
    from lang.runtime.processes.faults import Log
    from lang.runtime.safepoint import SafePoints


class Duties:
    """Deadlines and actions of one scheduler."""

    def __init__(self, clock: Clock, log: Log, safe_points: SafePoints) -> None:
        self.is_serving = False
        self._clock = clock
        self._log = log
        self._safe_points = safe_points
        self._heap = DeadlineHeap()
        self._inbox: Inbox = Inbox()

    def after(self, seconds: float, action: Callable[[], None]) -> Deadline:
        """Run a short runtime action, never Beamtalk code, after that time."""
        return self._heap.add(self._clock.now() + seconds, action)

    def call_soon(self, action: Action) -> None:
        """Run a short runtime action at the next safe point. Any thread may call."""
        self._inbox.put(action)
        self._safe_points.request()

    @property
    def are_handed_in(self) -> bool:
        """Whether another thread has handed in an action."""
        return not self._inbox.empty()

    @property
    def are_due(self) -> bool:
        """Whether a deadline has come. Any thread may ask."""
        due = self._heap.peek_due()
        return due is not None and due <= self._clock.now()

    def serve(self) -> None:
        """Run the actions of other threads and those whose deadline has come."""
        if self.is_serving:
            return
        self.is_serving = True
        try:
            while not self._inbox.empty():
                self._attempt(self._inbox.get_nowait())
            for action in self._heap.take_due(self._clock.now()):
                self._attempt(action)
        finally:
            self.is_serving = False

    def wait(self) -> None:
        """Nothing is runnable: wait for the next action or deadline, and serve."""
        due = self._heap.next_due()
        seconds = None if due is None else due - self._clock.now()
        if seconds is None or seconds > 0:
            action = self._clock.next_action(self._inbox, seconds)
            if action is not None:
                self._attempt(action)
        self.serve()

    def _attempt(self, action: Action) -> None:
        """An action that fails is a defect of the runtime; it must not take the evaluator along."""
        try:
            action()
        except Exception:  # noqa: BLE001 (the outermost loop of the scheduler's own work)
            self._log.note(traceback.format_exc())
