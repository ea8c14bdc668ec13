"""Primitives of Metaclass (stdlib.md 3.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lang.runtime.classes import ClassObject, MetaclassObject
from lang.runtime.collections.lists import BtList, list_of
from lang.runtime.errors import BeamtalkError
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.symbols import symbol
from lang.stdlib import arguments as expect
from lang.stdlib.primitives.behaviour import above, understood_selectors
from lang.syntax.units import Side

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

METACLASS = PrimitiveTable("Metaclass")


@METACLASS.primitive("new", class_side=True)
def new(_self: object) -> object:
    raise BeamtalkError(
        "user_error", "Metaclasses come with their classes", class_name="Metaclass", selector="new"
    )


@METACLASS.primitive("thisClass")
def this_class(self: MetaclassObject) -> ClassObject:
    return self.this_class


@METACLASS.primitive("superclass")
def superclass(self: MetaclassObject) -> object:
    return above(self)


@METACLASS.runtime_primitive("allMethods")
def all_methods(runtime: Runtime, self: MetaclassObject) -> BtList:
    return list_of([symbol(text) for text in understood_selectors(runtime, self)])


@METACLASS.primitive("classMethods")
def class_methods(self: MetaclassObject) -> BtList:
    names: dict[str, None] = {}
    for at in self.this_class.chain():
        names.update(dict.fromkeys([*at.definition.class_methods, *at.definition.class_extensions]))
    return list_of([symbol(text) for text in names])


@METACLASS.primitive("localClassMethods")
def local_class_methods(self: MetaclassObject) -> BtList:
    return list_of([symbol(text) for text in self.this_class.definition.class_methods])


@METACLASS.primitive("classIncludesSelector:")
def class_includes_selector(self: MetaclassObject, selector: object) -> bool:
    wanted = expect.name(selector, self.name, "classIncludesSelector:")
    return self.this_class.definition.find(wanted, Side.CLASS) is not None


@METACLASS.primitive("packageName")
def package_name(self: MetaclassObject) -> str | None:
    return self.this_class.definition.package or None
