"""What an operation makes of a state: the next state and the entry to log, or a refusal.

Comes in: nothing; these are the types between the planners (`operations/`,
`refactor/`, `undo`), which are pure, and `transaction`, which carries out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from changelog.entry import NewEntry
from lang.dataclass import dataclass, field
from lang.diagnostics import Diagnostic
from lang.source import SourceText
from lang.syntax.units import Side, UnitName
from workspace.compile_cache import FileRecord, HeaderFacts, MethodFacts
from workspace.consulting import Consultations
from workspace.state import ImageState


@dataclass(frozen=True, slots=True)
class Refusal:
    """An expected "no" with its reason; nothing has changed (changes.md 12).

    `kind` is the error kind that the facade raises. `findings` carry the diagnostics of a
    text that does not compile, with that text; `path` is the file at fault, where one is.
    """

    kind: str
    message: str
    hint: str | None = None
    findings: tuple[Finding, ...] = ()
    path: str | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """A diagnostic together with the text that its span belongs to, and its file if any."""

    source: SourceText
    diagnostic: Diagnostic
    path: str | None = None
    first_line: int = 1

    @property
    def line(self) -> int:
        """The 1-based line of the finding in its file."""
        return self.first_line + self.source.position(self.diagnostic.span.start).line - 1


@dataclass(frozen=True, slots=True)
class RetiredSelector:
    """A selector that code in flight may still send (changes.md 7, end)."""

    class_lineage: int
    side: Side
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class KnownUnits:
    """What need not be found out again: files whose checks found nothing, facts of methods and headers, rows.

    Methods are known by file and name, headers and rows of the index by file. `consultations` gets to know what
    checks ask about.
    """

    checked: frozenset[str] = frozenset()
    methods: Mapping[tuple[str, UnitName], MethodFacts] = field(default_factory=dict)
    headers: Mapping[str, HeaderFacts] = field(default_factory=dict)
    consultations: Consultations | None = None
    rows: Mapping[str, FileRecord] = field(default_factory=dict)


NOTHING_KNOWN: Final = KnownUnits()


@dataclass(frozen=True, slots=True)
class Change:
    """The outcome of planning on one state: everything but compiled code.

    `entry` is None for what is not logged (load, sync). `touched` are the lineages
    whose code must be compiled, moved or dropped.
    """

    base: ImageState
    state: ImageState
    touched: frozenset[int]
    entry: NewEntry | None = None
    retired: tuple[RetiredSelector, ...] = ()
    warnings: tuple[str, ...] = ()
    known: KnownUnits = NOTHING_KNOWN


Operation = Callable[[ImageState], Change | Refusal]


def compile_refusal(message: str, findings: tuple[Finding, ...]) -> Refusal:
    """The refusal of a text that does not compile."""
    return Refusal("compile_failed", message, findings=findings)
