"""From a compiled unit to a function: a globals dict of its own, filled from the link list.

Guarantees: a class reference is bound to the class *object*, so that it follows the
class through renames; an unknown one stays unbound and the unit waits until the name
appears. Superseded code keeps what it was linked to. Leaves: method dictionaries.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import FunctionType
from typing import TYPE_CHECKING, Final, cast
from weakref import WeakSet

from lang.codegen import unit as names
from lang.codegen.unit import CompiledUnit, Datum
from lang.runtime.classes import ClassObject, Function
from lang.runtime.collections.arrays import array_of
from lang.runtime.collections.lists import list_of
from lang.runtime.collections.mappings import dictionary_of
from lang.runtime.symbols import symbol
from lang.syntax.units import Side

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime


_STDLIB: Final = "stdlib@"
"""Names of the library are taken everywhere, so that the bare one means the same (types.md M-10, M-11)."""


class LinkedUnit:
    """One unit of code in an image: who owns it, and the globals it was linked to."""

    __slots__ = ("__weakref__", "globals", "module", "owner", "references", "selector", "side")

    def __init__(
        self,
        owner: ClassObject | None,
        side: Side | None,
        selector: str,
        module: str,
        variables: dict[str, object],
    ) -> None:
        self.owner = owner
        self.side = side
        self.selector = selector
        self.module = module
        self.globals = variables
        self.references: list[tuple[str, str]] = []
        """The free variables that stand for classes, each with the name that the image knows it by."""

    def variables_of(self, class_name: str) -> tuple[str, ...]:
        """The free variables that stand for a class name."""
        return tuple(variable for variable, name in self.references if name == class_name)

    def is_superseded(self) -> bool:
        """Whether this is no longer the code that its owner answers for the selector.

        Derived, not stored: an undo makes the code current again. Statements and
        defaults never are.
        """
        if self.owner is None or self.side is None:
            return False
        method = self.owner.definition.find(self.selector, self.side)
        return method is None or method.function.__globals__ is not self.globals


class Linker:
    """Links units for one image, and binds waiting class references as names appear."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._waiting: dict[str, WeakSet[LinkedUnit]] = {}
        self._users: dict[str, WeakSet[LinkedUnit]] = {}
        """Units that use a name which stands for no class: such a name may get another value."""

    def link(self, unit: CompiledUnit, owner: ClassObject | None, side: Side | None) -> Function:
        """The function of a unit. `owner` and `side` are None for statements and defaults."""
        variables: dict[str, object] = {"__builtins__": self._runtime.builtins}
        linked = LinkedUnit(owner, side, unit.selector, unit.code.co_filename, variables)
        variables[names.UNIT] = linked
        for kind, name, what in unit.links:
            self._bind(linked, kind, name, what)
        return FunctionType(unit.code, variables)

    def _bind(self, linked: LinkedUnit, kind: str, name: str, what: Datum) -> None:
        runtime, variables = self._runtime, linked.globals
        match kind:
            case names.SEND:
                variables[name] = runtime.selector(cast("str", what)).sel
            case names.OWN:
                variables[name] = runtime.selector(cast("str", what)).own
            case names.ATTRIBUTE:
                runtime.selector(cast("str", what)).ensure_attribute()
            case names.SYMBOL:
                variables[name] = symbol(cast("str", what))
            case names.CLASS:
                class_name = cast("str", what).removeprefix(_STDLIB)
                linked.references.append((name, class_name))
                self._bind_class(linked, class_name)
            case names.SUPER:
                variables[name] = runtime.selector(cast("str", what)).sup
            case names.OWNER_KEY:
                variables[name] = _super_key(linked)
            case names.LITERAL:
                variables[name] = built_literal(what)
            case _:
                raise AssertionError(f"unknown kind of link: {kind}")

    def _bind_class(self, linked: LinkedUnit, class_name: str) -> None:
        class_names = self._runtime.class_names
        if class_name not in class_names:
            self._waiting.setdefault(class_name, WeakSet()).add(linked)
            return
        value = class_names[class_name]
        for variable in linked.variables_of(class_name):
            linked.globals[variable] = value
        if not isinstance(value, ClassObject):
            self._users.setdefault(class_name, WeakSet()).add(linked)

    def fill(self, class_names: Mapping[str, object]) -> None:
        """Bind the references that waited for names which now exist; names of no class follow their value."""
        for name, users in list(self._users.items()):
            self._rebind(name, users, class_names)
        for name in [n for n in self._waiting if n in class_names]:
            for linked in self._waiting.pop(name):
                self._bind_class(linked, name)

    def _rebind(self, name: str, users: WeakSet[LinkedUnit], class_names: Mapping[str, object]) -> None:
        if name in class_names:
            for linked in users:
                for variable in linked.variables_of(name):
                    linked.globals[variable] = class_names[name]
            return
        del self._users[name]
        for linked in users:
            for variable in linked.variables_of(name):
                linked.globals.pop(variable, None)
            self._waiting.setdefault(name, WeakSet()).add(linked)

    def unbind(self, linked: LinkedUnit, gone: object) -> None:
        """Make the references of a unit to a removed class wait for the name again."""
        for variable, class_name in linked.references:
            if linked.globals.get(variable) is gone:
                del linked.globals[variable]
                self._waiting.setdefault(class_name, WeakSet()).add(linked)


def _super_key(linked: LinkedUnit) -> object:
    if linked.owner is None:
        raise AssertionError("'super' in code without an owner")
    return linked.owner if linked.side is Side.INSTANCE else linked.owner.metaclass


def unit_of(function: Function) -> LinkedUnit | None:
    """The unit that a function was linked from; None for primitives and generated accessors."""
    found = getattr(function, "__globals__", {}).get(names.UNIT)
    return found if isinstance(found, LinkedUnit) else None


def built_literal(datum: Datum) -> object:
    """The value of a literal: scalars are themselves, the rest is tagged."""
    if not isinstance(datum, tuple):
        return datum
    match datum:
        case ("symbol", str(name)):
            return symbol(name)
        case ("list", tuple(elements)):
            return list_of([built_literal(e) for e in elements])
        case ("array", tuple(elements)):
            return array_of([built_literal(e) for e in elements])
        case ("dictionary", tuple(pairs)):
            flat = [built_literal(e) for e in pairs]
            return dictionary_of(zip(flat[::2], flat[1::2], strict=True))
        case _:
            raise AssertionError(f"unknown literal: {datum!r}")
