"""How a process is told to unwind: host exceptions that Beamtalk code cannot catch.

Both derive from `BaseException`, so that neither `on:do:` nor a careless `except Exception`
meets them. Compiled `ensure:` runs its cleanup for an `Interrupted` and not for a
`ProcessKilled` (actors.md 21.4, 21.8).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lang.runtime.processes.process import Process


class ProcessKilled(BaseException):
    """The process has ended: its stack unwinds without running any Beamtalk code."""

    def __init__(self, process: Process) -> None:
        super().__init__(f"{process.pid} was ended")
        self.process = process


class Interrupted(BaseException):
    """The evaluation of a top-level process was interrupted: it unwinds and runs its `ensure:` blocks."""
