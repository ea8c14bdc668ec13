"""The transcript of a process without a prompt (workspace.md 3.5).

Guarantees: text goes to standard output as it comes, and a reader that has gone away ends
nothing but the output.
"""

from __future__ import annotations

from typing import TextIO

from lang.dataclass import dataclass
from repl.paint import visible


@dataclass(slots=True)
class CapturedTranscript:
    """Keeps what is written until it is asked for."""

    text: str = ""

    def write(self, text: str) -> object:
        """Keep a piece."""
        self.text += text
        return len(text)

    def take(self) -> str:
        """What was written since the last time."""
        taken, self.text = self.text, ""
        return taken


@dataclass(frozen=True, slots=True)
class PlainTranscript:
    """Writes `Transcript show:` to a stream; on a terminal control characters become signs."""

    stream: TextIO

    def write(self, text: str) -> object:
        """Write a piece."""
        return self.stream.write(visible(text) if self.stream.isatty() else text)
