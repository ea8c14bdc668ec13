"""From compiled classes to class objects: slots, methods, what fields generate.

Comes in: the records of `lang/codegen/records.py`, or their parts. Guarantees: a
definition is complete when it is installed; nothing is visible before `bind_names`.
Leaves: names, order of installation and the caches to whoever installs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from lang.class_kind import ClassKind
from lang.codegen.context import ClassContext, SlotWrites
from lang.codegen.records import CompiledClass, CompiledMember, CompiledProtocol, CompiledSlot
from lang.dataclass import replace
from lang.runtime import instances
from lang.runtime.classes import (
    ClassDefinition,
    ClassObject,
    Function,
    Method,
    ProtocolInfo,
    Provenance,
    Slot,
)
from lang.runtime.on_demand import MethodsOnDemand, Once
from lang.spelling import copy_setter
from lang.syntax.units import Side

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

CLASS_SLOT_KEYWORD: Final = "classState:"
TEST_CASE: Final = "TestCase"

LinkPrimitive = Callable[[CompiledMember, ClassObject], Function]
"""How the function of a member that names a primitive is found."""


def context_of(class_object: ClassObject, side: Side, module: str) -> ClassContext:
    """What code of a class depends on."""
    return ClassContext(module, side, _writes(class_object, side), class_object.is_host)


def context_below(superclass: ClassObject | None, kind: ClassKind, side: Side, module: str) -> ClassContext:
    """What code of a class depends on that does not exist yet."""
    is_test = superclass is not None and _is_test_case(superclass)
    is_host = superclass is not None and superclass.is_host and inherits_exception(superclass)
    return ClassContext(module, side, _writes_of(kind, side, is_test=is_test), is_host)


def inherits_exception(class_object: ClassObject) -> bool:
    """Whether instances share the host representation of exceptions."""
    return any(c.name == "Exception" and c.is_host for c in class_object.chain())


def _writes(class_object: ClassObject, side: Side) -> SlotWrites:
    return _writes_of(class_object.kind, side, is_test=_is_test_case(class_object))


def _writes_of(kind: ClassKind, side: Side, *, is_test: bool) -> SlotWrites:
    if side is Side.CLASS:
        return SlotWrites.CLASS_VARIABLE
    if kind is ClassKind.ACTOR:
        return SlotWrites.JOURNALED
    return SlotWrites.IN_PLACE if is_test else SlotWrites.NONE


def _is_test_case(class_object: ClassObject) -> bool:
    return any(c.name == TEST_CASE for c in class_object.chain())


def kind_below(superclass: ClassObject | None, name: str) -> ClassKind:
    """The kind of a class, from its ancestors (language.md 4.1)."""
    for root, kind in (("Actor", ClassKind.ACTOR), ("Value", ClassKind.VALUE)):
        if name == root:
            return kind
    return superclass.kind if superclass is not None else ClassKind.OBJECT


def linked_slot(runtime: Runtime, compiled: CompiledSlot) -> Slot:
    """A slot whose default is linked to the image."""
    default = runtime.link(compiled.default) if compiled.default is not None else None
    return Slot(compiled.name, default, compiled.annotation, compiled.doc)


def linked_method(
    runtime: Runtime,
    compiled: CompiledMember,
    owner: ClassObject,
    provenance: Provenance | None = None,
    link_primitive: LinkPrimitive | None = None,
) -> Method:
    """A method that links itself when it is first run."""
    side = Side.CLASS if compiled.is_class_side else Side.INSTANCE
    if provenance is None:
        provenance = Provenance.EXTENSION if compiled.is_extension else Provenance.CLASS_BODY
    unit = compiled.unit

    def link() -> Function:
        if unit is not None:
            return runtime.link(unit, owner, side)
        if link_primitive is None:
            raise LookupError(f"no primitive for {owner.name}>>{compiled.selector}")
        return link_primitive(compiled, owner)

    return Method(
        compiled.selector,
        compiled.arity,
        owner,
        side,
        link=link,
        source=compiled.source,
        doc=compiled.doc,
        provenance=provenance,
        is_sealed=compiled.is_sealed,
        is_internal=compiled.is_internal,
        is_primitive=unit is None,
    )


def generated_methods(owner: ClassObject, slots: Sequence[Slot]) -> list[Method]:
    """Getters, functional setters and the keyword constructor of a value class (language.md 4.2)."""
    names = tuple(slot.name for slot in slots)
    made: list[Method] = []
    for name in names:
        made.append(_generated(owner, name, 0, Side.INSTANCE, lambda n=name: instances.getter(n)))  # type: ignore[misc]
        made.append(
            _generated(
                owner,
                copy_setter(name),
                1,
                Side.INSTANCE,
                lambda n=name: instances.with_setter(n),  # type: ignore[misc]
            )
        )
    if names:
        selector = "".join(f"{name}:" for name in names)
        made.append(
            _generated(
                owner, selector, len(names), Side.CLASS, lambda: instances.keyword_constructor(owner, names)
            )
        )
    return made


def _generated(
    owner: ClassObject, selector: str, arity: int, side: Side, make: Callable[[], Function]
) -> Method:
    return Method(selector, arity, owner, side, link=make, provenance=Provenance.GENERATED)


def with_members(
    definition: ClassDefinition, owner: ClassObject, methods: Iterable[Method]
) -> ClassDefinition:
    """A definition with exactly these methods besides what its fields generate; extensions are kept."""
    by_side: dict[Side, dict[str, Method]] = {Side.INSTANCE: {}, Side.CLASS: {}}
    if definition.kind is ClassKind.VALUE:
        for method in generated_methods(owner, definition.slots):
            by_side[method.side][method.selector] = method
    for method in methods:
        by_side[method.side][method.selector] = method
    return replace(
        definition,
        methods=MappingProxyType(by_side[Side.INSTANCE]),
        class_methods=MappingProxyType(by_side[Side.CLASS]),
    )


def definition_of(
    runtime: Runtime,
    compiled: CompiledClass,
    superclass: ClassObject | None,
    *,
    package: str = "",
    source_path: str | None = None,
) -> ClassDefinition:
    """The definition of a class without its methods, which need the class object first."""
    slots = [linked_slot(runtime, s) for s in compiled.slots if s.keyword != CLASS_SLOT_KEYWORD]
    class_slots = [linked_slot(runtime, s) for s in compiled.slots if s.keyword == CLASS_SLOT_KEYWORD]
    return ClassDefinition(
        name=compiled.name,
        superclass=superclass,
        kind=kind_below(superclass, compiled.name),
        package=package,
        modifiers=frozenset(compiled.modifiers),
        slots=tuple(slots),
        class_slots=tuple(class_slots),
        doc=compiled.doc,
        type_parameters=compiled.type_parameters,
        source_path=source_path,
    )


def define(
    runtime: Runtime,
    compiled: CompiledClass,
    superclass: ClassObject | None,
    *,
    package: str = "",
    source_path: str | None = None,
    link_primitive: LinkPrimitive | None = None,
    is_host: bool | None = None,
) -> ClassObject:
    """A new class object; it has no name in the image yet. Its methods are made when somebody looks at them."""
    definition = definition_of(runtime, compiled, superclass, package=package, source_path=source_path)
    owner = runtime.define_class(definition, is_host=is_host)

    def made() -> ClassDefinition:
        members = [
            linked_method(runtime, member, owner, link_primitive=link_primitive)
            for member in compiled.methods
            if not member.is_extension
        ]
        return with_members(definition, owner, members)

    whole = Once(made)
    owner.definition = replace(
        definition,
        methods=MethodsOnDemand(lambda: whole.value().methods),
        class_methods=MethodsOnDemand(lambda: whole.value().class_methods),
    )
    return owner


def define_protocol(
    runtime: Runtime, compiled: CompiledProtocol, *, package: str = "", source_path: str | None = None
) -> ClassObject:
    """A protocol as the class object that it is (language.md 4.18); it has no name in the image yet."""
    definition = ClassDefinition(
        name=compiled.name,
        superclass=runtime.class_named("Protocol"),
        kind=ClassKind.OBJECT,
        package=package,
        doc=compiled.doc,
        type_parameters=compiled.type_parameters,
        source_path=source_path,
        protocol=protocol_info(compiled),
    )
    return runtime.define_class(definition)


def protocol_info(compiled: CompiledProtocol) -> ProtocolInfo:
    """What a protocol asks for."""
    required = tuple([(s, Side.CLASS if on_class else Side.INSTANCE) for s, on_class in compiled.required])
    return ProtocolInfo(required, compiled.extending)


def extended(owner: ClassObject, methods: Iterable[Method]) -> ClassDefinition:
    """The present definition of a class with more extensions."""
    definition = owner.definition
    extensions, class_extensions = dict(definition.extensions), dict(definition.class_extensions)
    for method in methods:
        (extensions if method.side is Side.INSTANCE else class_extensions)[method.selector] = method
    return replace(
        definition,
        extensions=MappingProxyType(extensions),
        class_extensions=MappingProxyType(class_extensions),
    )
