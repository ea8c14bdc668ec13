"""Plain copies of the bodies, for people with `cat` and `diff` (changes.md 2).

Comes in: entries that are in the journal. Guarantees: nothing: a copy that cannot be
written is not there. Nothing reads them back.
"""

from __future__ import annotations

import contextlib
import posixpath
from collections.abc import Iterator, Sequence

from changelog.entry import Entry
from changelog.files import Files

_MOST_WAITING = 64


class NoCopies:
    """Keeps no copies."""

    def add(self, entries: Sequence[Entry]) -> None:
        """Do nothing."""

    def write_waiting(self) -> None:
        """Do nothing."""


class SourceCopies:
    """Writes `NNNNNN-i.before.bt` and `NNNNNN-i.after.bt` into a folder, not fsynced.

    They wait until somebody has time, or many wait: a file made just before an fsync of
    the journal makes that one ten times as dear (0.25 ms without, 2.6 ms with).
    """

    def __init__(self, files: Files, folder: str) -> None:
        self._files = files
        self._folder = folder
        self._waiting: list[Entry] = []

    def add(self, entries: Sequence[Entry]) -> None:
        """Let the bodies of entries be copied."""
        self._waiting += entries
        if len(self._waiting) >= _MOST_WAITING:
            self.write_waiting()

    def write_waiting(self) -> None:
        """Write what waits; failures are ignored."""
        waiting, self._waiting = self._waiting, []
        for entry in waiting:
            for name, text in _bodies(entry):
                with contextlib.suppress(OSError):
                    data = text.encode("utf-8", "surrogateescape")
                    self._files.write(posixpath.join(self._folder, name), data)


def _bodies(entry: Entry) -> Iterator[tuple[str, str]]:
    for number, edit in enumerate(entry.edits):
        stem = f"{entry.seq:06}-{number}"
        if edit.before is not None:
            yield f"{stem}.before.bt", _as_file(edit.before)
        if edit.after is not None:
            yield f"{stem}.after.bt", _as_file(edit.after)


def _as_file(text: str) -> str:
    return text if text.endswith("\n") else f"{text}\n"
