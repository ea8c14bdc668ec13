"""Primitives of Class (stdlib.md 3.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lang.class_kind import ClassKind
from lang.runtime.classes import ClassObject, MetaclassObject
from lang.runtime.errors import BeamtalkError
from lang.runtime.primitive import PrimitiveTable
from lang.stdlib.host_types import HOST_CLASSES

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

CLASS = PrimitiveTable("Class")


@CLASS.runtime_primitive("class")
def class_of(runtime: Runtime, self: ClassObject | MetaclassObject) -> object:
    return runtime.class_of(self)


@CLASS.runtime_primitive("new")
def new(runtime: Runtime, self: ClassObject | MetaclassObject) -> object:
    if (
        isinstance(self, MetaclassObject)
        or self.name in HOST_CLASSES
        or self.kind is not ClassKind.OBJECT
        or _is_exception(self)
    ):
        raise _refusal(self, "new")
    runtime.shapes.check_instantiable(self, "new")
    return runtime.shapes.instantiate(self)


@CLASS.primitive("new:")
def new_with(self: ClassObject | MetaclassObject, _fields: object) -> object:
    raise _refusal(self, "new:")


def _is_exception(class_object: ClassObject) -> bool:
    return any(at.name == "Exception" for at in class_object.chain())


def _refusal(class_object: ClassObject | MetaclassObject, selector: str) -> BeamtalkError:
    return BeamtalkError("instantiation_error", class_name=class_object.name, selector=selector)
