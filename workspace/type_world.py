"""The world of types of an image state (types.md 0.8, L-1).

Comes in: a state and what is known of the library. Guarantees: looked up when asked, like `class_view`, so that
one unit's check costs what it asks for; the world belongs to that state for ever. Leaves: judging to
`lang.semantics.types`.
"""

from __future__ import annotations

from collections.abc import Iterator

from lang.ast import nodes as ast
from lang.diagnostics import Severity
from lang.semantics.hierarchy import ClassView
from lang.semantics.types.trees import LayeredTrees, Trees
from lang.semantics.types.world import Knowledge, Limits, World
from lang.syntax.units import Side, UnitKind
from workspace import drafting
from workspace.change import Change
from workspace.state import ImageState, Unit


class TypeWorlds:
    """The worlds of an image's states: that of a state is made from that of the one before it.

    `library` has the trees of what the image was begun with. Only the last two are kept: the present state, and
    one that is being prepared.
    """

    def __init__(self, library: Trees) -> None:
        self._library = library
        self._kept: tuple[tuple[ImageState, World], ...] = ()

    def of(self, state: ImageState, view: ClassView) -> World:
        """The world of a state; `view` is the class view of the same state."""
        found = self._kept_of(state, view)
        if found is not None:
            return found
        if not self._kept:
            return self._keep(state, image_world(state, view, self._library))
        before, world = self._kept[0]
        return self._keep(state, self._succeeding(world, state, view, touched_names(before, state)))

    def after(self, change: Change, view: ClassView) -> World:
        """The world of the state that a change makes; costs what the change touches, not what the project has."""
        state = change.state
        base = next((world for known, world in self._kept if known is change.base), None)
        if base is None or self._kept_of(state, view) is not None:
            return self.of(state, view)
        return self._keep(state, self._succeeding(base, state, view, names_touched_by(change)))

    def _kept_of(self, state: ImageState, view: ClassView) -> World | None:
        for known, world in self._kept:
            if known is state and world.view.globals == view.globals:
                return world
        return None

    def _keep(self, state: ImageState, world: World) -> World:
        self._kept = ((state, world), *self._kept[:1])
        return world

    def _succeeding(self, world: World, state: ImageState, view: ClassView, touched: frozenset[str]) -> World:
        trees = LayeredTrees(StateTrees(state), self._library)
        return world.succeeded(view, trees, touched, Limits(broken=_Broken(state)))


def image_world(state: ImageState, view: ClassView, library: Trees) -> World:
    """The world of a live image, from nothing; `view` is the class view of the same state."""
    limits = Limits(broken=_Broken(state))
    return World(view, LayeredTrees(StateTrees(state), library), Knowledge.IMAGE_COMPLETE, limits)


def touched_names(before: ImageState, after: ImageState) -> frozenset[str]:
    """The classes, protocols and aliases of which a unit came, went or changed between two states."""
    old, new = before.units, after.units
    came = {unit.owner for lineage, unit in new.items() if old.get(lineage) is not unit}
    went = {unit.owner for lineage, unit in old.items() if new.get(lineage) is not unit}
    return frozenset(came | went | _classes_between(before, after))


def names_touched_by(change: Change) -> frozenset[str]:
    """The same for the two states of a change, which knows the units that it touched."""
    before, after = change.base, change.state
    units = (state.units.get(lineage) for lineage in change.touched for state in (before, after))
    return frozenset(unit.owner for unit in units if unit is not None) | _classes_between(before, after)


def _classes_between(before: ImageState, after: ImageState) -> frozenset[str]:
    """The classes that only one of two states has."""
    if before.classes is after.classes:
        return frozenset()
    return frozenset(before.classes) ^ frozenset(after.classes)


class StateTrees:
    """The trees of the units of a state, parsed when asked for."""

    def __init__(self, state: ImageState) -> None:
        self._state = state

    def header(self, name: str) -> ast.ClassHeader | None:
        """See `Trees`."""
        unit = self._state.header_of(name)
        node = None if unit is None else drafting.parsed(unit).node
        return node if isinstance(node, ast.ClassHeader) else None

    def slots(self, name: str) -> tuple[ast.DataDecl, ...]:
        """See `Trees`."""
        header = self.header(name)
        return () if header is None else (*header.data, *self._late_slots(name))

    def _late_slots(self, name: str) -> Iterator[ast.DataDecl]:
        for unit in self._state.units_of(name):
            if unit.kind is UnitKind.DATA:
                node = drafting.parsed(unit).node
                if isinstance(node, ast.DataDecl):
                    yield node

    def method(self, name: str, side: Side, selector: str) -> ast.MethodDef | None:
        """See `Trees`."""
        unit = self._state.method_unit(name, side, selector)
        node = None if unit is None else drafting.parsed(unit).node
        match node:
            case ast.MethodDef():
                return node
            case ast.ExtensionDef(method=method):
                return method
        return None

    def protocol(self, name: str) -> ast.ProtocolDef | None:
        """See `Trees`."""
        node = self._named(self._state.protocols.get(name))
        return node if isinstance(node, ast.ProtocolDef) else None

    def alias(self, name: str) -> ast.TypeExpr | None:
        """See `Trees`."""
        node = self._named(self._state.aliases.get(name))
        return node.type if isinstance(node, ast.TypeAlias) else None

    def _named(self, lineage: int | None) -> ast.Declaration | None:
        unit = None if lineage is None else self._state.units.get(lineage)
        return None if unit is None else drafting.parsed(unit).node


class _Broken:
    """The classes of files of which a unit has a syntax error (L-2 row 5), found when asked."""

    def __init__(self, state: ImageState) -> None:
        self._state = state

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and any(_is_broken(unit) for unit in self._beside(name))

    def _beside(self, name: str) -> Iterator[Unit]:
        path = self._state.path_of(name)
        file = None if path is None else self._state.files.get(path)
        lineages = self._state.members.get(name, ()) if file is None else file.lineages
        return (self._state.units[lineage] for lineage in lineages)


def _is_broken(unit: Unit) -> bool:
    return any(each.severity is Severity.ERROR for each in drafting.parsed(unit).diagnostics)
