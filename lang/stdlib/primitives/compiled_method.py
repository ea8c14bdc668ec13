"""Primitives of CompiledMethod (stdlib.md 4.19)."""

from __future__ import annotations

from lang.runtime.primitive import PrimitiveTable
from lang.runtime.reflection import BtCompiledMethod
from lang.runtime.symbols import Symbol, symbol

COMPILED_METHOD = PrimitiveTable("CompiledMethod")


@COMPILED_METHOD.primitive("selector")
def selector(self: BtCompiledMethod) -> Symbol:
    return symbol(self.method.selector)


@COMPILED_METHOD.primitive("source")
def source(self: BtCompiledMethod) -> str | None:
    return self.source


@COMPILED_METHOD.primitive("doc")
def doc(self: BtCompiledMethod) -> str | None:
    return self.method.doc


@COMPILED_METHOD.primitive("argumentCount")
def argument_count(self: BtCompiledMethod) -> int:
    return self.method.arity


@COMPILED_METHOD.primitive("printString")
def print_string(self: BtCompiledMethod) -> str:
    return f"CompiledMethod({self.method.selector})"


@COMPILED_METHOD.primitive("asString")
def as_string(self: BtCompiledMethod) -> str:
    return print_string(self)
