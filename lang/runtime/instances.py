"""Value and actor instances: Python types by shape (design "Objects").

Guarantees: a new list of slots is a new type of the same class object; instances of
older types stay valid, a slot that they lack reads its default. Slot `x` is the
attribute `f_x`. Values have `__slots__`; actors have a dict, for their identity
outlives a change of slots.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import FunctionType
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple, cast

from lang.class_kind import ClassKind
from lang.runtime.classes import ClassObject, Function, Slot

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

SLOT_PREFIX: Final = "f_"
"""Slot `x` is the attribute `f_x` of an instance."""


_allocate: Final[Callable[[type[Any]], Any]] = object.__new__


class ValueObject:
    """Base of the Python types of value and object-kind instances that are no host values.

    `shape` names the slots that instances of this very type store. Equality and order
    of instances are `lang/runtime/equality.py`'s.
    """

    __slots__ = ()
    class_object: ClassVar[ClassObject]
    shape: ClassVar[tuple[str, ...]]


class ActorObject:
    """Base of the Python types of actors.

    `_undo` maps each slot written since the message (or the innermost protected block)
    began to its value before (actors.md 5). `process` belongs to `lang/runtime/processes`.
    """

    class_object: ClassVar[ClassObject]
    _undo: dict[str, object]
    process: Any


class SlotDefault:
    """On a type that lacks a slot declared later: computes the default when it is read.

    No data descriptor: what an actor (or a class, its variables) stores in its dict comes
    first, and is stored there when it is first read.
    """

    __slots__ = ("_default", "_name")

    def __init__(self, slot: Slot, prefix: str = SLOT_PREFIX) -> None:
        self._name = prefix + slot.name
        self._default = slot.default

    def __get__(self, instance: object, owner: type | None = None) -> object:
        value = self._default() if self._default is not None else None
        if isinstance(instance, ActorObject | ClassObject):
            vars(instance)[self._name] = value
        return value


def default_of(slot: Slot) -> object:
    """A fresh initial value of a slot."""
    return slot.default() if slot.default is not None else None


def make_value_type(runtime: Runtime, class_object: ClassObject, slots: tuple[Slot, ...]) -> type:
    """The Python type of instances with exactly these slots."""
    names = tuple(slot.name for slot in slots)
    namespace = {
        "__slots__": tuple(SLOT_PREFIX + name for name in names),
        "class_object": class_object,
        "shape": names,
    }
    return type(class_object.name, (ValueObject, runtime.root_type), namespace)


def make_actor_type(runtime: Runtime, class_object: ClassObject) -> type:
    """The one Python type of the actors of a class."""
    return type(class_object.name, (ActorObject, runtime.root_type), {"class_object": class_object})


def adapt_types(class_object: ClassObject, types: list[type]) -> None:
    """Give each older type of a class a computed default for every slot it lacks."""
    for slot in class_object.all_slots():
        attribute = SLOT_PREFIX + slot.name
        for python_type in types:
            if (
                class_object.kind is ClassKind.ACTOR
                or slot.name not in cast("type[ValueObject]", python_type).shape
            ):
                setattr(python_type, attribute, SlotDefault(slot))


class Plan(NamedTuple):
    """How instances of a class are made: the type, and of each slot its attribute, name and default."""

    newest: type[Any]
    steps: tuple[tuple[str, str, Callable[[], object] | None], ...]


def plan_for(newest: type[Any], slots: tuple[Slot, ...]) -> Plan:
    """The plan for a type whose slots these are."""
    return Plan(newest, tuple([(SLOT_PREFIX + slot.name, slot.name, slot.default) for slot in slots]))


def fields_of(instance: ValueObject | ActorObject) -> dict[str, object]:
    """Slot names and values by the present definition of the class, ancestors' slots first."""
    slots = instance.class_object.all_slots()
    return {slot.name: getattr(instance, SLOT_PREFIX + slot.name) for slot in slots}


def with_fields(instance: ValueObject, changes: Mapping[str, object]) -> ValueObject:
    """A copy, of the newest type of the class, with some slots replaced; unknown names are dropped."""
    class_object = instance.class_object
    plan = class_object.runtime.shapes.plan_of(class_object)
    copy = _allocate(plan.newest)
    for attribute, name, _ in plan.steps:
        setattr(copy, attribute, changes[name] if name in changes else getattr(instance, attribute))
    return cast("ValueObject", copy)


# ---------------------------------------------------------------- generated methods (language.md 4.2)


def _template_getter(self: Any) -> Any:
    return self.f_x


def getter(name: str) -> Function:
    """`name`: reads a slot. As fast as if it were written: the template's code with another name."""
    code = _template_getter.__code__.replace(co_names=(SLOT_PREFIX + name,), co_name=name)
    return FunctionType(code, {}, name)


def with_setter(name: str) -> Function:
    """`withName:`: a copy with that slot replaced."""

    def with_field(self: ValueObject, value: object) -> ValueObject:
        return with_fields(self, {name: value})

    return with_field


def keyword_constructor(owner: ClassObject, names: tuple[str, ...]) -> Function:
    """`f1:f2:`: an instance of the class that declares the fields, whatever class it was sent to."""
    attributes = tuple(SLOT_PREFIX + name for name in names)
    declared = frozenset(names)

    def construct(_receiver: ClassObject, *values: object) -> object:
        runtime = owner.runtime
        if owner.is_removed or owner.definition.is_abstract:
            runtime.shapes.check_instantiable(owner, "".join(f"{name}:" for name in names))
        plan = runtime.shapes.plan_of(owner)
        instance = _allocate(plan.newest)
        for attribute, value in zip(attributes, values, strict=True):
            setattr(instance, attribute, value)
        for attribute, name, default in plan.steps:
            if name not in declared:
                setattr(instance, attribute, default() if default is not None else None)
        return instance

    return construct


# ---------------------------------------------------------------- actor state


def begin_protected(actor: ActorObject) -> dict[str, object]:
    """Start a region whose slot writes can be undone alone; answers the journal of the outer one."""
    outer = actor._undo
    actor._undo = {}
    return outer


def keep_protected(actor: ActorObject, outer: dict[str, object]) -> None:
    """End a region and keep what it wrote: its journal joins the outer one's."""
    for name, value in actor._undo.items():
        outer.setdefault(name, value)
    actor._undo = outer


def undo_protected(actor: ActorObject, outer: dict[str, object]) -> None:
    """End a region and put the slots back to what they were when it began."""
    vars(actor).update(actor._undo)
    actor._undo = outer
