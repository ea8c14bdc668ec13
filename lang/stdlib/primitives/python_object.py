"""Primitives of PythonObject: opaque objects of the host (language.md 4.19)."""

from __future__ import annotations

from types import FunctionType

from lang.runtime.collections.lists import BtList
from lang.runtime.collections.streams import BtStream
from lang.runtime.primitive import PrimitiveTable
from lang.stdlib import arguments as expect
from lang.stdlib import host_sends
from lang.stdlib.host_values import HostFunction, called, from_python, to_python

PYTHON_OBJECT = PrimitiveTable("PythonObject")


@PYTHON_OBJECT.primitive("call:with:")
def call_with(self: object, selector: object, arguments: object) -> object:
    name = expect.name(selector, "PythonObject", "doesNotUnderstand:args:")
    values = list(expect.elements(arguments, "PythonObject", "doesNotUnderstand:args:"))
    return host_sends.send(to_python(self), name, values)


@PYTHON_OBJECT.primitive("callWith:")
def call(self: object, arguments: object) -> object:
    values = list(expect.elements(arguments, "PythonObject", "callWith:"))
    return called(to_python(self), values)


@PYTHON_OBJECT.primitive("attribute:")
def attribute(self: object, name: object) -> object:
    found = host_sends.attribute_of(to_python(self), expect.name(name, "PythonObject", "attribute:"))
    return from_python(found)


@PYTHON_OBJECT.primitive("at:")
def at(self: object, key: object) -> object:
    return host_sends.item_of(self, key)


@PYTHON_OBJECT.primitive("at:put:")
def at_put(self: object, key: object, value: object) -> object:
    return host_sends.put_item(self, key, value)


@PYTHON_OBJECT.primitive("do:")
def do(self: object, block: object) -> None:
    action = expect.checked_block(block, 1, "PythonObject", "do:")
    for value in host_sends.values_of(self):
        action(value)


@PYTHON_OBJECT.primitive("asList")
def as_list(self: object) -> BtList:
    return host_sends.list_of_values(self)


@PYTHON_OBJECT.primitive("stream")
def stream(self: object) -> BtStream:
    return host_sends.stream_of_values(self)


@PYTHON_OBJECT.primitive("use:")
def use(self: object, block: object) -> object:
    return host_sends.used(self, expect.checked_block(block, 1, "PythonObject", "use:"))


@PYTHON_OBJECT.primitive("asString")
def as_string(self: object) -> object:
    return called(str, [self])


@PYTHON_OBJECT.primitive("printString")
def print_string(self: object) -> str:
    kind = FunctionType if isinstance(self, HostFunction) else type(self)
    return f"PythonObject({kind.__module__}.{kind.__qualname__})"
