"""Primitives of ErlangModule (stdlib.md 8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lang.runtime.primitive import PrimitiveTable
from lang.stdlib import arguments as expect
from lang.stdlib import gateway

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

ERLANG_MODULE = PrimitiveTable("ErlangModule")


@ERLANG_MODULE.runtime_primitive("call:with:")
def call(runtime: Runtime, self: gateway.HostModule, selector: object, arguments: object) -> object:
    name = expect.name(selector, "ErlangModule", "doesNotUnderstand:args:")
    values = expect.elements(arguments, "ErlangModule", "doesNotUnderstand:args:")
    return gateway.call(runtime, self, name, tuple(values))


@ERLANG_MODULE.primitive("printString")
def print_string(self: gateway.HostModule) -> str:
    return f"ErlangModule({self.name})"
