"""Primitives of Behaviour, for classes and metaclasses (stdlib.md 3.4, language.md 4.8)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from lang.dataclass import replace
from lang.runtime.classes import ClassObject, MetaclassObject, Slot
from lang.runtime.collections.lists import BtList, list_of
from lang.runtime.errors import BeamtalkError
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.reflection import BtCompiledMethod
from lang.runtime.symbols import Symbol, symbol
from lang.stdlib import arguments as expect
from lang.stdlib import protocols
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
    method = owner.lookup(expect.name(selector, self.name, ">>"), side)
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
    owner, side = described(self)
    wanted = expect.name(selector, self.name, "setDocForMethod:to:")
    method = owner.definition.find(wanted, side)
    if method is None:
        raise BeamtalkError(
            "selector_not_found",
            f"{self.name} has no method '{wanted}'",
            class_name=self.name,
            selector="setDocForMethod:to:",
        )
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


# Changes of classes are the workspace's: it brings these primitives of its own. In a program that
# runs by itself they are refused.
LIVE_CHANGES: Final = (
    "reload",
    "compile:source:",
    "tryCompile:source:",
    "precheckCompile:source:",
    "removeSelector:",
    "removeSelector:ifAbsent:",
    "removeFromSystem",
    "renameTo:",
    "previewRenameTo:",
    "renameSelector:to:",
    "renameSelector:to:ifAbsent:",
    "renameSelector:to:shadowing:",
    "renameSelector:to:accepting:",
    "previewRenameSelector:to:",
)


def _refused(selector: str) -> Callable[..., object]:
    def refuse(self: Behaviour, *_arguments: object) -> object:
        raise BeamtalkError(
            "unsupported",
            class_name=self.name,
            selector=selector,
            hint="Classes can be changed in a workspace only.",
        )

    return refuse


for _selector in LIVE_CHANGES:
    BEHAVIOUR.primitive(_selector)(_refused(_selector))


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
        found.update(
            dict.fromkeys([*at.definition.local_methods(side), *at.definition.local_extensions(side)])
        )
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
