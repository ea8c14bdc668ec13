"""Primitives of Console (stdlib.md 4.13). Closed and broken streams are ignored."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

from lang.runtime.primitive import PrimitiveTable
from lang.stdlib import arguments as expect
from lang.stdlib.blocking import run_blocking
from lang.stdlib.services import services_of

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

CONSOLE = PrimitiveTable("Console")


@CONSOLE.runtime_primitive("print:", class_side=True)
def print_text(runtime: Runtime, _self: object, value: object) -> None:
    _write(services_of(runtime).output, runtime.display_string(value))


@CONSOLE.runtime_primitive("printLine:", class_side=True)
def print_line(runtime: Runtime, _self: object, value: object) -> None:
    _write(services_of(runtime).output, f"{runtime.display_string(value)}\n")


@CONSOLE.runtime_primitive("error:", class_side=True)
def error_text(runtime: Runtime, _self: object, value: object) -> None:
    _write(services_of(runtime).errors, runtime.display_string(value))


@CONSOLE.runtime_primitive("errorLine:", class_side=True)
def error_line(runtime: Runtime, _self: object, value: object) -> None:
    _write(services_of(runtime).errors, f"{runtime.display_string(value)}\n")


@CONSOLE.runtime_primitive("flush", class_side=True)
def flush(runtime: Runtime, _self: object) -> None:
    _flush(services_of(runtime).output)
    _flush(services_of(runtime).errors)


@CONSOLE.runtime_primitive("readLine", class_side=True)
def read_line(runtime: Runtime, _self: object) -> str | None:
    return _line(runtime)


@CONSOLE.runtime_primitive("readLine:", class_side=True)
def read_line_after(runtime: Runtime, _self: object, prompt: object) -> str | None:
    output = services_of(runtime).output
    _write(output, expect.text(prompt, "Console", "readLine:"))
    _flush(output)
    return _line(runtime)


def _line(runtime: Runtime) -> str | None:
    source = services_of(runtime).input
    try:
        line = run_blocking(runtime, source.readline)
    except (OSError, ValueError):
        return None
    return line.removesuffix("\n").removesuffix("\r") if line else None


def _write(stream: TextIO, text: str) -> None:
    try:
        stream.write(text)
    except (OSError, ValueError):
        return


def _flush(stream: TextIO) -> None:
    try:
        stream.flush()
    except (OSError, ValueError):
        return
