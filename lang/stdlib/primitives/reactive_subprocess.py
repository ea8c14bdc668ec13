"""Primitives of ReactiveSubprocess (stdlib.md 5.3): threads read, the actor to notify gets casts."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from lang.runtime.classes import ClassObject
from lang.runtime.errors import BeamtalkError
from lang.runtime.instances import ActorObject
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.processes.actor_system import ActorSystem, actors_of
from lang.stdlib import arguments as expect
from lang.stdlib.octets import value_of_octets
from lang.stdlib.programs import as_result, opened, program_of, write_line
from lang.stdlib.subprocesses import LineReader, OsProgram

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

REACTIVE_SUBPROCESS = PrimitiveTable("ReactiveSubprocess")
_OPEN = "open:args:env:dir:notify:"


@REACTIVE_SUBPROCESS.runtime_primitive(_OPEN, class_side=True)
def open_program(
    runtime: Runtime,
    self: ClassObject,
    command: object,
    arguments: object,
    env: object,
    folder: object,
    notify: object,
) -> object:
    if not isinstance(notify, ActorObject):
        raise expect.type_error("ReactiveSubprocess", _OPEN, "Expected an actor to notify")
    started = opened(runtime, self, _OPEN, command, arguments, env, folder)
    if not isinstance(started, BeamtalkError):
        _watch(actors_of(runtime), started, notify)
    return as_result(runtime, started)


@REACTIVE_SUBPROCESS.primitive("writeLine:")
def write(self: ActorObject, data: object) -> None:
    write_line(self, data, "writeLine:")


@REACTIVE_SUBPROCESS.primitive("exitCode")
def exit_code(self: ActorObject) -> int | None:
    return program_of(self, "exitCode").exit_code


@REACTIVE_SUBPROCESS.primitive("close")
def close(self: ActorObject) -> None:
    program_of(self, "close").close()


def _watch(system: ActorSystem, actor: ActorObject, notify: ActorObject) -> None:
    """Start the threads that read; the exit is told after the last line."""
    program = program_of(actor, _OPEN)

    def tell(selector: str, value: object) -> None:
        system.scheduler.call_soon(lambda: system.cast(notify, selector, (value, actor)))

    def pump(reader: LineReader, selector: str) -> None:
        while (line := reader.next_line(None)) is not None:
            tell(selector, value_of_octets(line))

    readers = [
        threading.Thread(target=pump, args=(program.output, "subprocessLine:from:"), daemon=True),
        threading.Thread(target=pump, args=(program.errors, "subprocessStderrLine:from:"), daemon=True),
    ]
    for reader in readers:
        reader.start()
    threading.Thread(target=lambda: _tell_exit(program, readers, tell), daemon=True).start()


def _tell_exit(program: OsProgram, readers: list[threading.Thread], tell: object) -> None:
    for reader in readers:
        reader.join()
    assert callable(tell)
    tell("subprocessExit:from:", program.wait())
