"""A scheduler for plain Python callables: no Beamtalk code is needed to test it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from queue import Empty

from lang.runtime.processes.clock import Action, Inbox, MonotonicClock
from lang.runtime.processes.process import Process, ProcessKind
from lang.runtime.processes.scheduler import Scheduler
from lang.runtime.safepoint import SafePoints


class Dead(Exception):
    pass


class TimedOut(Exception):
    pass


class Deadlock(Exception):
    pass


class PlainFaults:
    def actor_dead(self, selector: str, process: Process) -> BaseException:
        return Dead(selector)

    def timeout(self, selector: str, process: Process) -> BaseException:
        return TimedOut(selector)

    def deadlock(self, selector: str, process: Process, chain: Sequence[Process]) -> BaseException:
        return Deadlock(selector, [p.label for p in chain])

    def classify(self, error: BaseException, process: Process, selector: str) -> BaseException:
        return error


class ListLog:
    def __init__(self) -> None:
        self.failures: list[tuple[str, str, str]] = []
        self.notes: list[str] = []

    def failed_message(self, process: Process, selector: str, error: BaseException) -> None:
        self.failures.append((process.label, selector, str(error)))

    def ended(self, process: Process, reason: object) -> None:
        pass

    def note(self, text: str) -> None:
        self.notes.append(text)


class FakeClock:
    """Time goes on only when everybody waits."""

    def __init__(self) -> None:
        self.time = 100.0

    def now(self) -> float:
        return self.time

    def next_action(self, inbox: Inbox, seconds: float | None) -> Action | None:
        try:
            return inbox.get_nowait()
        except Empty:
            if seconds is None:
                raise AssertionError("everybody waits, and nothing will ever happen") from None
            self.time += seconds
            return None


class Ask:
    """A selector over one Python function."""

    def __init__(self, function: Callable[..., object]) -> None:
        self.text = function.__name__
        self.own = _Any(function)


class _Any(dict[type, Callable[..., object]]):
    def __init__(self, function: Callable[..., object]) -> None:
        super().__init__()
        self._function = function

    def __missing__(self, key: type) -> Callable[..., object]:
        return self._function


class Ground:
    """A scheduler with its surroundings, and short names for what tests do."""

    def __init__(self, clock: FakeClock | MonotonicClock | None = None) -> None:
        self.clock = clock if clock is not None else FakeClock()
        self.log = ListLog()
        self.builtins: dict[str, object] = {}
        self.points = SafePoints(self.builtins)
        self.scheduler = Scheduler(self.clock, PlainFaults(), self.log, self.points)

    def actor(self, label: str = "actor") -> Process:
        return self.scheduler.processes.make(ProcessKind.ACTOR, label)

    def call(self, target: Process, function: Callable[..., object], *arguments: object) -> object:
        return self.scheduler.call(target, Ask(function), target, arguments)

    def cast(self, target: Process, function: Callable[..., object], *arguments: object) -> None:
        self.scheduler.cast(target, Ask(function), target, arguments)

    def sleep(self, seconds: float) -> None:
        self.scheduler.sleep(seconds)

    def run(self, action: Callable[[], object]) -> object:
        return self.scheduler.run(action)

    def safe_point(self) -> None:
        """What generated code does at method entry and loop ends."""
        if self.points.is_requested:
            self.points.poll()
