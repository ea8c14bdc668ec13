"""Primitives of PythonModule (language.md 4.19)."""

from __future__ import annotations

from lang.runtime.primitive import PrimitiveTable
from lang.stdlib import arguments as expect
from lang.stdlib.host_sends import send
from lang.stdlib.host_values import BtPythonModule

PYTHON_MODULE = PrimitiveTable("PythonModule")


@PYTHON_MODULE.primitive("call:with:")
def call_with(self: BtPythonModule, selector: object, arguments: object) -> object:
    name = expect.name(selector, "PythonModule", "doesNotUnderstand:args:")
    values = list(expect.elements(arguments, "PythonModule", "doesNotUnderstand:args:"))
    return send(self.module, name, values)


@PYTHON_MODULE.primitive("printString")
def print_string(self: BtPythonModule) -> str:
    return f"PythonModule({self.module.__name__})"
