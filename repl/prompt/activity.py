"""What the image is busy with, for the toolbar and the line of a long evaluation (workspace.md 3.1, 3.8).

Guarantees: written by one assignment on the evaluator, read by the main thread; nobody waits.
"""

from __future__ import annotations

from lang.dataclass import dataclass


@dataclass(slots=True)
class Activity:
    """The newest step of work that takes long; empty while there is none."""

    text: str = ""

    def report(self, what: str, done: int, total: int) -> None:
        """`loading 12/40`; all done is nothing any more."""
        self.text = f"{what} {done}/{total}" if done < total else ""
