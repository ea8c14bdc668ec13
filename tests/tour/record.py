"""Records a short tour as an asciinema cast: `python -m tests.tour.record` writes `docs/tour.cast`.

A real prompt in a pseudo-terminal, on a copy of `examples/bank`, typed at the speed of a person. Pauses are those of
the recording, but for the start of the image, which is cut to what it takes.
"""

from __future__ import annotations

import json
import tempfile
import time
from pathlib import Path
from typing import Final

from tests.examples.copies import copy_of
from tests.repl.terminal import ENTER, ROOT, Prompt

CAST: Final = ROOT / "docs" / "tour.cast"
_COLUMNS, _LINES = 100, 30
_KEY, _READ = 0.03, 0.9
"""Seconds between two keys, and to read what came."""
STEPS: Final = (
    ("Account spawn deposit: 10", r"10\.00 EUR"),
    ('bob := CheckingAccount forName: "Bob"', r"Actor\(CheckingAccount"),
    ("bob deposit: 20", r"20\.00 EUR"),
    ('CheckingAccount >> label -> String => "current account"', r"CheckingAccount>>label"),
    ("bob describe", r"current account of Bob"),
    (":diff", r"\+  label -> String"),
    (":rename-class Money Amount", r"Rename in memory\? \[y/N\]"),
    ("y", r"Write it to disk now\? \[y/N\]"),
    ("n", r"Not written"),
    ("bob deposit: 1", r"21\.00 EUR"),
    (":flush", r"flushed 1 method"),
    (":undo", r"undone: Money -> Amount"),
    (":undo", r"undone: CheckingAccount>>label"),
    (":flush", r"flushed 1 method"),
    (":exit", r"Goodbye!"),
)
"""What is typed, and what must come of it."""


class Recorded(Prompt):
    """A prompt whose output is noted with the time at which it came."""

    def __init__(self, project: Path, cache: Path) -> None:
        self.events: list[tuple[float, str]] = []
        self._noted = 0
        self._began = time.monotonic()
        super().__init__(project, cache)

    def _drain(self, seconds: float) -> bool:
        may_come = super()._drain(seconds)
        new = self._raw[self._noted :]
        # What ends within a character waits for its rest.
        text = new.decode("utf-8", "ignore")
        if text and new == text.encode():
            self.events.append((time.monotonic() - self._began, text))
            self._noted = len(self._raw)
        return may_come

    def type(self, text: str) -> None:
        """Press keys one by one, then Enter."""
        for key in text:
            self.keys(key)
            time.sleep(_KEY)
            self._drain(0.0)
        self._seen = len(self._text())
        self.keys(ENTER)


def recording(project: Path, cache: Path) -> str:
    """The cast of a session (asciinema, version 2)."""
    with Recorded(project, cache) as prompt:
        prompt.wait_for(r"bt> $")
        for text, pattern in STEPS:
            prompt.type(text)
            prompt.wait_for(pattern)
            time.sleep(_READ)
            prompt._drain(0.0)
        events = prompt.events
    head = {"version": 2, "width": _COLUMNS, "height": _LINES, "title": "Beamtalk: a live workspace"}
    lines = [json.dumps(head), *(json.dumps([round(at, 3), "o", text]) for at, text in events)]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the recording."""
    with tempfile.TemporaryDirectory() as folder:
        project = copy_of("bank", Path(folder) / "bank")
        CAST.write_text(recording(project, Path(folder) / "cache"), "utf-8")


if __name__ == "__main__":
    main()
