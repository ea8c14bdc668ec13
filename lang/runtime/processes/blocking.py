"""Host calls that block: threads of their own, so that only the process that asks is parked.

A call works on plain values and touches no image state. A process that is interrupted or killed meanwhile leaves
its call to the thread, whose result is dropped (docs "Prompt and image").
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, TypeVar

from lang.runtime.processes.messages import Outcome, Raised, Returned
from lang.runtime.processes.waits import Gate

if TYPE_CHECKING:
    from lang.runtime.processes.scheduler import Scheduler

T = TypeVar("T")
Job = Callable[[], None]

_LINGER_SECONDS = 5.0


class BlockingCalls:
    """Threads that run blocking host calls for the processes of one scheduler; idle ones are used again."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._idle = 0
        self._counting = threading.Lock()

    def run(self, call: Callable[[], T]) -> T:
        """The value of `call`, or its exception raised; parks the running process meanwhile."""
        scheduler = self._scheduler
        if scheduler.current is scheduler.host:
            return call()
        outcomes: list[Outcome] = []
        gate = Gate(scheduler)

        def job() -> None:
            outcome = _outcome_of(call)

            def tell() -> None:
                outcomes.append(outcome)
                gate.open()

            scheduler.call_soon(tell)

        self._hand_over(job)
        gate.wait()
        match outcomes[0]:
            case Returned(value):
                return value  # type: ignore[return-value]
            case Raised(error):
                raise error
            case _:
                raise AssertionError("a blocking call always has an outcome")

    def close(self) -> None:
        """Let the idle threads end; busy ones are daemons and end with the host."""
        with self._counting:
            idle = self._idle
        for _ in range(idle):
            self._jobs.put(None)

    def _hand_over(self, job: Job) -> None:
        with self._counting:
            is_taken = self._idle > 0
            if is_taken:
                self._idle -= 1
        if not is_taken:
            threading.Thread(target=self._work, name="beamtalk-blocking-call", daemon=True).start()
        self._jobs.put(job)

    def _work(self) -> None:
        job = self._jobs.get()
        while job is not None:
            job()
            with self._counting:
                self._idle += 1
            job = self._next_job()

    def _next_job(self) -> Job | None:
        try:
            return self._jobs.get(timeout=_LINGER_SECONDS)
        except Empty:
            with self._counting:
                if self._idle > 0:
                    self._idle -= 1
                    return None
            return self._jobs.get()  # somebody has counted on this thread just now


def _outcome_of(call: Callable[[], object]) -> Outcome:
    try:
        return Returned(call())
    except BaseException as error:  # noqa: BLE001 (it is raised again in the process that asked)
        return Raised(error)
