"""Methods and frames as values of the language (stdlib.md 4.19).

Comes in: a `Method`, or the traceback of a raised error. Guarantees: a snapshot; later
changes of the class do not show. Leaves: where a method stands in its file, which a workspace
knows and is asked for (`PlaceOf`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePath
from types import CodeType, TracebackType
from typing import final

from lang.codegen.unit import UNIT
from lang.dataclass import dataclass
from lang.runtime.classes import ClassObject, Method
from lang.runtime.equality import Structural
from lang.runtime.link import LinkedUnit
from lang.syntax.units import Side


@final
class BtCompiledMethod(Structural):
    """A method, as `aClass >> #selector` answers it."""

    __slots__ = ("method",)

    def __init__(self, method: Method) -> None:
        self.method = method

    @property
    def source(self) -> str | None:
        """The text of the definition, without the documentation above it."""
        text = self.method.source
        if text is None:
            return None
        lines = text.split("\n")
        while len(lines) > 1 and lines[0].lstrip().startswith("//"):
            del lines[0]
        return "\n".join(lines).strip()

    def bt_label(self) -> str:
        """The class name."""
        return "CompiledMethod"

    def bt_parts(self) -> Sequence[object]:
        """The contents."""
        return (self.method.owner, self.method.side.value, self.method.selector, self.method.source)


@dataclass(frozen=True, slots=True)
class FilePlace:
    """Where a method stands; `first_line` is None for one that is not in its file yet."""

    path: str
    first_line: int | None


PlaceOf = Callable[[ClassObject, Side, str], FilePlace | None]
"""Where a method of a class stands; None for one that is of no file."""


@final
@dataclass(frozen=True, slots=True)
class BtStackFrame:
    """One activation: where an error was raised, or a caller of it.

    `line` counts in the file, from 1; without a `path` it counts in the text of the method.
    """

    class_name: str | None
    selector: str
    arity: int
    module: str
    path: str | None
    line: int

    @property
    def file(self) -> str | None:
        """The file name without its folder."""
        return PurePath(self.path).name if self.path is not None else None

    @property
    def location(self) -> str | None:
        """`file:line`, or None for what comes from no file."""
        return f"{self.file}:{self.line}" if self.path is not None else None

    @property
    def text(self) -> str:
        """`Crate>>width/0 (crate.bt:4)`."""
        owner = f"{self.class_name}>>" if self.class_name is not None else ""
        place = f" ({self.location})" if self.location is not None else ""
        return f"{owner}{self.selector}/{self.arity}{place}"


def frames_of(traceback: TracebackType | None, place_of: PlaceOf | None = None) -> list[BtStackFrame]:
    """The activations of Beamtalk code in a traceback, innermost first."""
    frames = [_frame_of(unit, code, line, place_of) for unit, code, line in _unit_frames(traceback)]
    frames.reverse()
    return frames


def _unit_frames(traceback: TracebackType | None) -> Iterator[tuple[LinkedUnit, CodeType, int]]:
    at = traceback
    while at is not None:
        unit = at.tb_frame.f_globals.get(UNIT)
        if isinstance(unit, LinkedUnit):
            yield unit, at.tb_frame.f_code, at.tb_lineno
        at = at.tb_next


def _frame_of(unit: LinkedUnit, code: CodeType, line: int, place_of: PlaceOf | None) -> BtStackFrame:
    owner = unit.owner
    place = None
    if owner is not None and unit.side is not None and place_of is not None:
        place = place_of(owner, unit.side, unit.selector)
    is_placed = place is not None and place.first_line is not None
    return BtStackFrame(
        class_name=owner.name if owner is not None else None,
        selector=unit.selector,
        arity=max(code.co_argcount - 1, 0),
        module=unit.module,
        path=place.path if place is not None and is_placed else None,
        line=line + ((place.first_line or 1) - 1 if place is not None else 0),
    )
