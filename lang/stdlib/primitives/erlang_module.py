"""Primitives of ErlangModule (stdlib.md 8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lang.runtime.collections.lists import BtList
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.symbols import Symbol
from lang.stdlib import gateway

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

ERLANG_MODULE = PrimitiveTable("ErlangModule")


@ERLANG_MODULE.runtime_primitive("call:with:")
def call(runtime: Runtime, self: gateway.HostModule, selector: Symbol, arguments: BtList) -> object:
    return gateway.call(runtime, self, selector.name, tuple(arguments))


@ERLANG_MODULE.primitive("printString")
def print_string(self: gateway.HostModule) -> str:
    return f"ErlangModule({self.name})"
