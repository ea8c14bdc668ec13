"""Primitives of PythonObject: opaque objects of the host (language.md 4.19)."""

from __future__ import annotations

from lang.runtime.primitive import PrimitiveTable

PYTHON_OBJECT = PrimitiveTable("PythonObject")


@PYTHON_OBJECT.primitive("printString")
def print_string(self: object) -> str:
    return f"PythonObject({type(self).__module__}.{type(self).__qualname__})"
