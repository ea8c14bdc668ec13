"""Units: the pieces of a source file that changes speak of (changes.md 1.1).

The cutter finds them from tokens alone; the parser takes each on its own; edits,
the index and the ChangeLog address them. This module holds the types.
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING

from lang.dataclass import dataclass
from lang.diagnostics import Diagnostic
from lang.source import SourceText, Span

if TYPE_CHECKING:
    from lang.ast.nodes import Declaration


class Side(enum.Enum):
    """Which side of a class a method belongs to."""

    INSTANCE = "instance"
    CLASS = "class"


class UnitKind(enum.Enum):
    """What a unit declares. A data declaration behind a method is a unit of its own."""

    HEADER = "header"
    METHOD = "method"
    DATA = "data"
    EXTENSION = "extension"
    PROTOCOL = "protocol"
    ALIAS = "alias"
    STATEMENTS = "statements"


@dataclass(frozen=True, slots=True)
class UnitName:
    """Address of a unit within its file; it does not depend on offsets.

    `owner` is the class, protocol or alias (for an extension the extended class as
    written, `Counter` or `pkg@Counter`); `member` is a selector, a slot, or for
    module-level code its ordinal number as text. Duplicates in a broken file are
    told apart by `ordinal` (0 for the first).
    """

    kind: UnitKind
    owner: str = ""
    side: Side | None = None
    member: str = ""
    ordinal: int = 0


@dataclass(frozen=True, slots=True)
class UnitCut:
    """Where one unit lies in its file, found from tokens alone.

    `span` is what the unit owns: the doc comment, annotations and comment lines
    directly above it, the declaration, and a comment behind it on its last line; it
    begins at the first character of the first owned line that is not blank space and
    ends before the line end. `core` is the declaration alone. `column` is the column
    of the unit's first declaration token (members compare with it, language.md 2.3).
    """

    name: UnitName
    span: Span
    core: Span
    column: int


@dataclass(frozen=True, slots=True)
class ParsedUnit:
    """One unit, parsed on its own. Spans in `node` and `diagnostics` are relative to `text`.

    `text` is exactly `source.slice(cut.span)`. `node` is None when nothing could be made of it.
    """

    cut: UnitCut
    text: str
    node: Declaration | None
    diagnostics: tuple[Diagnostic, ...]

    @property
    def name(self) -> UnitName:
        """The unit's address in its file."""
        return self.cut.name


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """A whole file: its units in order, and the diagnostics of the file as such.

    `unparse(parsed)` gives back the text byte for byte: what lies between units is
    sliced from `source`. Diagnostics here have spans in the file's text; those of
    units are relative to their unit (`all_diagnostics` shifts them).
    """

    source: SourceText
    units: tuple[ParsedUnit, ...]
    diagnostics: tuple[Diagnostic, ...]

    def all_diagnostics(self) -> tuple[Diagnostic, ...]:
        """Every diagnostic, in file offsets, in source order."""
        found = list(self.diagnostics)
        for unit in self.units:
            found.extend(d.shifted(unit.cut.span.start) for d in unit.diagnostics)
        return tuple(sorted(found, key=lambda d: d.span))


CANONICAL_COLUMN = 2
"""Where members of a class begin (language.md 2.3)."""


def member_limit(column: int) -> int:
    """The greatest column at which a line is no part of the member before it, which begins at `column`.

    What stands deeper is its body, whatever the column (a tab is one); beside members at the edge it
    has to be deeper than canonical ones.
    """
    return column or CANONICAL_COLUMN
