"""The cross-reference index: who mentions, sends and defines what (types.md 5).

Comes in: the rows of units, by lineage. Guarantees: an `Index` never changes; an
update makes a new one at a cost that grows with what changed; every query answers as
a walk over all units would (`brute_force`), sorted by owner, side, method and line.
Leaves: receiver types to the type checker, class objects to the facade.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from immutables import Map

from lang.dataclass import dataclass, field
from lang.semantics.references import Access
from lang.syntax.units import Side
from workspace.xref_rows import (
    Definition,
    Owner,
    Provenance,
    Reference,
    Sender,
    SlotUse,
    SymbolUse,
    UnitRows,
    definitions,
    in_order,
    references,
    senders,
    symbols,
    unit_rows,
)

__all__ = [
    "Definition",
    "Index",
    "Owner",
    "Provenance",
    "Reference",
    "Sender",
    "SlotUse",
    "SymbolUse",
    "UnitRows",
    "brute_force",
    "unit_rows",
]

_Lineages = Map[int, None]
_ByName = Map[str, _Lineages]


class _Memo:
    """Answers already given by one index; nothing invalidates them, for the index never changes."""

    __slots__ = ("references", "senders")

    def __init__(self) -> None:
        self.references: dict[str, tuple[Reference, ...]] = {}
        self.senders: dict[str, tuple[Sender, ...]] = {}


@dataclass(frozen=True, slots=True)
class Index:
    """Rows of all units at one moment, with the maps that find them by name."""

    units: Map[int, UnitRows] = field(default_factory=Map)
    _classes: _ByName = field(default_factory=Map)
    _selectors: _ByName = field(default_factory=Map)
    _symbols: _ByName = field(default_factory=Map)
    _defined: _ByName = field(default_factory=Map)
    _members: _ByName = field(default_factory=Map)
    _memo: _Memo = field(default_factory=_Memo, compare=False, repr=False)

    # -- changing

    def put(self, rows: UnitRows) -> Index:
        """The index in which `rows` replace what was known of that lineage."""
        return self.updated({rows.lineage: rows})

    def drop(self, lineage: int) -> Index:
        """The index without a unit."""
        return self.updated({lineage: None})

    def updated(self, changed: Mapping[int, UnitRows | None]) -> Index:
        """One new index with some units' rows replaced; None drops a unit.

        The cost grows with the rows that go and come, whatever the size of the index.
        """
        units = self.units.mutate()
        classes, selectors, symbols, defined, members = deltas = tuple(_Delta() for _ in _KEYS)
        for lineage, new in changed.items():
            old = units.pop(lineage, None)
            if new is not None:
                units[lineage] = new
            for delta, keys in zip(deltas, _KEYS, strict=True):
                delta.replace(lineage, _keys(keys, old), _keys(keys, new))
        return Index(
            units.finish(),
            classes.applied(self._classes),
            selectors.applied(self._selectors),
            symbols.applied(self._symbols),
            defined.applied(self._defined),
            members.applied(self._members),
        )

    # -- asking

    def rows_of(self, lineage: int) -> UnitRows | None:
        """The rows of one unit."""
        return self.units.get(lineage)

    def references_to(self, name: str) -> tuple[Reference, ...]:
        """Every mention of a class, protocol or alias name, its declaration included."""
        found = self._memo.references.get(name)
        if found is None:
            found = in_order(
                row for rows in self._units_in(self._classes, name) for row in references(rows, name)
            )
            self._memo.references[name] = found
        return found

    def senders_of(self, selector: str) -> tuple[Sender, ...]:
        """Every send of a selector, unfiltered by type."""
        found = self._memo.senders.get(selector)
        if found is None:
            units = self._units_in(self._selectors, selector)
            found = in_order(row for rows in units for row in senders(rows, selector))
            self._memo.senders[selector] = found
        return found

    def symbol_uses(self, name: str) -> tuple[SymbolUse, ...]:
        """Every symbol literal and singleton type of that name."""
        units = self._units_in(self._symbols, name)
        return in_order(row for rows in units for row in symbols(rows, name))

    def implementors_of(self, selector: str) -> tuple[Definition, ...]:
        """Every method of that selector in source, extensions included."""
        units = self._units_in(self._defined, selector)
        return in_order(row for rows in units for row in definitions(rows))

    def definitions_in(self, class_name: str, side: Side) -> tuple[Definition, ...]:
        """The methods that the source of one side of a class and its extensions define."""
        units = self._units_in(self._members, class_name)
        return in_order(row for rows in units if rows.owner.side is side for row in definitions(rows))

    def defined_selectors(self, class_name: str, side: Side) -> tuple[str, ...]:
        """Their selectors, sorted, each once."""
        return tuple(sorted({row.owner.selector or "" for row in self.definitions_in(class_name, side)}))

    def slot_uses(self, class_name: str, slot: str, access: Access) -> tuple[SlotUse, ...]:
        """Where code of one class (both sides, extensions) reads or writes `self.slot`."""
        return in_order(
            SlotUse(rows.owner, rows.lineage, rows.line_of(use.span), use)
            for rows in self._units_in(self._members, class_name)
            for use in rows.references.slots
            if use.slot == slot and use.access is access
        )

    def units_of(self, class_name: str) -> tuple[UnitRows, ...]:
        """The rows of all units that belong to a class, by lineage."""
        return tuple(sorted(self._units_in(self._members, class_name), key=lambda r: r.lineage))

    def sent_selectors(self) -> Iterator[str]:
        """Every selector that some unit sends, each once, in no order."""
        return iter(self._selectors)

    def all_defined(self) -> Iterator[str]:
        """Every selector that some unit defines, each once, in no order."""
        return iter(self._defined)

    def all_sends(self) -> tuple[Sender, ...]:
        """Every send of every unit."""
        return in_order(row for selector in self._selectors for row in self.senders_of(selector))

    def _units_in(self, by_name: _ByName, name: str) -> Iterator[UnitRows]:
        for lineage in by_name.get(name, _NONE):
            yield self.units[lineage]


_NONE: Final[_Lineages] = Map()


def brute_force(units: Iterable[UnitRows]) -> Index:
    """The index of exactly these units, from nothing."""
    index = Index()
    for rows in units:
        index = index.put(rows)
    return index


# ---------------------------------------------------------------- keys and their changes


def _class_keys(rows: UnitRows) -> set[str]:
    return {mention.name for mention in rows.references.classes}


def _selector_keys(rows: UnitRows) -> set[str]:
    return {site.selector.text for site in rows.references.sends}


def _symbol_keys(rows: UnitRows) -> set[str]:
    return {mention.name for mention in rows.references.symbols}


def _defined_keys(rows: UnitRows) -> set[str]:
    return {rows.owner.selector or ""} if rows.owner.defines_method else set()


def _member_keys(rows: UnitRows) -> set[str]:
    return {rows.owner.class_name}


# By which names each reverse map knows a unit, in the order of the fields of `Index`.
_KEYS: Final[tuple[Callable[[UnitRows], set[str]], ...]] = (
    _class_keys,
    _selector_keys,
    _symbol_keys,
    _defined_keys,
    _member_keys,
)


def _keys(keys: Callable[[UnitRows], set[str]], rows: UnitRows | None) -> set[str]:
    return set() if rows is None else keys(rows)


class _Delta:
    """What an update takes out of one reverse map and puts into it."""

    __slots__ = ("gone", "new")

    def __init__(self) -> None:
        self.gone: dict[str, list[int]] = {}
        self.new: dict[str, list[int]] = {}

    def replace(self, lineage: int, old: set[str], new: set[str]) -> None:
        for name in old - new:
            self.gone.setdefault(name, []).append(lineage)
        for name in new - old:
            self.new.setdefault(name, []).append(lineage)

    def applied(self, by_name: _ByName) -> _ByName:
        changed = by_name.mutate()
        for name in self.gone.keys() | self.new.keys():
            lineages = changed.get(name, _NONE).mutate()
            for lineage in self.gone.get(name, ()):
                del lineages[lineage]
            for lineage in self.new.get(name, ()):
                lineages[lineage] = None
            kept = lineages.finish()
            if kept:
                changed[name] = kept
            else:
                del changed[name]
        return changed.finish()
