"""What the ChangeLog holds: entries, their edits and sites, and marks (changes.md 2.1).

Entries are immutable and never rewritten; all later state is a `Mark`. Texts of
units are LF text exactly as memory holds them.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping

from lang.dataclass import dataclass, field
from lang.source import Span
from lang.syntax.units import Side, UnitName


class ChangeKind(enum.Enum):
    """Kinds of entry (changes.md 2.1)."""

    INSTANCE = "instance"
    CLASS = "class"
    EXTENSION = "extension"
    NEW_CLASS = "new-class"
    CLASS_DEF = "class-def"
    REMOVE_METHOD = "remove-method"
    REMOVE_CLASS = "remove-class"
    RENAME_CLASS = "rename-class"
    RENAME_METHOD = "rename-method"
    MOVE_CLASS = "move-class"


class Intent(enum.Enum):
    """Whether a change is meant for disk (changes.md 2.1)."""

    DURABLE = "durable"
    EPHEMERAL = "ephemeral"


class AuthorKind(enum.Enum):
    """Who made a change; for audit only."""

    HUMAN = "human"
    AGENT = "agent"


class SiteKind(enum.Enum):
    """What stands at a site (changes.md 2.2)."""

    DEFINITION = "definition"
    REFERENCE = "reference"
    SEND = "send"
    ANNOTATION = "annotation"
    SUPERCLASS = "superclass"
    EXTENSION = "extension"
    PROSE = "prose"


class Evidence(enum.Enum):
    """Why a send is a candidate of a method rename, best first (changes.md 7)."""

    TYPED = "typed"
    TYPED_OPEN = "typed-open"
    UNTYPED = "untyped"
    SHADOWED = "shadowed"
    REFLECTIVE = "reflective"


@dataclass(frozen=True, slots=True)
class UnitAddress:
    """Where a unit stands: project-relative POSIX path (None: it has no file) and name in it."""

    path: str | None
    name: UnitName


@dataclass(frozen=True, slots=True)
class Site:
    """One mention or send inside a unit.

    `span` is relative to the unit's text before the change; `line` is 1-based in the
    file (in the unit, when it has no file). `class_name`, `selector`, `side` say which
    method it stands in; `selector` is None in a header.
    """

    unit: UnitAddress
    span: Span
    line: int
    kind: SiteKind
    class_name: str
    selector: str | None = None
    side: Side | None = None
    evidence: Evidence | None = None
    is_reflective: bool = False


@dataclass(frozen=True, slots=True)
class Edit:
    """(unit, text before, text after); None for a unit that is not there (changes.md 1.1).

    `lineage` is the unit's identity within this run of the image: it survives renames
    and moves, which change the address from `before_address` to `after_address`.
    A rename of a file is an edit of no unit: see `FileMove`. `column` is the column that
    `after` is written for; None: that of the unit it replaces, or of its kind.
    """

    lineage: int
    before_address: UnitAddress | None
    after_address: UnitAddress | None
    before: str | None
    after: str | None
    sites: tuple[Site, ...] = ()
    column: int | None = None

    def inverse(self) -> Edit:
        """The edit that takes this one back."""
        return Edit(self.lineage, self.after_address, self.before_address, self.after, self.before)


@dataclass(frozen=True, slots=True)
class FileMove:
    """A file that an entry creates (`old` None), deletes (`new` None) or moves.

    `text` is the whole text of a created file, and of a deleted one before its deletion.
    """

    old: str | None
    new: str | None
    text: str | None = None

    def inverse(self) -> FileMove:
        """The file operation that takes this one back."""
        return FileMove(self.new, self.old, self.text)


class NameKind(enum.Enum):
    """Kinds of name that code can depend on."""

    CLASS = "class"
    PROTOCOL = "protocol"
    ALIAS = "alias"
    SLOT = "slot"
    METHOD = "method"
    PATH = "path"


@dataclass(frozen=True, slots=True)
class NameKey:
    """A name by what it denotes, not by spelling (changes.md 4.2).

    `denotes` is the lineage number of the class (or protocol, alias) that is meant or
    that owns the member; `spelling` is the name itself, for names that a file declares.
    A path has `denotes` 0 and the path as spelling.
    """

    kind: NameKind
    denotes: int
    spelling: str
    side: Side | None = None


@dataclass(frozen=True, slots=True)
class Footprint:
    """Names that an entry introduces, retires and uses (changes.md 1.1, 4.2)."""

    introduces: frozenset[NameKey] = frozenset()
    retires: frozenset[NameKey] = frozenset()
    uses: frozenset[NameKey] = frozenset()


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a file looked like on disk when memory was built from it."""

    mtime_ns: int
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class NewEntry:
    """An entry before the log has numbered it; `ChangeLog.append` gives seq, epoch and time."""

    kind: ChangeKind
    class_name: str
    selector: str | None = None
    side: Side | None = None
    old_class: str | None = None
    old_selector: str | None = None
    old_path: str | None = None
    new_path: str | None = None
    edits: tuple[Edit, ...] = ()
    files: tuple[FileMove, ...] = ()
    candidate_sites: tuple[Site, ...] = ()
    excluded_sites: tuple[Site, ...] = ()
    prose_sites: tuple[Site, ...] = ()
    source_file: str | None = None
    span: Span | None = None
    snapshots: Mapping[str, Snapshot] = field(default_factory=dict)
    intent: Intent = Intent.DURABLE
    not_flushable_reason: str | None = None
    author: str = ""
    author_kind: AuthorKind = AuthorKind.HUMAN
    depends_on: tuple[int, ...] = ()
    footprint: Footprint = Footprint()
    reverts: int | None = None


@dataclass(frozen=True, slots=True)
class Entry(NewEntry):
    """A logged change; `timestamp` is UTC ISO 8601."""

    seq: int = 0
    epoch: int = 0
    timestamp: str = ""

    @property
    def is_destructive(self) -> bool:
        """Tier 2 of changes.md 4.1, before pending `new-class` entries are looked at."""
        return self.kind in _DESTRUCTIVE

    @property
    def is_flushable(self) -> bool:
        """Whether a flush can ever write it."""
        return self.not_flushable_reason is None


_DESTRUCTIVE = frozenset(
    {
        ChangeKind.REMOVE_CLASS,
        ChangeKind.RENAME_CLASS,
        ChangeKind.RENAME_METHOD,
        ChangeKind.MOVE_CLASS,
    }
)


class MarkKind(enum.Enum):
    """State changes of entries (changes.md 2)."""

    FLUSHED = "flushed"
    REVERTED = "reverted"
    CLEARED = "cleared"
    RELOCATED = "relocated"
    ORPHANED = "orphaned"
    PROMOTED = "promoted"


@dataclass(frozen=True, slots=True)
class Splice:
    """Bytes that a flush took out of a file and put in, with the neighbours (changes.md 9).

    `removed` and `inserted` include the blank lines that went or came with the unit.
    `previous` and `following` are the lineages of the nearest units that the flush kept,
    None at an end. `gap` is the LF text between those two with this unit away, `offset` the
    place in it where the unit goes, `place` its rank among the units of the file.
    A file deleted whole is a splice of lineage 0, whose `units` are those that were in it.
    """

    path: str
    lineage: int
    removed: bytes
    inserted: bytes
    previous: int | None
    following: int | None
    gap: str = ""
    offset: int = 0
    place: int = 0
    units: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Mark:
    """A later fact about the entry `seq`; `by` is the entry that caused it (a revert).

    `old_path` and `path` say from where to where its file was found to have gone.

    `timestamp` is UTC ISO 8601, given by the log; marks of older logs have none.
    """

    kind: MarkKind
    seq: int
    flush_id: str | None = None
    by: int | None = None
    path: str | None = None
    splices: tuple[Splice, ...] = ()
    timestamp: str = ""
    old_path: str | None = None
