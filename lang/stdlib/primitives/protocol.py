"""Primitives of Protocol (stdlib.md 4.19, language.md 4.18)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lang.runtime.collections.lists import BtList, list_of
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.symbols import symbol
from lang.stdlib import arguments as expect
from lang.stdlib import protocols
from lang.syntax.units import Side

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

PROTOCOL = PrimitiveTable("Protocol")


@PROTOCOL.runtime_primitive("requiredMethods:", class_side=True)
def required_methods(runtime: Runtime, _self: object, name: object) -> BtList:
    protocol = protocols.named(runtime, expect.name(name, "Protocol", "requiredMethods:"))
    if protocol is None:
        return list_of([])
    required = dict.fromkeys(protocols.required(runtime, protocol))
    return list_of([symbol(f"class {s}" if side is Side.CLASS else s) for s, side in required])


@PROTOCOL.runtime_primitive("conformingClasses:", class_side=True)
def conforming_classes(runtime: Runtime, _self: object, name: object) -> BtList:
    protocol = protocols.named(runtime, expect.name(name, "Protocol", "conformingClasses:"))
    if protocol is None:
        return list_of([])
    return list_of([symbol(c.name) for c in protocols.conforming(runtime, protocol)])


@PROTOCOL.runtime_primitive("isProtocol:", class_side=True)
def is_protocol(runtime: Runtime, _self: object, name: object) -> bool:
    return protocols.named(runtime, expect.name(name, "Protocol", "isProtocol:")) is not None


@PROTOCOL.runtime_primitive("allProtocols", class_side=True)
def all_protocols(runtime: Runtime, _self: object) -> BtList:
    return list_of([symbol(text) for text in sorted(p.name for p in protocols.every(runtime))])
