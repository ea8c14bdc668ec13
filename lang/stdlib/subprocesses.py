"""Programs of the operating system that run beside an image (stdlib.md 5.3).

Guarantees: lines are read with a limit; a program is ended with all that it started;
nothing here touches image state, so that it may run in a thread of its own.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import IO, Final, final

CHUNK: Final = 65_536
GRACE_SECONDS: Final = 2.0
"""How long a program that was told to end may take before it is killed."""


class LineReader:
    """The lines of one pipe."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe
        self._buffer = b""
        self._is_at_end = False
        self._lock = threading.Lock()

    def next_line(self, seconds: float | None) -> bytes | None:
        """The next line without its end; None at the end, or when none comes in time."""
        until = None if seconds is None else time.monotonic() + seconds
        with self._lock:
            while b"\n" not in self._buffer and not self._is_at_end:
                if not self._wait(until):
                    return None
                self._fill()
            return self._taken()

    def close(self) -> None:
        """Close the pipe, after whoever reads from it."""
        with self._lock:
            self._is_at_end = True
            self._pipe.close()

    def _taken(self) -> bytes | None:
        if not self._buffer:
            return None
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line.removesuffix(b"\r")

    def _wait(self, until: float | None) -> bool:
        left = None if until is None else max(until - time.monotonic(), 0)
        ready, _, _ = select.select([self._pipe], [], [], left)
        return bool(ready)

    def _fill(self) -> None:
        chunk = os.read(self._pipe.fileno(), CHUNK)
        self._is_at_end = not chunk
        self._buffer += chunk


@final
class OsProgram:
    """A running program with pipes to its standard streams."""

    def __init__(
        self, command: str, arguments: Sequence[str], environment: Mapping[str, str], folder: str | None
    ) -> None:
        self._process = subprocess.Popen(  # noqa: S603 (running what the program asks for is the method)
            [command, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(environment),
            cwd=folder,
            start_new_session=True,
        )
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self.output = LineReader(self._process.stdout)
        self.errors = LineReader(self._process.stderr)

    def write_line(self, octets: bytes) -> bool:
        """Write a line; false when the program has ended or closed its input."""
        pipe = self._process.stdin
        if pipe is None or pipe.closed or self._process.poll() is not None:
            return False
        try:
            pipe.write(octets + b"\n")
            pipe.flush()
        except OSError:
            return False
        return True

    @property
    def exit_code(self) -> int | None:
        """The code with which it ended; None while it runs."""
        return self._process.poll()

    def wait(self) -> int:
        """The code with which it ends."""
        return self._process.wait()

    def close(self) -> None:
        """Close its input; end it with all that it started, if that does not end it at once."""
        pipe = self._process.stdin
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
        if self._process.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGTERM)

    def end(self) -> None:
        """End it and give back what it holds, in a thread: nobody waits for it."""
        self.close()
        threading.Thread(target=self._reap, name="beamtalk-program-end", daemon=True).start()

    def _reap(self) -> None:
        try:
            self._process.wait(GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        self.output.close()
        self.errors.close()
