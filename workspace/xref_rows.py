"""Rows of the cross-reference index: what one unit mentions, sends and defines (types.md 5.1).

Comes in: the tree of a unit. Guarantees: rows are immutable; lines count from the
declaration's own first line. Leaves: finding rows by name to `xref`.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple, TypeVar

from changelog.entry import UnitAddress
from lang.ast import nodes as ast
from lang.dataclass import dataclass
from lang.semantics.references import (
    ClassMention,
    SendSite,
    SlotAccess,
    SymbolMention,
    UnitReferences,
    references_of,
)
from lang.source import Span
from lang.syntax.units import Side, UnitKind


class Provenance(enum.Enum):
    """Where a method came from (types.md 5.1)."""

    CLASS_BODY = "class_body"
    EXTENSION = "extension"
    CLASS_BUILDER = "class_builder"
    PUT_METHOD = "put_method"


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose text a unit is.

    `class_name` is the class (protocol, alias) without package, empty for module-level
    code. `side` and `selector` are those of a method, None elsewhere.
    """

    address: UnitAddress
    class_name: str
    side: Side | None = None
    selector: str | None = None

    @classmethod
    def of(cls, address: UnitAddress) -> Owner:
        """The owner that an address names."""
        name = address.name
        is_method = name.kind in _METHOD_KINDS
        return cls(
            address,
            name.owner.rpartition("@")[2],
            name.side if is_method else None,
            name.member if is_method else None,
        )

    @property
    def defines_method(self) -> bool:
        """Whether the unit defines a method."""
        return self.address.name.kind in _METHOD_KINDS


_METHOD_KINDS: Final = frozenset({UnitKind.METHOD, UnitKind.EXTENSION})


@dataclass(frozen=True, slots=True)
class UnitRows:
    """All rows of one unit. `text` is the text that the spans belong to.

    `header` is the offset of the declaration in `text`, where line 1 is. `fields` are the `field:`
    declarations of a header or data unit, from which a value class has its accessors.
    """

    lineage: int
    owner: Owner
    references: UnitReferences
    text: str = ""
    header: int = 0
    provenance: Provenance = Provenance.CLASS_BODY
    is_primitive: bool = False
    fields: tuple[str, ...] = ()

    def line_of(self, span: Span) -> int:
        """The line of a span, counted from the declaration's own first line as 1."""
        return self.text.count("\n", self.header, span.start) + 1


def unit_rows(
    lineage: int,
    address: UnitAddress,
    text: str,
    node: ast.Declaration,
    provenance: Provenance | None = None,
) -> UnitRows:
    """The rows of a unit from its tree; without `provenance`, as its kind says."""
    return UnitRows(
        lineage,
        Owner.of(address),
        references_of(node),
        text,
        node.span.start,
        provenance or provenance_of(address),
        _is_primitive(node),
        _fields(node),
    )


def provenance_of(address: UnitAddress) -> Provenance:
    """Where a unit with that address comes from, as its kind says."""
    is_extension = address.name.kind is UnitKind.EXTENSION
    return Provenance.EXTENSION if is_extension else Provenance.CLASS_BODY


def _fields(node: ast.Declaration) -> tuple[str, ...]:
    declared = node.data if isinstance(node, ast.ClassHeader) else (node,)
    return tuple(
        each.name.name for each in declared if isinstance(each, ast.DataDecl) and each.keyword == "field:"
    )


def _is_primitive(node: ast.Declaration) -> bool:
    method = node.method if isinstance(node, ast.ExtensionDef) else node
    return isinstance(method, ast.MethodDef) and any(
        isinstance(statement, ast.Primitive) for statement in method.body
    )


# ---------------------------------------------------------------- rows as queries answer them


class Definition(NamedTuple):
    """A method defined in source."""

    owner: Owner
    lineage: int
    line: int
    provenance: Provenance


class Reference(NamedTuple):
    """A class mentioned."""

    owner: Owner
    lineage: int
    line: int
    mention: ClassMention


class Sender(NamedTuple):
    """A selector sent."""

    owner: Owner
    lineage: int
    line: int
    site: SendSite


class SlotUse(NamedTuple):
    """A slot read or written."""

    owner: Owner
    lineage: int
    line: int
    access: SlotAccess


class SymbolUse(NamedTuple):
    """A symbol written."""

    owner: Owner
    lineage: int
    line: int
    mention: SymbolMention


Row = Definition | Reference | Sender | SlotUse | SymbolUse
_R = TypeVar("_R", Definition, Reference, Sender, SlotUse, SymbolUse)


def definitions(rows: UnitRows) -> Iterator[Definition]:
    """The method that a unit defines, if it does."""
    if rows.owner.defines_method:
        yield Definition(rows.owner, rows.lineage, 1, rows.provenance)


def references(rows: UnitRows, name: str) -> Iterator[Reference]:
    """The mentions of a class in a unit."""
    for mention in rows.references.classes:
        if mention.name == name:
            yield Reference(rows.owner, rows.lineage, rows.line_of(mention.span), mention)


def senders(rows: UnitRows, selector: str) -> Iterator[Sender]:
    """The sends of a selector in a unit."""
    for site in rows.references.sends:
        if site.selector.text == selector:
            yield Sender(rows.owner, rows.lineage, rows.line_of(site.selector.span), site)


def symbols(rows: UnitRows, name: str) -> Iterator[SymbolUse]:
    """The symbols of a name in a unit."""
    for mention in rows.references.symbols:
        if mention.name == name:
            yield SymbolUse(rows.owner, rows.lineage, rows.line_of(mention.span), mention)


def in_order(rows: Iterable[_R]) -> tuple[_R, ...]:
    """Rows by owner, side, method and line (types.md 5.3)."""
    return tuple(sorted(rows, key=_place))


def _place(row: Row) -> tuple[str, str, str, int, str, int, int]:
    owner = row.owner
    return (
        owner.class_name,
        owner.side.value if owner.side is not None else "",
        owner.selector or "",
        row.line,
        owner.address.path or "",
        row.lineage,
        _offset(row),
    )


def _offset(row: Row) -> int:
    match row:
        case Reference() | SymbolUse():
            return row.mention.span.start
        case Sender():
            return row.site.selector.span.start
        case SlotUse():
            return row.access.span.start
        case Definition():
            return 0
