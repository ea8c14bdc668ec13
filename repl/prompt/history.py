"""Inputs that outlive the session (workspace.md 3.9).

Comes in: a file, or none. Guarantees: an input is one JSON line, appended with one write
before it is evaluated, so that a kill loses nothing submitted and sessions share the file; a
torn line is skipped. Leaves: when to append to prompt_toolkit, which does it on submission.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from prompt_toolkit.history import History

KEPT: Final = 10_000


class InputHistory(History):
    """The history of one session; `now` gives seconds since 1970."""

    def __init__(self, path: Path | None, now: Callable[[], float] = time.time, kept: int = KEPT) -> None:
        super().__init__()
        self._kept = kept
        self._path = path
        self._now = now
        self._last: str | None = None

    def load_history_strings(self) -> Iterable[str]:
        """The inputs of earlier sessions, newest first."""
        found = self._read()
        if len(found) > self._kept + self._kept // 4:
            self._compact(found[-self._kept :])
        return [text for _at, text in reversed(found[-self._kept :])]

    def append_string(self, string: str) -> None:
        """Take an input, unless it begins with a space or repeats the one before."""
        if not string.strip() or string.startswith(" ") or string == self._last:
            return
        self._last = string
        super().append_string(string)

    def store_string(self, string: str) -> None:
        """Append one line to the file; a disk that refuses costs the history only."""
        if self._path is None:
            return
        line = _line(self._now(), string)
        with suppress(OSError):
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            try:
                os.write(handle, line)
            finally:
                os.close(handle)

    def _read(self) -> list[tuple[float, str]]:
        if self._path is None:
            return []
        try:
            data = self._path.read_bytes()
        except OSError:
            return []
        return [entry for line in data.split(b"\n") if (entry := _entry(line)) is not None]

    def _compact(self, kept: list[tuple[float, str]]) -> None:
        assert self._path is not None
        temporary = self._path.with_suffix(f".{os.getpid()}")
        with suppress(OSError):
            handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(handle, "wb") as file:
                file.writelines(_line(at, text) for at, text in kept)
            temporary.replace(self._path)


def _line(at: float, text: str) -> bytes:
    return (
        json.dumps({"ts": round(at, 3), "text": text}, ensure_ascii=False).encode("utf-8", "surrogatepass")
        + b"\n"
    )


def _entry(line: bytes) -> tuple[float, str] | None:
    try:
        found = json.loads(line)
    except ValueError:
        return None
    match found:
        case {"ts": int() | float() as at, "text": str(text)}:
            return float(at), text
    return None
