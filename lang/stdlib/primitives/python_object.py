"""Primitives of PythonObject: opaque objects of the host (language.md 4.19)."""

from __future__ import annotations

from types import FunctionType
from typing import TYPE_CHECKING

from lang.runtime.collections.lists import BtList
from lang.runtime.collections.streams import BtStream
from lang.runtime.primitive import PrimitiveTable
from lang.stdlib import arguments as expect
from lang.stdlib import host_sends
from lang.stdlib.host_calls import called
from lang.stdlib.host_values import BtInThread, HostFunction, from_python, to_python

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

PYTHON_OBJECT = PrimitiveTable("PythonObject")


@PYTHON_OBJECT.runtime_primitive("call:with:")
def call_with(runtime: Runtime, self: object, selector: object, arguments: object) -> object:
    name = expect.name(selector, "PythonObject", "doesNotUnderstand:args:")
    values = list(expect.elements(arguments, "PythonObject", "doesNotUnderstand:args:"))
    return host_sends.send(runtime, to_python(self), name, values)


@PYTHON_OBJECT.runtime_primitive("callWith:")
def call(runtime: Runtime, self: object, arguments: object) -> object:
    values = list(expect.elements(arguments, "PythonObject", "callWith:"))
    return called(runtime, to_python(self), values)


@PYTHON_OBJECT.primitive("inThread")
def in_thread(self: object) -> BtInThread:
    return BtInThread(to_python(self))


@PYTHON_OBJECT.primitive("attribute:")
def attribute(self: object, name: object) -> object:
    found = host_sends.attribute_of(to_python(self), expect.name(name, "PythonObject", "attribute:"))
    return from_python(found)


@PYTHON_OBJECT.runtime_primitive("at:")
def at(runtime: Runtime, self: object, key: object) -> object:
    return host_sends.item_of(runtime, self, key)


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


@PYTHON_OBJECT.runtime_primitive("asString")
def as_string(runtime: Runtime, self: object) -> object:
    return called(runtime, str, [self])


@PYTHON_OBJECT.primitive("printString")
def print_string(self: object) -> str:
    kind = FunctionType if isinstance(self, HostFunction) else type(self)
    return f"PythonObject({kind.__module__}.{kind.__qualname__})"
