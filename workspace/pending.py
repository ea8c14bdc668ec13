"""The active view of the log over the image (changes.md 2.2), kept while neither changes.

Comes in: the ChangeLog and the image's state. Guarantees: the view belongs to the log and
state of the moment of asking. Invalidated by the log's version and the state's identity.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from changelog.active import ActiveView, History, LookUp, PlacedText, active_view, history
from changelog.entry import MarkKind, UnitAddress
from changelog.log import ChangeLog
from workspace.flush.view import DiskFile
from workspace.state import ImageState


class Pending:
    """Asks the log what is pending, against the state that `state` answers."""

    def __init__(self, log: ChangeLog, state: Callable[[], ImageState]) -> None:
        self._log = log
        self._state = state
        self._key: tuple[int, ImageState] | None = None
        self._view: ActiveView | None = None
        self._disk: tuple[Mapping[str, DiskFile], LookUp] | None = None

    def view(self) -> ActiveView:
        """The active view of this moment."""
        state = self._state()
        if (
            self._view is None
            or self._key is None
            or self._key[0] != self._log.version
            or self._key[1] is not state
        ):
            self._view = active_view(
                self._log.current_entries(),
                self._log.current_marks(),
                self._log.epoch,
                self._disk_look_up(state),
                memory_look_up(state),
            )
            self._key = (self._log.version, state)
        return self._view

    def _disk_look_up(self, state: ImageState) -> LookUp:
        """As `disk_look_up`, kept while disk is as it was: few changes touch it."""
        if self._disk is None or self._disk[0] is not state.disk:
            self._disk = (state.disk, disk_look_up(state))
        return self._disk[1]

    def history(self) -> History:
        """What can be undone and redone."""
        orphans = self._log.marked(MarkKind.ORPHANED)
        return history(self._log.current_entries(), self._log.epoch, orphans)


def memory_look_up(state: ImageState) -> LookUp:
    """Where a unit stands in memory."""

    def look_up(lineage: int) -> PlacedText | None:
        unit = state.units.get(lineage)
        return None if unit is None else PlacedText(unit.address, unit.text)

    return look_up


def disk_look_up(state: ImageState) -> LookUp:
    """Where a unit stands on disk, as memory last saw it."""
    places = {
        unit.lineage: PlacedText(UnitAddress(path, unit.name), unit.text)
        for path, file in state.disk.items()
        for unit in file.units
    }
    return places.get
