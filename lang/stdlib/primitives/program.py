"""Primitives of Program (stdlib.md 4.13)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lang.runtime.primitive import PrimitiveTable
from lang.stdlib.exiting import end_program
from lang.stdlib.services import services_of

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

PROGRAM = PrimitiveTable("Program")


@PROGRAM.runtime_primitive("commandName", class_side=True)
def command_name(runtime: Runtime, _self: object) -> str:
    return services_of(runtime).command_name


@PROGRAM.runtime_primitive("exit", class_side=True)
def leave(runtime: Runtime, _self: object) -> None:
    end_program(runtime, 0, "Program", "exit")


@PROGRAM.runtime_primitive("exit:", class_side=True)
def leave_with(runtime: Runtime, _self: object, code: object) -> None:
    end_program(runtime, code, "Program", "exit:")
