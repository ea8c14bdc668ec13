"""The runtime of one image: everything that running code shares (architecture.md 4).

Guarantees: no state outside this object; tests make many. Changes of classes are
stores (`class_object.definition = …`, `bind_names`) followed by `forget_selectors`.
Leaves: what changes and why to the workspace, tasks to `lang/runtime/processes`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Protocol

from lang.class_kind import ClassKind
from lang.codegen.unit import CompiledUnit
from lang.runtime import instances, operators
from lang.runtime.classes import (
    CLASS_VARIABLE_PREFIX,
    ClassDefinition,
    ClassObject,
    Function,
    MetaclassObject,
    Method,
)
from lang.runtime.collections.lists import list_from
from lang.runtime.direct import DirectProcesses
from lang.runtime.dispatch import Selector, TypeKey
from lang.runtime.equality import strict_equal
from lang.runtime.errors import BeamtalkError, class_not_found
from lang.runtime.instances import ActorObject, ValueObject, default_of
from lang.runtime.link import Linker, unit_of
from lang.runtime.retired import RetiredSelectors
from lang.runtime.safepoint import SafePoints
from lang.runtime.symbols import symbol
from lang.syntax.units import Side

DNU: Final = "doesNotUnderstand:args:"


class Processes(Protocol):
    """What dispatch needs of the scheduler."""

    @property
    def current_actor(self) -> ActorObject | None:
        """The actor whose message runs now."""

    def entry(self, selector: Selector, function: Function) -> Function:
        """What a send from outside calls for receivers of an actor type (actors.md 4.1, 4.2)."""

    def call(self, receiver: ActorObject, selector: str, arguments: tuple[object, ...]) -> object:
        """A sync send to another actor (actors.md 4)."""

    def enter_class(self, class_object: ClassObject, selector: str) -> bool:
        """A class method begins in the process of its class (actors.md 10.2); whether `leave_class` must follow."""

    def leave_class(self, class_object: ClassObject) -> None:
        """It has ended, in whatever way."""

    def is_inside(self, class_object: ClassObject) -> bool:
        """Whether the running code is a class method of that class, or a block that it runs."""

    def call_within(
        self, receiver: ActorObject, selector: str, arguments: tuple[object, ...], limit: float | None
    ) -> object:
        """A sync send with a limit of its own; None waits for ever (actors.md 4)."""

    def cast(self, receiver: ActorObject, selector: str, arguments: tuple[object, ...]) -> None:
        """An asynchronous send (actors.md 6)."""


class Transcript(Protocol):
    """Where `Transcript show:` goes."""

    def write(self, text: str) -> object:
        """Append text."""


class Discard:
    """A transcript that nobody reads."""

    def write(self, text: str) -> object:
        """Drop the text."""
        return len(text)


@dataclass(slots=True)
class Shapes:
    """The Python types of one class's instances: the newest with its slot names, and older ones."""

    newest: type[Any]
    slot_names: tuple[str, ...]
    older: list[type[Any]]


class Runtime:
    """Classes, selectors, code and processes of one image."""

    def __init__(
        self,
        *,
        transcript: Transcript | None = None,
        services: object = None,
        processes: Processes | None = None,
    ) -> None:
        self.root_type: type = type("Root", (), {"__slots__": ()})
        self.metaclass_type: type[MetaclassObject] = type(
            "Metaclass", (MetaclassObject, self.root_type), {"__slots__": ()}
        )
        self.builtins: dict[str, object] = {}
        self.safe_points = SafePoints(self.builtins)
        self.class_names: Mapping[str, object] = MappingProxyType({})
        self.retired = RetiredSelectors()
        self.transcript: Transcript = transcript if transcript is not None else Discard()
        self.services = services
        self.processes: Processes = processes if processes is not None else DirectProcesses(self)
        self._selectors: dict[str, Selector] = {}
        self._type_keys: dict[type, TypeKey] = {}
        self._named_types: dict[str, ClassObject] = {}
        """Classes of Python types that nobody has met yet, by module and name of the type."""
        self._shapes: dict[ClassObject, Shapes] = {}
        self._shared_types: dict[type, tuple[str, ...]] = {bool: ("True", "False"), BeamtalkError: ()}
        self.known_as: dict[type, str] = {}
        """Names that messages use for the one instance of a Python type (workspace.md 2.4)."""
        self._plans: dict[ClassObject, instances.Plan] = {}
        self.generation = 0
        """Grows with every change of classes; what is derived from definitions is kept for one generation."""
        self.linker = Linker(self)
        operators.install(self)

    def use_processes(self, processes: Processes) -> None:
        """Hand the running of messages to a scheduler; entries of actors are made anew."""
        self.processes = processes
        self.forget_all()

    # ------------------------------------------------------------ classes

    def define_class(self, definition: ClassDefinition, *, is_host: bool | None = None) -> ClassObject:
        """A new class identity. Nobody sees it before `bind_names`.

        `is_host` says whether values of Python types can be receivers of its instance
        methods; by default it is so below `Exception` only.
        """
        if is_host is None:
            is_host = any(c.name == "Exception" and c.is_host for c in _chain_of(definition.superclass))
        leaf = type(f"{definition.name} class", (ClassObject, self.root_type), {})
        class_object: ClassObject = leaf(self, definition, is_host=is_host)
        self._type_keys[leaf] = TypeKey(class_object, Side.CLASS)
        return class_object

    def bind_host_type(self, python_type: type, class_object: ClassObject) -> None:
        """Make values of a Python type instances of a class."""
        self._type_keys[python_type] = TypeKey(class_object, Side.INSTANCE)
        self.forget_type(python_type)

    def bind_host_type_named(self, type_name: str, class_object: ClassObject) -> None:
        """The same for a type that need not be imported yet; `type_name` is `module.name`."""
        self._named_types[type_name] = class_object

    def bind_names(self, class_names: Mapping[str, object]) -> None:
        """Replace what names mean in code; fills references that waited for a name."""
        self._next_generation()
        self.class_names = class_names
        self.linker.fill(class_names)

    def remove_class(self, class_object: ClassObject) -> None:
        """Take a class out of the image: its name goes, and references to it wait for a new one.

        Held references keep the object; instantiating it raises `class_not_found`.
        """
        class_object.is_removed = True
        kept = {name: value for name, value in self.class_names.items() if value is not class_object}
        self.unbind_class(class_object)
        self.bind_names(MappingProxyType(kept))

    def unbind_class(self, class_object: ClassObject) -> None:
        """Make references to a class in present code wait for its name again."""
        for method in self.all_methods():
            if method.is_linked and (linked := unit_of(method.function)) is not None:
                self.linker.unbind(linked, class_object)

    def class_named(self, name: str) -> ClassObject | None:
        """The class of a name, or None."""
        found = self.class_names.get(name)
        return found if isinstance(found, ClassObject) else None

    def existing_class(self, name: str) -> ClassObject:
        """The class of a name; raises `class_not_found`."""
        found = self.class_named(name)
        if found is None:
            raise class_not_found(name)
        return found

    def classes(self) -> Iterator[ClassObject]:
        """Every class that has a name, in the order of the names' mapping."""
        seen: set[int] = set()
        for value in self.class_names.values():
            if isinstance(value, ClassObject) and id(value) not in seen:
                seen.add(id(value))
                yield value

    def all_methods(self) -> Iterator[Method]:
        """Every method of every class, extensions included."""
        for class_object in self.classes():
            definition = class_object.definition
            yield from definition.methods.values()
            yield from definition.class_methods.values()
            yield from definition.extensions.values()
            yield from definition.class_extensions.values()

    def subclasses_of(self, class_object: ClassObject) -> list[ClassObject]:
        """Direct subclasses, in the order of the names' mapping."""
        return [c for c in self.classes() if c.superclass is class_object]

    @property
    def class_class(self) -> ClassObject | None:
        """The class `Class`, where look-up on the class side goes on above the root."""
        return self.class_named("Class")

    # ------------------------------------------------------------ class of a value

    def class_of(self, value: object) -> ClassObject | MetaclassObject:
        """What `value class` answers."""
        if isinstance(value, ClassObject | MetaclassObject):
            return value.metaclass
        return self.class_of_instance(value)

    def class_of_instance(self, value: object) -> ClassObject:
        """The class object whose instance a value is; class objects are instances of `Class`."""
        key = self._type_keys.get(type(value))
        if key is not None and key.side is Side.INSTANCE:
            return key.class_object
        if isinstance(value, BeamtalkError):
            return value.exception_class or self.existing_class(value.exception_class_name)
        if isinstance(value, ClassObject):
            return self.existing_class("Class")
        if isinstance(value, MetaclassObject):
            return self.existing_class("Metaclass")
        if value is True or value is False:
            return self.existing_class("True" if value else "False")
        return self.type_key(type(value)).class_object

    def class_name_of(self, value: object) -> str:
        """The name that messages about a receiver use: a class's own for a class object."""
        if isinstance(value, ClassObject | MetaclassObject):
            return value.name
        return self.known_as.get(type(value)) or self.class_of_instance(value).name

    def is_kind_of(self, value: object, class_object: ClassObject) -> bool:
        """Whether the class of a value is a class or inherits from it."""
        return self.class_of_instance(value).inherits_from(class_object)

    def type_key(self, python_type: type) -> TypeKey:
        """What a Python type stands for. A type that nobody registered is an opaque host object."""
        key = self._type_keys.get(python_type)
        if key is not None:
            return key
        named = self._named_types.get(f"{python_type.__module__}.{python_type.__qualname__}")
        if named is not None:
            key = self._type_keys[python_type] = TypeKey(named, Side.INSTANCE)
            return key
        if issubclass(python_type, MetaclassObject):
            return TypeKey(self.existing_class("Metaclass"), Side.INSTANCE)
        for name in ("PythonObject", "Object"):
            found = self.class_named(name)
            if found is not None:
                return TypeKey(found, Side.INSTANCE)
        raise LookupError(f"no class stands for {python_type}")

    def classes_of_shared_type(self, python_type: type) -> tuple[ClassObject, ...] | None:
        """The classes of a Python type that has several; empty when they are not known beforehand."""
        names = self._shared_types.get(python_type)
        if names is None:
            return None
        return tuple([self.existing_class(name) for name in names])

    # ------------------------------------------------------------ instances

    def shapes_of(self, class_object: ClassObject) -> Shapes:
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
            made = instances.make_actor_type(self, class_object)
        else:
            made = instances.make_value_type(self, class_object, class_object.all_slots())
        self._type_keys[made] = TypeKey(class_object, Side.INSTANCE)
        return made

    def plan_of(self, class_object: ClassObject) -> instances.Plan:
        """How instances are made now."""
        plan = self._plans.get(class_object)
        if plan is None:
            newest = self.shapes_of(class_object).newest
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

    def instantiate_actor(
        self, class_object: ClassObject, values: Mapping[str, object] = MappingProxyType({})
    ) -> ActorObject:
        """A bare actor object: slots set as `instantiate` does, no process, `initialize` not run."""
        actor: ActorObject = self.bare_instance(class_object)
        actor._undo = {}
        actor.process = None
        for slot in class_object.all_slots():
            value = values[slot.name] if slot.name in values else default_of(slot)
            setattr(actor, instances.SLOT_PREFIX + slot.name, value)
        return actor

    def migrate_actor(self, actor: ActorObject) -> tuple[str, ...]:
        """Bring an actor's slots in line with its class (actors.md 19); answers the names dropped.

        Between two messages only. New slots get their default; what no longer is a slot goes.
        """
        slots = actor.class_object.all_slots()
        self.shapes_of(actor.class_object)
        state = vars(actor)
        wanted = {instances.SLOT_PREFIX + slot.name for slot in slots}
        dropped = [k for k in state if k.startswith(instances.SLOT_PREFIX) and k not in wanted]
        for name in dropped:
            del state[name]
        for slot in slots:
            state.setdefault(instances.SLOT_PREFIX + slot.name, None) if slot.default is None else getattr(
                actor, instances.SLOT_PREFIX + slot.name
            )
        return tuple([name.removeprefix(instances.SLOT_PREFIX) for name in dropped])

    def declare_class_variables(self, class_object: ClassObject) -> None:
        """Let a class and its descendants have the class variables of its present definition.

        Runs no Beamtalk code: a variable that has no value yet gets its default when it
        is first read. What a class has keeps its value.
        """
        for each in [c for c in self.classes() if c.inherits_from(class_object)]:
            for slot in each.all_class_slots():
                default = instances.SlotDefault(slot, CLASS_VARIABLE_PREFIX)
                setattr(type(each), CLASS_VARIABLE_PREFIX + slot.name, default)
            self.forget_type(type(each))

    def initialize_class_variables(self, class_object: ClassObject) -> None:
        """Evaluate the defaults of class variables that a class does not have yet (actors.md 10.1)."""
        state = vars(class_object)
        for slot in class_object.all_class_slots():
            if CLASS_VARIABLE_PREFIX + slot.name not in state:
                state[CLASS_VARIABLE_PREFIX + slot.name] = default_of(slot)
                # Entries of a class without variables keep none.
                self.forget_type(type(class_object))

    # ------------------------------------------------------------ sends

    def selector(self, text: str) -> Selector:
        """The one `Selector` of a text."""
        found = self._selectors.get(text)
        if found is None:
            found = self._selectors[text] = Selector(self, text)
        return found

    def send(self, receiver: object, selector: str, *arguments: object) -> Any:
        """An ordinary send from Python code."""
        return self.selector(selector).sel[type(receiver)](receiver, *arguments)

    def send_own(self, receiver: object, selector: str, arguments: Sequence[object]) -> Any:
        """Run the method for a receiver here, without an actor's mailbox or a class's border."""
        return self.selector(selector).own[type(receiver)](receiver, *arguments)

    def forget_selectors(self, names: Iterable[str]) -> None:
        """Empty the caches of selectors whose methods changed; also after any other change of definitions."""
        self._next_generation()
        for name in names:
            found = self._selectors.get(name)
            if found is not None:
                found.forget()

    def _next_generation(self) -> None:
        self.generation += 1
        self._plans.clear()

    def forget_all(self) -> None:
        """Empty every cache: a superclass link or a kind changed."""
        self.forget_selectors(list(self._selectors))

    def forget_type(self, python_type: type) -> None:
        """Drop what tables hold for a type that now stands for another class."""
        for selector in self._selectors.values():
            selector.sel.pop(python_type, None)
            selector.own.pop(python_type, None)

    def does_not_understand(self, receiver: object, selector: str, arguments: tuple[object, ...]) -> object:
        """What a miss does (language.md 4.7): a retired selector, an override, or the error."""
        method = self.retired.method_for(self, receiver, selector)
        if method is not None:
            return method.function(receiver, *arguments)
        override = self.method_of(receiver, DNU)
        if override is not None and not override.is_primitive:
            return override.function(receiver, symbol(selector), list_from(arguments))
        raise self.not_understood(receiver, selector)

    def not_understood(self, receiver: object, selector: str) -> BeamtalkError:
        """The `does_not_understand` error of a receiver."""
        return BeamtalkError(
            "does_not_understand",
            class_name=self.class_name_of(receiver),
            selector=selector,
            hint=f"Check the spelling of '{selector}', or ask with 'respondsTo:'.",
        )

    def method_of(self, receiver: object, selector: str) -> Method | None:
        """The method that a receiver has for a selector, overrides of misses not counted."""
        if isinstance(receiver, ClassObject):
            return receiver.lookup(selector, Side.CLASS)
        return self.class_of_instance(receiver).lookup(selector, Side.INSTANCE)

    def responds_to(self, receiver: object, selector: str) -> bool:
        """Whether a receiver has a method for a selector."""
        return self.method_of(receiver, selector) is not None

    # ------------------------------------------------------------ code

    def link(
        self, unit: CompiledUnit, owner: ClassObject | None = None, side: Side | None = None
    ) -> Function:
        """The function of a compiled unit; `owner` and `side` are None for statements and defaults."""
        return self.linker.link(unit, owner, side)

    # ------------------------------------------------------------ what primitives ask for

    def print_string(self, value: object) -> str:
        """`value printString`, by a send."""
        return self._text(value, "printString")

    def display_string(self, value: object) -> str:
        """`value displayString`, by a send."""
        return self._text(value, "displayString")

    def _text(self, value: object, selector: str) -> str:
        text = self.send(value, selector)
        if type(text) is not str:
            raise BeamtalkError(
                "type_error",
                class_name=self.class_name_of(value),
                selector=selector,
                hint=f"'{selector}' has to answer a String.",
            )
        return text

    def equals(self, one: object, two: object) -> bool:
        """The test of linear searches: `=:=` first, then `equals:` (stdlib.md 2.4); no message to actors."""
        if strict_equal(one, two):
            return True
        if not isinstance(one, ValueObject):
            return False
        return self.send(one, "equals:", two) is True

    def make_result_ok(self, value: object) -> object:
        """`Result ok: value`."""
        return self.send(self.existing_class("Result"), "ok:", value)

    def make_result_error(self, value: object) -> object:
        """`Result error: value`."""
        return self.send(self.existing_class("Result"), "error:", value)


_allocate: Final[Callable[[type[Any]], Any]] = object.__new__


def _chain_of(class_object: ClassObject | None) -> Iterator[ClassObject]:
    return class_object.chain() if class_object is not None else iter(())
