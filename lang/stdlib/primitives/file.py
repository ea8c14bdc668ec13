"""Primitives of File (stdlib.md 4.12)."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from lang.runtime.blocks import Block
from lang.runtime.collections.arrays import BtArray, array_of
from lang.runtime.collections.lists import list_from
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.processes.process import Process
from lang.runtime.symbols import symbol
from lang.stdlib import arguments as expect
from lang.stdlib.blocking import run_sized
from lang.stdlib.file_streams import stream_of_file
from lang.stdlib.files import BtFileHandle, Mode, kind_of, size_of
from lang.stdlib.octets import octets_of, value_of_octets
from lang.stdlib.results import failure
from lang.stdlib.running import running_process
from lang.stdlib.services import services_of
from lang.stdlib.times import datetime_at

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

FILE = PrimitiveTable("File")


@FILE.primitive("exists:", class_side=True)
def exists(_self: object, path: object) -> bool:
    return _asked(path, Path.is_file)


@FILE.primitive("isFile:", class_side=True)
def is_file(_self: object, path: object) -> bool:
    return _asked(path, Path.is_file)


@FILE.primitive("isDirectory:", class_side=True)
def is_directory(_self: object, path: object) -> bool:
    return _asked(path, Path.is_dir)


@FILE.runtime_primitive("readAll:", class_side=True)
def read_all(runtime: Runtime, _self: object, path: object) -> object:
    place = _path(path, "readAll:")
    return _tried(runtime, "readAll:", lambda: value_of_octets(place.read_bytes()), size_of(place))


@FILE.runtime_primitive("readBinary:", class_side=True)
def read_binary(runtime: Runtime, _self: object, path: object) -> object:
    place = _path(path, "readBinary:")
    return _tried(runtime, "readBinary:", lambda: value_of_octets(place.read_bytes()), size_of(place))


@FILE.runtime_primitive("writeAll:contents:", class_side=True)
def write_all(runtime: Runtime, _self: object, path: object, text: object) -> object:
    selector = "writeAll:contents:"
    octets = expect.text(text, "File", selector).encode()
    return _written(runtime, _path(path, selector), octets, selector)


@FILE.runtime_primitive("writeBinary:contents:", class_side=True)
def write_binary(runtime: Runtime, _self: object, path: object, binary: object) -> object:
    selector = "writeBinary:contents:"
    return _written(runtime, _path(path, selector), octets_of(binary, "File", selector), selector)


@FILE.runtime_primitive("appendBinary:contents:", class_side=True)
def append_binary(runtime: Runtime, _self: object, path: object, binary: object) -> object:
    selector = "appendBinary:contents:"
    place, octets = _path(path, selector), octets_of(binary, "File", selector)

    def append() -> None:
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.open("ab") as file:
            file.write(octets)

    return _tried(runtime, selector, append, len(octets))


@FILE.runtime_primitive("lines:", class_side=True)
def lines(runtime: Runtime, _self: object, path: object) -> object:
    place = _path(path, "lines:")

    def opened() -> object:
        place.open("rb").close()
        return stream_of_file(str(place))

    return _tried(runtime, "lines:", opened)


@FILE.runtime_primitive("open:do:", class_side=True)
def open_do(runtime: Runtime, _self: object, path: object, block: object) -> object:
    place, action = _path(path, "open:do:"), expect.checked_block(block, 1, "File", "open:do:")
    return _with_handle(runtime, place, Mode.READ, action, "open:do:")


@FILE.runtime_primitive("open:mode:", class_side=True)
def open_mode(runtime: Runtime, _self: object, path: object, mode: object) -> object:
    place, wanted = _path(path, "open:mode:"), _mode(mode, "open:mode:")
    if wanted is None:
        return failure(runtime, "type_error", "File", "open:mode:")
    return _tried(runtime, "open:mode:", lambda: _opened(runtime, place, wanted))


@FILE.runtime_primitive("open:mode:do:", class_side=True)
def open_mode_do(runtime: Runtime, _self: object, path: object, mode: object, block: object) -> object:
    selector = "open:mode:do:"
    place, wanted = _path(path, selector), _mode(mode, selector)
    action = expect.checked_block(block, 1, "File", selector)
    if wanted is None:
        return failure(runtime, "type_error", "File", selector)
    return _with_handle(runtime, place, wanted, action, selector)


@FILE.runtime_primitive("lastModified:", class_side=True)
def last_modified(runtime: Runtime, _self: object, path: object) -> object:
    place = _path(path, "lastModified:")
    return _tried(runtime, "lastModified:", lambda: datetime_at(int(place.stat().st_mtime)))


@FILE.runtime_primitive("mkdir:", class_side=True)
def mkdir(runtime: Runtime, _self: object, path: object) -> object:
    return _tried(runtime, "mkdir:", _path(path, "mkdir:").mkdir)


@FILE.runtime_primitive("mkdirAll:", class_side=True)
def mkdir_all(runtime: Runtime, _self: object, path: object) -> object:
    place = _path(path, "mkdirAll:")
    return _tried(runtime, "mkdirAll:", lambda: place.mkdir(parents=True, exist_ok=True))


@FILE.runtime_primitive("listDirectory:", class_side=True)
def list_directory(runtime: Runtime, _self: object, path: object) -> object:
    place = _path(path, "listDirectory:")
    return _tried(
        runtime, "listDirectory:", lambda: list_from(sorted([entry.name for entry in place.iterdir()]))
    )


@FILE.runtime_primitive("delete:", class_side=True)
def delete(runtime: Runtime, _self: object, path: object) -> object:
    place = _path(path, "delete:")

    def remove() -> None:
        if place.is_dir() and not place.is_symlink():
            place.rmdir()
        else:
            place.unlink()

    return _tried(runtime, "delete:", remove)


@FILE.runtime_primitive("deleteAll:", class_side=True)
def delete_all(runtime: Runtime, _self: object, path: object) -> object:
    place = _path(path, "deleteAll:")

    def remove() -> None:
        if place.is_dir() and not place.is_symlink():
            shutil.rmtree(place)
        else:
            place.unlink()

    return _tried(runtime, "deleteAll:", remove, None)


@FILE.runtime_primitive("rename:to:", class_side=True)
def rename_to(runtime: Runtime, _self: object, path: object, target: object) -> object:
    source, place = _path(path, "rename:to:"), _path(target, "rename:to:")

    def rename() -> None:
        source.rename(place)

    return _tried(runtime, "rename:to:", rename)


@FILE.runtime_primitive("absolutePath:", class_side=True)
def absolute_path(runtime: Runtime, _self: object, path: object) -> object:
    place = _path(path, "absolutePath:")
    return _tried(runtime, "absolutePath:", lambda: os.path.abspath(place))  # noqa: PTH100 (`..` goes, symlinks stay)


@FILE.primitive("cwd", class_side=True)
def cwd(_self: object) -> str:
    return str(Path.cwd())


@FILE.primitive("tempDirectory", class_side=True)
def temp_directory(_self: object) -> str:
    import tempfile  # noqa: PLC0415 (6 ms, and few programs ask)

    return tempfile.gettempdir()


@FILE.runtime_primitive("openHandles", class_side=True)
def open_handles(runtime: Runtime, _self: object) -> BtArray:
    handles = services_of(runtime).open_handles
    return array_of(
        [array_of([handle.path, symbol(handle.mode.value), _owner(handle)]) for handle in handles]
    )


def _owner(handle: BtFileHandle) -> object:
    return handle.owner.pid if isinstance(handle.owner, Process) else None


def _asked(path: object, question: Callable[[Path], bool]) -> bool:
    """A question about a path; what the system cannot look up (a name that is too long) is not there."""
    try:
        return _is_path(path) and question(Path(str(path)))
    except OSError:
        return False


def _is_path(path: object) -> bool:
    return isinstance(path, str) and "\0" not in path


def _path(path: object, selector: str) -> Path:
    text = expect.text(path, "File", selector)
    if "\0" in text:
        raise expect.type_error("File", selector, "A path has no NUL")
    return Path(text)


def _mode(value: object, selector: str) -> Mode | None:
    """The mode of a Symbol, None for an unknown one; raises `type_error` for what is no Symbol."""
    name = expect.name(value, "File", selector)
    return next((mode for mode in Mode if mode.value == name), None)


def _tried(
    runtime: Runtime, selector: str, operation: Callable[[], object], octets: int | None = 0
) -> object:
    """The answer of a call of the operating system as a success; its fault as a failure.

    `octets` says how many bytes it moves, None that nobody knows how long it takes.
    """
    try:
        value = run_sized(runtime, octets, operation)
    except OSError as fault:
        return failure(runtime, kind_of(fault), "File", selector, hint=fault.strerror)
    return runtime.make_result_ok(value)


def _written(runtime: Runtime, place: Path, octets: bytes, selector: str) -> object:
    def write() -> None:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(octets)

    return _tried(runtime, selector, write, len(octets))


def _opened(runtime: Runtime, place: Path, mode: Mode) -> BtFileHandle:
    services = services_of(runtime)
    if mode.writes:
        place.parent.mkdir(parents=True, exist_ok=True)
    handle = BtFileHandle(str(place), mode, running_process(runtime), services.forget_handle)
    services.open_handles.append(handle)
    return handle


def _with_handle(runtime: Runtime, place: Path, mode: Mode, action: Block, selector: str) -> object:
    try:
        handle = _opened(runtime, place, mode)
    except OSError as fault:
        return failure(runtime, kind_of(fault), "File", selector, hint=fault.strerror)
    try:
        return runtime.make_result_ok(action(handle))
    finally:
        handle.close()
