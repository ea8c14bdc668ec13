"""Primitives of ProtoObject: what dispatch itself needs (stdlib.md 3.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lang.runtime.classes import ClassObject, MetaclassObject
from lang.runtime.equality import loose_equal, strict_equal
from lang.runtime.instances import ActorObject
from lang.runtime.primitive import PrimitiveTable
from lang.stdlib import arguments as expect
from lang.stdlib.performing import perform, perform_here, perform_within

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

PROTO_OBJECT = PrimitiveTable("ProtoObject")


@PROTO_OBJECT.primitive("==")
def is_equal(self: object, other: object) -> bool:
    return loose_equal(self, other)


@PROTO_OBJECT.primitive("/=")
def differs(self: object, other: object) -> bool:
    return not loose_equal(self, other)


@PROTO_OBJECT.primitive("=:=")
def is_same(self: object, other: object) -> bool:
    return strict_equal(self, other)


@PROTO_OBJECT.primitive("=/=")
def is_other(self: object, other: object) -> bool:
    return not strict_equal(self, other)


@PROTO_OBJECT.runtime_primitive("class")
def class_of(runtime: Runtime, self: object) -> ClassObject | MetaclassObject:
    return runtime.class_of(self)


@PROTO_OBJECT.runtime_primitive("doesNotUnderstand:args:")
def does_not_understand(runtime: Runtime, self: object, selector: object, _arguments: object) -> object:
    name = expect.name(selector, runtime.class_name_of(self), "doesNotUnderstand:args:")
    raise runtime.not_understood(self, name)


@PROTO_OBJECT.runtime_primitive("perform:withArguments:")
def perform_with(runtime: Runtime, self: object, selector: object, arguments: object) -> object:
    return perform(runtime, self, selector, arguments, "perform:withArguments:")


@PROTO_OBJECT.runtime_primitive("perform:withArguments:timeout:")
def perform_with_timeout(
    runtime: Runtime, self: object, selector: object, arguments: object, timeout: object
) -> object:
    if isinstance(self, ActorObject):
        return perform_within(runtime, self, selector, arguments, timeout)
    return perform(runtime, self, selector, arguments, "perform:withArguments:timeout:")


@PROTO_OBJECT.runtime_primitive("performLocally:withArguments:")
def perform_locally(runtime: Runtime, self: object, selector: object, arguments: object) -> object:
    name = expect.name(selector, runtime.class_name_of(self), "performLocally:withArguments:")
    if not isinstance(self, ClassObject) or name not in self.definition.class_methods:
        raise runtime.not_understood(self, name)
    return perform_here(runtime, self, selector, arguments, "performLocally:withArguments:")
