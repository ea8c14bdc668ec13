"""Computations that run side by side for one waiting process (actors.md 17).

Guarantees: each runs in a process of its own; outcomes come in the order of the computations; if the waiting
process is ended or interrupted, or has waited long enough, the rest is ended.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from lang.runtime.processes.messages import Ended, Outcome
from lang.runtime.processes.process import Process, ProcessKind
from lang.runtime.processes.reasons import KILLED
from lang.runtime.processes.waits import Gate

if TYPE_CHECKING:
    from lang.runtime.processes.scheduler import Scheduler


class Crew:
    """Processes at work for one other."""

    def __init__(
        self, scheduler: Scheduler, kind: ProcessKind, name: str, actions: Sequence[Callable[[], object]]
    ) -> None:
        self._scheduler = scheduler
        self._gate = Gate(scheduler)
        self._outcomes: dict[int, Outcome] = {}
        self._is_enough: Callable[[Outcome], bool] = _never
        self._size = len(actions)
        self._members: list[Process] = [
            scheduler.start(kind, name, action, self._finisher(index)) for index, action in enumerate(actions)
        ]
        self._key = -2 - self._members[0].pid.number if actions else 0

    def outcomes(self) -> list[Outcome]:
        """All outcomes, when all have ended."""
        with _Leash(self):
            if self._size:
                self._gate.wait()
        return self._in_order()

    def outcomes_within(self, seconds: float) -> list[Outcome]:
        """All outcomes after at most that time; the ones that were cut off are `Ended`."""
        with _Leash(self):
            if self._size:
                self._gate.wait_at_most(seconds)
        return self._in_order()

    def outcomes_until(self, is_enough: Callable[[Outcome], bool]) -> list[Outcome]:
        """The outcomes when one of them is enough, or all have ended; the rest is ended."""
        self._is_enough = is_enough
        with _Leash(self):
            self._gate.wait()
        return self._in_order()

    def _in_order(self) -> list[Outcome]:
        return [self._outcomes.get(index, Ended(KILLED)) for index in range(self._size)]

    def _finisher(self, index: int) -> Callable[[Outcome], None]:
        def finished(outcome: Outcome) -> None:
            self._outcomes[index] = outcome
            if len(self._outcomes) == self._size or self._is_enough(outcome):
                self._gate.open()

        return finished

    def dismiss(self) -> None:
        """End every member that is still at work."""
        for member in self._members:
            if not member.dead and member is not self._scheduler.current:
                self._scheduler.ends.end(member, KILLED)


class _Leash:
    """While it is held, the end of the waiting process ends the crew; and so does its release."""

    def __init__(self, crew: Crew) -> None:
        self._crew = crew

    def __enter__(self) -> None:
        owner = self._crew._scheduler.current
        if owner.owned is None:
            owner.owned = {}
        owner.owned[self._crew._key] = self._crew.dismiss
        self._owner = owner

    def __exit__(self, *exc: object) -> None:
        if self._owner.owned is not None:
            self._owner.owned.pop(self._crew._key, None)
        self._crew.dismiss()


def _never(_outcome: Outcome) -> bool:
    return False
