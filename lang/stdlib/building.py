"""Making a class from the parts that a ClassBuilder collected (stdlib.md 4.20, language.md 4.18).

Comes in: names, defaults, blocks and source texts. Guarantees: everything that can be
refused is refused before the class exists; a name that stands for a class already means
a redefinition of it, unless the library owns it. Leaves: telling a workspace about it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import FunctionType, MappingProxyType
from typing import TYPE_CHECKING, NoReturn

from lang.dataclass import dataclass, replace
from lang.runtime.blocks import Block
from lang.runtime.classes import ClassDefinition, ClassObject, Function, Method, Provenance, Slot
from lang.runtime.definitions import context_of, kind_below, linked_method
from lang.runtime.dispatch import arity_of
from lang.runtime.errors import BeamtalkError
from lang.stdlib import arguments as expect
from lang.stdlib.services import services_of
from lang.syntax.units import Side

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

LIBRARY_PACKAGE = "stdlib"


@dataclass(frozen=True, slots=True)
class Methods:
    """The methods of one side: blocks, source texts and documentation, by selector."""

    side: Side
    blocks: Mapping[str, object]
    sources: Mapping[str, str]
    docs: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Blueprint:
    """All that a class is made of."""

    name: str
    superclass: ClassObject
    fields: Mapping[str, object]
    class_variables: Mapping[str, object]
    modifiers: frozenset[str]
    doc: str | None
    instance_side: Methods
    class_side: Methods


def build_class(runtime: Runtime, blueprint: Blueprint) -> ClassObject:
    """The class of a blueprint, with its name bound."""
    _check(blueprint)
    existing = runtime.class_named(blueprint.name)
    if existing is not None and existing.definition.package == LIBRARY_PACKAGE:
        raise BeamtalkError("stdlib_shadowing", class_name=blueprint.name, selector="register")
    definition = _definition(blueprint)
    owner = existing if existing is not None else runtime.define_class(definition)
    methods = list(_methods(runtime, blueprint, owner))
    owner.definition = replace(
        definition,
        methods=MappingProxyType({m.selector: m for m in methods if m.side is Side.INSTANCE}),
        class_methods=MappingProxyType({m.selector: m for m in methods if m.side is Side.CLASS}),
    )
    runtime.bind_names(MappingProxyType({**runtime.class_names, blueprint.name: owner}))
    for each in (c for c in runtime.classes() if c.inherits_from(owner)):
        runtime.shapes.of(each)  # instances of older shapes compute what they lack
    runtime.initialize_class_variables(owner)
    runtime.forget_all()
    return owner


def _check(blueprint: Blueprint) -> None:
    if blueprint.superclass.definition.is_sealed:
        raise BeamtalkError(
            "instantiation_error",
            f"Cannot subclass sealed class {blueprint.superclass.name}",
            class_name=blueprint.name,
            selector="register",
        )
    for selector, block in blueprint.class_side.blocks.items():
        if _block(block).__code__.co_argcount != arity_of(selector) + 1:
            raise BeamtalkError("arity_mismatch", class_name=blueprint.name, selector=selector)
    for block in blueprint.instance_side.blocks.values():
        _block(block)


def _definition(blueprint: Blueprint) -> ClassDefinition:
    return ClassDefinition(
        name=blueprint.name,
        superclass=blueprint.superclass,
        kind=kind_below(blueprint.superclass, blueprint.name),
        modifiers=blueprint.modifiers,
        slots=_slots(blueprint.fields),
        class_slots=_slots(blueprint.class_variables),
        doc=blueprint.doc,
    )


def _slots(defaults: Mapping[str, object]) -> tuple[Slot, ...]:
    return tuple([Slot(name, lambda value=value: value) for name, value in defaults.items()])  # type: ignore[misc]


def _methods(runtime: Runtime, blueprint: Blueprint, owner: ClassObject) -> Iterable[Method]:
    for part in (blueprint.instance_side, blueprint.class_side):
        for selector, block in part.blocks.items():
            yield _block_method(owner, part, selector, _block(block))
        for selector, source in part.sources.items():
            yield _source_method(runtime, owner, part.side, selector, source)


def _block_method(owner: ClassObject, part: Methods, selector: str, block: FunctionType) -> Method:
    arity = arity_of(selector)
    function: Function = block
    if block.__code__.co_argcount != arity + 1:
        function = _misfit(owner.name, selector)
    return Method(
        selector,
        arity,
        owner,
        part.side,
        link=lambda: function,
        doc=part.docs.get(selector),
        provenance=Provenance.CLASS_BUILDER,
    )


def _misfit(class_name: str, selector: str) -> Function:
    def refuse(*_arguments: object) -> NoReturn:
        raise BeamtalkError("arity_mismatch", class_name=class_name, selector=selector)

    return refuse


def _source_method(runtime: Runtime, owner: ClassObject, side: Side, selector: str, source: str) -> Method:
    # The front end costs 50 ms to import, and few programs compile at run time.
    from lang.stdlib.compiling import compiled_method  # noqa: PLC0415

    module = services_of(runtime).module_for(owner.name)
    member = compiled_method(source, context_of(owner, side, module), side)
    if member.selector != selector:
        raise expect.type_error(owner.name, selector, f"The source defines '{member.selector}'")
    return linked_method(runtime, member, owner, Provenance.CLASS_BUILDER)


def _block(value: object) -> FunctionType:
    block: Block = expect.any_block(value)
    assert isinstance(block, FunctionType)
    return block
