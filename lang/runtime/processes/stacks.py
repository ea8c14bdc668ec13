"""The stacks that processes run on: greenlets, started by the hub and used again (actors.md 21.1).

Guarantees: every stack is started from the hub, at the bottom of its thread's stack; one that has nothing to do is
parked in `pool`; an idle scheduler keeps no more than a few. Leaves: what a stack does to `Turns.work`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from greenlet import GreenletExit, greenlet

if TYPE_CHECKING:
    from lang.runtime.processes.process import Process

_POOLED: Final = 64
"""Parked stacks that an idle scheduler keeps for the next messages."""


class Stacks:
    """The stacks of one scheduler. `pool` holds the parked ones; switching to one gives it a process to serve."""

    def __init__(self, work: Callable[[Process], object]) -> None:
        self.pool: list[greenlet] = []
        self._work = work
        self._all: set[greenlet] = set()

    def __len__(self) -> int:
        """How many stacks there are, in use or parked."""
        return len(self._all)

    def serve(self, process: Process, hub: greenlet) -> None:
        """Serve a process on a parked stack, or on a new one; called by the hub."""
        if self.pool:
            self.pool.pop().switch(process)
        else:
            stack = greenlet(self._work, hub)
            self._all.add(stack)
            stack.switch(process)

    def trim(self) -> None:
        """Drop parked stacks beyond the few that are kept."""
        while len(self.pool) > _POOLED:
            self._drop(self.pool.pop())

    def drop_parked(self) -> None:
        """Drop every parked stack."""
        while self.pool:
            self._drop(self.pool.pop())

    def _drop(self, stack: greenlet) -> None:
        stack.throw(GreenletExit)
        self._all.discard(stack)
