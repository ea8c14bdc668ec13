"""What the checks may know of the world, read off an image state (types.md 0, `World`).

Comes in: a state and the library's class facts. Guarantees: looked up when asked, so that
one unit's check costs what it asks for; the view belongs to that state for ever.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from lang.deferred import deferred
from lang.runtime.classes import ClassDefinition, ClassObject, Method
from lang.semantics.hierarchy import ClassFacts, ClassView, MethodFact, facts_of, without_own_qualifier
from workspace.hierarchy import direct_subclasses
from workspace.state import ImageState

if TYPE_CHECKING:
    from lang.ast import nodes as ast
    from workspace import drafting
else:
    ast = deferred("lang.ast.nodes")
    drafting = deferred("workspace.drafting")

GLOBAL_NAMES = frozenset({"Transcript", "Beamtalk", "Workspace"})


def class_view(
    state: ImageState,
    library: Mapping[str, ClassFacts],
    *,
    names: Container[str] = frozenset(),
    global_names: Container[str] = GLOBAL_NAMES,
) -> ClassView:
    """The view of a state; `names` are variables in sight of module-level code."""
    return ClassView(
        _Facts(state, library),
        protocols=state.protocols,
        aliases=_Aliases(state),
        names=names,
        globals=global_names,
        parents=_Parents(state),
        library_classes=library.keys(),
        library_selectors=_Selectors(library),
    )


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
            return _with_members(self._library[name], [node for node in members if node is not None])
        header = drafting.parsed(self._state.units[lineage]).node
        if not isinstance(header, ast.ClassHeader):
            raise KeyError(name)
        facts = facts_of(header, [node for node in members if node is not None])
        return without_own_qualifier(facts, self._state.package)

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
    return ClassFacts(
        facts.name,
        facts.superclass,
        facts.is_sealed,
        facts.is_abstract,
        facts.is_native,
        facts.is_library,
        facts.slots,
        facts.class_slots,
        facts.type_parameters,
        {**added, **facts.methods},
    )


class _Aliases(Mapping[str, "ast.TypeExpr"]):
    def __init__(self, state: ImageState) -> None:
        self._state = state

    def __getitem__(self, name: str) -> ast.TypeExpr:
        node = drafting.parsed(self._state.units[self._state.aliases[name]]).node
        if not isinstance(node, ast.TypeAlias):
            raise KeyError(name)
        return node.type

    def __iter__(self) -> Iterator[str]:
        return iter(self._state.aliases)

    def __len__(self) -> int:
        return len(self._state.aliases)


class _Parents:
    def __init__(self, state: ImageState) -> None:
        self._state = state

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and next(direct_subclasses(self._state, name), None) is not None


class _Selectors:
    """What the library's classes define; gathered when first asked for, which few units do."""

    def __init__(self, library: Mapping[str, ClassFacts]) -> None:
        self._library = library
        self._found: frozenset[str] | None = None

    def __contains__(self, selector: object) -> bool:
        if self._found is None:
            self._found = frozenset(s for facts in self._library.values() for _side, s in facts.methods)
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
