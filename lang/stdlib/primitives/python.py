"""Primitives of Python, the gateway to the host (language.md 4.19)."""

from __future__ import annotations

import importlib

from lang.runtime.errors import BeamtalkError
from lang.runtime.primitive import PrimitiveTable
from lang.stdlib import arguments as expect
from lang.stdlib.host_values import BtPythonModule, python_error

PYTHON = PrimitiveTable("Python")


@PYTHON.primitive("moduleFor:arguments:", class_side=True)
def module_for(_self: object, selector: object, arguments: object) -> BtPythonModule:
    name = expect.name(selector, "Python", "doesNotUnderstand:args:")
    if len(expect.elements(arguments, "Python", "doesNotUnderstand:args:")):
        raise BeamtalkError("does_not_understand", class_name="Python", selector=name)
    try:
        return BtPythonModule(importlib.import_module(name))
    except Exception as fault:
        raise python_error(fault) from fault
