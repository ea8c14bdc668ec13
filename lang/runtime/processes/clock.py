"""Time and idleness of a scheduler: the two things that tests replace."""

from __future__ import annotations

import time
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Final, Protocol

Action = Callable[[], None]
Inbox = SimpleQueue[Action]

_LONGEST_SLEEP: Final = 3600.0
"""The host refuses to sleep for centuries; who wakes without a reason looks at the deadlines and sleeps on."""


class Clock(Protocol):
    """Monotonic seconds, and how to wait for the next request from another thread."""

    def now(self) -> float:
        """Seconds since some fixed moment; never goes back."""

    def next_action(self, inbox: Inbox, seconds: float | None) -> Action | None:
        """The next action of the inbox, waiting at most `seconds` (None: without limit); None may come sooner."""


class MonotonicClock:
    """The host's monotonic clock."""

    def now(self) -> float:
        """Seconds of `time.monotonic`."""
        return time.monotonic()

    def next_action(self, inbox: Inbox, seconds: float | None) -> Action | None:
        """Sleep in the queue of the inbox: another thread's `put` ends the sleep."""
        try:
            if seconds is None:
                return inbox.get()
            return inbox.get(timeout=min(seconds, _LONGEST_SLEEP)) if seconds > 0 else inbox.get_nowait()
        except Empty:
            return None
