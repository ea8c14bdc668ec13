"""Primitives of ClassBuilder (stdlib.md 4.20, language.md 4.18)."""

from __future__ import annotations

from types import FunctionType
from typing import TYPE_CHECKING

from lang.runtime.building import ClassPlan, build_class
from lang.runtime.classes import ClassObject
from lang.runtime.collections.mappings import BtDictionary
from lang.runtime.errors import BeamtalkError
from lang.runtime.instances import fields_of
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.symbols import Symbol

if TYPE_CHECKING:
    from lang.runtime.instances import ActorObject
    from lang.runtime.runtime import Runtime

CLASS_BUILDER = PrimitiveTable("ClassBuilder")


@CLASS_BUILDER.runtime_primitive("register")
def register(runtime: Runtime, self: ActorObject) -> ClassObject:
    class_object = build_class(runtime, plan_of(runtime, self))
    runtime.send(self, "stop")
    return class_object


def plan_of(runtime: Runtime, builder: ActorObject) -> ClassPlan:
    """What a builder has collected; raises `missing_parameter` without a name."""
    state = fields_of(builder)
    name = state["className"]
    if not isinstance(name, Symbol):
        raise BeamtalkError("missing_parameter", class_name="ClassBuilder", selector="register", hint="Give a name: with 'name:'.")
    modifiers = state["modifiers"]
    doc = state["classDoc"]
    return ClassPlan(
        name=name.name,
        superclass=_class_of(runtime, state["superclassRef"]),
        fields=_by_name(state["fieldSpecs"]),
        class_variables=_by_name(state["classState"]),
        methods=_blocks(state["methodSpecs"]),
        class_methods=_blocks(state["classMethods"]),
        modifiers=frozenset(m.name for m in modifiers if isinstance(m, Symbol)),  # type: ignore[attr-defined]
        sources=_texts(state["methodSource"]),
        class_sources=_texts(state["classMethodSource"]),
        docs=_texts(state["methodDocs"]),
        class_docs=_texts(state["classMethodDocs"]),
        doc=doc if isinstance(doc, str) else None,
    )


def _class_of(runtime: Runtime, given: object) -> ClassObject:
    if isinstance(given, ClassObject):
        return given
    if isinstance(given, Symbol):
        return runtime.existing_class(given.name)
    if given is None:
        return runtime.existing_class("Object")
    raise BeamtalkError("type_error", class_name="ClassBuilder", selector="superclass:")


def _by_name(given: object) -> dict[str, object]:
    if not isinstance(given, BtDictionary):
        raise BeamtalkError("type_error", "expected a Dictionary but got a non-map value", class_name="ClassBuilder")
    return {key.name: value for key, value in given.items_in_order() if isinstance(key, Symbol)}


def _blocks(given: object) -> dict[str, FunctionType]:
    found: dict[str, FunctionType] = {}
    for name, block in _by_name(given).items():
        if not isinstance(block, FunctionType):
            raise BeamtalkError("type_error", class_name="ClassBuilder", selector="register", hint="A method is a block.")
        found[name] = block
    return found


def _texts(given: object) -> dict[str, str]:
    return {name: text for name, text in _by_name(given).items() if isinstance(text, str)}
