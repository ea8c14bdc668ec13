"""Output of the image on its way to the terminal (workspace.md 3.5).

Comes in: text from the evaluator's thread. Guarantees: the evaluator never waits; whole lines
reach the terminal in order, above the line that is being edited; what comes faster than it can
be read is cut, and said. Leaves: writing itself to a function that runs on the main thread.
"""

from __future__ import annotations

import io
import threading
from collections import deque
from collections.abc import Callable
from typing import Final

MAX_WAITING: Final = 2000
"""Lines that may wait for the terminal; more are dropped."""


class Outlet:
    """A queue of lines; `wake` is called from any thread when there is something to take."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake
        self._lock = threading.Lock()
        self._lines: deque[str] = deque()
        self._dropped = 0
        self._is_awake = False

    def put(self, line: str) -> None:
        """Add a line, without its end."""
        with self._lock:
            if len(self._lines) >= MAX_WAITING:
                self._dropped += 1
                return
            self._lines.append(line)
            if self._is_awake:
                return
            self._is_awake = True
        self._wake()

    def take(self) -> list[str]:
        """All lines that wait; the next `put` wakes again."""
        with self._lock:
            taken = list(self._lines)
            if self._dropped:
                taken.append(f"… {self._dropped} lines dropped")
            self._lines.clear()
            self._dropped = 0
            self._is_awake = False
        return taken


class LineWriter(io.TextIOBase):
    """A text stream that hands whole lines on; `flush` hands on what is not ended yet."""

    def __init__(self, outlet: Outlet, shown: Callable[[str], str]) -> None:
        super().__init__()
        self._outlet = outlet
        self._shown = shown
        self._partial = ""

    def write(self, text: str) -> int:
        """Take text; each line that ends in it is handed on."""
        *lines, self._partial = (self._partial + text).split("\n")
        for line in lines:
            self._outlet.put(self._shown(line))
        return len(text)

    def flush(self) -> None:
        """Hand on a line that has not ended."""
        if self._partial:
            partial, self._partial = self._partial, ""
            self._outlet.put(self._shown(partial))

    def isatty(self) -> bool:
        """It leads to one."""
        return True
