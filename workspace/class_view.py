"""What the checks may know of the world, read off an image state (types.md 0, `World`).

Comes in: a state, and what the project uses without declaring it. Guarantees: looked up when asked, so that
one unit's check costs what it asks for; the view belongs to that state for ever.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from lang.dataclass import dataclass, replace
from lang.deferred import deferred
from lang.runtime.classes import ClassDefinition, ClassObject, Method
from lang.semantics.hierarchy import (
    Borrowed,
    ClassFacts,
    ClassView,
    Either,
    Hidden,
    Less,
    MethodFact,
    facts_of,
    without_own_qualifier,
)
from workspace.hierarchy import direct_subclasses
from workspace.state import ImageState

if TYPE_CHECKING:
    from lang.ast import nodes as ast
    from workspace import drafting
else:
    ast = deferred("lang.ast.nodes")
    drafting = deferred("workspace.drafting")

GLOBAL_NAMES = frozenset({"Transcript", "Beamtalk", "Workspace"})


class Imports:
    """What a project uses and does not declare: the library, and its dependencies.

    `facts` are by every name that the state may have a class under. `aliases`, `protocols` and `borrowed` are
    those of dependencies; the project's own names come before them. `packages` are the names that may stand
    before an `@`; None when nobody has told.
    """

    def __init__(
        self,
        facts: Mapping[str, ClassFacts],
        stdlib: Container[str],
        dependencies: ClassView | None = None,
    ) -> None:
        none: frozenset[str] = frozenset()
        self.facts = facts
        self.stdlib = stdlib
        self.protocols: Container[str] = none if dependencies is None else dependencies.protocols
        self.aliases: Mapping[str, ast.TypeExpr] = {} if dependencies is None else dependencies.aliases
        self.internal_aliases: Container[str] = (
            none if dependencies is None else dependencies.internal_aliases
        )
        self.borrowed: Mapping[str, Borrowed] = {} if dependencies is None else dependencies.borrowed
        self.packages: Container[str] | None = None if dependencies is None else dependencies.packages


def class_view(
    state: ImageState,
    imports: Imports,
    *,
    names: Container[str] = frozenset(),
    global_names: Container[str] = GLOBAL_NAMES,
) -> ClassView:
    """The view of a state; `names` are variables in sight of module-level code."""
    facts = _Facts(state, imports.facts)
    own = _Own(state)
    return ClassView(
        facts,
        protocols=Either(state.protocols, Less(imports.protocols, own)),
        aliases=_Aliases(state, imports.aliases),
        names=names,
        globals=global_names,
        parents=_Parents(state),
        library_classes=imports.stdlib,
        library_selectors=_Selectors(imports),
        internal_aliases=Less(imports.internal_aliases, own),
        package=state.package or "",
        packages=imports.packages,
        borrowed=Hidden(imports.borrowed, own),
    )


@dataclass(frozen=True, slots=True)
class _Own:
    """The names that the project itself declares."""

    state: ImageState

    def __contains__(self, name: object) -> bool:
        state = self.state
        is_class = isinstance(name, str) and state.classes.get(name, -1) >= 0
        return is_class or name in state.protocols or name in state.aliases


class _Facts(Mapping[str, ClassFacts]):
    """Facts of every class of a state, made when first asked for."""

    def __init__(self, state: ImageState, library: Mapping[str, ClassFacts]) -> None:
        self._state = state
        self._library = library
        self._made: dict[str, ClassFacts] = {}

    def __getitem__(self, name: str) -> ClassFacts:
        made = self._made.get(name)
        if made is None:
            made = self._made[name] = self._make(name)
        return made

    def _make(self, name: str) -> ClassFacts:
        lineage = self._state.classes[name]
        members = [drafting.parsed(unit).node for unit in self._state.units_of(name)]
        if lineage < 0:
            facts = replace(self._library[name], superclass=self._state.library[name].superclass)
            return _with_members(facts, [node for node in members if node is not None])
        header = drafting.parsed(self._state.units[lineage]).node
        if not isinstance(header, ast.ClassHeader):
            raise KeyError(name)
        facts = facts_of(header, [node for node in members if node is not None])
        own = without_own_qualifier(facts, self._state.package)
        return replace(own, package=self._state.package or "")

    def __iter__(self) -> Iterator[str]:
        return iter(self._state.classes)

    def __len__(self) -> int:
        return len(self._state.classes)

    def __contains__(self, name: object) -> bool:
        return name in self._state.classes


def _with_members(facts: ClassFacts, members: list[ast.Declaration]) -> ClassFacts:
    """The facts of a library class with patches and extensions of the image."""
    if not members:
        return facts
    header = ast.ClassHeader(
        members[0].span, ast.ClassRef(members[0].span, facts.name, members[0].span), None
    )
    added = facts_of(header, members).methods
    return replace(facts, methods={**added, **facts.methods})


class _Aliases(Mapping[str, "ast.TypeExpr"]):
    def __init__(self, state: ImageState, imported: Mapping[str, ast.TypeExpr]) -> None:
        self._state = state
        self._imported = imported

    def __getitem__(self, name: str) -> ast.TypeExpr:
        lineage = self._state.aliases.get(name)
        if lineage is None:
            if name in self._state.classes or name in self._state.protocols:
                raise KeyError(name)
            return self._imported[name]
        node = drafting.parsed(self._state.units[lineage]).node
        if not isinstance(node, ast.TypeAlias):
            raise KeyError(name)
        return node.type

    def __iter__(self) -> Iterator[str]:
        yield from self._state.aliases
        yield from (each for each in self._imported if each not in self._state.aliases and each in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


class _Parents:
    def __init__(self, state: ImageState) -> None:
        self._state = state

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and next(direct_subclasses(self._state, name), None) is not None


class _Selectors:
    """What the library's classes define; gathered when first asked for, which few units do."""

    def __init__(self, imports: Imports) -> None:
        self._imports = imports
        self._found: frozenset[str] | None = None

    def __contains__(self, selector: object) -> bool:
        if self._found is None:
            facts = (each for each in self._imports.facts.values() if each.is_library)
            self._found = frozenset(s for each in facts for _side, s in each.methods)
        return selector in self._found


# ---------------------------------------------------------------- the library


def library_facts(classes: Iterable[ClassObject]) -> Mapping[str, ClassFacts]:
    """The facts of classes as they are now; those of one class are gathered when somebody asks."""
    return _LibraryFacts({each.name: each.definition for each in classes})


class _LibraryFacts(Mapping[str, ClassFacts]):
    def __init__(self, definitions: Mapping[str, ClassDefinition]) -> None:
        self._definitions = definitions
        self._made: dict[str, ClassFacts] = {}

    def __getitem__(self, name: str) -> ClassFacts:
        made = self._made.get(name)
        if made is None:
            made = self._made[name] = _facts_of_definition(self._definitions[name])
        return made

    def __iter__(self) -> Iterator[str]:
        return iter(self._definitions)

    def __len__(self) -> int:
        return len(self._definitions)

    def __contains__(self, name: object) -> bool:
        return name in self._definitions


def _facts_of_definition(definition: ClassDefinition) -> ClassFacts:
    superclass = definition.superclass
    return ClassFacts(
        definition.name,
        None if superclass is None else superclass.name,
        definition.is_sealed,
        definition.is_abstract,
        is_library=True,
        package=definition.package,
        slots=tuple(slot.name for slot in definition.slots),
        class_slots=tuple(slot.name for slot in definition.class_slots),
        type_parameters=definition.type_parameters,
        methods={
            (method.side, method.selector): _fact(method, is_extension=is_extension)
            for methods, is_extension in (
                (definition.methods, False),
                (definition.class_methods, False),
                (definition.extensions, True),
                (definition.class_extensions, True),
            )
            for method in methods.values()
        },
    )


def _fact(method: Method, *, is_extension: bool) -> MethodFact:
    return MethodFact(method.selector, method.side, method.is_sealed, is_extension)
