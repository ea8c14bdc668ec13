"""Queue: first in, first out (stdlib.md 4.3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

from lang.runtime.collections.lists import BtList
from lang.runtime.equality import Structural


@final
class BtQueue(Structural):
    """An immutable queue; a List whose ends are both cheap."""

    __slots__ = ("elements",)

    def __init__(self, elements: BtList) -> None:
        self.elements = elements

    def bt_label(self) -> str:
        """The class name."""
        return "Queue"

    def bt_parts(self) -> Sequence[object]:
        """The contents."""
        return list(self.elements)
