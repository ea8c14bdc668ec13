"""Primitives of Value: making instances, and their structural text (stdlib.md 3.3)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from lang.runtime.classes import ClassObject
from lang.runtime.collections.arrays import array_of
from lang.runtime.collections.lists import list_of
from lang.runtime.collections.mappings import EMPTY_DICTIONARY, EMPTY_SET, BtDictionary
from lang.runtime.collections.tuples import tuple_of
from lang.runtime.errors import BeamtalkError
from lang.runtime.instances import ValueObject
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.printing import print_structure
from lang.runtime.symbols import Symbol
from lang.stdlib.host_types import HOST_CLASSES

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

VALUE = PrimitiveTable("Value")

_EMPTY: Final[dict[str, Callable[[], object]]] = {
    "List": lambda: list_of([]),
    "Array": lambda: array_of([]),
    "Tuple": lambda: tuple_of(()),
    "Dictionary": lambda: EMPTY_DICTIONARY,
    "Set": lambda: EMPTY_SET,
}
"""What `new` answers for the library classes whose values are types of the host and may be empty."""


@VALUE.runtime_primitive("new", class_side=True)
def new(runtime: Runtime, self: ClassObject) -> object:
    if self.name in HOST_CLASSES:
        make = _EMPTY.get(self.name)
        if make is None:
            raise _not_instantiable(self, "new")
        return make()
    runtime.shapes.check_instantiable(self, "new")
    return runtime.shapes.instantiate(self)


@VALUE.runtime_primitive("new:", class_side=True)
def new_with(runtime: Runtime, self: ClassObject, fields: object) -> object:
    if self.name in HOST_CLASSES and self.name != "Dictionary":
        raise _not_instantiable(self, "new:")
    runtime.shapes.check_instantiable(self, "new:")
    if not isinstance(fields, BtDictionary):
        raise BeamtalkError(
            "type_error",
            "expected a Dictionary but got a non-map value",
            class_name=self.name,
            selector="new:",
            hint="new: takes a Dictionary from field names to values.",
        )
    if self.name == "Dictionary":
        return fields
    values = {key.name: value for key, value in fields.entries.items() if isinstance(key, Symbol)}
    return runtime.shapes.instantiate(self, values)


@VALUE.runtime_primitive("printString")
def print_string(runtime: Runtime, self: object) -> str:
    if isinstance(self, ValueObject):
        return print_structure(runtime, self)
    return f"{runtime.class_name_of(self)}()"


def _not_instantiable(class_object: ClassObject, selector: str) -> BeamtalkError:
    return BeamtalkError(
        "instantiation_error",
        class_name=class_object.name,
        selector=selector,
        hint=f"Instances of {class_object.name} are made by literals or by messages of their own.",
    )
