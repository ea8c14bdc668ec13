"""The world that types are judged in: classes, protocols, aliases, and how much of it is known (types.md 0.8).

Comes in: a `ClassView` (which classes there are), `Trees` (what is written) and the scope of knowledge.
Guarantees: a `World` never changes, and answers the same for ever; what it found out is kept in memory that
belongs to it. `succeeded` makes the world after a change and keeps what the change cannot have touched: what
was found out about a class is forgotten when the class, or one above it, was touched, and an inferred result when
that is so of any class that was asked for it. Leaves: types of expressions to `infer`, severities to `ladder`.
"""

from __future__ import annotations

import enum
from collections.abc import Container, Iterator, Mapping
from typing import Final

from lang.ast import nodes as ast
from lang.class_kind import ClassKind
from lang.dataclass import dataclass, field
from lang.semantics.hierarchy import BUILTIN_TYPES, ClassFacts, ClassView
from lang.semantics.types.annotations import capped, resolved, substituted
from lang.semantics.types.ladder import Rung
from lang.semantics.types.lattice import (
    NIL,
    SELF,
    UNKNOWN,
    How,
    Known,
    Meta,
    Placeholder,
    Provenance,
    Type,
    union,
    with_provenance,
)
from lang.semantics.types.methods import Made, MethodType
from lang.semantics.types.protocols import Requirements, missing_of
from lang.semantics.types.trees import Trees
from lang.syntax.units import Side

_CONSTRUCTORS: Final = {"new": 0, "new:": 1, "basicNew": 0}


class Knowledge(enum.Enum):
    """How much of everything is in sight; claimed by whoever assembled the world (L-1)."""

    MODULE_ONLY = "module only"
    PROJECT_COMPLETE = "project complete"
    IMAGE_COMPLETE = "image complete"


@dataclass(slots=True)
class _Memory:
    """What a world found out, by class name first, so that a touched class can be forgotten."""

    lines: dict[str, frozenset[str]] = field(default_factory=dict)
    found: dict[str, dict[tuple[str, bool], MethodType | None]] = field(default_factory=dict)
    missing: dict[str, dict[tuple[str, bool], tuple[str, ...]]] = field(default_factory=dict)
    verdicts: dict[str, dict[bool, Rung]] = field(default_factory=dict)
    aliases: dict[str, Type] = field(default_factory=dict)
    requirements: dict[str, Requirements] = field(default_factory=dict)
    lifted: dict[str, dict[str, Mapping[str, Type]]] = field(default_factory=dict)
    returns: dict[tuple[str, bool, str, str], InferredReturn] = field(default_factory=dict)

    def without(self, touched: frozenset[str]) -> _Memory:
        """What is left when these classes changed; `lines` has every class that anything is kept of."""
        lines = {name: line for name, line in self.lines.items() if line.isdisjoint(touched)}
        gone = (self.lines.keys() - lines.keys()) | touched
        return _Memory(
            lines,
            {name: dict(kept) for name, kept in self.found.items() if name in lines},
            {name: dict(kept) for name, kept in self.missing.items() if name in lines},
            {name: dict(kept) for name, kept in self.verdicts.items() if name in lines},
            dict(self.aliases),
            dict(self.requirements),
            {name: dict(kept) for name, kept in self.lifted.items() if name in lines},
            {key: kept for key, kept in self.returns.items() if kept.consulted.isdisjoint(gone)},
        )


@dataclass(frozen=True, slots=True)
class InferredReturn:
    """The inferred result of a method, and the classes that were asked for it; None is nothing to record (I-20)."""

    type: Type | None
    consulted: frozenset[str]


@dataclass(frozen=True, slots=True)
class Limits:
    """What is not known for certain (L-2 rows 5, 6, 7).

    `broken` are classes from files with syntax errors, `built` those that were built at run time;
    `lacks_extensions` says that the extensions of some dependency could not be read.
    """

    broken: Container[str] = frozenset()
    built: Container[str] = frozenset()
    lacks_extensions: bool = False


class World:
    """All that the type checker may know, at one moment."""

    def __init__(
        self, view: ClassView, trees: Trees, knowledge: Knowledge, limits: Limits | None = None
    ) -> None:
        self.view: Final = view
        self.trees: Final = trees
        self.knowledge: Final = knowledge
        self.limits: Final = limits or Limits()
        self.memory = _Memory()
        self._opening: set[str] = set()
        self._protocols: dict[str, bool] = {}

    def succeeded(
        self, view: ClassView, trees: Trees, touched: frozenset[str], limits: Limits | None = None
    ) -> World:
        """The world after a change.

        `touched` are the names of all classes, protocols and aliases that came, went or changed. A touched
        protocol or alias may be named anywhere, so nothing is kept then.
        """
        after = World(view, trees, self.knowledge, limits or self.limits)
        if not any(self._is_no_class(name) or after._is_no_class(name) for name in touched):
            after.memory = self.memory.without(touched)
        return after

    def _is_no_class(self, name: str) -> bool:
        return self.is_protocol(name) or self.trees.alias(name) is not None

    # ------------------------------------------------------------ names

    def key_of(self, ref: ast.ClassRef) -> str:
        """The name that types know a class by: the bare one, unless only the qualified one is known."""
        if ref.package is None:
            return ref.name
        qualified = f"{ref.package}@{ref.name}"
        return qualified if qualified in self.view.classes else ref.name

    def alias(self, name: str) -> Type | None:
        """What an alias expands to; one that leads back to itself is `Dynamic` (T-39)."""
        found = self.memory.aliases.get(name)
        if found is not None:
            return found
        written = self.trees.alias(name)
        if written is None:
            return None
        if name in self._opening:
            return UNKNOWN
        self._opening.add(name)
        try:
            structure = capped(resolved(written, self))
        finally:
            self._opening.discard(name)
        found = with_provenance(structure, Provenance(How.ALIASED, name))
        self.memory.aliases[name] = found
        return found

    def is_known_name(self, name: str) -> bool:
        """Whether a class or protocol has this name."""
        return name in self.view.classes or self.is_protocol(name)

    def is_class(self, name: str) -> bool:
        """Whether a class has this name."""
        return name in self.view.classes and not self.is_protocol(name)

    def is_protocol(self, name: str) -> bool:
        """Whether a protocol, and no class, has this name."""
        found = self._protocols.get(name)
        if found is None:
            is_named = self.trees.protocol(name) is not None
            # An image has an object for each protocol, and so lists it with the classes.
            found = self._protocols[name] = is_named and self.trees.header(name) is None
        return found

    def is_meaningful(self, name: str) -> bool:
        """Whether a name in class position means anything."""
        return self.is_known_name(name) or name in BUILTIN_TYPES or self.trees.alias(name) is not None

    @property
    def sees_project(self) -> bool:
        """Whether every file of the project was read, and nothing but files."""
        return self.knowledge is Knowledge.PROJECT_COMPLETE

    @property
    def sees_image(self) -> bool:
        """Whether the live image is known."""
        return self.knowledge is Knowledge.IMAGE_COMPLETE

    # ------------------------------------------------------------ hierarchy

    def facts(self, name: str) -> ClassFacts | None:
        """What is known of a class."""
        return self.view.facts(name)

    def chain(self, name: str) -> Iterator[ClassFacts]:
        """A class and its superclasses, as far as they are known."""
        return self.view.chain(name)

    def is_below(self, name: str, ancestor: str) -> bool:
        """Whether `ancestor` is the class or above it."""
        return name == ancestor or self.view.inherits(name, ancestor)

    def is_complete(self, name: str) -> bool:
        """Whether every superclass is known; protocols have none."""
        return self.view.is_complete(name) or self.is_protocol(name)

    def kind_of(self, name: str) -> ClassKind | None:
        """The kind of a class; None when a superclass is unknown."""
        return self.view.kind_of(name)

    def is_leaf(self, name: str) -> bool:
        """Whether a class is concrete and has no subclasses."""
        facts = self.facts(name)
        return facts is not None and not facts.is_abstract and name not in self.view.parents

    def is_typed(self, name: str) -> bool:
        """Whether a class, or one above it, is declared `typed` (D-17)."""
        return any(facts.is_typed for facts in self.chain(name))

    def remember(self, name: str) -> None:
        """Note that something about a class is kept, with the names that it depends on: all above it."""
        if name not in self.memory.lines:
            line = [name]
            for facts in self.chain(name):
                line += (facts.name, facts.superclass or "")
            self.memory.lines[name] = frozenset(line)

    # ------------------------------------------------------------ generics

    def type_parameters(self, name: str) -> tuple[str, ...]:
        """The type parameters that a class declares."""
        header = self.trees.header(name)
        return () if header is None else tuple(p.name.name for p in header.type_parameters)

    def instance_type(self, name: str) -> Known:
        """A class with its own parameters as placeholders: `self` on the instance side (I-2)."""
        return Known(name, tuple(Placeholder(each) for each in self.type_parameters(name)))

    def bindings(self, receiver: Known, owner: str) -> Mapping[str, Type]:
        """The arguments of a receiver, as the parameters of the class that defines a method see them (T-32)."""
        own = self.type_parameters(receiver.name)
        given = dict(zip(own, receiver.arguments, strict=True)) if len(own) == len(receiver.arguments) else {}
        if receiver.name == owner:
            return given
        lifted = self._lifted(receiver.name, owner)
        return {name: substituted(found, given, self) for name, found in lifted.items()} if lifted else lifted

    def _lifted(self, name: str, owner: str) -> Mapping[str, Type]:
        """The parameters of `owner` in terms of those of a class below it."""
        self.remember(name)
        memory = self.memory.lifted.setdefault(name, {})
        if owner not in memory:
            memory[owner] = self._lift(name, owner)
        return memory[owner]

    def _lift(self, name: str, owner: str) -> Mapping[str, Type]:
        at: Mapping[str, Type] = {each: Placeholder(each) for each in self.type_parameters(name)}
        for facts in self.chain(name):
            if facts.name == owner:
                return at
            above = facts.superclass
            header = self.trees.header(facts.name)
            if above is None or header is None:
                return {}
            parameters, written = self.type_parameters(above), header.superclass_arguments
            if len(parameters) != len(written):
                at = {}
                continue
            own = frozenset(p.name.name for p in header.type_parameters)
            arguments = [substituted(resolved(each, self, own), at, self) for each in written]
            at = dict(zip(parameters, arguments, strict=True))
        return {}

    # ------------------------------------------------------------ slots

    def slot_names(self, name: str) -> tuple[str, ...]:
        """The instance slots of a class, inherited ones first."""
        return self.view.slots_of(name)

    def slot_type(self, receiver: Known, slot: str) -> Type | None:
        """The declared type of a slot, own or inherited, for this receiver; None where there is none."""
        for facts in self.chain(receiver.name):
            for declaration in self.trees.slots(facts.name):
                if declaration.name.name == slot:
                    if declaration.annotation is None:
                        return None
                    declared = self.declared(declaration.annotation, facts.name)
                    return substituted(declared, self.bindings(receiver, facts.name), self)
        return None

    def declared(self, written: ast.TypeExpr, owner: str) -> Type:
        """An annotation in a class, with its parameters as placeholders."""
        return resolved(written, self, self.type_parameters(owner))

    # ------------------------------------------------------------ methods

    def find(self, name: str, side: Side, selector: str) -> MethodType | None:
        """What answers a message: the chain, for class objects then the metaclass tower and constructors (L-7)."""
        memory = self.memory.found.get(name)
        if memory is None:
            self.remember(name)
            memory = self.memory.found[name] = {}
        key = (selector, side is Side.CLASS)
        if key not in memory:
            memory[key] = self._found(name, side, selector)
        return memory[key]

    def _found(self, name: str, side: Side, selector: str) -> MethodType | None:
        for facts in self.chain(name):
            own = self._own(facts, side, selector)
            if own is not None:
                return own
        if name == "Boolean" and side is Side.INSTANCE:
            return self._of_both_booleans(selector)
        if side is Side.CLASS:
            return self._in_tower(selector) or self._constructor(name, selector)
        return None

    def _of_both_booleans(self, selector: str) -> MethodType | None:
        """What true and false both understand, though their class leaves it to them: there are no other instances."""
        found = self.find("True", Side.INSTANCE, selector)
        return found if self.find("False", Side.INSTANCE, selector) is not None else None

    def _in_tower(self, selector: str) -> MethodType | None:
        """`Class` before `Metaclass`: what both define, a class object answers as a class."""
        return self.find("Class", Side.INSTANCE, selector) or self.find("Metaclass", Side.INSTANCE, selector)

    def own_method(self, name: str, side: Side, selector: str) -> MethodType | None:
        """The method that a class itself, or an extension of it, defines."""
        facts = self.facts(name)
        return None if facts is None else self._own(facts, side, selector)

    def _own(self, facts: ClassFacts, side: Side, selector: str) -> MethodType | None:
        fact = facts.method(side, selector)
        if fact is not None:
            tree = self.trees.method(facts.name, side, selector)
            if tree is not None:
                parameters = self.type_parameters(facts.name)
                return self.method_type(facts.name, side, tree.signature, parameters, tree)
        generated = self._generated(facts, side, selector)
        if generated is not None or fact is None:
            return generated
        count = selector.count(":") or int(not selector[0].isalpha() and selector[0] != "_")
        return MethodType(facts.name, side, selector, (None,) * count, None, Made.OPAQUE)

    def method_type(
        self,
        owner: str,
        side: Side,
        signature: ast.Signature,
        parameters: Container[str],
        tree: ast.MethodDef | None,
    ) -> MethodType:
        """A signature with its annotations resolved; `parameters` are the type parameters of its owner."""
        return MethodType(
            owner,
            side,
            signature.selector.text,
            tuple(
                None if each.annotation is None else resolved(each.annotation, self, parameters)
                for each in signature.parameters
            ),
            None if signature.return_type is None else resolved(signature.return_type, self, parameters),
            Made.WRITTEN if tree is not None else Made.REQUIRED,
            tree,
            tree is not None and tree.is_internal,
        )

    def _generated(self, facts: ClassFacts, side: Side, selector: str) -> MethodType | None:
        """Getters, functional setters and the keyword constructor of a value class (language.md 4.2)."""
        if not facts.slots or self.kind_of(facts.name) is not ClassKind.VALUE:
            return None
        if side is Side.CLASS:
            if selector != "".join(f"{slot}:" for slot in facts.slots):
                return None
            types = tuple(self._given_type(facts.name, slot) for slot in facts.slots)
            made = self.instance_type(facts.name)
            return MethodType(facts.name, side, selector, types, made, Made.GENERATED)
        for slot in facts.slots:
            if selector == slot:
                found = self._own_slot_type(facts.name, slot)
                return MethodType(facts.name, side, selector, (), found, Made.GENERATED)
            if selector == f"with{slot[:1].upper()}{slot[1:]}:":
                found = self._own_slot_type(facts.name, slot)
                return MethodType(facts.name, side, selector, (found,), SELF, Made.GENERATED)
        return None

    def _given_type(self, name: str, slot: str) -> Type | None:
        """What a constructor takes for a slot: also the nil that one without a default begins with."""
        declared = self._own_slot_type(name, slot)
        defaults = (each.default for each in self.trees.slots(name) if each.name.name == slot)
        return declared if declared is None or next(defaults, None) is not None else union((declared, NIL))

    def _own_slot_type(self, name: str, slot: str) -> Type | None:
        for declaration in self.trees.slots(name):
            if declaration.name.name == slot and declaration.annotation is not None:
                return self.declared(declaration.annotation, name)
        return None

    def _constructor(self, name: str, selector: str) -> MethodType | None:
        """The constructors of concrete classes that are no actors, which no source defines."""
        facts = self.facts(name)
        count = _CONSTRUCTORS.get(selector)
        if count is None or facts is None or facts.is_abstract or self.kind_of(name) is ClassKind.ACTOR:
            return None
        return MethodType(name, Side.CLASS, selector, (None,) * count, SELF, Made.CONSTRUCTOR)

    def selectors(self, name: str, side: Side) -> Iterator[str]:
        """What a receiver understands, in the order of the look-up: own class first, then up the chain (D-S1)."""
        for facts in self.chain(name):
            yield from (selector for at, selector in facts.methods if at is side)
            yield from self._generated_selectors(facts, side)
        if side is Side.CLASS:
            yield from self.selectors("Metaclass", Side.INSTANCE)

    def _generated_selectors(self, facts: ClassFacts, side: Side) -> Iterator[str]:
        if not facts.slots or self.kind_of(facts.name) is not ClassKind.VALUE:
            return
        if side is Side.CLASS:
            yield "".join(f"{slot}:" for slot in facts.slots)
        else:
            for slot in facts.slots:
                yield slot
                yield f"with{slot[:1].upper()}{slot[1:]}:"

    # ------------------------------------------------------------ protocols

    def requirements(self, protocol: str) -> Requirements:
        """What a protocol asks, with what those that it extends ask; cycles are cut (T-22)."""
        found = self.memory.requirements.get(protocol)
        if found is None:
            found = self.memory.requirements[protocol] = self._requirements(protocol)
        return found

    def _requirements(self, protocol: str) -> Requirements:
        instance: dict[str, MethodType] = {}
        on_class: dict[str, MethodType] = {}
        seen: set[str] = set()
        at: str | None = protocol
        while at is not None and at not in seen:
            seen.add(at)
            node = self.trees.protocol(at)
            if node is None:
                break
            parameters = frozenset(p.name.name for p in node.type_parameters)
            for signature in node.signatures:
                side = Side.CLASS if signature.is_class_side else Side.INSTANCE
                asked = on_class if signature.is_class_side else instance
                made = self.method_type(at, side, signature, parameters, None)
                asked.setdefault(signature.selector.text, made)
            at = node.extending.name if node.extending is not None else None
        return Requirements(instance, on_class)

    def missing_of(self, actual: Known | Meta, protocol: str) -> tuple[str, ...]:
        """What a class or class object provably lacks of a protocol (see `protocols`)."""
        self.remember(actual.name)
        memory = self.memory.missing.setdefault(actual.name, {})
        key = (protocol, isinstance(actual, Meta))
        if key not in memory:
            memory[key] = missing_of(actual, protocol, self)
        return memory[key]
