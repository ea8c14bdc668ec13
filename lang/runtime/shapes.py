"""How instances of a class are made now: the Python types by shape, and the plan of a new one (design "Objects").

Guarantees: one type for each list of slots; a new list makes a new type when the next instance is made, and older
types compute what they lack; what is derived from definitions is kept until `forget_plans`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from lang.class_kind import ClassKind
from lang.dataclass import dataclass
from lang.runtime import instances
from lang.runtime.errors import BeamtalkError, class_not_found

if TYPE_CHECKING:
    from lang.runtime.classes import ClassObject
    from lang.runtime.runtime import Runtime

_allocate: Final[Callable[[type[Any]], Any]] = object.__new__


@dataclass(slots=True)
class Shapes:
    """The Python types of one class's instances: the newest with its slot names, and older ones."""

    newest: type[Any]
    slot_names: tuple[str, ...]
    older: list[type[Any]]


class InstanceShapes:
    """The shapes of all classes of one image."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._shapes: dict[ClassObject, Shapes] = {}
        self._plans: dict[ClassObject, instances.Plan] = {}

    def forget_plans(self) -> None:
        """Definitions have changed: how instances are made is asked anew."""
        self._plans.clear()

    def of(self, class_object: ClassObject) -> Shapes:
        """The Python types of a class's instances, brought up to date with its slots."""
        slots = class_object.all_slots()
        names = tuple([slot.name for slot in slots])
        shapes = self._shapes.get(class_object)
        if shapes is None:
            shapes = self._shapes[class_object] = Shapes(self._new_type(class_object), names, [])
        elif shapes.slot_names != names:
            self._reshape(class_object, shapes, names)
        return shapes

    def _reshape(self, class_object: ClassObject, shapes: Shapes, names: tuple[str, ...]) -> None:
        if class_object.kind is not ClassKind.ACTOR:
            shapes.older.append(shapes.newest)
            shapes.newest = self._new_type(class_object)
            instances.adapt_types(class_object, shapes.older)
        else:
            instances.adapt_types(class_object, [shapes.newest])
        shapes.slot_names = names

    def _new_type(self, class_object: ClassObject) -> type:
        if class_object.kind is ClassKind.ACTOR:
            made = instances.make_actor_type(self._runtime, class_object)
        else:
            made = instances.make_value_type(self._runtime, class_object, class_object.all_slots())
        self._runtime.types.bind(made, class_object)
        return made

    def plan_of(self, class_object: ClassObject) -> instances.Plan:
        """How instances are made now."""
        plan = self._plans.get(class_object)
        if plan is None:
            newest = self.of(class_object).newest
            plan = self._plans[class_object] = instances.plan_for(newest, class_object.all_slots())
        return plan

    def bare_instance(self, class_object: ClassObject) -> Any:
        """An instance of the newest type, with no slot set."""
        return _allocate(self.plan_of(class_object).newest)

    def check_instantiable(self, class_object: ClassObject, selector: str) -> None:
        """Raise `instantiation_error` or `class_not_found` where `selector` may not make an instance."""
        if class_object.is_removed:
            raise class_not_found(class_object.name)
        if class_object.definition.is_abstract:
            raise BeamtalkError(
                "instantiation_error",
                f"Cannot instantiate abstract class {class_object.name} with '{selector}'",
                class_name=class_object.name,
                selector=selector,
                hint=f"Subclass {class_object.name} first.",
            )

    def instantiate(
        self, class_object: ClassObject, values: Mapping[str, object] = MappingProxyType({})
    ) -> Any:
        """A value (or object-kind) instance: defaults, with `values` by slot name over them; others are dropped."""
        plan = self.plan_of(class_object)
        instance = _allocate(plan.newest)
        for attribute, name, default in plan.steps:
            if name in values:
                setattr(instance, attribute, values[name])
            else:
                setattr(instance, attribute, default() if default is not None else None)
        return instance
