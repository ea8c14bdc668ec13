"""The class-module registry kept in step with the units (types.md 7).

Comes in: the registry and two states of the headers touched. Guarantees: created,
removed and renamed classes are registered by their units alone; a file that moves in
memory keeps its module until the flush (M-21, `rebound`).
"""

from __future__ import annotations

from collections.abc import Iterable

from lang.semantics.modules.names import (
    ClassKey,
    PackageId,
    PackageKind,
    library_module,
    package_of_project,
)
from lang.semantics.modules.refusals import RegistryRefusal
from lang.semantics.modules.registry import RegistryState
from lang.syntax.units import UnitKind
from workspace.state import ImageState, StateBuilder, Unit


def package_id(package: str | None) -> PackageId:
    """The package of the project's classes; the workspace itself without a project."""
    return package_of_project(package) if package is not None else PackageId(PackageKind.WORKSPACE, "")


def key_of(package: str | None, name: str) -> ClassKey:
    """The registry key of a class of the project."""
    return ClassKey(package_id(package), name)


def module_of(state: ImageState, name: str) -> str:
    """The module of a class for code and tracebacks; its own name while it has none.

    The library is not in the registry of an image: its modules have a closed form (M-7).
    """
    library = state.library.get(name)
    if library is not None and library.is_of_stdlib:
        return library_module(name).text
    key = key_of(state.package, name)
    if library is not None:
        key = ClassKey(package_of_project(library.package), name.rpartition("@")[2])
    entry = state.registry.entry(key)
    return name if entry is None else entry.module.text


def registered(builder: StateBuilder) -> RegistryState | RegistryRefusal:
    """The registry after the builder's changes; a refusal names the files that clash."""
    package = builder.base.package
    registry = builder.registry
    for before, after in _touched_headers(builder):
        outcome = _reconciled(registry, package, before, after)
        if not isinstance(outcome, RegistryState):
            return outcome
        registry = outcome
    return registry


def _touched_headers(builder: StateBuilder) -> Iterable[tuple[Unit | None, Unit | None]]:
    """Removals first, so that a name or file that is given up can be taken again."""
    pairs = [(builder.base.units.get(each), builder.unit(each)) for each in sorted(builder.touched)]
    headers = [pair for pair in pairs if any(u is not None and u.kind is UnitKind.HEADER for u in pair)]
    return sorted(headers, key=lambda pair: pair[1] is not None)


def _reconciled(
    registry: RegistryState, package: str | None, before: Unit | None, after: Unit | None
) -> RegistryState | RegistryRefusal:
    if after is None:
        return registry if before is None else registry.remove(key_of(package, before.owner))
    if before is None:
        return _declared(registry, package, after)
    if before.owner != after.owner:
        return registry.rename(key_of(package, before.owner), after.owner)
    if before.path is None and after.path is not None:
        return registry.rebind(key_of(package, after.owner), after.path)
    return registry


def _declared(registry: RegistryState, package: str | None, unit: Unit) -> RegistryState | RegistryRefusal:
    if unit.path is None:
        return registry.assign(package_id(package), unit.owner)
    return registry.declare(package_id(package), unit.path, unit.owner)


def rebound(state: ImageState) -> RegistryState:
    """The registry after a flush: every class of a file has the module of its path again."""
    outcome = rebinding(state)
    return outcome if isinstance(outcome, RegistryState) else state.registry


def rebinding(state: ImageState) -> RegistryState | RegistryRefusal:
    """The registry as a flush of everything will leave it; a refusal names files that cannot stand together."""
    moves = {
        key_of(state.package, name): state.units[lineage].path
        for name, lineage in state.classes.items()
        if lineage in state.units and _stands_elsewhere(state, name, lineage)
    }
    return state.registry.rebind_all(moves) if moves else state.registry


def moves_a_class(builder: StateBuilder) -> bool:
    """Whether a class that has a file has another name or file than before."""
    return any(
        before is not None
        and after is not None
        and before.address != after.address
        and after.path is not None
        for before, after in _touched_headers(builder)
    )


def _stands_elsewhere(state: ImageState, name: str, lineage: int) -> bool:
    entry = state.registry.entry(key_of(state.package, name))
    return entry is not None and entry.path != state.units[lineage].path
