"""Primitives of Timer (actors.md 12, stdlib.md 4.15)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lang.runtime.blocks import Block, check_block
from lang.runtime.classes import ClassObject
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.processes.actor_faults import type_error
from lang.runtime.processes.actor_system import actors_of
from lang.runtime.processes.alarms import Alarm, Repeats
from lang.runtime.processes.durations import delay

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

TIMER = PrimitiveTable("Timer")


@TIMER.runtime_primitive("after:do:", class_side=True)
def after_do(runtime: Runtime, self: ClassObject, ms: object, block: object) -> Alarm:
    seconds = delay(runtime, ms, "after:do:")
    return Alarm(actors_of(runtime), seconds, _block(block, "after:do:"), Repeats.ONCE)


@TIMER.runtime_primitive("every:do:", class_side=True)
def every_do(runtime: Runtime, self: ClassObject, ms: object, block: object) -> Alarm:
    seconds = delay(runtime, ms, "every:do:")
    if seconds == 0:
        raise type_error("Timer", "every:do:", "A repeating timer needs a delay above 0.")
    return Alarm(actors_of(runtime), seconds, _block(block, "every:do:"), Repeats.FOR_EVER)


def _block(block: object, selector: str) -> Block:
    try:
        check_block(block, 0, selector, "Timer")
    except Exception as error:
        raise type_error("Timer", selector, "A timer runs a block without arguments.") from error
    return block  # type: ignore[return-value]


@TIMER.runtime_primitive("sleep:", class_side=True)
def sleep(runtime: Runtime, self: ClassObject, ms: object) -> None:
    actors_of(runtime).scheduler.sleep(delay(runtime, ms, "sleep:"))


@TIMER.primitive("cancel")
def cancel(self: Alarm) -> bool:
    return self.cancel()


@TIMER.primitive("isActive")
def is_active(self: Alarm) -> bool:
    return self.is_active


@TIMER.primitive("printString")
def print_string(self: Alarm) -> str:
    return "Timer(active)" if self.is_active else "Timer(inactive)"
