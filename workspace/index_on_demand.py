"""The cross-reference index of a state, brought up to date when it is first asked for.

Comes in: an index, and units whose rows nobody has needed yet. Guarantees: `value` answers as if
every unit had been indexed at once; a load that nobody asks about parses nothing for it. Leaves:
rows and queries to `xref`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias

from lang.deferred import deferred

if TYPE_CHECKING:
    from workspace import xref
    from workspace.xref import Index, UnitRows
else:
    xref = deferred("workspace.xref")


Rows: TypeAlias = "Callable[[], UnitRows | None]"
"""Makes the rows of one unit; None when nothing could be parsed. It depends on the unit alone."""


class IndexOnDemand:
    """An index and what is still to be put into it, by lineage; to those who ask it never changes."""

    __slots__ = ("_known",)

    def __init__(self, index: Index | None = None, waiting: Mapping[int, Rows] | None = None) -> None:
        # One pair, so that a second thread sees both parts of the same moment.
        self._known: tuple[Index | None, Mapping[int, Rows]] = (index, waiting or {})

    def value(self) -> Index:
        """The whole index."""
        index, waiting = self._known
        if index is None or waiting:
            index = (index or xref.Index()).updated({lineage: rows() for lineage, rows in waiting.items()})
            self._known = (index, {})
        return index

    @property
    def is_made(self) -> bool:
        """Whether somebody has asked for the whole."""
        return not self._known[1]

    def rows_of(self, lineage: int) -> UnitRows | None:
        """The rows of one unit, without those of others."""
        index, waiting = self._known
        rows = waiting.get(lineage)
        if rows is not None:
            return rows()
        return None if index is None else index.rows_of(lineage)

    def updated(self, changed: Mapping[int, Rows]) -> IndexOnDemand:
        """The index in which some units have other rows."""
        index, waiting = self._known
        return IndexOnDemand(index, {**waiting, **changed})
