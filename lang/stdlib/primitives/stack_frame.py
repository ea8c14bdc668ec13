"""Primitives of StackFrame (stdlib.md 4.19)."""

from __future__ import annotations

from lang.runtime.primitive import PrimitiveTable
from lang.runtime.reflection import BtStackFrame
from lang.runtime.symbols import Symbol, symbol

STACK_FRAME = PrimitiveTable("StackFrame")


@STACK_FRAME.primitive("method")
def method(self: BtStackFrame) -> Symbol:
    return symbol(self.selector)


@STACK_FRAME.primitive("receiverClass")
def receiver_class(self: BtStackFrame) -> str | None:
    return self.class_name


@STACK_FRAME.primitive("arguments")
def arguments(self: BtStackFrame) -> int:
    return self.arity


@STACK_FRAME.primitive("sourceLocation")
def source_location(self: BtStackFrame) -> str | None:
    return self.location


@STACK_FRAME.primitive("moduleName")
def module_name(self: BtStackFrame) -> str:
    return self.module


@STACK_FRAME.primitive("line")
def line(self: BtStackFrame) -> int:
    return self.line


@STACK_FRAME.primitive("file")
def file(self: BtStackFrame) -> str | None:
    return self.file


@STACK_FRAME.primitive("printString")
def print_string(self: BtStackFrame) -> str:
    return self.text
