"""Primitives of ClassBuilder (stdlib.md 4.20)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from lang.runtime.classes import ClassObject
from lang.runtime.collections.lists import BtList
from lang.runtime.collections.mappings import BtDictionary
from lang.runtime.errors import BeamtalkError
from lang.runtime.instances import ActorObject, fields_of
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.symbols import Symbol
from lang.stdlib import arguments as expect
from lang.stdlib.building import Blueprint, Methods, build_class
from lang.syntax.units import Side

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

CLASS_BUILDER = PrimitiveTable("ClassBuilder")


@CLASS_BUILDER.runtime_primitive("register")
def register(runtime: Runtime, self: ActorObject) -> ClassObject:
    made = build_class(runtime, blueprint_of(runtime, self))
    runtime.send(self, "stop")
    return made


def blueprint_of(runtime: Runtime, builder: ActorObject) -> Blueprint:
    """What a builder has collected; raises `missing_parameter` without a name."""
    parts = fields_of(builder)
    if parts["className"] is None:
        raise BeamtalkError(
            "missing_parameter",
            class_name="ClassBuilder",
            selector="register",
            hint="Set the name with name:",
        )
    return Blueprint(
        name=expect.name(parts["className"], "ClassBuilder", "name:"),
        superclass=_superclass(runtime, parts["superclassRef"]),
        fields=_by_name(parts["fieldSpecs"], "fields:"),
        class_variables=_by_name(parts["classState"], "classVars:"),
        modifiers=_modifiers(parts["modifiers"]),
        doc=_optional_text(parts["classDoc"], "classDoc:"),
        instance_side=Methods(
            Side.INSTANCE,
            _by_name(parts["methodSpecs"], "methods:"),
            _texts(parts["methodSource"], "methodSource:"),
            _texts(parts["methodDocs"], "methodDocs:"),
        ),
        class_side=Methods(
            Side.CLASS,
            _by_name(parts["classMethods"], "classMethods:"),
            _texts(parts["classMethodSource"], "classMethodSource:"),
            _texts(parts["classMethodDocs"], "classMethodDocs:"),
        ),
    )


def _superclass(runtime: Runtime, reference: object) -> ClassObject:
    if isinstance(reference, ClassObject):
        return reference
    if reference is None:
        return runtime.existing_class("Object")
    return runtime.existing_class(expect.name(reference, "ClassBuilder", "superclass:"))


def _modifiers(names: object) -> frozenset[str]:
    listed: BtList = expect.elements(names, "ClassBuilder", "modifier:")
    return frozenset([expect.name(name, "ClassBuilder", "modifier:") for name in listed])


def _optional_text(value: object, selector: str) -> str | None:
    return None if value is None else expect.text(value, "ClassBuilder", selector)


def _texts(entries: object, selector: str) -> Mapping[str, str]:
    found = _by_name(entries, selector)
    return {name: expect.text(value, "ClassBuilder", selector) for name, value in found.items()}


def _by_name(entries: object, selector: str) -> Mapping[str, Any]:
    if not isinstance(entries, BtDictionary):
        raise expect.type_error("ClassBuilder", selector, "Expected a Dictionary")
    found: dict[str, object] = {}
    for key, value in entries.items_in_order():
        if not isinstance(key, Symbol):
            raise expect.type_error("ClassBuilder", selector, "Expected Symbols as keys")
        found[key.name] = value
    return found
