"""Output of running code on its way to another thread: a queue that a flooding process has to wait for.

The evaluator's thread writes and never waits for the reader's thread; a process that is far ahead of the reader
is parked, alone (docs "Prompt and image").
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

from lang.runtime.processes.waits import Gate

if TYPE_CHECKING:
    from lang.runtime.processes.scheduler import Scheduler

_FLOOD_CHARACTERS = 1_000_000


class OutputQueue:
    """A transcript sink. `notify` is called, in the writer's thread, when text appears in an empty queue."""

    def __init__(self, scheduler: Scheduler, notify: Callable[[], None]) -> None:
        self._scheduler = scheduler
        self._notify = notify
        self._lock = threading.Lock()
        self._texts: list[str] = []
        self._length = 0
        self._parked: deque[Gate] = deque()

    def write(self, text: str) -> int:
        """Append text; parks the running process while the reader is far behind."""
        with self._lock:
            was_empty = not self._texts
            self._texts.append(text)
            self._length += len(text)
            is_flooded = self._length > _FLOOD_CHARACTERS
        if was_empty:
            self._notify()
        if is_flooded and self._scheduler.may_wait():
            gate = Gate(self._scheduler)
            self._parked.append(gate)
            gate.wait()
        return len(text)

    def take(self) -> str:
        """All text since the last call; from the reader's thread. Parked writers go on."""
        with self._lock:
            text = "".join(self._texts)
            self._texts.clear()
            self._length = 0
        self._scheduler.call_soon(self._release)
        return text

    def _release(self) -> None:
        while self._parked:
            self._parked.popleft().open()
