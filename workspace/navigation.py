"""The queries of `SystemNavigation` over the index (types.md 5.3, stdlib.md 5.5).

Comes in: one index, taken at the start of a query. Guarantees: plain records, sorted
by class, side, method and line; nothing found is an empty answer. Leaves: receiver
types, class objects and argument errors to the facade.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from lang.semantics.references import Access, ReceiverKind, ReferenceRole
from lang.syntax.units import Side
from workspace.xref import Index, Owner, Provenance, Reference, Sender, SlotUse, UnitRows

HANDLER: Final = "doesNotUnderstand:args:"


@dataclass(frozen=True, slots=True, order=True)
class ClassSide:
    """A class, or its metaclass when `is_class_side`."""

    class_name: str
    is_class_side: bool

    @classmethod
    def of(cls, owner: Owner) -> ClassSide:
        """Where a unit stands; headers and module-level code count as instance side."""
        return cls(owner.class_name, owner.side is Side.CLASS)

    def __str__(self) -> str:
        return f"{self.class_name} class" if self.is_class_side else self.class_name


@dataclass(frozen=True, slots=True)
class SiteRecord:
    """A place in a method: `selector` is that of the method (None in a header), `line` counts from its header as 1."""

    at: ClassSide
    selector: str | None
    line: int


@dataclass(frozen=True, slots=True)
class MethodRecord:
    """A method."""

    at: ClassSide
    selector: str


@dataclass(frozen=True, slots=True)
class SentRecord:
    """A message that one method sends, and where."""

    selector: str
    line: int


@dataclass(frozen=True, slots=True)
class UnimplementedRecord:
    """A selector that nobody implements, with the places that send it."""

    selector: str
    sites: tuple[SiteRecord, ...]


def _site(row: Reference | Sender | SlotUse) -> SiteRecord:
    return SiteRecord(ClassSide.of(row.owner), row.owner.selector, row.line)


# ---------------------------------------------------------------- classes


def subclasses(index: Index, class_name: str) -> tuple[str, ...]:
    """The classes whose header names `class_name` as superclass, sorted."""
    rows = index.references_to(class_name)
    return tuple(
        sorted({row.owner.class_name for row in rows if row.mention.role is ReferenceRole.SUPERCLASS})
    )


def all_subclasses(index: Index, class_name: str) -> tuple[str, ...]:
    """Its transitive subclasses, sorted, without the class itself."""
    found: set[str] = set()
    waiting = [class_name]
    while waiting:
        fresh = [name for name in subclasses(index, waiting.pop()) if name not in found]
        found.update(fresh)
        waiting.extend(fresh)
    return tuple(sorted(found - {class_name}))


def superclass(index: Index, class_name: str) -> str | None:
    """The superclass that the header of a class names."""
    for rows in index.units_of(class_name):
        for mention in rows.references.classes:
            if mention.role is ReferenceRole.SUPERCLASS:
                return mention.name
    return None


def dnu_handlers(index: Index) -> tuple[ClassSide, ...]:
    """The classes and metaclasses that define `doesNotUnderstand:args:`."""
    return implementors_of(index, HANDLER)


# ---------------------------------------------------------------- selectors


def implementors_of(index: Index, selector: str) -> tuple[ClassSide, ...]:
    """Who defines a selector locally, each once."""
    return _each_once(ClassSide.of(row.owner) for row in index.implementors_of(selector))


def senders_of(index: Index, selector: str) -> tuple[SiteRecord, ...]:
    """Where a selector is sent, unfiltered by type."""
    return tuple(_site(row) for row in index.senders_of(selector))


def messages_sent_by(index: Index, class_name: str, side: Side, selector: str) -> tuple[SentRecord, ...]:
    """What one method sends, calls of the host excluded, in source order."""
    return tuple(
        SentRecord(send.selector.text, rows.line_of(send.selector.span))
        for rows in _rows_of_method(index, class_name, side, selector)
        for send in rows.references.sends
        if send.receiver_kind is not ReceiverKind.FFI
    )


def _rows_of_method(index: Index, class_name: str, side: Side, selector: str) -> tuple[UnitRows, ...]:
    """The unit that dispatch finds: the class's own method before an extension."""
    found = [
        rows
        for rows in index.units_of(class_name)
        if rows.owner.side is side and rows.owner.selector == selector
    ]
    own = [rows for rows in found if rows.provenance is not Provenance.EXTENSION]
    return tuple((own or found)[:1])


def selectors_matching(index: Index, text: str) -> tuple[str, ...]:
    """Defined selectors that contain a text, letter case aside, sorted."""
    wanted = text.casefold()
    return tuple(sorted(s for s in index.all_defined() if wanted in s.casefold()))


def selectors_for_class(index: Index, class_name: str) -> tuple[str, ...]:
    """The selectors that a class defines on either side, extensions included, sorted, each once."""
    found = {s for side in Side for s in index.defined_selectors(class_name, side)}
    return tuple(sorted(found))


def methods_matching(index: Index, matches: Callable[[str], bool]) -> tuple[MethodRecord, ...]:
    """The methods whose source satisfies a predicate."""
    return _methods_in_order(
        MethodRecord(ClassSide.of(rows.owner), rows.owner.selector or "")
        for rows in index.units.values()
        if rows.owner.defines_method and matches(rows.text)
    )


def unimplemented_selectors(index: Index, provided: Container[str] = ()) -> tuple[UnimplementedRecord, ...]:
    """Selectors sent and neither defined nor `provided` (by the runtime), with their sites.

    Host calls, and sends to self and super where a handler stands on that side of the class or
    above, are no evidence.
    """
    handlers = _Handlers(index)
    defined = frozenset(index.all_defined())
    records = []
    for selector in sorted(index.sent_selectors()):
        if selector in defined or selector in provided:
            continue
        sites = tuple(_site(row) for row in index.senders_of(selector) if not handlers.excuse(row))
        if sites:
            records.append(UnimplementedRecord(selector, sites))
    return tuple(records)


class _Handlers:
    """Which classes have a `doesNotUnderstand:args:` on which side, inherited ones included."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._own = frozenset(dnu_handlers(index))
        self._known: dict[ClassSide, bool] = {}

    def excuse(self, row: Sender) -> bool:
        match row.site.receiver_kind:
            case ReceiverKind.FFI:
                return True
            case ReceiverKind.SELF | ReceiverKind.SUPER:
                return self._has(ClassSide.of(row.owner))
            case ReceiverKind.OTHER:
                return False

    def _has(self, at: ClassSide) -> bool:
        if at not in self._known:
            self._known[at] = any(
                ClassSide(name, at.is_class_side) in self._own for name in _chain(self._index, at.class_name)
            )
        return self._known[at]


def _chain(index: Index, class_name: str) -> Iterator[str]:
    seen: set[str] = set()
    name: str | None = class_name
    while name is not None and name not in seen:
        yield name
        seen.add(name)
        name = superclass(index, name)


# Called by the runtime itself, and so in use without a sender (types.md 5.3).
_CALLED: Final = frozenset(
    "initialize terminate: doesNotUnderstand:args: printString displayString inspect hash".split()
)


def unused_selectors(index: Index) -> tuple[MethodRecord, ...]:
    """Methods whose selector nobody sends; what runs without a sender is left out."""
    tests = frozenset((*all_subclasses(index, "TestCase"), "TestCase"))
    sent = frozenset(
        selector
        for selector in index.sent_selectors()
        if any(row.site.receiver_kind is not ReceiverKind.FFI for row in index.senders_of(selector))
    )
    return _methods_in_order(
        MethodRecord(ClassSide.of(rows.owner), rows.owner.selector or "")
        for rows in index.units.values()
        if rows.owner.defines_method
        and rows.owner.selector not in sent
        and not _runs_without_sender(rows, tests)
    )


def _runs_without_sender(rows: UnitRows, tests: frozenset[str]) -> bool:
    selector = rows.owner.selector or ""
    is_test = selector in ("setUp", "tearDown") or selector.startswith("test")
    return (
        selector in _CALLED
        or rows.is_primitive
        or rows.provenance is Provenance.EXTENSION
        or (is_test and rows.owner.class_name in tests)
    )


def _methods_in_order(records: Iterable[MethodRecord]) -> tuple[MethodRecord, ...]:
    return tuple(sorted(set(records), key=lambda record: (record.at, record.selector)))


# ---------------------------------------------------------------- mentions

# The roles of types.md X-6: what declares or extends a class does not refer to it.
_REFERRING: Final = frozenset(
    {ReferenceRole.EXPRESSION, ReferenceRole.ANNOTATION, ReferenceRole.PATTERN, ReferenceRole.SUPERCLASS}
)


def references_to(index: Index, class_name: str) -> tuple[SiteRecord, ...]:
    """Every mention of a class: expressions, annotations, patterns, superclass clauses."""
    return tuple(_site(row) for row in index.references_to(class_name) if row.mention.role in _REFERRING)


def field_readers_of(index: Index, slot: str, class_name: str) -> tuple[SiteRecord, ...]:
    """Where a class and its subclasses, both sides, read a slot."""
    return _field_uses(index, slot, class_name, Access.READ)


def field_writers_of(index: Index, slot: str, class_name: str) -> tuple[SiteRecord, ...]:
    """Where a class and its subclasses, both sides, write a slot."""
    return _field_uses(index, slot, class_name, Access.WRITE)


def _field_uses(index: Index, slot: str, class_name: str, access: Access) -> tuple[SiteRecord, ...]:
    names = sorted({class_name, *all_subclasses(index, class_name)})
    return tuple(_site(row) for name in names for row in index.slot_uses(name, slot, access))


# ---------------------------------------------------------------- the host

_FFI_SPEC: Final = re.compile(r"(?P<module>[^:/]+):(?P<function>[^:/]+)(?:/(?P<arity>\d+))?")


@dataclass(frozen=True, slots=True)
class FfiSpec:
    """A host function: `arity` None means any number of arguments."""

    module: str
    function: str
    arity: int | None

    @classmethod
    def parsed(cls, text: str) -> FfiSpec | None:
        """`module:function` or `module:function/arity`; None for any other text."""
        found = _FFI_SPEC.fullmatch(text)
        if found is None:
            return None
        arity = found["arity"]
        return cls(found["module"], found["function"], None if arity is None else int(arity))


def ffi_sites_for(index: Index, spec: FfiSpec) -> tuple[SiteRecord, ...]:
    """Where a host function is called; it is named by the first keyword without its colon."""
    rows = (
        row
        for selector in index.sent_selectors()
        if selector.partition(":")[0] == spec.function
        for row in index.senders_of(selector)
        if row.site.module == spec.module and spec.arity in (None, row.site.argument_count)
    )
    return tuple(_site(row) for row in sorted(rows, key=_owner_and_line))


def callers_of_module(index: Index, module: str) -> tuple[SiteRecord, ...]:
    """Where functions of a host module are called."""
    rows = (row for row in index.all_sends() if row.site.module == module)
    return tuple(_site(row) for row in sorted(rows, key=_owner_and_line))


def _owner_and_line(row: Sender) -> tuple[ClassSide, str, int]:
    return ClassSide.of(row.owner), row.owner.selector or "", row.line


def _each_once(found: Iterable[ClassSide]) -> tuple[ClassSide, ...]:
    return tuple(sorted(set(found)))
