"""Time and idleness of a scheduler: the two things that tests replace."""

from __future__ import annotations

import time
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Protocol

Action = Callable[[], None]
Inbox = SimpleQueue[Action]


class Clock(Protocol):
    """Monotonic seconds, and how to wait for the next request from another thread."""

    def now(self) -> float:
        """Seconds since some fixed moment; never goes back."""

    def next_action(self, inbox: Inbox, seconds: float | None) -> Action | None:
        """The next action of the inbox, waiting at most `seconds` (None: without limit)."""


class MonotonicClock:
    """The host's monotonic clock."""

    def now(self) -> float:
        """Seconds of `time.monotonic`."""
        return time.monotonic()

    def next_action(self, inbox: Inbox, seconds: float | None) -> Action | None:
        """Sleep in the queue of the inbox: another thread's `put` ends the sleep."""
        try:
            return inbox.get(timeout=seconds) if seconds is None or seconds > 0 else inbox.get_nowait()
        except Empty:
            return None
