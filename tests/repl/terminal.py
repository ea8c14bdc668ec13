"""A real prompt in a pseudo-terminal, as a person has it.

Comes in: a project. Guarantees: keys go in as a terminal sends them; what was written comes out
without escape sequences, and `wait_for` fails with all of it when the text does not come. Leaves:
where on the screen a text stands.
"""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Mapping
from fcntl import ioctl
from pathlib import Path
from types import TracebackType
from typing import Final, Self

ROOT: Final = Path(__file__).parents[2]
ENTER, CTRL_C, CTRL_D, UP, ESCAPE = "\r", "\x03", "\x04", "\x1b[A", "\x1b"
_SEQUENCES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07]*\x07|[()][A-Z0-9]|[=>78])")
_OUTCOME_TIME: Final = 15.0
"""Seconds that any outcome may take; a loaded machine is slow, a hanging prompt is for ever."""


class Prompt:
    """`beamtalk repl` in a pseudo-terminal of 100 columns."""

    def __init__(self, project: Path, cache: Path, more: Mapping[str, str] | None = None) -> None:
        ours, theirs = pty.openpty()
        ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
        environment = {
            **os.environ,
            "TERM": "xterm",
            "PYTHONPATH": str(ROOT),
            "XDG_CACHE_HOME": str(cache),
            # Nobody is there to tell where the cursor stands.
            "PROMPT_TOOLKIT_NO_CPR": "1",
            **(more or {}),
        }
        self._process = subprocess.Popen(
            [sys.executable, "-m", "repl.cli", "repl"],
            cwd=project,
            env=environment,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            preexec_fn=_take_terminal,  # noqa: PLW1509 - nothing else gives a child its terminal
        )
        os.close(theirs)
        self._ours = ours
        self._raw = b""
        self._seen = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait(10)
        os.close(self._ours)

    def keys(self, text: str) -> None:
        """Press keys."""
        os.write(self._ours, text.encode())

    def enter(self, text: str) -> None:
        """Type a line and press Enter. What was written before is not looked at again."""
        self._drain(0.0)
        self._seen = len(self._text())
        self.keys(text + ENTER)

    def wait_for(self, pattern: str, within: float = _OUTCOME_TIME) -> str:
        """The text since the last `enter` or the last match, up to the match of a pattern."""
        end = time.monotonic() + within
        while True:
            text = self._text()
            found = re.compile(pattern, re.MULTILINE).search(text, self._seen)
            if found:
                start, self._seen = self._seen, found.end()
                return text[start : found.end()]
            left = end - time.monotonic()
            if left <= 0 or not self._drain(left):
                raise AssertionError(f"no {pattern!r} in what came after:\n{text[self._seen :]}")

    def ask(self, text: str, pattern: str) -> str:
        """Enter a line, wait for what comes of it and for the next prompt."""
        self.enter(text)
        found = self.wait_for(pattern)
        self.wait_for("bt> $")
        return found

    def exit_code(self) -> int:
        """The exit code, when it has ended."""
        return self._process.wait(10)

    def _text(self) -> str:
        return _SEQUENCES.sub("", self._raw.decode("utf-8", "replace")).replace("\r", "")

    def _drain(self, seconds: float) -> bool:
        """Read what is there, waiting for the first of it; whether more may come."""
        while select.select([self._ours], [], [], seconds)[0]:
            try:
                more = os.read(self._ours, 65536)
            except OSError:
                return False
            if not more:
                return False
            self._raw += more
            seconds = 0.0
        return True


def _take_terminal() -> None:
    """A session of its own with the pseudo-terminal in control, so that Ctrl-C becomes SIGINT."""
    os.setsid()
    ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.default_int_handler)
