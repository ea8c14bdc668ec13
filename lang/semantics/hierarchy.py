"""What is known of classes: the view that checks of one unit look things up in.

Comes in: headers and methods of all classes that are in sight. Guarantees: a
`ClassView` never changes; its answers follow the superclass links, end on a cycle,
and say so (None) when a superclass is not known. Leaves: types to the type checker.
"""

from __future__ import annotations

import enum
from collections.abc import Container, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final, TypeVar

from lang.class_kind import ClassKind
from lang.dataclass import dataclass, field, replace
from lang.deferred import deferred
from lang.diagnostics import Severity
from lang.syntax.units import ParsedFile, Side

if TYPE_CHECKING:
    from lang.ast import nodes as ast
else:
    ast = deferred("lang.ast.nodes")

V = TypeVar("V")


class Origin(enum.Enum):
    """Whose source is being checked: only the library may use primitives."""

    PROJECT = "project"
    LIBRARY = "library"


@dataclass(frozen=True, slots=True)
class MethodFact:
    """A method that a class or an extension of it defines; `is_extension` tells which."""

    selector: str
    side: Side
    is_sealed: bool = False
    is_extension: bool = False
    is_internal: bool = False


@dataclass(frozen=True, slots=True)
class ClassFacts:
    """One class: its header, and what its source and its extensions define.

    `slots` are the declared instance slots, `class_slots` the class variables, both
    without inherited ones, in order. `superclass` is None at a root. `package` is empty
    for what was made without one.
    """

    name: str
    superclass: str | None
    is_sealed: bool = False
    is_abstract: bool = False
    is_native: bool = False
    is_library: bool = False
    slots: tuple[str, ...] = ()
    class_slots: tuple[str, ...] = ()
    type_parameters: tuple[str, ...] = ()
    methods: Mapping[tuple[Side, str], MethodFact] = field(default_factory=dict)
    is_internal: bool = False
    is_typed: bool = False
    handle_scope: str | None = None
    package: str = ""

    def method(self, side: Side, selector: str) -> MethodFact | None:
        """The method that the class itself, or an extension of it, defines."""
        return self.methods.get((side, selector))


@dataclass(frozen=True, slots=True)
class ExportedTwice:
    """A bare name that several declared dependencies export; the qualified spellings, in manifest order."""

    spellings: tuple[str, ...]
    severity: Severity = Severity.ERROR


@dataclass(frozen=True, slots=True)
class BorrowedTransitively:
    """A bare name of a package that is reached only through the dependency `via`; how bad its use is."""

    package: str
    via: str
    severity: Severity


Borrowed = ExportedTwice | BorrowedTransitively


@dataclass(frozen=True, slots=True)
class ClassView:
    """All that checks may know of the world around a unit.

    `names` are the variables in sight of module-level code (session variables),
    `globals` the names, of either case, that a workspace binds for every unit. `parents` are classes
    that have subclasses. `protocols` are names; `aliases` give the type of an alias.
    `library_classes` and `library_selectors` are what the standard library defines.
    `package` is the one that is being checked, `packages` those that may be named before
    an `@`, `modules` those of the host; None when nobody has told. `borrowed` are the bare names whose
    use is to be told: those of classes, protocols and aliases of other packages (types.md M-9).
    """

    classes: Mapping[str, ClassFacts]
    protocols: Container[str] = frozenset()
    aliases: Mapping[str, ast.TypeExpr] = field(default_factory=dict)
    names: Container[str] = frozenset()
    globals: Container[str] = frozenset()
    parents: Container[str] = frozenset()
    library_classes: Container[str] = frozenset()
    library_selectors: Container[str] = frozenset()
    internal_aliases: Container[str] = frozenset()
    package: str = ""
    packages: Container[str] | None = None
    modules: Container[str] | None = None
    origin: Origin = Origin.PROJECT
    borrowed: Mapping[str, Borrowed] = field(default_factory=dict)

    def facts(self, name: str) -> ClassFacts | None:
        """What is known of a class."""
        return self.classes.get(name)

    def named(self, ref: ast.ClassRef) -> str:
        """Under which name the view has the class that a reference means."""
        return self.spelling(ref.name, ref.package)

    def spelling(self, name: str, package: str | None) -> str:
        """Under which name the view has what a reference means, `package@` before it or not (types.md M-11)."""
        if package is None:
            return name
        qualified = f"{package}@{name}"
        if self.is_known_type(qualified):
            return qualified
        facts = self.classes.get(name)
        is_same = package == self.package if facts is None else facts.package == package
        return name if is_same else qualified

    def chain(self, name: str | None) -> Iterator[ClassFacts]:
        """A class and its superclasses as far as they are known; ends on a cycle."""
        seen: set[str] = set()
        while name is not None and name not in seen:
            found = self.classes.get(name)
            if found is None:
                return
            yield found
            seen.add(name)
            name = found.superclass

    def cycle_through(self, name: str) -> tuple[str, ...]:
        """The superclass cycle that a class is part of, from its first name and back to it; else empty."""
        chain = tuple(facts.name for facts in self.chain(name))
        last = self.classes.get(chain[-1]) if chain else None
        if last is None or last.superclass != name:
            return ()
        first = chain.index(min(chain))
        return (*chain[first:], *chain[:first], chain[first])

    def is_complete(self, name: str) -> bool:
        """Whether every superclass is known, up to a root."""
        chain = list(self.chain(name))
        return bool(chain) and chain[-1].superclass is None

    def kind_of(self, name: str) -> ClassKind | None:
        """The kind of a class; None when a superclass is unknown and it could be any."""
        for facts in self.chain(name):
            if facts.name == "Actor":
                return ClassKind.ACTOR
            if facts.name == "Value":
                return ClassKind.VALUE
        return ClassKind.OBJECT if self.is_complete(name) else None

    def inherits(self, name: str, ancestor: str) -> bool:
        """Whether `ancestor` is the class or above it."""
        return any(facts.name == ancestor for facts in self.chain(name))

    def find_method(
        self, name: str | None, side: Side, selector: str
    ) -> tuple[ClassFacts, MethodFact] | None:
        """The nearest definition at or above a class, with its class."""
        for facts in self.chain(name):
            found = facts.method(side, selector)
            if found is not None:
                return facts, found
        return None

    def slots_of(self, name: str) -> tuple[str, ...]:
        """The instance slots of a class, inherited ones first."""
        return _own_last(facts.slots for facts in self.chain(name))

    def class_slots_of(self, name: str) -> tuple[str, ...]:
        """The class variables of a class, inherited ones first."""
        return _own_last(facts.class_slots for facts in self.chain(name))

    def is_known_class(self, name: str) -> bool:
        """Whether a name in class position means something (types.md D-19)."""
        return name in self.classes or name in self.protocols or name in BUILTIN_TYPES or name in self.globals

    def is_known_type(self, name: str) -> bool:
        """Whether a name in an annotation means something, type parameters aside."""
        return self.is_known_class(name) or name in self.aliases

    def with_names(self, names: Container[str]) -> ClassView:
        """The view in which module-level code sees these variables too."""
        return replace(self, names=Either(self.names, names))

    def with_file(self, parsed: ParsedFile) -> ClassView:
        """The view in which the classes, protocols and aliases of a file are known too."""
        origin = self.origin
        classes = dict(self.classes)
        for facts in facts_of_file(parsed):
            is_library = origin is Origin.LIBRARY
            own = without_own_qualifier(facts, self.package)
            classes[facts.name] = replace(own, is_library=is_library, package=self.package)
        nodes = [unit.node for unit in parsed.units]
        aliases = {n.name.name: n.type for n in nodes if isinstance(n, ast.TypeAlias)}
        internal = {n.name.name for n in nodes if isinstance(n, ast.TypeAlias) and n.is_internal}
        protocols = {n.name.name for n in nodes if isinstance(n, ast.ProtocolDef)}
        return replace(
            self,
            classes=classes,
            aliases={**self.aliases, **aliases},
            protocols=Either(self.protocols, protocols),
            parents=Either(self.parents, parents_in(classes.values())),
            internal_aliases=Either(self.internal_aliases, internal),
        )


# Names that exist in types only, or that the compiler knows (language.md 4.8, types.md 1).
BUILTIN_TYPES: Final = frozenset(
    {"Nil", "Self", "Dynamic", "Never", "Any", "Pid", "Reference", "Port", "Python", "Erlang"}
)


class AnyName:
    """A container of every name: for code whose names are looked up when it runs (workspace.md 2.1)."""

    def __contains__(self, name: object) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class Either:
    """A container of what either of two holds."""

    one: Container[str]
    other: Container[str]

    def __contains__(self, name: object) -> bool:
        return name in self.one or name in self.other


class Hidden(Mapping[str, V]):
    """A mapping without some of its names."""

    def __init__(self, whole: Mapping[str, V], names: Container[str]) -> None:
        self._whole = whole
        self._names = names

    def __getitem__(self, name: str) -> V:
        if name in self._names:
            raise KeyError(name)
        return self._whole[name]

    def __iter__(self) -> Iterator[str]:
        return (name for name in self._whole if name not in self._names)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, name: object) -> bool:
        return name not in self._names and name in self._whole


@dataclass(frozen=True, slots=True)
class Less:
    """A container without some of its names."""

    whole: Container[str]
    names: Container[str]

    def __contains__(self, name: object) -> bool:
        return name not in self.names and name in self.whole


def without(view: ClassView, names: frozenset[str]) -> ClassView:
    """The view in which these names are free: what is being redefined does not stand in its own way."""
    return replace(
        view,
        classes=Hidden(view.classes, names),
        aliases=Hidden(view.aliases, names),
        protocols=Less(view.protocols, names),
    )


def declared_names(parsed: ParsedFile) -> frozenset[str]:
    """The classes, protocols and aliases that a file declares."""
    nodes = (unit.node for unit in parsed.units)
    return frozenset(
        node.name.name
        for node in nodes
        if isinstance(node, ast.ClassHeader | ast.ProtocolDef | ast.TypeAlias)
    )


def _own_last(levels: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    found: list[str] = []
    for slots in reversed(list(levels)):
        found.extend(slots)
    return tuple(found)


def parents_in(classes: Iterable[ClassFacts]) -> frozenset[str]:
    """The names of the classes that some class of these has as its superclass."""
    return frozenset(facts.superclass for facts in classes if facts.superclass is not None)


def view_of(
    classes: Iterable[ClassFacts],
    protocols: Container[str] = frozenset(),
    aliases: Mapping[str, ast.TypeExpr] | None = None,
) -> ClassView:
    """The view of these classes; which of them are the library's, their facts say."""
    known = {facts.name: facts for facts in classes}
    library = [facts for facts in known.values() if facts.is_library]
    return ClassView(
        known,
        protocols,
        aliases or {},
        parents=parents_in(known.values()),
        library_classes=frozenset(facts.name for facts in library),
        library_selectors=frozenset(selector for facts in library for _, selector in facts.methods),
    )


# ---------------------------------------------------------------- reading facts off trees


def without_own_qualifier(facts: ClassFacts, package: str | None) -> ClassFacts:
    """The facts of a class of a package whose superclass may be named with the package itself before it."""
    superclass = facts.superclass
    if not package or superclass is None or not superclass.startswith(f"{package}@"):
        return facts
    return replace(facts, superclass=superclass.removeprefix(f"{package}@"))


def facts_of_file(parsed: ParsedFile) -> tuple[ClassFacts, ...]:
    """The facts of the classes that a file declares, without extensions of other classes."""
    nodes = [(unit.name.owner, unit.node) for unit in parsed.units if unit.node is not None]
    return tuple(
        facts_of(node, (member for owner, member in nodes if owner.rpartition("@")[2] == node.name.name))
        for _, node in nodes
        if isinstance(node, ast.ClassHeader)
    )


def facts_of(header: ast.ClassHeader, members: Iterable[ast.Declaration] = ()) -> ClassFacts:
    """The facts of one class from its header and its other units, extensions included."""
    data = list(header.data)
    methods: dict[tuple[Side, str], MethodFact] = {}
    for member in members:
        match member:
            case ast.DataDecl():
                data.append(member)
            case ast.MethodDef():
                _note(methods, method_fact(member))
            case ast.ExtensionDef():
                _note(methods, replace(method_fact(member.method), is_extension=True))
            case _:
                pass
    return ClassFacts(
        header.name.name,
        None if header.superclass is None else qualified_name(header.superclass),
        "sealed" in header.modifiers,
        "abstract" in header.modifiers,
        header.native is not None,
        is_internal="internal" in header.modifiers,
        is_typed="typed" in header.modifiers,
        handle_scope=header.handle_scope.name if header.handle_scope is not None else None,
        slots=tuple(d.name.name for d in data if d.keyword != "classState:"),
        class_slots=tuple(d.name.name for d in data if d.keyword == "classState:"),
        type_parameters=tuple(p.name.name for p in header.type_parameters),
        methods=methods,
    )


def qualified_name(ref: ast.ClassRef) -> str:
    """A reference as it is written."""
    return ref.name if ref.package is None else f"{ref.package}@{ref.name}"


def _note(methods: dict[tuple[Side, str], MethodFact], fact: MethodFact) -> None:
    """A method of the class body stands before an extension of the same selector."""
    key = (fact.side, fact.selector)
    if key not in methods or methods[key].is_extension:
        methods[key] = fact


def side_of(method: ast.MethodDef) -> Side:
    """The side that a method belongs to."""
    return side_of_signature(method.signature)


def side_of_signature(signature: ast.Signature) -> Side:
    """The side of the method that a signature declares, or that a protocol asks for."""
    return Side.CLASS if signature.is_class_side else Side.INSTANCE


def method_fact(method: ast.MethodDef) -> MethodFact:
    """What other units need to know of a method."""
    return MethodFact(
        method.signature.selector.text,
        side_of(method),
        method.is_sealed,
        is_internal=method.is_internal,
    )
