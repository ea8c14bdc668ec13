"""Primitives of Erlang (stdlib.md 8)."""

from __future__ import annotations

from lang.runtime.classes import ClassObject
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.symbols import Symbol
from lang.stdlib.gateway import HostModule, unsupported

ERLANG = PrimitiveTable("Erlang")


@ERLANG.primitive("erlang", class_side=True)
def erlang(self: ClassObject) -> HostModule:
    return HostModule("erlang")


@ERLANG.primitive("maps", class_side=True)
def maps(self: ClassObject) -> HostModule:
    return HostModule("maps")


@ERLANG.primitive("refuse:", class_side=True)
def refuse(self: ClassObject, selector: Symbol) -> object:
    raise unsupported(selector.name, selector.name)
