"""The one thread that runs Beamtalk code, and how other threads ask it for things (docs "Prompt and image").

Comes in: computations and short actions from any thread. Guarantees: only this thread runs, starts, switches and
ends processes; its stack holds 1,000,000 nested sends; the caller of `submit` gets a future and never waits in
here; host calls that block run in threads of their own and park only the process that asks. Timers and actors go
on while no evaluation runs. Leaves: what is evaluated.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Final, TypeVar

from lang.dataclass import dataclass
from lang.runtime.depth import start_evaluator_thread
from lang.runtime.processes.blocking import BlockingCalls
from lang.runtime.processes.messages import Ended, Outcome, Raised, Returned
from lang.runtime.processes.process import Process, ProcessKind
from lang.runtime.processes.scheduler import Scheduler
from lang.runtime.processes.signals import Interrupted

T = TypeVar("T")

SWITCH_SECONDS: Final = 0.002
"""How long a thread waits for the interpreter: a ticker of 2 ms is no use behind a wait of 5."""


@dataclass(slots=True)
class Evaluation:
    """One top-level computation that was submitted. `future` gets its value or its error."""

    future: Future[object]
    process: Process | None = None
    """Set once the evaluator has taken it up."""
    is_interrupted: bool = False
    """An interrupt came before that."""


class EvaluatorClosed(RuntimeError):
    """The evaluator has been shut down: it takes no more work."""


class Evaluator:
    """A thread with a big stack that runs the hub of one scheduler, from `start` to `shutdown`."""

    def __init__(self, scheduler: Scheduler) -> None:
        self.scheduler = scheduler
        self._blocking = BlockingCalls(scheduler)
        self._is_closed = False
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Start the thread; the limits of depth hold for the whole host process from now on."""
        sys.setswitchinterval(min(sys.getswitchinterval(), SWITCH_SECONDS))
        self._thread = start_evaluator_thread(self._run, "beamtalk-evaluator")

    def _run(self) -> None:
        self.scheduler.run_hub(lambda: self._is_closed)
        self.scheduler.close()

    # -- for other threads ----------------------------------------------------------------------------------

    def submit(self, action: Callable[[], object], label: str = "top level") -> Evaluation:
        """Run a computation as a new top-level process; at once an `Evaluation`, never a wait."""
        if self._is_closed or self._thread is None:
            raise EvaluatorClosed("the evaluator does not run")
        evaluation = Evaluation(Future())
        self.scheduler.call_soon(lambda: self._take_up(evaluation, action, label))
        return evaluation

    def _take_up(self, evaluation: Evaluation, action: Callable[[], object], label: str) -> None:
        if evaluation.is_interrupted or not evaluation.future.set_running_or_notify_cancel():
            evaluation.future.set_exception(Interrupted())
            return
        evaluation.process = self.scheduler.start(
            ProcessKind.TOP_LEVEL, label, action, lambda outcome: _settle(evaluation.future, outcome)
        )

    def run(self, action: Callable[[], T], label: str = "main") -> T:
        """Run a computation and wait for its value; for scripts and tests, from another thread than the evaluator.

        A KeyboardInterrupt of the waiting thread interrupts the computation, and is raised when that has unwound.
        """
        if threading.current_thread() is self._thread:
            raise RuntimeError("the evaluator cannot wait for itself: submit, or call the action")
        evaluation = self.submit(action, label)
        try:
            return evaluation.future.result()  # type: ignore[return-value]
        except KeyboardInterrupt:
            self.interrupt(evaluation)
            evaluation.future.exception()
            raise

    def interrupt(self, evaluation: Evaluation) -> None:
        """Unwind a computation at its next safe point or wait (actors.md 21.4); a no-op when it is done."""
        self.scheduler.call_soon(lambda: self._interrupt(evaluation))

    def _interrupt(self, evaluation: Evaluation) -> None:
        if evaluation.process is None:
            evaluation.is_interrupted = True
        else:
            self.scheduler.ends.interrupt(evaluation.process)

    def call_soon(self, action: Callable[[], None]) -> None:
        """Run a short runtime action, no Beamtalk code, at the next safe point."""
        self.scheduler.call_soon(action)

    def shutdown(self) -> None:
        """End all processes, without `terminate:`, and the thread; waits for it. Idempotent."""
        if self._thread is None or self._is_closed:
            return
        self.scheduler.call_soon(self._close)
        self._thread.join()
        self._blocking.close()

    def _close(self) -> None:
        self._is_closed = True
        self.scheduler.end_all()

    # -- for code that the evaluator runs -------------------------------------------------------------------

    def run_blocking(self, call: Callable[[], T]) -> T:
        """Run a host call that may block in a thread of its own, and park the running process until it is done."""
        return self._blocking.run(call)


def _settle(future: Future[object], outcome: Outcome) -> None:
    match outcome:
        case Returned(value):
            future.set_result(value)
        case Raised(error):
            future.set_exception(error)
        case Ended(BaseException() as reason):
            future.set_exception(reason)
        case Ended(reason):
            future.set_exception(EvaluationEnded(f"the evaluation was ended: {reason}"))


class EvaluationEnded(RuntimeError):
    """The process of an evaluation was ended from outside, not by an interrupt."""
