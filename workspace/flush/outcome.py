"""What came of writing a flush, or of recovering one: values for the result (changes.md 5, 4.3).

Comes in: nothing; these are types. Guarantees: a refusal, a failure and a success are values
with their reasons; paths are as the rows name them (relative to the project where they can be).
Leaves: the wording for people, and which seqs stand behind a path, to `result`.
"""

from __future__ import annotations

import enum

from lang.dataclass import dataclass


class ConflictReason(enum.Enum):
    """Why one file holds a flush up (changes.md 5.3); the value is the symbol's text."""

    EXTERNAL_EDIT = "external_edit"
    NEW_REFERENCE = "new_reference"
    RELOCATED_OR_DELETED = "relocated_or_deleted"
    TARGET_EXISTS = "target_exists"
    UNREADABLE = "unreadable"
    UNPARSABLE = "unparsable"
    NOT_WRITABLE = "not_writable"
    UNSAVED_BUFFER = "unsaved_buffer"


@dataclass(frozen=True, slots=True)
class Conflict:
    """One file that is not as the plan expects, or cannot be written."""

    path: str
    reason: ConflictReason
    detail: str


@dataclass(frozen=True, slots=True)
class KeptFile:
    """Bytes that somebody else wrote at the last instant, or that belong to a file left alone.

    `path` is the file that they belong to, `kept` where they are now (absolute, in `flush/kept/<id>/`).
    """

    path: str
    kept: str


@dataclass(frozen=True, slots=True)
class LeftAlone:
    """A file that was neither as before nor as after the flush, and was not touched."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Committed:
    """Everything is written and marked. `leftovers` says what could not be cleaned up; the next recovery does."""

    flush_id: str
    kept: tuple[KeptFile, ...] = ()
    leftovers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NothingWritten:
    """The tree is as before, but for what others wrote; `reason` is a sentence.

    `left_alone` are files that somebody changed while the flush was taken back.
    """

    reason: str
    conflicts: tuple[Conflict, ...] = ()
    left_alone: tuple[LeftAlone, ...] = ()
    kept: tuple[KeptFile, ...] = ()
    leftovers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RecoveryNeeded:
    """A flush could be neither finished nor taken back; its journal stays, further ones are refused."""

    flush_id: str
    reason: str


WriteOutcome = Committed | NothingWritten | RecoveryNeeded


class Direction(enum.Enum):
    """Which way an unfinished flush was ended."""

    FINISHED = "finished"
    TAKEN_BACK = "taken back"
    CLEANED_UP = "cleaned up"
    NEVER_BEGUN = "never begun"


@dataclass(frozen=True, slots=True)
class Recovered:
    """An unfinished flush that recovery ended. `NEVER_BEGUN`: it had not reached its commit point.

    `CLEANED_UP`: it was written and marked before the crash.
    """

    flush_id: str
    direction: Direction
    left_alone: tuple[LeftAlone, ...] = ()
    kept: tuple[KeptFile, ...] = ()


@dataclass(frozen=True, slots=True)
class RecoveryReport:
    """All that recovery found; `blocked` flushes keep their journals and refuse further ones.

    `is_due`: something is unfinished, and who looks may not end it (a read-only open).
    """

    recovered: tuple[Recovered, ...] = ()
    blocked: tuple[RecoveryNeeded, ...] = ()
    is_due: bool = False

    @property
    def is_clear(self) -> bool:
        """Whether a new flush may begin."""
        return not self.blocked
