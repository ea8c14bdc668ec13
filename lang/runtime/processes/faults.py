"""Which errors the scheduler raises; their Beamtalk shape is made elsewhere.

The scheduler itself knows no Beamtalk error objects: it asks a `Faults` for the exception to raise.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from lang.runtime.processes.process import Process


class Faults(Protocol):
    """Makes the exceptions of actors.md 4.1, 7 and 8."""

    def actor_dead(self, selector: str, process: Process) -> BaseException:
        """The process has ended."""

    def timeout(self, selector: str, process: Process, /) -> BaseException:
        """The answer did not come in time."""

    def deadlock(self, selector: str, process: Process, chain: Sequence[Process]) -> BaseException:
        """The process waits, through `chain`, for the sender."""

    def classify(self, error: BaseException, process: Process, selector: str) -> BaseException:
        """What a sender sees of an exception that left a method: host failures become Beamtalk errors."""


class Log(Protocol):
    """Where failures go that nobody waits for."""

    def failed_message(self, process: Process, selector: str, error: BaseException) -> None:
        """A cast or a raw message raised; the process goes on (actors.md 5)."""

    def ended(self, process: Process, reason: object) -> None:
        """A process ended abnormally."""

    def note(self, text: str) -> None:
        """Something happened that a user may want to know, and nobody asked for."""
