"""Primitives of OS: shell commands (stdlib.md 4.13)."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from lang.runtime.errors import BeamtalkError
from lang.runtime.primitive import PrimitiveTable
from lang.stdlib import arguments as expect
from lang.stdlib.blocking import run_blocking
from lang.stdlib.octets import value_of_octets
from lang.stdlib.services import services_of

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

OS = PrimitiveTable("OS")
DEFAULT_LIMIT: Final = 30_000
CHUNK: Final = 65_536
MAX_OUTPUT: Final = 10 * 1024 * 1024


@OS.runtime_primitive("run:", class_side=True)
def run(runtime: Runtime, _self: object, command: object) -> object:
    return _output(runtime, command, DEFAULT_LIMIT, "run:")


@OS.runtime_primitive("run:timeout:", class_side=True)
def run_within(runtime: Runtime, _self: object, command: object, milliseconds: object) -> object:
    return _output(runtime, command, expect.natural(milliseconds, "OS", "run:timeout:"), "run:timeout:")


def _output(runtime: Runtime, command: object, limit: int, selector: str) -> object:
    text = expect.text(command, "OS", selector)
    if "\0" in text:
        raise expect.type_error("OS", selector, "A command has no NUL")
    environment = dict(services_of(runtime).environment)
    octets = run_blocking(runtime, lambda: _communicate(text, environment, limit / 1000))
    if octets is None:
        raise BeamtalkError("timeout", class_name="OS", selector=selector)
    if len(octets) > MAX_OUTPUT:
        raise BeamtalkError("output_too_large", class_name="OS", selector=selector)
    return value_of_octets(octets.rstrip())


def _communicate(command: str, environment: dict[str, str], seconds: float) -> bytes | None:
    """What the command writes, or None when it takes longer; the whole process group is ended then.

    More than the limit is not read: one byte above it says that there is more.
    """
    with subprocess.Popen(  # noqa: S603 (running what the program asks for is the method)
        ["/bin/sh", "-c", command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        env=environment,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        octets = _read_until(process.stdout.fileno(), time.monotonic() + seconds)
        is_done = octets is not None and len(octets) <= MAX_OUTPUT and _ends(process, seconds)
        if not is_done:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            return octets if octets is not None and len(octets) > MAX_OUTPUT else None
        return octets


def _read_until(descriptor: int, deadline: float) -> bytes | None:
    pieces: list[bytes] = []
    left = MAX_OUTPUT + 1
    while left > 0:
        ready, _, _ = select.select([descriptor], [], [], max(deadline - time.monotonic(), 0))
        if not ready:
            return None
        piece = os.read(descriptor, min(left, CHUNK))
        if not piece:
            break
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)


def _ends(process: subprocess.Popen[bytes], seconds: float) -> bool:
    """Whether a command that has closed its output ends in time."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return False
    return True
