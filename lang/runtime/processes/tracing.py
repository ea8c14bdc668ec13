"""What sends to actors cost and how they end: aggregates always, events while capture is on (actors.md 16).

Comes in: one report for each sync send (measured at the caller, queueing included), cast and lifecycle step.
Guarantees: aggregates survive their actor; when events are too many the oldest tenth goes. Leaves: the shape of
answers to the library.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Iterator
from typing import Final

from lang.dataclass import dataclass
from lang.runtime.errors import BeamtalkError
from lang.runtime.processes.pid import Pid
from lang.runtime.processes.process import MethodCost, Process

DEFAULT_MAX_EVENTS: Final = 100_000
_TIMEOUT_KINDS: Final = frozenset({"timeout", "deadlock_detected"})


@dataclass(frozen=True, slots=True)
class Span:
    """One send in the tree of sends that it belongs to; numbers are unique in a run."""

    trace: int
    number: int
    parent: int | None


@dataclass(frozen=True, slots=True)
class TracedContext:
    """What is in force in a process while a captured message runs: the user's context, and the send's span."""

    entries: object
    span: Span


def entries_of(context: object) -> object:
    """The user's part of what a process carries as its context."""
    return context.entries if type(context) is TracedContext else context


def with_entries(context: object, entries: object) -> object:
    """The same context with another user's part."""
    return TracedContext(entries, context.span) if type(context) is TracedContext else entries


@dataclass(frozen=True, slots=True)
class TraceEvent:
    """One captured send; `timestamp` and `duration` in nanoseconds."""

    timestamp: int
    pid: Pid
    class_name: str
    selector: str
    mode: str
    duration: int
    outcome: str
    context: TracedContext


@dataclass(frozen=True, slots=True)
class ProcessCosts:
    """The aggregates of one actor, by selector."""

    pid: Pid
    class_name: str
    methods: dict[str, MethodCost]


class Tracing:
    """The traces of one image. `clock` gives nanoseconds of the wall clock."""

    def __init__(self, clock: Callable[[], int]) -> None:
        self.is_enabled = False
        self.max_events = DEFAULT_MAX_EVENTS
        self._clock = clock
        self._events: deque[TraceEvent] = deque()
        self._costs: dict[Pid, ProcessCosts] = {}
        self._measured: list[Process] = []
        self._last_span = 0

    def inside_of(self, context: object) -> TracedContext:
        """The context of a send that is made where `context` is in force."""
        self._last_span = number = self._last_span + 1
        if type(context) is TracedContext:
            above = context.span
            return TracedContext(context.entries, Span(above.trace, number, above.number))
        return TracedContext(context, Span(number, number, None))

    # -- reports --------------------------------------------------------------------------------------------

    def succeeded(
        self,
        process: Process,
        selector: str,
        duration: int,
        context: object,
        inside: TracedContext | None = None,
    ) -> None:
        """A sync send was answered. `inside` is what was in force in its method, if that was made before."""
        costs = process.costs
        if costs is None:
            costs = self._open(process)
        cost = costs.get(selector)
        if cost is None:
            cost = costs[selector] = MethodCost()
        cost.calls += 1
        cost.total += duration
        if duration < cost.shortest or cost.calls == 1:
            cost.shortest = duration
        if duration > cost.longest:  # noqa: PLR1730 (no call on the hot path)
            cost.longest = duration
        if self.is_enabled:
            inside = inside or self.inside_of(context)
            self._capture(process, selector, "sync", duration, "ok", inside)

    def failed(
        self,
        process: Process,
        selector: str,
        duration: int,
        error: BaseException,
        context: object,
        inside: TracedContext | None = None,
    ) -> None:
        """A sync send ended by an error, which may be a time-out."""
        is_enabled, self.is_enabled = self.is_enabled, False
        self.succeeded(process, selector, duration, context)
        self.is_enabled = is_enabled
        costs = process.costs
        is_timeout = isinstance(error, BeamtalkError) and error.kind in _TIMEOUT_KINDS
        if costs is not None:
            if is_timeout:
                costs[selector].timeouts += 1
            else:
                costs[selector].errors += 1
        if is_enabled:
            outcome = "timeout" if is_timeout else "error"
            self._capture(process, selector, "sync", duration, outcome, inside or self.inside_of(context))

    def noted(
        self,
        process: Process,
        selector: str,
        mode: str,
        outcome: str,
        context: object,
        inside: TracedContext | None = None,
    ) -> None:
        """A cast was sent, or an actor was started, stopped or killed: nothing to measure."""
        self.counted(process, selector)
        if self.is_enabled:
            self._capture(process, selector, mode, 0, outcome, inside or self.inside_of(context))

    def counted(self, process: Process, selector: str) -> None:
        """The same while capture is off."""
        costs = process.costs
        if costs is None:
            costs = self._open(process)
        cost = costs.get(selector)
        if cost is None:
            cost = costs[selector] = MethodCost()
        cost.calls += 1

    def started(self, process: Process, context: object) -> None:
        """An actor was made. Its aggregates are opened when something is sent to it, and count the start."""
        if self.is_enabled:
            self._capture(process, "start", "lifecycle", 0, "ok", self.inside_of(context))

    def _open(self, process: Process) -> dict[str, MethodCost]:
        start = MethodCost()
        start.calls = 1
        methods = process.costs = {"start": start}
        self._costs[process.pid] = ProcessCosts(process.pid, process.label, methods)
        self._measured.append(process)
        return methods

    def _capture(
        self,
        process: Process,
        selector: str,
        mode: str,
        duration: int,
        outcome: str,
        inside: TracedContext,
    ) -> None:
        event = TraceEvent(
            self._clock(), process.pid, process.label, selector, mode, duration, outcome, inside
        )
        self._events.append(event)
        if len(self._events) > self.max_events:
            for _ in range(max(1, self.max_events // 10)):
                self._events.popleft()

    # -- questions ------------------------------------------------------------------------------------------

    def events(self) -> Iterator[TraceEvent]:
        """The captured events, newest first."""
        return reversed(self._events)

    def costs(self) -> list[ProcessCosts]:
        """The aggregates of all actors."""
        return list(self._costs.values())

    def costs_of(self, pid: Pid) -> ProcessCosts | None:
        """The aggregates of one actor, also of one that has ended."""
        return self._costs.get(pid)

    def method_costs(self) -> list[tuple[ProcessCosts, str, MethodCost]]:
        """The aggregates of all methods of all actors."""
        pairs = ((costs, costs.methods.items()) for costs in self._costs.values())
        return list(itertools.chain.from_iterable([(c, s, m) for s, m in items] for c, items in pairs))

    def clear(self) -> None:
        """Drop events and aggregates."""
        self._events.clear()
        self._costs.clear()
        for process in self._measured:
            process.costs = None
        self._measured.clear()
