"""Primitives of PythonModule (language.md 4.19)."""

from __future__ import annotations

import importlib
from contextlib import suppress

from lang.runtime.primitive import PrimitiveTable
from lang.stdlib import arguments as expect
from lang.stdlib.host_values import BtPythonModule, called, from_python, python_error

PYTHON_MODULE = PrimitiveTable("PythonModule")


@PYTHON_MODULE.primitive("call:with:")
def call_with(self: BtPythonModule, selector: object, arguments: object) -> object:
    name = expect.name(selector, "PythonModule", "doesNotUnderstand:args:").partition(":")[0]
    values = list(expect.elements(arguments, "PythonModule", "doesNotUnderstand:args:"))
    attribute = _attribute(self, name)
    if callable(attribute):
        return called(attribute, values)
    if values:
        raise python_error(TypeError(f"{self.module.__name__}.{name} is not callable"))
    return from_python(attribute)


@PYTHON_MODULE.primitive("printString")
def print_string(self: BtPythonModule) -> str:
    return f"PythonModule({self.module.__name__})"


def _attribute(module: BtPythonModule, name: str) -> object:
    """The attribute, or the submodule, of that name."""
    found: object = getattr(module.module, name, None)
    if found is None and name not in vars(module.module):
        full_name = f"{module.module.__name__}.{name}"
        with suppress(ImportError):
            return importlib.import_module(full_name)
        raise python_error(AttributeError(f"module '{module.module.__name__}' has no attribute '{name}'"))
    return found
