"""What the image knows of the disk, and how it asks what is there today (changes.md 4.2, 5).

Comes in: nothing; these are types. Guarantees: units of disk carry the lineages of memory.
Leaves: keeping them up to date to load, sync and flush.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from changelog.entry import Entry, NameKey, Snapshot
from lang.dataclass import dataclass
from lang.source import SourceText
from lang.syntax.units import UnitCut, UnitName


@dataclass(frozen=True, slots=True)
class DiskUnit:
    """A unit that stands on disk: its lineage in memory, its name in the file, its LF text there."""

    lineage: int
    name: UnitName
    text: str


@dataclass(frozen=True, slots=True)
class DiskFile:
    """A file as it was when memory was last built from it, or flushed to it; units in order.

    `path` is relative to the project, with `/`.
    """

    path: str
    snapshot: Snapshot
    data: bytes
    units: tuple[DiskUnit, ...]


Read = Callable[[str], bytes | None]
"""The bytes of a project file today, through symlinks; None when it is absent. May raise `OSError`."""

Rewrite = Callable[[Entry, int, UnitName, str, int], str]
"""A rename's rewriting of one unit's text: (entry, lineage, name of the unit, text, column) to the new text.

It finds the sites again by the rules that the rename used (changes.md 4.2), and answers the
text as it is where it mentions nothing.
"""

Cut = Callable[[SourceText], Iterable[UnitCut]]
"""The cutter: the units of a whole file, in order."""

DiskUses = Callable[[int], frozenset[NameKey]]
"""The names that a unit's text on disk uses, by lineage (changes.md 4.2, last rule)."""

NewReferences = Callable[[str], Iterable[str]]
"""Project files whose units, unseen by memory, use a class name: path for each (changes.md 5.3)."""
