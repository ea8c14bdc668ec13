"""Rows: what a flush does to the disk, as (path, state before, state after) (changes.md 5).

Comes in: nothing; these are the types between the plan (pure) and the commit (the only
writer). Guarantees: a row is plain data; states compare by content. Leaves: how a row
reaches the disk, and in which order.
"""

from __future__ import annotations

import hashlib
from typing import assert_never

from lang.dataclass import dataclass
from lang.syntax.units import UnitName


@dataclass(frozen=True, slots=True)
class Absent:
    """There is no directory entry at the path."""


@dataclass(frozen=True, slots=True)
class Content:
    """A regular file with these bytes."""

    data: bytes

    @property
    def sha256(self) -> str:
        """Hex digest of the bytes."""
        return sha256_of(self.data)


@dataclass(frozen=True, slots=True)
class LinkTo:
    """A symbolic link with this text, exactly as `readlink` answers it."""

    text: str

    @property
    def sha256(self) -> str:
        """Hex digest of the link's text in UTF-8."""
        return sha256_of(self.text.encode("utf-8", "surrogateescape"))


FileState = Absent | Content | LinkTo

ABSENT = Absent()


def sha256_of(data: bytes) -> str:
    """Hex SHA-256 of some bytes."""
    return hashlib.sha256(data).hexdigest()


def fingerprint(state: FileState) -> str:
    """A text that is equal for equal states and differs for others; journals compare these."""
    match state:
        case Absent():
            return "absent"
        case Content():
            return f"sha256:{state.sha256}"
        case LinkTo():
            return f"link:{state.sha256}"
        case _:
            assert_never(state)


@dataclass(frozen=True, slots=True)
class UnitEdit:
    """One unit that a row rewrites, with texts as the file's newline-free (LF) form.

    Recovery uses it when the file was edited after a crash: where the unit still has
    the text `before`, the edit is made again on the bytes of then (`splice.reapply`).
    `name` is the unit's address in the file before; None: the unit is added. `after`
    None: it is cut. `after_name` is its address afterwards.
    """

    name: UnitName | None
    before: str | None
    after_name: UnitName | None
    after: str | None


@dataclass(frozen=True, slots=True)
class Row:
    """One path of a flush: it is `before` now, and must be `after`.

    `path` is a real path (no symlink on the way but, for a `LinkTo` row, the link
    itself): relative to the project root with `/`, or absolute where a link leads out
    of the project. `mode_from` is the path of the file whose mode and owner a
    `Content` takes: the row's own where it is replaced, the old path where a file
    moves, None for a new file (default mode). `edits` say which units differ; they
    are empty for a file that is created or deleted whole.
    """

    path: str
    before: FileState
    after: FileState
    mode_from: str | None = None
    edits: tuple[UnitEdit, ...] = ()
