"""Primitives of PythonInThread: modules and objects of the host whose functions run in a thread (language.md 4.19)."""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING

from lang.runtime.primitive import PrimitiveTable
from lang.stdlib import arguments as expect
from lang.stdlib import host_sends
from lang.stdlib.host_calls import Place, called
from lang.stdlib.host_values import BtInThread, BtPythonModule

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

PYTHON_IN_THREAD = PrimitiveTable("PythonInThread")


@PYTHON_IN_THREAD.runtime_primitive("call:with:")
def call_with(runtime: Runtime, self: BtInThread, selector: object, arguments: object) -> object:
    name = expect.name(selector, "PythonInThread", "doesNotUnderstand:args:")
    values = list(expect.elements(arguments, "PythonInThread", "doesNotUnderstand:args:"))
    found = host_sends.send(runtime, self.target, name, values, Place.IN_THREAD)
    return BtInThread(found.module) if isinstance(found, BtPythonModule) else found


@PYTHON_IN_THREAD.runtime_primitive("callWith:")
def call(runtime: Runtime, self: BtInThread, arguments: object) -> object:
    values = list(expect.elements(arguments, "PythonInThread", "callWith:"))
    return called(runtime, self.target, values, Place.IN_THREAD)  # type: ignore[arg-type]


@PYTHON_IN_THREAD.primitive("printString")
def print_string(self: BtInThread) -> str:
    target = self.target
    title = target.__name__ if isinstance(target, ModuleType) else type(target).__qualname__
    return f"PythonInThread({title})"
