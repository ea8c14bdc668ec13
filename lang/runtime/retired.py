"""Selectors that a rename retired, for code and messages older than it (changes.md 7).

Consulted on a final miss only. A send of the old selector reaches the renamed method
when the code that sends it is superseded, or when the message was sent before the
rename; new code gets `does_not_understand`. Answers are not cached.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING, NamedTuple

from lang.codegen.unit import UNIT
from lang.runtime.classes import ClassObject, Method
from lang.runtime.link import LinkedUnit
from lang.syntax.units import Side

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime


class Retired(NamedTuple):
    """Where the methods of an old selector went, and the stamp of that change."""

    selector: str
    stamp: int


class RetiredSelectors:
    """The retired (class, side, selector) triples of one image.

    `stamp` counts retirements; a message that carries an older stamp was sent before
    them. `delivering` is set by whoever runs such a message, for its duration. `asking_frame`
    answers the frame of the code that waits for the running message, where another process does.
    """

    def __init__(self) -> None:
        self.stamp = 0
        self.delivering: int | None = None
        self.asking_frame: Callable[[], FrameType | None] = lambda: None
        self._entries: dict[tuple[ClassObject, Side, str], Retired] = {}

    def retire(self, class_object: ClassObject, side: Side, old: str, new: str) -> None:
        """Note that `old` was renamed to `new` in a class."""
        self.stamp += 1
        self._entries[class_object, side, old] = Retired(new, self.stamp)

    def revive(self, class_object: ClassObject, side: Side, selector: str) -> None:
        """Forget a retirement: the selector is in use again, or the rename was undone."""
        self._entries.pop((class_object, side, selector), None)

    def method_for(self, runtime: Runtime, receiver: object, selector: str) -> Method | None:
        """The method that a miss of a retired selector may still reach."""
        if not self._entries:
            return None
        on_class = isinstance(receiver, ClassObject)
        side = Side.CLASS if on_class else Side.INSTANCE
        start = receiver if isinstance(receiver, ClassObject) else runtime.class_of_instance(receiver)
        for at in start.chain():
            entry = self._entries.get((at, side, selector))
            if entry is not None:
                return start.lookup(entry.selector, side) if self._is_older(entry) else None
        return None

    def stamp_for(self, selector: str) -> int:
        """The stamp of a message that is sent now and not waited for: that of its sender's code."""
        if self._entries and any(key[2] == selector for key in self._entries):
            sender = unit_of(sys._getframe(1))
            if sender is not None and sender.is_superseded():
                return 0
        return self.stamp

    def _is_older(self, entry: Retired) -> bool:
        if self.delivering is not None and self.delivering < entry.stamp:
            return True
        sender = unit_of(sys._getframe(1)) or unit_of(self.asking_frame())
        return sender is not None and sender.is_superseded()


def unit_of(frame: FrameType | None) -> LinkedUnit | None:
    """The unit of the innermost frame of generated code, from a frame outward."""
    while frame is not None:
        unit = frame.f_globals.get(UNIT)
        if isinstance(unit, LinkedUnit):
            return unit
        frame = frame.f_back
    return None
