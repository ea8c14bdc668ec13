"""Where the code of a running method stands: the one place that says so for frames of errors.

Comes in: a state, and a method as running code knows it. Guarantees: the path that memory has, and
the first line of the method as its file has it now, or none for what was added in memory. Leaves:
showing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from lang.deferred import deferred
from lang.runtime.classes import ClassObject
from lang.runtime.reflection import FilePlace, PlaceOf
from lang.syntax.units import Side
from workspace.state import ImageState, Unit

if TYPE_CHECKING:
    from workspace.refactor import sites
else:
    sites = deferred("workspace.refactor.sites")


def is_on_disk(state: ImageState, unit: Unit) -> bool:
    """Whether a unit stands in its file; one that was added in memory has no line there."""
    file = state.disk.get(unit.path) if unit.path is not None else None
    return file is not None and any(each.lineage == unit.lineage for each in file.units)


def method_place(state: ImageState, owner: str, side: Side, selector: str) -> FilePlace | None:
    """Where a method stands; None when it is of no file."""
    unit = state.method_unit(owner, side, selector)
    if unit is None or unit.path is None:
        return None
    return FilePlace(unit.path, sites.first_line(state, unit) if is_on_disk(state, unit) else None)


def places_of(state_now: Callable[[], ImageState]) -> PlaceOf:
    """The places of methods in the state of the moment in which somebody asks."""

    def place_of(owner: ClassObject, side: Side, selector: str) -> FilePlace | None:
        return method_place(state_now(), owner.name, side, selector)

    return place_of
