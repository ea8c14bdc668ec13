"""Random: a snapshot of a generator, which always answers the same (stdlib.md 4.11)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, final

from lang.runtime.equality import Structural

if TYPE_CHECKING:
    from random import Random


@final
class BtRandom(Structural):
    """The generator of a seed, before its first number."""

    __slots__ = ("seed",)

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def bt_label(self) -> str:
        """The class name."""
        return "Random"

    def bt_parts(self) -> Sequence[object]:
        """The contents."""
        return (self.seed,)

    def generator(self) -> Random:
        """A fresh generator of the host."""
        from random import Random  # noqa: PLC0415 (5 ms, and most programs leave nothing to chance)

        return Random(self.seed)
