"""The thread that asks running code for service when a time slice is over.

Guarantees: while a process runs, `tick` is called every 2 ms; when none has run for a moment the thread sleeps until
it is woken, and after some seconds of that it ends.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

SLICE_SECONDS = 0.002
_QUIET_TICKS = 25
_LINGER_SECONDS = 5.0


class Ticker:
    """A daemon thread that calls `tick` once a slice while `wake` was called lately; it ends when unused."""

    def __init__(self, is_running: Callable[[], bool], tick: Callable[[], None]) -> None:
        self._is_running = is_running
        self._tick = tick
        self._wanted = threading.Event()
        self._closed = threading.Event()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None

    def wake(self) -> None:
        """A process has begun to run; cheap when the thread is awake."""
        if self._wanted.is_set() or self._closed.is_set():
            return
        with self._starting:
            self._wanted.set()
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="beamtalk-ticker", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """End the thread and wait for it."""
        self._closed.set()
        self._wanted.set()
        thread = self._thread
        if thread is not None:
            thread.join()

    def _run(self) -> None:
        while not self._closed.is_set():
            if not self._wanted.wait(_LINGER_SECONDS) and self._retire():
                return
            self._tick_until_quiet()
            self._wanted.clear()
            # Work that began between the last look and `clear` is seen by this second look.
            if self._is_running():
                self._wanted.set()

    def _retire(self) -> bool:
        with self._starting:
            if self._wanted.is_set():
                return False
            self._thread = None
            return True

    def _tick_until_quiet(self) -> None:
        quiet = 0
        while quiet < _QUIET_TICKS and not self._closed.wait(SLICE_SECONDS):
            if self._is_running():
                quiet = 0
                self._tick()
            else:
                quiet += 1
