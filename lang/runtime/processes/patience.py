"""Time-outs of sync sends: registered only when the callee really blocks (actors.md 4.1, 21.6).

Guarantees: who has waited too long goes on, and the late answer finds nobody. Leaves: what the caller is told, to the
scheduler.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from lang.runtime.processes.messages import Message, RequestState

if TYPE_CHECKING:
    from lang.runtime.processes.process import Process
    from lang.runtime.processes.timers import Deadline


class Patience:
    """The time-outs of one scheduler."""

    def __init__(
        self, after: Callable[[float, Callable[[], None]], Deadline], wake: Callable[[Process], None]
    ) -> None:
        self._after = after
        self._wake = wake

    def arm_callers(self, process: Process) -> None:
        """Register the time-outs of all who wait for this process: it really blocks now."""
        message = process.message
        while message is not None and (caller := message.caller) is not None and message.timer is None:
            self.arm(message)
            message = caller.message

    def arm(self, message: Message) -> None:
        """Register the time-out of one who waits, if it has one and none is registered."""
        if message.timeout is not None and message.timer is None:
            message.timer = self._after(message.timeout, lambda: self._time_out(message))

    def _time_out(self, message: Message) -> None:
        caller = message.caller
        if caller is not None:
            message.caller = None
            message.state = RequestState.TIMED_OUT
            self._wake(caller)
