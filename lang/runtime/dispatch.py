"""Selectors and their tables: how a send finds its function (design "Evaluation").

Comes in: a selector's text and the Python type of a receiver. Guarantees: a table
always answers something to call, a does-not-understand stub included; tables are
only filled here and only emptied, whole, by `Selector.forget`. Leaves: the calls to
generated code.

* `sel[type(r)](r, a)`: what a sender outside reaches; an actor's entry asks first
  whether the running task is that actor, a class object's saves its class variables.
* `own[type(r)](r, a)`: the method itself, for an activation that already runs there.
* `r.s_foo(a)`: the same as `own`, by attribute, for types derived from the root type.
* `sup[K](r, a)`: from the superclass of the defining class; `K` is the class object,
  or its metaclass object for class methods.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from lang.class_kind import ClassKind
from lang.runtime.blocks import NonLocalReturn
from lang.runtime.classes import (
    CLASS_VARIABLE_PREFIX,
    ClassObject,
    Function,
    MetaclassObject,
    Method,
    Provenance,
)
from lang.syntax.units import Side

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

ATTRIBUTE_PREFIX: Final = "s_"
"""Method `foo:` is found on types of the root as the attribute `s_foo:`."""

LIBRARY_PACKAGE: Final = "stdlib"

IN_ACTOR_PRIMITIVES: Final = frozenset({"fieldAt:", "fieldAt:put:", "fieldNames", "error:", "delegate"})
"""Primitives of Actor and Object that touch state, and so go through the mailbox; others run at the caller."""


class TypeKey(NamedTuple):
    """What a Python type stands for: instances of a class, or the class object itself."""

    class_object: ClassObject
    side: Side


def arity_of(selector: str) -> int:
    """How many arguments a selector takes."""
    if selector.endswith(":"):
        return selector.count(":")
    return 0 if selector[:1].isalpha() or selector[:1] == "_" else 1


class Selector:
    """One selector of one image: its text, its tables and the attributes installed for it."""

    __slots__ = ("_installed", "arity", "attribute", "own", "runtime", "sel", "sup", "text")

    def __init__(self, runtime: Runtime, text: str) -> None:
        self.runtime = runtime
        self.text = text
        self.arity = arity_of(text)
        self.attribute = ATTRIBUTE_PREFIX + text
        self.sel = SendTable(self)
        self.own = OwnTable(self)
        self.sup = SuperTable(self)
        self._installed: list[type] | None = None

    def forget(self) -> None:
        """Empty all caches of this selector; every site looks up again at its next send."""
        self.sel.clear()
        self.own.clear()
        self.sup.clear()
        if self._installed:
            for python_type in self._installed:
                delattr(python_type, self.attribute)
            self._installed.clear()

    def ensure_attribute(self) -> None:
        """Put the stub on the root type that resolves `self.s_foo(…)` at its first use on a type."""
        if self._installed is not None:
            return
        installed = self._installed = []
        attribute, own = self.attribute, self.own

        def resolve(receiver: object, *arguments: object) -> object:
            python_type = type(receiver)
            function = own[python_type]
            setattr(python_type, attribute, function)
            installed.append(python_type)
            return function(receiver, *arguments)

        setattr(self.runtime.root_type, attribute, resolve)

    def __repr__(self) -> str:
        return f"<Selector {self.text}>"


class OwnTable(dict[type, Function]):
    """Receiver type to method, without the border that an actor or a class has."""

    __slots__ = ("_selector",)

    def __init__(self, selector: Selector) -> None:
        super().__init__()
        self._selector = selector

    def __missing__(self, python_type: type) -> Function:
        function = self[python_type] = own_function(self._selector, python_type)
        return function


class SendTable(dict[type, Function]):
    """Receiver type to what a send from outside calls."""

    __slots__ = ("_selector",)

    def __init__(self, selector: Selector) -> None:
        super().__init__()
        self._selector = selector

    def __missing__(self, python_type: type) -> Function:
        function = self[python_type] = send_function(self._selector, python_type)
        return function


class SuperTable(dict[object, Function]):
    """Defining class (or metaclass object) to the method above it."""

    __slots__ = ("_selector",)

    def __init__(self, selector: Selector) -> None:
        super().__init__()
        self._selector = selector

    def __missing__(self, key: object) -> Function:
        function = self[key] = super_function(self._selector, key)
        return function


# ---------------------------------------------------------------- look-up


def own_function(selector: Selector, python_type: type) -> Function:
    """The method for receivers of a type, or a does-not-understand stub."""
    runtime = selector.runtime
    classes = runtime.types.classes_of_shared_type(python_type)
    if classes is not None:
        return _picked(selector, classes)
    method = lookup(selector, runtime.types.key_of(python_type))
    return method.function if method is not None else not_understood(selector)


def send_function(selector: Selector, python_type: type) -> Function:
    """What a send from outside calls for receivers of a type."""
    runtime = selector.runtime
    if runtime.types.classes_of_shared_type(python_type) is not None:
        return selector.own[python_type]
    key = runtime.types.key_of(python_type)
    method = lookup(selector, key)
    function = selector.own[python_type]
    if key.side is Side.CLASS:
        return class_entry(key.class_object, method, function)
    if key.class_object.kind is ClassKind.ACTOR and not runs_at_caller(method):
        return actor_entry(selector, function)
    return function


def super_function(selector: Selector, key: object) -> Function:
    """The method above the class that `key` stands for."""
    side = Side.CLASS if isinstance(key, MetaclassObject) else Side.INSTANCE
    owner = key.this_class if isinstance(key, MetaclassObject) else key
    above = cast("ClassObject", owner).superclass
    if above is not None:
        method = above.lookup(selector.text, side)
    else:
        behaviour = selector.runtime.class_class if side is Side.CLASS else None
        method = behaviour.lookup(selector.text, Side.INSTANCE) if behaviour is not None else None
    return method.function if method is not None else not_understood(selector)


def lookup(selector: Selector, key: TypeKey) -> Method | None:
    """The method of a class and side that a selector finds."""
    return key.class_object.lookup(selector.text, key.side)


def _picked(selector: Selector, classes: Sequence[ClassObject]) -> Function:
    """The entry of a Python type whose instances are of several classes (`bool`, exceptions)."""
    runtime, text = selector.runtime, selector.text
    if classes:
        found = {c.lookup(text, Side.INSTANCE) for c in classes}
        if len(found) == 1 and (method := found.pop()) is not None:
            return method.function
    by_class: dict[ClassObject, Function] = {}

    def pick(receiver: object, *arguments: object) -> object:
        class_object = runtime.class_of_instance(receiver)
        function = by_class.get(class_object)
        if function is None:
            method = class_object.lookup(text, Side.INSTANCE)
            function = method.function if method is not None else not_understood(selector)
            by_class[class_object] = function
        return function(receiver, *arguments)

    return pick


def not_understood(selector: Selector) -> Function:
    """The stub for a miss: it decides when called, for arguments come after look-up."""
    runtime, text = selector.runtime, selector.text

    def stub(receiver: object, *arguments: object) -> object:
        return runtime.does_not_understand(receiver, text, arguments)

    return stub


# ---------------------------------------------------------------- borders


def runs_at_caller(method: Method | None) -> bool:
    """Whether a send of this method to an actor needs no mailbox (actors.md 1.4, 4.1).

    Only primitives of the library may: they are written not to touch the state.
    """
    return method is not None and method.is_primitive and method.selector not in IN_ACTOR_PRIMITIVES


def actor_entry(selector: Selector, function: Function) -> Function:
    """The `sel` entry of an actor type: direct when this task is that actor (actors.md 4.1, 4.2)."""
    return selector.runtime.processes.entry(selector, function)


def class_entry(class_object: ClassObject, method: Method | None, function: Function) -> Function:
    """The `sel` entry of a class object: where it is decided what runs a class method (actors.md 10).

    It runs on the caller's stack, one process at a time. Class variables go back to what they were when the
    method ends by an error, and are kept on a non-local return (language.md 4.8).
    """
    if method is None or method.is_primitive:
        return function
    if class_object.all_class_slots():
        function = _undone_after_errors(function)
    elif _runs_in_caller(class_object, method):
        return function
    # The blocks of a ClassBuilder send to `self` like any block: as from outside.
    if method.provenance is Provenance.CLASS_BUILDER:
        return function

    runtime, text = class_object.runtime, method.selector

    def entry(receiver: ClassObject, *arguments: object) -> object:
        processes = runtime.processes
        has_turn = processes.enter_class(receiver, text)
        try:
            return function(receiver, *arguments)
        finally:
            if has_turn:
                processes.leave_class(receiver)

    return entry


def _runs_in_caller(class_object: ClassObject, method: Method) -> bool:
    """Whether a method of a class without class variables is none of the class's process (actors.md 3)."""
    if method.provenance is Provenance.GENERATED or method.owner.definition.package == LIBRARY_PACKAGE:
        return True
    return method.is_sealed and class_object.definition.is_sealed


def _undone_after_errors(function: Function) -> Function:
    """A class method whose assignments to class variables go with its error (actors.md 10.2)."""

    def undone(receiver: ClassObject, *arguments: object) -> object:
        before = class_variables(receiver)
        try:
            return function(receiver, *arguments)
        except NonLocalReturn:
            raise
        except BaseException:
            restore_class_variables(receiver, before)
            raise

    return undone


def class_variables(class_object: ClassObject) -> dict[str, object]:
    """A copy of the class variables as attributes (prefixed names)."""
    return {k: v for k, v in vars(class_object).items() if k.startswith(CLASS_VARIABLE_PREFIX)}


def restore_class_variables(class_object: ClassObject, before: dict[str, object]) -> None:
    """Put the class variables back to what `class_variables` answered."""
    state = vars(class_object)
    for name in [k for k in state if k.startswith(CLASS_VARIABLE_PREFIX) and k not in before]:
        del state[name]
    state.update(before)
