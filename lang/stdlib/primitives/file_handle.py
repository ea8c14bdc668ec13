"""Primitives of FileHandle (stdlib.md 4.12)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from lang.runtime.collections.streams import BtStream
from lang.runtime.errors import BeamtalkError
from lang.runtime.primitive import PrimitiveTable
from lang.stdlib import arguments as expect
from lang.stdlib.blocking import run_sized
from lang.stdlib.file_streams import stream_of_handle
from lang.stdlib.files import BtFileHandle, kind_of
from lang.stdlib.octets import octets_of, value_of_octets
from lang.stdlib.results import failure

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

FILE_HANDLE = PrimitiveTable("FileHandle")


@FILE_HANDLE.primitive("lines")
def lines(self: BtFileHandle) -> BtStream:
    try:
        self.check_readable()
    except OSError as fault:
        raise BeamtalkError(
            kind_of(fault), class_name="FileHandle", selector="lines", hint=fault.strerror
        ) from fault
    return stream_of_handle(self)


@FILE_HANDLE.runtime_primitive("read:")
def read(runtime: Runtime, self: BtFileHandle, count: object) -> object:
    wanted = expect.natural(count, "FileHandle", "read:")
    return _tried(
        runtime, "read:", lambda: value_of_octets(self.read(wanted)), min(wanted, self.octets_left())
    )


@FILE_HANDLE.runtime_primitive("readAll")
def read_all(runtime: Runtime, self: BtFileHandle) -> object:
    return _tried(runtime, "readAll", lambda: value_of_octets(self.read_all()), self.octets_left())


@FILE_HANDLE.runtime_primitive("write:")
def write(runtime: Runtime, self: BtFileHandle, data: object) -> object:
    octets = octets_of(data, "FileHandle", "write:")
    return _tried(runtime, "write:", lambda: self.write(octets), len(octets))


@FILE_HANDLE.runtime_primitive("writeLine:")
def write_line(runtime: Runtime, self: BtFileHandle, data: object) -> object:
    octets = octets_of(data, "FileHandle", "writeLine:") + b"\n"
    return _tried(runtime, "writeLine:", lambda: self.write(octets), len(octets))


@FILE_HANDLE.runtime_primitive("position")
def position(runtime: Runtime, self: BtFileHandle) -> object:
    return _tried(runtime, "position", self.position)


@FILE_HANDLE.runtime_primitive("seek:")
def seek(runtime: Runtime, self: BtFileHandle, offset: object) -> object:
    place = expect.natural(offset, "FileHandle", "seek:")
    return _tried(runtime, "seek:", lambda: self.seek(place))


@FILE_HANDLE.runtime_primitive("flush")
def flush(runtime: Runtime, self: BtFileHandle) -> object:
    return _tried(runtime, "flush", self.flush)


@FILE_HANDLE.runtime_primitive("sync")
def sync(runtime: Runtime, self: BtFileHandle) -> object:
    return _tried(runtime, "sync", self.sync, None)


@FILE_HANDLE.runtime_primitive("close")
def close(runtime: Runtime, self: BtFileHandle) -> object:
    return _tried(runtime, "close", self.close)


@FILE_HANDLE.primitive("isOpen")
def is_open(self: BtFileHandle) -> bool:
    return self.is_open


def _tried(
    runtime: Runtime, selector: str, operation: Callable[[], object], octets: int | None = 0
) -> object:
    """The answer as a Result; `octets` says how many bytes are moved, None that nobody knows how long it takes."""
    try:
        value = run_sized(runtime, octets, operation)
    except OSError as fault:
        return failure(runtime, kind_of(fault), "FileHandle", selector, hint=fault.strerror)
    return runtime.make_result_ok(value)
