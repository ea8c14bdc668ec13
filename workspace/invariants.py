"""What must hold of a live image at every moment (changes.md 6, 11; architecture, "Invariants").

Comes in: an open workspace. Guarantees: nothing is changed; each broken law is a sentence that names where.
Leaves: what to do about it: nothing here repairs.
"""

from __future__ import annotations

from collections.abc import Iterator

from changelog.indentation import same_text_but_indentation
from lang.runtime.classes import ClassObject
from lang.semantics.modules.registry import RegistryEntry
from lang.syntax.units import Side, UnitKind
from workspace import drafting
from workspace.flush.plan import FlushPlan, FlushRequest
from workspace.flush.selection import EVERYTHING, Gesture
from workspace.install import is_live
from workspace.registration import key_of, package_id
from workspace.state import ImageState, Unit
from workspace.workspace import Workspace
from workspace.xref import brute_force


def broken_laws(workspace: Workspace) -> Iterator[str]:
    """Every law that does not hold. Takes as long as a walk over all units."""
    state = workspace.state
    of_maps = list(_maps(state))
    yield from of_maps
    if of_maps:
        return  # the other laws are asked through these maps
    yield from _names(state)
    yield from _registry(state)
    yield from _index(state)
    yield from _classes(workspace)
    yield from _pending(workspace)


# ---------------------------------------------------------------- the state in itself


def _maps(state: ImageState) -> Iterator[str]:
    """The maps by owner and by file list exactly the units."""
    by_owner = sorted(lineage for each in state.members.values() for lineage in each)
    if by_owner != sorted(state.units):
        yield "the units by class are not the units"
    in_files = sorted(lineage for file in state.files.values() for lineage in file.lineages)
    if in_files != sorted(lineage for lineage, unit in state.units.items() if unit.path is not None):
        yield "the units by file are not the units that have one"
    for path, file in state.files.items():
        for lineage in file.lineages:
            unit = state.units.get(lineage)
            if unit is None or unit.path != path:
                yield f"{path} lists a unit that does not stand in it"


def _names(state: ImageState) -> Iterator[str]:
    """What a name means is declared under that name."""
    for names, kind in (
        (state.classes, UnitKind.HEADER),
        (state.protocols, UnitKind.PROTOCOL),
        (state.aliases, UnitKind.ALIAS),
    ):
        for name, lineage in names.items():
            unit = state.units.get(lineage)
            if lineage > 0 and unit is not None and (unit.owner, unit.kind) != (name, kind):
                yield f"{name} means a unit that declares {unit.owner}"


def _registry(state: ImageState) -> Iterator[str]:
    """Every class with a source has one entry, and every entry of the project a class."""
    headers = {unit.owner for unit in state.units.values() if unit.kind is UnitKind.HEADER}
    entries = {entry.key.name: entry for entry in state.registry.classes_of(package_id(state.package))}
    for name in sorted(headers ^ entries.keys()):
        yield f"{name} is {'not ' if name in headers else ''}in the registry of modules"
    for name in sorted(headers & entries.keys()):
        if not _is_registered(state, name, entries[name]):
            yield f"the module of {name} belongs to another class"


def _is_registered(state: ImageState, name: str, entry: RegistryEntry) -> bool:
    return state.registry.class_for(entry.module) == key_of(state.package, name)


def _index(state: ImageState) -> Iterator[str]:
    rows = (drafting.rows_for(unit) for unit in state.units.values())
    if state.index != brute_force(each for each in rows if each is not None):
        yield "the index of senders and references differs from a walk over all sources"


# ---------------------------------------------------------------- what is live


def _classes(workspace: Workspace) -> Iterator[str]:
    """The live classes are those of the units, and their method dictionaries hold the units' methods."""
    state, runtime = workspace.state, workspace.runtime
    for unit in state.units.values():
        if unit.kind is UnitKind.HEADER and is_live(state, unit):
            found = runtime.class_named(unit.owner)
            if found is None or found.name != unit.owner:
                yield f"{unit.owner} has a source and is not live under this name"
            elif found is not workspace.image.class_objects.get(unit.lineage):
                yield f"{unit.owner} is another class than the image remembers"
            else:
                yield from _methods(state, found)


def _methods(state: ImageState, class_object: ClassObject) -> Iterator[str]:
    definition = class_object.definition
    for side in Side:
        for kind, methods in (
            (UnitKind.METHOD, definition.local_methods(side)),
            (UnitKind.EXTENSION, definition.local_extensions(side)),
        ):
            units = {u.name.member: u for u in _members(state, class_object.name, kind, side)}
            written = {name: each for name, each in methods.items() if each.source is not None}
            for selector in sorted(units.keys() ^ written.keys()):
                yield f"{class_object.name}>>{selector} is {'not ' if selector in units else ''}live"
            for selector in sorted(units.keys() & written.keys()):
                if (written[selector].source or "") not in units[selector].text:
                    yield f"{class_object.name}>>{selector} runs another text than the image holds"


def _members(state: ImageState, owner: str, kind: UnitKind, side: Side) -> Iterator[Unit]:
    return (
        unit
        for unit in state.units_of(owner)
        if unit.kind is kind and unit.name.side is side and is_live(state, unit)
    )


# ---------------------------------------------------------------- memory, disk and what is pending


def _pending(workspace: Workspace) -> Iterator[str]:
    """What disk holds and what is pending explain together what memory holds (changes.md 4.2, "Replay")."""
    if workspace.flushing is None:
        return
    planned = workspace.flush_plan(FlushRequest(EVERYTHING, Gesture.DESTRUCTIVE))
    if planned.conflicts:
        return  # somebody writes on disk meanwhile: that is for the flush to report
    state, excused = workspace.state, _not_to_be_written(workspace, planned)
    after = {path: file.units for path, file in state.disk.items()}
    after.update({path: file.units if file is not None else () for path, file in planned.files_after.items()})
    texts = {unit.lineage: (path, unit.text) for path, units in after.items() for unit in units}
    for lineage in sorted(texts.keys() | state.units.keys()):
        unit = state.units.get(lineage)
        if lineage in excused or (unit is not None and unit.path is None):
            continue
        there = texts.get(lineage)
        if unit is None or there is None or unit.path != there[0]:
            yield f"a unit of {_place(unit, there)} is not where the pending changes put it"
        elif not same_text_but_indentation(unit.text, there[1]):
            yield f"{_place(unit, there)} differs from disk by more than the pending changes"


def _place(unit: Unit | None, there: tuple[str, str] | None) -> str:
    if unit is not None:
        return f"{unit.owner}>>{unit.name.member}" if unit.is_method else unit.owner
    return there[0] if there is not None else "no file"


def _not_to_be_written(workspace: Workspace, planned: FlushPlan) -> frozenset[int]:
    """Units whose changes never reach the disk, were given up, or that another program has changed too."""
    view = workspace.pending.view()
    written = {entry.seq for entry in planned.entries} | set(planned.seqs) | view.flushed | view.cancelled
    left = [entry for entry in view.entries if entry.seq not in written]
    # A file that stays where it is keeps all of its units there, not only those that the entry edits.
    paths = {path for entry in left for move in entry.files for path in (move.old, move.new)} - {None}
    staying = (n for n, unit in workspace.state.units.items() if unit.path in paths)
    return frozenset((*(edit.lineage for entry in left for edit in entry.edits), *staying))
