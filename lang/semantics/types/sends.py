"""What a message to a type answers (types.md 2.3).

Comes in: one member of a receiver's type, a selector, arguments. Guarantees: the look-up is `World.find`'s, the
result has no placeholder that this send could decide. Leaves: unions and special forms to `infer` and `control`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from lang.ast import nodes as ast
from lang.dataclass import dataclass
from lang.semantics.types.annotations import substituted
from lang.semantics.types.binding import Bindings
from lang.semantics.types.compatibility import widened
from lang.semantics.types.lattice import (
    SELF,
    SYMBOL_CLASS,
    UNANNOTATED_RETURN,
    UNKNOWN,
    Known,
    Meta,
    Type,
    known,
)
from lang.semantics.types.methods import Made, MethodType
from lang.semantics.types.world import World
from lang.syntax.units import Side

CONSTRUCTORS: Final = frozenset({"new", "new:", "basicNew", "spawn", "spawnWith:"})
EQUALITIES: Final = frozenset({"=:=", "=/=", "==", "/="})

ReturnOf = Callable[[MethodType, str], Type | None]
"""The inferred result of a method for receivers of a class; None when there is none to record (I-20)."""


def find_for(member: Known | Meta, selector: str, world: World) -> MethodType | None:
    """What answers a message to one member of a receiver's type."""
    if isinstance(member, Meta):
        return world.find(member.name, Side.CLASS, selector)
    if member.is_singleton:
        return world.find(SYMBOL_CLASS, Side.INSTANCE, selector)
    if world.is_protocol(member.name):
        asked = world.requirements(member.name).instance.get(selector)
        return asked or world.find("Object", Side.INSTANCE, selector)
    return world.find(member.name, Side.INSTANCE, selector)


@dataclass(slots=True)
class Call:
    """A method that is about to be called, with what its type parameters stand for so far.

    `self_type` is what `Self` means; in a send to `super` that is not the class in which the look-up began.
    """

    member: Known | Meta
    method: MethodType
    self_type: Type
    bindings: Bindings
    world: World

    def parameter(self, at: int) -> Type | None:
        """The declared type of a parameter for this receiver, with what is bound (T-38); None without one."""
        declared = self.method.parameters[at] if at < len(self.method.parameters) else None
        if declared is None:
            return None
        wide = {name: widened(found) for name, found in self.bindings.items()}
        return substituted(declared, wide, self.world)

    def bind(self, at: int, argument: Type) -> None:
        """Take in an argument."""
        if at < len(self.method.parameters):
            self.bindings.bind(self.method.parameters[at], argument)

    def result(self, return_of: ReturnOf) -> Type:
        """The type of the answer."""
        method = self.method
        if isinstance(self.self_type, Meta) and method.side is Side.CLASS:
            self.bindings["Self"] = self._instance_of(self.self_type.name)
        if self._makes_an_instance():
            return self._made()
        if method.returns is not None:
            if method.returns == SELF and self._is_of_another_species():
                return UNKNOWN
            return substituted(method.returns, self.bindings, self.world)
        if method.made is not Made.WRITTEN:
            return UNKNOWN if method.made is Made.GENERATED else UNANNOTATED_RETURN
        if method.is_primitive or is_delegated(method):
            return UNANNOTATED_RETURN
        inferred = return_of(method, self.member.name)
        return UNANNOTATED_RETURN if inferred is None else substituted(inferred, self.bindings, self.world)

    def _is_of_another_species(self) -> bool:
        """Whether a collection's method gives Lists for `Self`: its class cannot be made of a list (an Interval)."""
        if self.method.owner != "Collection" or not isinstance(self.member, Known):
            return False
        found = self.world.find(self.member.name, Side.CLASS, "withAll:")
        return found is not None and found.owner == "Collection"

    def _makes_an_instance(self) -> bool:
        if not isinstance(self.member, Meta) or self.method.selector not in CONSTRUCTORS:
            return False
        method = self.method
        if method.returns is not None:
            return method.returns == SELF
        return method.tree is None or method.is_primitive

    def _made(self) -> Type:
        """A new instance, of a class that can have some (T-35)."""
        facts = self.world.facts(self.member.name)
        is_abstract = facts is None or (
            facts.is_abstract and self.method.selector in ("new", "new:", "basicNew")
        )
        return UNKNOWN if is_abstract else self._instance_of(self.member.name)

    def _instance_of(self, name: str) -> Type:
        """An instance of the receiving class, with the arguments that the send decides."""
        parameters = self.world.type_parameters(name)
        if not any(each in self.bindings for each in parameters):
            return known(name)
        return Known(name, tuple(self.bindings.get(each, UNKNOWN) for each in parameters))


def call_of(member: Known | Meta, method: MethodType, self_type: Type, world: World) -> Call:
    """The call of a method, with the parameters bound that the receiver decides (T-31, T-32)."""
    bound: dict[str, Type] = {}
    if isinstance(member, Known):
        instance = known(SYMBOL_CLASS) if member.is_singleton else member
        bound.update(dict.fromkeys(world.type_parameters(method.owner), UNKNOWN))
        bound.update(world.bindings(instance, method.owner))
        bound["Self"] = self_type
        bound["Self class"] = Meta(self_type.name) if isinstance(self_type, Known) else UNKNOWN
        return Call(member, method, self_type, Bindings(bound), world)
    if method.side is Side.INSTANCE:
        # An instance method of the metaclass tower: the receiver is the class object itself (I-12).
        bound |= {"Self": member, "Self class": known("Metaclass")}
    else:
        bound["Self class"] = self_type
    return Call(member, method, self_type, Bindings(bound), world)


def is_delegated(method: MethodType) -> bool:
    """Whether the body is exactly `self delegate`: the host answers (I-21)."""
    match method.tree:
        case ast.MethodDef(body=(ast.Send(receiver=ast.SelfRef(), selector=selector),)):
            return selector.text == "delegate"
    return False
