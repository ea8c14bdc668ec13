"""Classes made of blocks at run time (language.md 4.18).

Comes in: a `ClassPlan`. Guarantees: an instance method of a wrong arity is registered
and its call fails; a class method of a wrong arity is refused. Leaves: collecting the
plan to the library; an image that keeps records of its classes notes the class itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import FunctionType, MappingProxyType
from typing import TYPE_CHECKING, Final

from lang.runtime.classes import ClassDefinition, ClassObject, Function, Method, Provenance, Slot
from lang.runtime.definitions import kind_below
from lang.runtime.dispatch import arity_of
from lang.runtime.errors import BeamtalkError, block_arity_mismatch
from lang.syntax.units import Side

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

LIBRARY_PACKAGE: Final = "stdlib"


@dataclass(frozen=True, slots=True)
class ClassPlan:
    """A class to be: slots and class variables with their values, methods as blocks."""

    name: str
    superclass: ClassObject
    fields: Mapping[str, object]
    class_variables: Mapping[str, object]
    methods: Mapping[str, FunctionType]
    class_methods: Mapping[str, FunctionType]
    modifiers: frozenset[str]
    sources: Mapping[str, str]
    class_sources: Mapping[str, str]
    docs: Mapping[str, str]
    class_docs: Mapping[str, str]
    doc: str | None


def build_class(runtime: Runtime, plan: ClassPlan) -> ClassObject:
    """Define and name a class; a class of that name that is not the library's is redefined."""
    existing = runtime.class_named(plan.name)
    _check(plan, existing)
    definition = ClassDefinition(
        name=plan.name,
        superclass=plan.superclass,
        kind=kind_below(plan.superclass, plan.name),
        modifiers=plan.modifiers,
        slots=_slots(plan.fields),
        class_slots=_slots(plan.class_variables),
        doc=plan.doc,
    )
    owner = existing or runtime.define_class(definition)
    owner.definition = _with_blocks(definition, owner, plan)
    runtime.forget_all()
    runtime.bind_names(MappingProxyType({**runtime.class_names, plan.name: owner}))
    runtime.declare_class_variables(owner)
    return owner


def _check(plan: ClassPlan, existing: ClassObject | None) -> None:
    if plan.superclass.definition.is_sealed:
        raise BeamtalkError(
            "instantiation_error",
            f"Cannot subclass sealed class {plan.superclass.name}",
            class_name=plan.superclass.name,
            selector="register",
        )
    if existing is not None and existing.definition.package == LIBRARY_PACKAGE:
        raise BeamtalkError("stdlib_shadowing", class_name=plan.name, selector="register")
    for selector, block in plan.class_methods.items():
        if block.__code__.co_argcount != arity_of(selector) + 1:
            raise BeamtalkError("arity_mismatch", class_name=f"{plan.name} class", selector=selector)


def _slots(values: Mapping[str, object]) -> tuple[Slot, ...]:
    return tuple([Slot(name, lambda v=value: v) for name, value in values.items()])  # type: ignore[misc]


def _with_blocks(definition: ClassDefinition, owner: ClassObject, plan: ClassPlan) -> ClassDefinition:
    methods = {
        selector: _method(owner, Side.INSTANCE, selector, block, plan.sources, plan.docs)
        for selector, block in plan.methods.items()
    }
    class_methods = {
        selector: _method(owner, Side.CLASS, selector, block, plan.class_sources, plan.class_docs)
        for selector, block in plan.class_methods.items()
    }
    return replace(
        definition, methods=MappingProxyType(methods), class_methods=MappingProxyType(class_methods)
    )


def _method(
    owner: ClassObject,
    side: Side,
    selector: str,
    block: FunctionType,
    sources: Mapping[str, str],
    docs: Mapping[str, str],
) -> Method:
    arity = arity_of(selector)
    fits = block.__code__.co_argcount == arity + 1
    function = block if fits else _refusing(block.__code__.co_argcount, arity + 1)
    return Method(
        selector,
        arity,
        owner,
        side,
        link=lambda: function,
        source=sources.get(selector),
        doc=docs.get(selector),
        provenance=Provenance.CLASS_BUILDER,
    )


def _refusing(expected: int, given: int) -> Function:
    def refuse(_receiver: object, *_arguments: object) -> object:
        raise block_arity_mismatch(expected, given)

    return refuse
