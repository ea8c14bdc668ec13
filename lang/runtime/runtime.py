"""The runtime of one image: everything that running code shares (architecture.md 4).

Guarantees: no state outside this object; tests make many. Changes of classes are
stores (`class_object.definition = …`, `bind_names`) followed by `forget_selectors`.
Leaves: what changes and why to the workspace, tasks to `lang/runtime/processes`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from lang.codegen.unit import CompiledUnit
from lang.runtime import operators
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
from lang.runtime.dispatch import Selector
from lang.runtime.equality import strict_equal
from lang.runtime.errors import BeamtalkError, class_not_found
from lang.runtime.instances import ValueObject, default_of
from lang.runtime.link import Linker, unit_of
from lang.runtime.retired import RetiredSelectors
from lang.runtime.safepoint import SafePoints
from lang.runtime.shapes import InstanceShapes
from lang.runtime.surroundings import Discard, Processes, Transcript
from lang.runtime.symbols import symbol
from lang.runtime.type_keys import TypeKeys
from lang.syntax.units import Side

DNU: Final = "doesNotUnderstand:args:"


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
        self.types = TypeKeys(self)
        self.shapes = InstanceShapes(self)
        self.known_as: dict[type, str] = {}
        """Names that messages use for the one instance of a Python type (workspace.md 2.4)."""
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
        self.types.bind_class(leaf, class_object)
        return class_object

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
        return self.types.class_of_instance(value)

    def class_name_of(self, value: object) -> str:
        """The name that messages about a receiver use: a class's own for a class object."""
        if isinstance(value, ClassObject | MetaclassObject):
            return value.name
        return self.known_as.get(type(value)) or self.class_of_instance(value).name

    def is_kind_of(self, value: object, class_object: ClassObject) -> bool:
        """Whether the class of a value is a class or inherits from it."""
        return self.class_of_instance(value).inherits_from(class_object)

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
        self.shapes.forget_plans()

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


def _chain_of(class_object: ClassObject | None) -> Iterator[ClassObject]:
    return class_object.chain() if class_object is not None else iter(())
