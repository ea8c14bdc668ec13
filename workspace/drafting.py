"""From edited units to a `Change`: parse, index, footprint, entry.

Comes in: a `StateBuilder` that an operation has edited. Guarantees: the state of the
answer has the index rows of every touched unit, and the entry its edits, snapshots
and footprint. Leaves: compiling to `install`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

from changelog.entry import Edit, Footprint, NameKey, NewEntry, Site, Snapshot
from lang.dataclass import replace
from lang.deferred import deferred
from lang.semantics.modules.refusals import (
    DeclaredTwice,
    MisnamedLibraryFile,
    ModuleTaken,
    RegistryRefusal,
    ReservedFolder,
)
from lang.semantics.modules.registry import RegistryState
from lang.source import Span
from lang.syntax.units import ParsedUnit, UnitCut
from workspace.change import NOTHING_KNOWN, Change, KnownUnits, Refusal, RetiredSelector
from workspace.registration import moves_a_class, rebinding, registered
from workspace.state import ImageState, StateBuilder, Unit

if TYPE_CHECKING:
    from lang import syntax
    from lang.semantics import references
    from lang.syntax import UnitSyntax
    from workspace import footprint, row_data, xref
    from workspace.xref import UnitRows
else:
    references = deferred("lang.semantics.references")
    syntax = deferred("lang.syntax")
    footprint = deferred("workspace.footprint")
    row_data = deferred("workspace.row_data")
    xref = deferred("workspace.xref")


def parsed(unit: Unit) -> UnitSyntax:
    """The unit's tree; the parser keeps what it parsed lately."""
    return syntax.parse_unit(unit.text, unit.kind, unit.column)


def as_parsed_unit(unit: Unit) -> ParsedUnit:
    """The unit as the compiler takes it."""
    syntax = parsed(unit)
    whole = Span(0, len(unit.text))
    core = syntax.node.span if syntax.node is not None else whole
    return ParsedUnit(
        UnitCut(unit.name, whole, core, unit.column), unit.text, syntax.node, syntax.diagnostics
    )


def finished(builder: StateBuilder, known: KnownUnits = NOTHING_KNOWN) -> ImageState | Refusal:
    """The builder's state, with registry and index brought up to date for the touched units.

    `known` says of which files rows are recorded; the units of those files read as recorded.
    """
    registry = registered(builder)
    if not isinstance(registry, RegistryState):
        return _clash(registry)
    builder.registry = registry
    touched = ((lineage, builder.unit(lineage)) for lineage in builder.touched)
    recorded = _RecordedRows(known)
    rows = {lineage: _no_rows if unit is None else recorded.of(unit) for lineage, unit in touched}
    builder.cross_reference = builder.cross_reference.updated(rows)
    state = builder.finish()
    if moves_a_class(builder):
        rebound = rebinding(state)
        if not isinstance(rebound, RegistryState):
            return _clash(rebound)
    return state


def _clash(found: RegistryRefusal) -> Refusal:
    """The refusal of names or files that cannot stand together (types.md M-8)."""
    match found:
        case ModuleTaken(path=path) | ReservedFolder(path=path):
            return Refusal("target_exists", found.reason(), path=path)
        case DeclaredTwice(path=path) | MisnamedLibraryFile(path=path):
            return Refusal("class_already_exists", found.reason(), path=path)
        case _:
            return Refusal("class_already_exists", found.reason())


def _no_rows() -> None:
    """The rows of a unit that is gone."""


class _RecordedRows:
    """The rows that the records of a load have; those of a file are unpacked when one of them is asked for."""

    def __init__(self, known: KnownUnits) -> None:
        self._records = known.rows
        self._unpacked: dict[str, row_data.PackedRows] = {}

    def of(self, unit: Unit) -> Callable[[], UnitRows | None]:
        """What makes the rows of a unit: from the record, else from its tree."""
        is_recorded = unit.path is not None and unit.path in self._records
        return partial(self._recalled, unit) if is_recorded else partial(rows_for, unit)

    def _recalled(self, unit: Unit) -> UnitRows | None:
        path = unit.path or ""
        packed = self._unpacked.get(path)
        if packed is None:
            record = self._records[path]
            names = tuple(cut.name for cut, _facts in record.units)
            packed = self._unpacked[path] = row_data.PackedRows(record.rows or b"", names)
        return packed.rows_of(unit.lineage, unit.address, unit.text) or rows_for(unit)


def rows_for(unit: Unit) -> UnitRows | None:
    """The index rows of one unit; None when nothing could be parsed."""
    node = parsed(unit).node
    return None if node is None else xref.unit_rows(unit.lineage, unit.address, unit.text, node)


def edit_of(before: Unit | None, after: Unit | None, sites: tuple[Site, ...] = ()) -> Edit:
    """The edit that leads from one form of a unit to another."""
    some = before or after
    if some is None:
        raise ValueError("an edit needs a unit before or after")
    return Edit(
        some.lineage,
        None if before is None else before.address,
        None if after is None else after.address,
        None if before is None else before.text,
        None if after is None else after.text,
        sites,
        None if after is None else after.column,
    )


def edits_between(
    builder: StateBuilder, sites: Mapping[int, tuple[Site, ...]] | None = None
) -> tuple[Edit, ...]:
    """An edit for each touched unit whose text changed, came or went, by lineage."""
    edits = []
    for lineage in sorted(builder.touched):
        before, after = builder.base.units.get(lineage), builder.unit(lineage)
        if before is None and after is None:
            continue
        if before is not None and after is not None and before.text == after.text:
            continue
        edits.append(edit_of(before, after, (sites or {}).get(lineage, ())))
    return tuple(edits)


def natural_footprint(base: ImageState, state: ImageState, edits: Iterable[Edit]) -> Footprint:
    """What the edits introduce, retire and use, read off their texts."""
    before = set[NameKey]()
    after = set[NameKey]()
    uses = set[NameKey]()
    for edit in edits:
        old, new = base.units.get(edit.lineage), state.units.get(edit.lineage)
        if old is not None:
            before.update(footprint.declared_by(base, old))
        if new is not None:
            after.update(footprint.declared_by(state, new))
            node = parsed(new).node
            if node is not None:
                uses.update(footprint.used_by(state, new, references.references_of(node)))
    return Footprint(frozenset(after - before), frozenset(before - after), frozenset(uses))


def snapshots_of(state: ImageState, paths: Iterable[str | None]) -> dict[str, Snapshot]:
    """What disk looked like for the given files, as far as it is known."""
    known = ((path, state.disk.get(path)) for path in set(paths) if path is not None)
    return {path: file.snapshot for path, file in known if file is not None}


def paths_of(edits: Iterable[Edit]) -> Iterator[str | None]:
    """The files that edits touch, before and after."""
    for edit in edits:
        for address in (edit.before_address, edit.after_address):
            yield None if address is None else address.path


def change(
    builder: StateBuilder,
    entry: NewEntry,
    *,
    footprint: Footprint | None = None,
    retired: tuple[RetiredSelector, ...] = (),
    warnings: tuple[str, ...] = (),
) -> Change | Refusal:
    """The change that a builder and an entry without derived fields amount to."""
    state = finished(builder)
    if isinstance(state, Refusal):
        return state
    edits = entry.edits or edits_between(builder)
    return Change(
        builder.base,
        state,
        frozenset(builder.touched),
        replace(
            entry,
            edits=edits,
            footprint=footprint or natural_footprint(builder.base, state, edits),
            snapshots=snapshots_of(builder.base, [*paths_of(edits), *_moved_paths(entry)]),
        ),
        retired,
        warnings,
    )


def _moved_paths(entry: NewEntry) -> Iterator[str | None]:
    for move in entry.files:
        yield move.old
