"""Primitives of Subprocess (stdlib.md 5.3); they run at the sender, so that a wait parks the sender only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lang.runtime.classes import ClassObject
from lang.runtime.collections.streams import BtStream, stream_of_resource
from lang.runtime.instances import ActorObject
from lang.runtime.primitive import PrimitiveTable
from lang.stdlib import arguments as expect
from lang.stdlib.blocking import run_blocking
from lang.stdlib.octets import value_of_octets
from lang.stdlib.programs import as_result, opened, program_of, write_line
from lang.stdlib.subprocesses import LineReader

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

SUBPROCESS = PrimitiveTable("Subprocess")


@SUBPROCESS.runtime_primitive("open:args:env:dir:", class_side=True)
def open_program(
    runtime: Runtime, self: ClassObject, command: object, arguments: object, env: object, folder: object
) -> object:
    return as_result(runtime, opened(runtime, self, "open:args:env:dir:", command, arguments, env, folder))


@SUBPROCESS.primitive("writeLine:")
def write(self: ActorObject, data: object) -> None:
    write_line(self, data, "writeLine:")


@SUBPROCESS.runtime_primitive("readLine")
def read_line(runtime: Runtime, self: ActorObject) -> object:
    return _line(runtime, program_of(self, "readLine").output, None)


@SUBPROCESS.runtime_primitive("readLine:")
def read_line_within(runtime: Runtime, self: ActorObject, timeout: object) -> object:
    limit = expect.natural(timeout, "Subprocess", "readLine:") / 1000
    return _line(runtime, program_of(self, "readLine:").output, limit)


@SUBPROCESS.runtime_primitive("readStderrLine")
def read_error_line(runtime: Runtime, self: ActorObject) -> object:
    return _line(runtime, program_of(self, "readStderrLine").errors, None)


@SUBPROCESS.runtime_primitive("readStderrLine:")
def read_error_line_within(runtime: Runtime, self: ActorObject, timeout: object) -> object:
    limit = expect.natural(timeout, "Subprocess", "readStderrLine:") / 1000
    return _line(runtime, program_of(self, "readStderrLine:").errors, limit)


@SUBPROCESS.runtime_primitive("lines")
def lines(runtime: Runtime, self: ActorObject) -> BtStream:
    return _stream(runtime, program_of(self, "lines").output)


@SUBPROCESS.runtime_primitive("stderrLines")
def error_lines(runtime: Runtime, self: ActorObject) -> BtStream:
    return _stream(runtime, program_of(self, "stderrLines").errors)


@SUBPROCESS.primitive("exitCode")
def exit_code(self: ActorObject) -> int | None:
    return program_of(self, "exitCode").exit_code


@SUBPROCESS.primitive("close")
def close(self: ActorObject) -> None:
    program_of(self, "close").close()


class _Lines(Iterator[object]):
    """The lines of a pipe, each awaited when it is pulled."""

    def __init__(self, runtime: Runtime, reader: LineReader) -> None:
        self._runtime = runtime
        self._reader = reader

    def __next__(self) -> object:
        line = _line(self._runtime, self._reader, None)
        if line is None:
            raise StopIteration
        return line


def _stream(runtime: Runtime, reader: LineReader) -> BtStream:
    return stream_of_resource("on: Subprocess", lambda: _Lines(runtime, reader), lambda _lines: None)


def _line(runtime: Runtime, reader: LineReader, seconds: float | None) -> object:
    line = run_blocking(runtime, lambda: reader.next_line(seconds))
    return None if line is None else value_of_octets(line)
