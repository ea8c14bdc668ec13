"""What a flush answers (changes.md 4.3, 12).

Comes in: a plan, and what came of writing it. Guarantees: plain values with the fields of
the protocol; the print strings are in one place. Leaves: Beamtalk objects to the facade.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence

from changelog.entry import ChangeKind, Entry
from lang.dataclass import dataclass
from workspace.flush.closure import Skipped
from workspace.flush.outcome import ConflictReason


class FileOperation(enum.Enum):
    """What a flush does to a file, as editors and git are told; the value is the symbol's text."""

    EDIT = "edit"
    CREATE = "create"
    RENAME = "rename"
    DELETE = "delete"


@dataclass(frozen=True, slots=True)
class PlannedFile:
    """One file of a plan: its path before (after, for a created one), the new path of a rename, its diff."""

    file: str
    operation: FileOperation
    target: str | None
    diff: str


@dataclass(frozen=True, slots=True)
class FlushConflict:
    """One thing that holds the whole flush up; `seqs` are the entries that want the file."""

    file: str
    reason: ConflictReason
    seqs: tuple[int, ...]
    detail: str


@dataclass(frozen=True, slots=True)
class FlushResult:
    """The outcome of a flush. With a conflict nothing was written."""

    entries: tuple[Entry, ...] = ()
    files: tuple[str, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    conflicts: tuple[FlushConflict, ...] = ()
    warnings: tuple[str, ...] = ()
    failure: str | None = None
    needs_recovery: bool = False
    """An earlier flush is not ended and could not be: nothing was tried."""

    @property
    def flushed(self) -> int:
        """How many entries were written, of every kind."""
        return len(self.entries)

    @property
    def new_classes(self) -> int:
        """How many of them are new classes."""
        return self._count(ChangeKind.NEW_CLASS)

    @property
    def removed_classes(self) -> int:
        """How many of them are removed classes."""
        return self._count(ChangeKind.REMOVE_CLASS)

    @property
    def renamed(self) -> int:
        """How many of them are renames of classes and methods, and moves."""
        return self._count(ChangeKind.RENAME_CLASS, ChangeKind.RENAME_METHOD, ChangeKind.MOVE_CLASS)

    @property
    def is_clean(self) -> bool:
        """Whether there was no conflict."""
        return not self.conflicts

    def _count(self, *kinds: ChangeKind) -> int:
        return sum(1 for entry in self.entries if entry.kind in kinds)

    def print_string(self) -> str:
        """`flushed 2 methods + 1 rename across 5 files; skipped 1 (destructive)`."""
        parts = [_flushed(self.entries, len(self.files))]
        if self.skipped:
            reasons = dict.fromkeys(each.reason.value for each in self.skipped)
            parts.append(f"skipped {len(self.skipped)} ({', '.join(reasons)})")
        if self.conflicts:
            reasons = dict.fromkeys(each.reason.value for each in self.conflicts)
            parts.append(f"{_counted(len(self.conflicts), 'conflict')} ({', '.join(reasons)})")
        if self.failure is not None:
            parts.append(self.failure)
        return "; ".join(parts)


_NOUNS = {
    ChangeKind.INSTANCE: "method",
    ChangeKind.CLASS: "method",
    ChangeKind.EXTENSION: "method",
    ChangeKind.NEW_CLASS: "new class",
    ChangeKind.CLASS_DEF: "class definition",
    ChangeKind.REMOVE_METHOD: "method removal",
    ChangeKind.REMOVE_CLASS: "class removal",
    ChangeKind.RENAME_CLASS: "rename",
    ChangeKind.RENAME_METHOD: "rename",
    ChangeKind.MOVE_CLASS: "move",
}


def _flushed(entries: Sequence[Entry], files: int) -> str:
    if not entries:
        return "flushed nothing"
    counts: dict[str, int] = {}
    for noun in sorted((_NOUNS[entry.kind] for entry in entries), key=list(_NOUNS.values()).index):
        counts[noun] = counts.get(noun, 0) + 1
    what = " + ".join(_counted(count, noun) for noun, count in counts.items())
    return f"flushed {what} across {_counted(files, 'file')}"


def _counted(count: int, noun: str) -> str:
    plural = f"{noun}es" if noun.endswith("class") else f"{noun}s"
    return f"{count} {noun if count == 1 else plural}"


def touched_files(files: Iterable[PlannedFile]) -> tuple[str, ...]:
    """The paths of a result: where each file is afterwards; a deleted one by the path that it had."""
    return tuple(each.target or each.file for each in files)
