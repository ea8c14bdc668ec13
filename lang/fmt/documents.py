"""Documents: text with the places where lines may break, and how they become lines.

Comes in: a document, made of the constructors below. Guarantees: no line is longer than
`WIDTH` where a break could help; no line ends in a blank; linear but for a look-ahead of one
line. Leaves: what may break where to the printers.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from dataclasses import dataclass, field

WIDTH = 100
"""Columns of a line (workspace.md 6.8)."""
INDENT = 2


class Break(enum.Enum):
    """A place for a line end: what it is when its group stays on one line."""

    SPACE = " "
    NOTHING = ""
    LINE = "\n"
    BLANK = "\n\n"

    @property
    def is_forced(self) -> bool:
        """Whether there is a line end in any case."""
        return self in (Break.LINE, Break.BLANK)


class Blank(enum.Enum):
    """A space that never becomes a line end, and vanishes beside one."""

    SPACE = " "

    @property
    def is_forced(self) -> bool:
        """Never."""
        return False


@dataclass(frozen=True, slots=True)
class Text:
    """Characters as they stand; line ends among them are content, of a string or comment."""

    text: str

    @property
    def is_forced(self) -> bool:
        """Never: a string over several lines does not change the layout around it."""
        return False


@dataclass(frozen=True, slots=True)
class Concat:
    """One after the other."""

    parts: tuple[Document, ...]
    is_forced: bool


@dataclass(frozen=True, slots=True)
class Nest:
    """Lines that begin within are indented `by` more."""

    inner: Document
    by: int = INDENT
    is_forced: bool = field(init=False)

    def __post_init__(self) -> None:
        """Take over whether it is forced."""
        object.__setattr__(self, "is_forced", self.inner.is_forced)


@dataclass(frozen=True, slots=True)
class Group:
    """All breaks directly within it are line ends, or none."""

    inner: Document
    is_forced: bool


@dataclass(frozen=True, slots=True)
class Choice:
    """The first of three that fits: on one line; `hugged`, up to its first line end; `broken`."""

    hugged: Document | None
    broken: Document
    flat: Document
    is_forced: bool


Document = Text | Concat | Nest | Group | Choice | Break | Blank

EMPTY = Concat((), is_forced=False)
SPACE = Blank.SPACE
LINE = Break.LINE


def concat(*parts: Document) -> Document:
    """One after the other."""
    return Concat(parts, any(part.is_forced for part in parts))


def joined(parts: Iterable[Document]) -> Document:
    """The same for any number."""
    return concat(*parts)


def group(*parts: Document) -> Document:
    """On one line if that fits and nothing within forces a line end."""
    inner = concat(*parts)
    return Group(inner, inner.is_forced)


def opened(*parts: Document) -> Document:
    """A group whose breaks are line ends in any case."""
    return Group(concat(*parts), is_forced=True)


def choice(flat: Document, hugged: Document | None, broken: Document) -> Document:
    """On one line, else with only its end broken, else broken throughout."""
    return Choice(hugged, broken, flat, flat.is_forced)


# ---------------------------------------------------------------- to lines


class _Mode(enum.Enum):
    FLAT = "flat"
    BROKEN = "broken"
    AHEAD = "ahead"
    """Only while looking ahead, of what is not laid out yet: its first break may be a line end."""


_Command = tuple[int, _Mode, Document]


def rendered(document: Document, indent: int = 0, newline: str = "\n") -> str:
    """The lines of a document; without a line end behind the last one."""
    return _Rendering(newline).run(document, indent)


@dataclass(slots=True)
class _Rendering:
    newline: str
    pieces: list[str] = field(default_factory=list)
    column: int = 0
    # Line ends that the next text is preceded by, and the indentation behind them.
    pending: int = 0
    margin: int = 0
    has_space: bool = False

    def run(self, document: Document, indent: int) -> str:
        self.column = self.margin = indent
        stack: list[_Command] = [(indent, _Mode.BROKEN, document)]
        while stack:
            margin, mode, part = stack.pop()
            match part:
                case Text():
                    self._write(part.text)
                case Blank():
                    self.has_space = True
                case Concat():
                    stack.extend((margin, mode, each) for each in reversed(part.parts))
                case Nest():
                    stack.append((margin + part.by, mode, part.inner))
                case Break():
                    self._break(part, mode, margin)
                case Group():
                    stack.append((margin, self._mode_of(part, margin, stack), part.inner))
                case Choice():
                    stack.append(self._chosen(part, margin, stack))
        return "".join(self.pieces)

    def _write(self, text: str) -> None:
        if self.pending and self.pieces:
            self.pieces.append(self.newline * self.pending + " " * self.margin)
            self.column = self.margin
        elif self.has_space and self.pieces:
            self.pieces.append(" ")
            self.column += 1
        self.pending, self.has_space = 0, False
        self.pieces.append(text)
        before, line_end, last = text.rpartition("\n")
        self.column = len(last) if line_end else self.column + len(before) + len(last)

    def _break(self, part: Break, mode: _Mode, margin: int) -> None:
        if mode is _Mode.FLAT and not part.is_forced:
            self.has_space = self.has_space or part is Break.SPACE
            return
        self.pending = max(self.pending, 2 if part is Break.BLANK else 1)
        self.margin = margin

    @property
    def _at(self) -> int:
        """The column at which the next text would stand."""
        return self.margin if self.pending else self.column + self.has_space

    def _mode_of(self, part: Group, margin: int, stack: list[_Command]) -> _Mode:
        if part.is_forced or not self._fits((margin, _Mode.FLAT, part.inner), stack):
            return _Mode.BROKEN
        return _Mode.FLAT

    def _chosen(self, part: Choice, margin: int, stack: list[_Command]) -> _Command:
        flat = (margin, _Mode.FLAT, part.flat)
        if not part.is_forced and self._fits(flat, stack):
            return flat
        if part.hugged is not None:
            hugged = (margin, _Mode.BROKEN, part.hugged)
            if self._fits(hugged, stack):
                return hugged
        return (margin, _Mode.BROKEN, part.broken)

    def _fits(self, command: _Command, rest: list[_Command]) -> bool:
        """Whether everything up to the next line end stays within the width."""
        room = WIDTH - self._at
        stack, behind = [command], len(rest)
        while room >= 0:
            if not stack:
                if not behind:
                    return True
                behind -= 1
                margin, mode, part = rest[behind]
                stack.append((margin, mode if mode is _Mode.FLAT else _Mode.AHEAD, part))
            margin, mode, part = stack.pop()
            match part:
                case Text():
                    line, line_end, _ = part.text.partition("\n")
                    room -= len(line)
                    if line_end:
                        return room >= 0
                case Blank():
                    room -= 1
                case Concat():
                    stack.extend((margin, mode, each) for each in reversed(part.parts))
                case Nest():
                    stack.append((margin, mode, part.inner))
                case Break():
                    if mode is not _Mode.FLAT or part.is_forced:
                        return True
                    room -= len(part.value)
                case Group():
                    stack.append((margin, _mode_ahead(mode, part), part.inner))
                case Choice():
                    stack.append(_choice_ahead(mode, part, margin))
        return False


def _mode_ahead(mode: _Mode, part: Group) -> _Mode:
    if mode is _Mode.AHEAD:
        return mode
    return _Mode.BROKEN if part.is_forced else _Mode.FLAT


def _choice_ahead(mode: _Mode, part: Choice, margin: int) -> _Command:
    """What a choice further on is taken for while looking ahead."""
    if mode is _Mode.AHEAD:
        return (margin, mode, part.broken)
    if not part.is_forced:
        return (margin, _Mode.FLAT, part.flat)
    return (margin, _Mode.BROKEN, part.hugged if part.hugged is not None else part.broken)
