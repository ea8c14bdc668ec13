"""One flush at a time, off the evaluator (changes.md 5; design, "Prompt and image").

Comes in: a piece of work on frozen values that waits for the disk. Guarantees: it runs in a thread of its own and
parks its caller only; what it asks of the log and the image is done on the evaluator, at a safe point; the next
flush, sync or recovery begins when it has ended, also when its caller was interrupted or killed
meanwhile. Leaves: what the work is.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

from lang.runtime.processes.scheduler import Scheduler
from lang.runtime.processes.waits import Gate

T = TypeVar("T")


class FlushTurns:
    """Whose turn it is. All but `run_on_evaluator` and `wait_for_end` is called on the evaluator."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        self._is_taken = False
        self._waiting: list[Gate] = []
        self._ended = threading.Event()
        self._ended.set()
        self._at_work: int | None = None

    def wait_until_free(self) -> None:
        """Park until no flush is at work."""
        while self._is_taken:
            gate = Gate(self._scheduler)
            self._waiting.append(gate)
            gate.wait()

    def run(self, work: Callable[[], T], run_blocking: Callable[[Callable[[], T]], T]) -> T:
        """The value of `work`, done in a thread when it is its turn."""
        self.wait_until_free()
        self._is_taken = True
        self._ended.clear()
        evaluator = threading.get_ident()

        def job() -> T:
            here = threading.get_ident()
            self._at_work = here if here != evaluator else None
            try:
                return work()
            finally:
                self.run_on_evaluator(self._end)

        return run_blocking(job)

    def _end(self) -> None:
        self._is_taken, self._at_work = False, None
        waiting, self._waiting = self._waiting, []
        for gate in waiting:
            gate.open()
        self._ended.set()

    def run_on_evaluator(self, action: Callable[[], T]) -> T:
        """The value of a short action that touches log or image; the thread of the work waits for it.

        Whoever is not that thread may touch them already: the evaluator, or who opens the workspace.
        """
        if threading.get_ident() != self._at_work:
            return action()
        answer: Future[T] = Future()

        def act() -> None:
            try:
                answer.set_result(action())
            except BaseException as error:  # noqa: BLE001 - it is raised again in the thread that asked
                answer.set_exception(error)

        self._scheduler.call_soon(act)
        return answer.result()

    def wait_for_end(self) -> None:
        """Wait, in another thread than the evaluator, until no flush is at work: before its files may be given back."""
        self._ended.wait()
