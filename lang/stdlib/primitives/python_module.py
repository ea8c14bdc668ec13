"""Primitives of PythonModule (language.md 4.19)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lang.runtime.primitive import PrimitiveTable
from lang.stdlib import arguments as expect
from lang.stdlib.host_sends import send
from lang.stdlib.host_values import BtInThread, BtPythonModule

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

PYTHON_MODULE = PrimitiveTable("PythonModule")


@PYTHON_MODULE.runtime_primitive("call:with:")
def call_with(runtime: Runtime, self: BtPythonModule, selector: object, arguments: object) -> object:
    name = expect.name(selector, "PythonModule", "doesNotUnderstand:args:")
    values = list(expect.elements(arguments, "PythonModule", "doesNotUnderstand:args:"))
    return send(runtime, self.module, name, values)


@PYTHON_MODULE.primitive("inThread")
def in_thread(self: BtPythonModule) -> BtInThread:
    return BtInThread(self.module)


@PYTHON_MODULE.primitive("printString")
def print_string(self: BtPythonModule) -> str:
    return f"PythonModule({self.module.__name__})"
