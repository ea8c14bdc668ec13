"""Opaque handles: process identities and monitor references (stdlib.md 5.1).

A `Pid` is made by the scheduler alone and its number is never given twice in one run of the host
(actors.md 1.4). Both compare by identity of what they name.
"""

from __future__ import annotations

from typing import ClassVar

from lang.dataclass import dataclass
from lang.runtime.equality import Rank
from lang.runtime.ordering import Ranked


@dataclass(frozen=True, slots=True, order=True)
class Pid(Ranked):
    """The identity of one process; `str` gives the short form `0.N.0`."""

    bt_rank: ClassVar[Rank] = Rank.PID

    number: int

    def bt_order(self) -> tuple[str, int]:
        """By age."""
        return "", self.number

    def __str__(self) -> str:
        return f"0.{self.number}.0"

    @property
    def display(self) -> str:
        """The form of `printString` and `asString`: `#Pid<0.N.0>`."""
        return f"#Pid<0.{self.number}.0>"


@dataclass(frozen=True, slots=True, order=True)
class Reference(Ranked):
    """The identity of one monitor or of one delayed message."""

    bt_rank: ClassVar[Rank] = Rank.REFERENCE

    number: int

    def bt_order(self) -> tuple[str, int]:
        """By age."""
        return "", self.number

    @property
    def display(self) -> str:
        """The form of `printString`: `#Ref<0.N>`."""
        return f"#Ref<0.{self.number}>"
