"""The line that says how long an evaluation has been running (workspace.md 3.8).

Comes in: a terminal. Guarantees: what else is printed never stands on its line, for `erase` comes first;
nothing is written where lines cannot be rewritten. Leaves: when to show it.
"""

from __future__ import annotations

from typing import Final, TextIO

SHOWN_AFTER: Final = 0.5
"""Seconds before anybody wonders."""
_ERASE: Final = "\r\x1b[K"


class StatusLine:
    """One line at the cursor, rewritten in place. `stream` None: there is no such line."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream
        self._is_shown = False

    def show(self, activity: str, seconds: float, columns: int) -> None:
        """Show or renew it; nothing in the first half second."""
        if self._stream is None or seconds < SHOWN_AFTER:
            return
        text = f"{activity}  {seconds:.1f}s  Ctrl-C stops it" if activity else f"eval {seconds:.1f}s"
        self._stream.write(f"{_ERASE}{text[: columns - 1]}")
        self._stream.flush()
        self._is_shown = True

    def erase(self) -> None:
        """Take it away, so that something else can be printed."""
        if self._is_shown and self._stream is not None:
            self._stream.write(_ERASE)
            self._stream.flush()
            self._is_shown = False
