"""Primitives of Behaviour, for classes and metaclasses (stdlib.md 3.4, language.md 4.8)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from lang.runtime.classes import ClassObject, MetaclassObject, Method, Slot
from lang.runtime.collections.lists import BtList, list_of
from lang.runtime.errors import BeamtalkError
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.reflection import BtCompiledMethod
from lang.runtime.symbols import Symbol, symbol
from lang.stdlib import arguments as expect
from lang.stdlib import protocols
from lang.stdlib.live import Intent, live_image
from lang.syntax.units import Side

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lang.runtime.runtime import Runtime

BEHAVIOUR = PrimitiveTable("Behaviour")
Behaviour = ClassObject | MetaclassObject
LIBRARY_PACKAGE = "stdlib"


@BEHAVIOUR.primitive("name")
def name(self: Behaviour) -> Symbol:
    return symbol(self.name)


@BEHAVIOUR.primitive(">>")
def method_at(self: Behaviour, selector: object) -> BtCompiledMethod | None:
    owner, side = described(self)
    method = owner.definition.find(expect.name(selector, self.name, ">>"), side)
    return BtCompiledMethod(method) if method is not None else None


@BEHAVIOUR.primitive("superclass")
def superclass(self: Behaviour) -> object:
    return above(self)


@BEHAVIOUR.primitive("allSuperclasses")
def all_superclasses(self: Behaviour) -> BtList:
    found: list[object] = []
    at = above(self)
    while at is not None:
        found.append(at)
        at = above(at)
    return list_of(found)


@BEHAVIOUR.runtime_primitive("subclasses")
def subclasses(runtime: Runtime, self: Behaviour) -> BtList:
    return list_of(list(_below(runtime, self)))


@BEHAVIOUR.runtime_primitive("allSubclasses")
def all_subclasses(runtime: Runtime, self: Behaviour) -> BtList:
    found = _below(runtime, self)
    for each in found:  # grows while it is walked: breadth first
        found.extend(_below(runtime, each))
    return list_of(list(found))


@BEHAVIOUR.primitive("methods")
def methods(self: Behaviour) -> BtList:
    owner, side = described(self)
    return _symbols(owner.definition.local_methods(side))


@BEHAVIOUR.runtime_primitive("allMethods")
def all_methods(runtime: Runtime, self: Behaviour) -> BtList:
    return _symbols(understood_selectors(runtime, self))


@BEHAVIOUR.primitive("includesSelector:")
def includes_selector(self: Behaviour, selector: object) -> bool:
    owner, side = described(self)
    return owner.definition.find(expect.name(selector, self.name, "includesSelector:"), side) is not None


@BEHAVIOUR.primitive("fieldNames")
def field_names(self: Behaviour) -> BtList:
    return _slot_names(self.definition.slots if isinstance(self, ClassObject) else ())


@BEHAVIOUR.primitive("allFieldNames")
def all_field_names(self: Behaviour) -> BtList:
    return _slot_names(self.all_slots() if isinstance(self, ClassObject) else ())


@BEHAVIOUR.primitive("classVarNames")
def class_variable_names(self: Behaviour) -> BtList:
    return _slot_names(self.definition.class_slots if isinstance(self, ClassObject) else ())


@BEHAVIOUR.primitive("allClassVarNames")
def all_class_variable_names(self: Behaviour) -> BtList:
    return _slot_names(self.all_class_slots() if isinstance(self, ClassObject) else ())


@BEHAVIOUR.primitive("doc")
def doc(self: Behaviour) -> str | None:
    return described(self)[0].definition.doc


@BEHAVIOUR.primitive("doc:")
def set_doc(self: Behaviour, text: object) -> Behaviour:
    owner, _ = described(self)
    owner.definition = replace(owner.definition, doc=expect.text(text, self.name, "doc:"))
    return self


@BEHAVIOUR.primitive("docForMethod:")
def doc_for_method(self: Behaviour, selector: object) -> str | None:
    owner, side = described(self)
    method = owner.definition.find(expect.name(selector, self.name, "docForMethod:"), side)
    return method.doc if method is not None else None


@BEHAVIOUR.primitive("setDocForMethod:to:")
def set_doc_for_method(self: Behaviour, selector: object, text: object) -> Behaviour:
    method = _existing(self, selector, "setDocForMethod:to:")
    method.doc = expect.text(text, self.name, "setDocForMethod:to:")
    return self


@BEHAVIOUR.runtime_primitive("conformsTo:")
def conforms_to(runtime: Runtime, self: Behaviour, protocol: object) -> bool:
    wanted = protocols.named(runtime, expect.name(protocol, self.name, "conformsTo:"))
    return wanted is not None and isinstance(self, ClassObject) and protocols.conforms(runtime, self, wanted)


@BEHAVIOUR.runtime_primitive("protocols")
def conformed_protocols(runtime: Runtime, self: Behaviour) -> BtList:
    if not isinstance(self, ClassObject):
        return list_of([])
    names = [p.name for p in protocols.every(runtime) if protocols.conforms(runtime, self, p)]
    return list_of([symbol(text) for text in sorted(names)])


@BEHAVIOUR.primitive("sourceFile")
def source_file(self: Behaviour) -> str | None:
    owner, _ = described(self)
    return owner.definition.source_path if owner.definition.package != LIBRARY_PACKAGE else None


@BEHAVIOUR.runtime_primitive("reload")
def reload(runtime: Runtime, self: Behaviour) -> Behaviour:
    owner, _ = described(self)
    if source_file(self) is None:
        raise BeamtalkError(
            "no_source_file",
            class_name=owner.name,
            selector="reload",
            hint="Library classes and classes made at run time have no file.",
        )
    live_image(runtime, owner.name, "reload").reload_class(owner)
    return self


@BEHAVIOUR.runtime_primitive("compile:source:")
def compile_source(runtime: Runtime, self: Behaviour, selector: object, source: object) -> Behaviour:
    return _compile(runtime, self, selector, source, Intent.DURABLE)


@BEHAVIOUR.runtime_primitive("tryCompile:source:")
def try_compile_source(runtime: Runtime, self: Behaviour, selector: object, source: object) -> Behaviour:
    return _compile(runtime, self, selector, source, Intent.EXPLORATORY)


@BEHAVIOUR.runtime_primitive("precheckCompile:source:")
def precheck_compile_source(runtime: Runtime, self: Behaviour, selector: object, source: object) -> object:
    asked = "precheckCompile:source:"
    owner, side = described(self)
    wanted, text = expect.name(selector, self.name, asked), expect.text(source, self.name, asked)
    return live_image(runtime, owner.name, asked).precheck_method(owner, side, wanted, text)


@BEHAVIOUR.runtime_primitive("removeSelector:")
def remove_selector(runtime: Runtime, self: Behaviour, selector: object) -> Behaviour:
    method = _existing(self, selector, "removeSelector:")
    _remove(runtime, self, method, "removeSelector:")
    return self


@BEHAVIOUR.runtime_primitive("removeSelector:ifAbsent:")
def remove_selector_if_absent(runtime: Runtime, self: Behaviour, selector: object, block: object) -> object:
    asked = "removeSelector:ifAbsent:"
    absent = expect.checked_block(block, 0, self.name, asked)
    owner, side = described(self)
    method = owner.definition.find(expect.name(selector, self.name, asked), side)
    if method is None:
        return absent()
    _remove(runtime, self, method, asked)
    return self


@BEHAVIOUR.runtime_primitive("removeFromSystem")
def remove_from_system(runtime: Runtime, self: Behaviour) -> None:
    owner, _ = described(self)
    if owner.definition.package == LIBRARY_PACKAGE:
        raise _cannot_remove(owner, "it belongs to the standard library")
    if runtime.subclasses_of(owner):
        raise _cannot_remove(owner, "it has subclasses")
    live_image(runtime, owner.name, "removeFromSystem").remove_class(owner)


def described(behaviour: Behaviour) -> tuple[ClassObject, Side]:
    """The class whose methods a class or metaclass holds, and on which side they stand."""
    if isinstance(behaviour, MetaclassObject):
        return behaviour.this_class, Side.CLASS
    return behaviour, Side.INSTANCE


def above(behaviour: object) -> ClassObject | MetaclassObject | None:
    """The superclass; above the root metaclass comes `Class` (stdlib.md 3.4)."""
    if isinstance(behaviour, MetaclassObject):
        superclass = behaviour.this_class.superclass
        return superclass.metaclass if superclass is not None else behaviour.this_class.runtime.class_class
    return behaviour.superclass if isinstance(behaviour, ClassObject) else None


def understood_selectors(runtime: Runtime, behaviour: Behaviour) -> dict[str, None]:
    """The selectors that instances understand, nearest class first."""
    owner, side = described(behaviour)
    found: dict[str, None] = {}
    for at in owner.chain():
        found.update(dict.fromkeys([*at.definition.local_methods(side), *at.definition.local_extensions(side)]))
    class_class = runtime.class_class
    if side is Side.CLASS and class_class is not None:
        found.update(understood_selectors(runtime, class_class))
    return found


def _below(runtime: Runtime, behaviour: Behaviour) -> list[Behaviour]:
    if isinstance(behaviour, MetaclassObject):
        return [each.metaclass for each in runtime.subclasses_of(behaviour.this_class)]
    return list(runtime.subclasses_of(behaviour))


def _symbols(names: Iterable[str]) -> BtList:
    return list_of([symbol(text) for text in names])


def _slot_names(slots: Iterable[Slot]) -> BtList:
    return _symbols([slot.name for slot in slots])


def _existing(behaviour: Behaviour, selector: object, asked: str) -> Method:
    owner, side = described(behaviour)
    wanted = expect.name(selector, behaviour.name, asked)
    method = owner.definition.find(wanted, side)
    if method is None:
        raise BeamtalkError(
            "selector_not_found",
            f"{behaviour.name} has no method '{wanted}'",
            class_name=behaviour.name,
            selector=asked,
        )
    return method


def _compile(
    runtime: Runtime, behaviour: Behaviour, selector: object, source: object, intent: Intent
) -> Behaviour:
    asked = "compile:source:" if intent is Intent.DURABLE else "tryCompile:source:"
    owner, side = described(behaviour)
    wanted, text = expect.name(selector, behaviour.name, asked), expect.text(source, behaviour.name, asked)
    live_image(runtime, owner.name, asked).compile_method(owner, side, wanted, text, intent)
    return behaviour


def _remove(runtime: Runtime, behaviour: Behaviour, method: Method, asked: str) -> None:
    owner, side = described(behaviour)
    live_image(runtime, owner.name, asked).remove_method(owner, side, method.selector)


def _cannot_remove(class_object: ClassObject, reason: str) -> BeamtalkError:
    return BeamtalkError(
        "runtime_error",
        f"Cannot remove class {class_object.name}: {reason}",
        class_name=class_object.name,
        selector="removeFromSystem",
    )
