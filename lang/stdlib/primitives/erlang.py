"""Primitives of Erlang (stdlib.md 8)."""

from __future__ import annotations

from lang.runtime.classes import ClassObject
from lang.runtime.errors import BeamtalkError
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.symbols import Symbol
from lang.stdlib.gateway import HostModule, module_named

ERLANG = PrimitiveTable("Erlang")


@ERLANG.primitive("module:arguments:", class_side=True)
def module(_self: ClassObject, selector: object, arguments: object) -> HostModule:
    name = selector.name if isinstance(selector, Symbol) else ""
    if ":" in name or not name:
        raise BeamtalkError("does_not_understand", class_name="Erlang", selector=name or None)
    return module_named(name)
