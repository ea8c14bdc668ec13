"""What units mention, as plain data for the compile cache (workspace.md 1.9; types.md 5.2).

Comes in: the references of a unit. Guarantees: `references_from_data` is the inverse of `references_as_data`, whose
answer `marshal` can write; positions are relative to the unit, so that they hold wherever it stands. Leaves:
files and their keys to `compile_cache`.
"""

from __future__ import annotations

import marshal
from collections.abc import Iterable
from sys import intern
from typing import Any, Final

from changelog.entry import UnitAddress
from lang.ast import nodes as ast
from lang.semantics.references import (
    Access,
    ClassMention,
    ClassReceiver,
    ReceiverKind,
    ReferenceRole,
    SendSite,
    SlotAccess,
    SymbolMention,
    UnitReferences,
)
from lang.source import Span
from lang.syntax.units import Side, UnitName
from workspace.flush.view import DiskFile
from workspace.state import ImageState
from workspace.xref_rows import Owner, UnitRows, provenance_of


class PackedRows:
    """The rows of one file's units as the cache has them; unpacked when the first of them is asked for."""

    __slots__ = ("_names", "_packed", "_units")

    def __init__(self, packed: bytes, names: tuple[UnitName, ...]) -> None:
        self._packed = packed
        self._names = names
        self._units: dict[UnitName, Any] = {}

    def rows_of(self, lineage: int, address: UnitAddress, text: str) -> UnitRows | None:
        """The rows of one of the units; None for a unit that the record does not have."""
        if not self._units:
            self._units = dict(zip(self._names, marshal.loads(self._packed), strict=True))
        found = self._units.get(address.name)
        if found is None:
            return None
        references, header, is_primitive, fields = found
        return UnitRows(
            lineage,
            Owner.of(address),
            references_from_data(references),
            text,
            header,
            provenance_of(address),
            is_primitive,
            fields,
        )


def packed_rows(units: Iterable[UnitRows]) -> bytes:
    """The rows of the units of one file, in their order."""
    rows: Any = tuple([(references_as_data(e.references), e.header, e.is_primitive, e.fields) for e in units])
    return marshal.dumps(rows, 2)


def rows_of_file(state: ImageState, file: DiskFile) -> bytes | None:
    """The packed rows of a file of which memory holds every unit as it is on disk; else None."""
    found: list[UnitRows] = []
    for on_disk in file.units:
        unit, rows = state.units.get(on_disk.lineage), state.cross_reference.rows_of(on_disk.lineage)
        if unit is None or rows is None or unit.text != on_disk.text or unit.name != on_disk.name:
            return None
        found.append(rows)
    return packed_rows(found)


# ---------------------------------------------------------------- writing


def references_as_data(found: UnitReferences) -> tuple[object, ...]:
    """Plain data."""
    return (
        tuple([(*each.span, each.name, each.package, each.role.value) for each in found.classes]),
        tuple([_send(each) for each in found.sends]),
        tuple([(*each.span, each.slot, each.access is Access.WRITE) for each in found.slots]),
        tuple(
            [(*each.span, each.name, each.looked_up_by, _receiver(each.method_of)) for each in found.symbols]
        ),
    )


def _send(site: SendSite) -> tuple[object, ...]:
    return (
        *site.span,
        site.selector.text,
        tuple([(part.start, part.end) for part in site.selector.parts]),
        site.argument_count,
        site.receiver_kind.value,
        _receiver(site.receiver),
        site.module,
        site.is_cast,
    )


def _receiver(found: ClassReceiver | None) -> tuple[str, str | None, str | None] | None:
    if found is None:
        return None
    return (found.name, found.package, None if found.side is None else found.side.value)


# ---------------------------------------------------------------- reading


def references_from_data(data: Any) -> UnitReferences:
    """The references that the data was made of."""
    classes, sends, slots, symbols = data
    return UnitReferences(
        tuple(
            [
                ClassMention(Span(s, e), intern(name), package, _ROLES[role])
                for s, e, name, package, role in classes
            ]
        ),
        tuple([_send_from(each) for each in sends]),
        tuple([SlotAccess(Span(s, e), intern(slot), _ACCESS[is_write]) for s, e, slot, is_write in slots]),
        tuple(
            [
                SymbolMention(Span(s, e), intern(name), by, _receiver_from(of))
                for s, e, name, by, of in symbols
            ]
        ),
    )


def _send_from(data: Any) -> SendSite:
    start, end, selector, parts, count, kind, receiver, module, is_cast = data
    return SendSite(
        Span(start, end),
        ast.Selector(intern(selector), tuple([Span(s, e) for s, e in parts])),
        count,
        _KINDS[kind],
        None if receiver is None else _receiver_from(receiver),
        module,
        is_cast,
    )


def _receiver_from(data: Any) -> ClassReceiver | None:
    if data is None:
        return None
    name, package, side = data
    return ClassReceiver(name, package, None if side is None else _SIDES[side])


_ROLES: Final = {role.value: role for role in ReferenceRole}
_KINDS: Final = {kind.value: kind for kind in ReceiverKind}
_SIDES: Final = {side.value: side for side in Side}
_ACCESS: Final = (Access.READ, Access.WRITE)
