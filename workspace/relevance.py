"""Which sends can reach a method, by the type of their receiver (types.md 5.4).

Comes in: a state, a method (class, side) and receiver types. Guarantees: no send is excluded whose
receiver, taken at its type, can dispatch to that method (X-13 to X-18 with the argument behind
X-19); each name is decided once. Leaves: finding receiver types to `receiver_types`.
"""

from __future__ import annotations

from functools import cached_property
from typing import Final

from lang.ast import nodes as ast
from lang.runtime.classes import ProtocolInfo
from lang.semantics.hierarchy import side_of_signature
from lang.semantics.receivers import Composition, ReceiverName, ReceiverType
from lang.syntax.units import Side
from workspace import drafting
from workspace.hierarchy import defining_class, subclass_tree, superclass_chain
from workspace.state import ImageState

HANDLER: Final = "doesNotUnderstand:args:"

TOWER: Final = frozenset({"Metaclass", "Class", "Behaviour", "Object", "ProtoObject"})
"""The classes whose instances may be class objects, and whose instance methods every class object has."""


class Relevance:
    """Decides for one class and side which receivers may be answered by a method of it."""

    def __init__(self, state: ImageState, class_name: str, side: Side) -> None:
        self._state = state
        self._class_name = class_name
        self._side = side
        self._decided: dict[ReceiverName, bool] = {}

    def admits(self, receiver: ReceiverType) -> bool:
        """Whether a send to such a receiver may reach a method of the class."""
        match receiver.composition:
            case Composition.DYNAMIC:
                return True
            case Composition.ONE | Composition.UNION:
                return any(self.admits_name(name) for name in receiver.names)
            case Composition.INTERSECTION:
                return all(self.admits_name(name) for name in receiver.names)

    def admits_name(self, name: ReceiverName) -> bool:
        """The same for one name."""
        known = self._decided.get(name)
        if known is None:
            known = self._decided[name] = self._decide(name)
        return known

    def _decide(self, receiver: ReceiverName) -> bool:
        name = receiver.name
        if is_protocol(self._state, name):
            return self._reaches_protocol(name)
        if name not in self._state.classes:
            return True  # what is not loaded rules nothing out
        if receiver.is_class_object:
            return self._reaches_class_object(name)
        if self._side is Side.CLASS:
            return name in TOWER
        return name in self.related

    def _reaches_class_object(self, name: str) -> bool:
        if self._side is Side.INSTANCE:
            return self._class_name in TOWER
        return name in self.related

    @cached_property
    def related(self) -> frozenset[str]:
        """The class, what is above it and what is below it."""
        return frozenset((*superclass_chain(self._state, self._class_name), *self.tree))

    @cached_property
    def tree(self) -> frozenset[str]:
        """The class and all that inherit from it."""
        return frozenset((self._class_name, *subclass_tree(self._state, self._class_name)))

    def _reaches_protocol(self, protocol: str) -> bool:
        """X-17: a subclass may add what is missing and inherit the method in question."""
        required = required_by(self._state, protocol)
        if required is None:
            return True
        if self._class_name in TOWER and self._side is Side.INSTANCE:
            return True  # class objects inherit it, and any of them may conform
        return any(self._conforms(name, required) for name in self.tree)

    def _conforms(self, name: str, required: frozenset[tuple[str, Side]]) -> bool:
        """Whether a class (T-24), or for a class-side method the class object (T-25), answers all that is asked."""
        state = self._state
        if not has_known_root(state, name) or defining_class_above_root(state, name, self._side):
            return True
        if self._side is Side.CLASS:
            instance_side = (selector for selector, side in required if side is Side.INSTANCE)
            return all(defining_class(state, name, Side.CLASS, selector) for selector in instance_side)
        return all(defining_class(state, name, side, selector) for selector, side in required)


def has_known_root(state: ImageState, name: str) -> bool:
    """Whether every superclass up to the root is in sight; else anything may be inherited."""
    *_, last = superclass_chain(state, name)
    return last == "ProtoObject"


def defining_class_above_root(state: ImageState, name: str, side: Side) -> bool:
    """Whether a handler of messages not understood, other than the root's own, answers for a class."""
    found = defining_class(state, name, side, HANDLER)
    return found is not None and found not in TOWER


def is_protocol(state: ImageState, name: str) -> bool:
    """Whether a name is that of a protocol, of the project or of the library."""
    library = state.library.get(name)
    return name in state.protocols or (library is not None and library.protocol is not None)


def required_by(state: ImageState, protocol: str) -> frozenset[tuple[str, Side]] | None:
    """What a protocol and those that it extends ask for; None when one of them is not in sight."""
    required: set[tuple[str, Side]] = set()
    seen: set[str] = set()
    name: str | None = protocol
    while name is not None and name not in seen:
        declared = _declared(state, name)
        if declared is None:
            return None
        required.update(declared.required)
        seen.add(name)
        name = declared.extending
    return frozenset(required)


def _declared(state: ImageState, name: str) -> ProtocolInfo | None:
    library = state.library.get(name)
    if library is not None:
        return library.protocol
    lineage = state.protocols.get(name)
    unit = None if lineage is None else state.units.get(lineage)
    node = None if unit is None else drafting.parsed(unit).node
    if not isinstance(node, ast.ProtocolDef):
        return None
    asked = tuple((each.selector.text, side_of_signature(each)) for each in node.signatures)
    return ProtocolInfo(asked, None if node.extending is None else node.extending.name)
