"""Running test classes (stdlib.md 6): discovery, the frame around each test, and the results as data.

Comes in: test classes of one image. Guarantees: each test runs in a process and on an instance of its own; a
failure, of whatever kind, costs that test only; results come in the order of classes and selectors. Leaves: how a
report is shown to the command line and the workspace.
"""

from __future__ import annotations

import enum
import os
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from lang.dataclass import dataclass
from lang.runtime.classes import ClassObject
from lang.runtime.errors import BeamtalkError, as_beamtalk_error
from lang.runtime.processes.actor_system import ActorSystem, actors_of
from lang.runtime.processes.messages import Ended, Outcome, Raised, Returned
from lang.runtime.processes.process import ProcessKind
from lang.runtime.processes.reasons import label
from lang.runtime.symbols import symbol

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

ROOT: Final = "TestCase"
_PREFIX: Final = "test"
_TIMEOUT: Final = symbol("timeout")


class TestSkipped(BaseException):
    """A test asked not to be counted: passes every `on:do:`, and runs `ensure:`."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class TestStatus(enum.Enum):
    """How a test ended; an ERROR is a failure that no assertion made."""

    PASS = "pass"  # noqa: S105 - not a password
    FAIL = "fail"
    SKIP = "skip"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class TestOutcome:
    """One test that was run: `duration` in seconds, `message` empty after a pass, `error` what was raised."""

    class_name: str
    selector: str
    status: TestStatus
    duration: float
    message: str = ""
    error: BeamtalkError | None = None


class Onward(enum.Enum):
    """Whether further tests of a class are run."""

    GO_ON = "go on"
    STOP = "stop"


Watch = Callable[[TestOutcome], Onward]
"""Told of each outcome at once, where the tests run."""


def _unwatched(_outcome: TestOutcome) -> Onward:
    return Onward.GO_ON


@dataclass(frozen=True, slots=True)
class TestFailure:
    """One failed test."""

    class_name: str
    selector: str
    message: str


@dataclass(frozen=True, slots=True)
class TestReport:
    """What a run gave; `duration` in seconds of the wall clock. Beamtalk's TestResult."""

    passed: int
    skipped: int
    failures: tuple[TestFailure, ...]
    duration: float

    @property
    def failed(self) -> int:
        """How many tests failed."""
        return len(self.failures)

    @property
    def total(self) -> int:
        """How many tests there were."""
        return self.passed + self.skipped + self.failed

    @property
    def has_passed(self) -> bool:
        """Whether no test failed; skips do not matter."""
        return not self.failures

    @property
    def counts(self) -> str:
        """`4 tests, 3 passed, 1 skipped`; skipped and failed only when there are any."""
        parts = [f"{self.total} tests", f"{self.passed} passed"]
        if self.skipped:
            parts.append(f"{self.skipped} skipped")
        if self.failed:
            parts.append(f"{self.failed} failed")
        return ", ".join(parts)

    @property
    def summary(self) -> str:
        """The counts and the seconds (stdlib.md 6.4)."""
        return f"{self.counts} ({self.duration:.1f}s)"


EMPTY: Final = TestReport(0, 0, (), 0.0)


def merged(reports: Sequence[TestReport], duration: float) -> TestReport:
    """One report over several, in their order."""
    return TestReport(
        sum(report.passed for report in reports),
        sum(report.skipped for report in reports),
        tuple(failure for report in reports for failure in report.failures),
        duration,
    )


# ---------------------------------------------------------------- discovery (stdlib.md 6.2)


def test_classes(runtime: Runtime) -> list[ClassObject]:
    """Every loaded class below TestCase, by name."""
    found = [c for c in runtime.classes() if is_test_class(c) and not c.definition.is_abstract]
    return sorted(found, key=lambda c: c.name)


def is_test_class(class_object: ClassObject) -> bool:
    """Whether a class is below TestCase."""
    return any(at.name == ROOT for at in class_object.chain() if at is not class_object)


def test_selectors(class_object: ClassObject) -> list[str]:
    """The tests of a class, inherited ones included, in alphabetical order."""
    found: set[str] = set()
    for at in class_object.chain():
        if at.name == ROOT:
            break
        for selector in (*at.definition.methods, *at.definition.extensions):
            if selector.startswith(_PREFIX) and ":" not in selector:
                found.add(selector)
    return sorted(found)


# ---------------------------------------------------------------- running


def run_tests(runtime: Runtime, classes: Sequence[ClassObject]) -> TestReport:
    """Run all tests of some classes, one after the other."""
    start = _now(runtime)
    return merged([run_class(runtime, c) for c in classes], _now(runtime) - start)


def run_side_by_side(runtime: Runtime, classes: Sequence[ClassObject], jobs: int) -> TestReport:
    """Run some classes, `jobs` at a time (0: one a core); serial ones one by one after the others."""
    start = _now(runtime)
    serial = [c for c in classes if runtime.send(c, "serial") is True]
    free = deque(c for c in classes if c not in serial)
    reports: dict[ClassObject, TestReport] = {}

    def work() -> None:
        while free:
            class_object = free.popleft()
            reports[class_object] = run_class(runtime, class_object)

    system = actors_of(runtime)
    workers = min(jobs or os.cpu_count() or 1, len(free))
    system.run_all(ProcessKind.WORKER, "TestRunner", [work] * workers)
    reports.update({c: run_class(runtime, c) for c in serial})
    return merged([reports[c] for c in classes], _now(runtime) - start)


def run_class(
    runtime: Runtime,
    class_object: ClassObject,
    selectors: Sequence[str] | None = None,
    watch: Watch = _unwatched,
    limit: float | None = None,
) -> TestReport:
    """Run the tests of one class, or those named; tests left out because `watch` says stop do not count.

    A test that takes longer than `limit` seconds is ended, and fails.
    """
    chosen = test_selectors(class_object) if selectors is None else list(selectors)
    if not chosen:
        return EMPTY
    return _ClassRun(runtime, class_object, watch, limit).run(chosen)


def _now(runtime: Runtime) -> float:
    return actors_of(runtime).scheduler.clock.now()


class _ClassRun:
    """One run of the tests of one class."""

    def __init__(
        self, runtime: Runtime, class_object: ClassObject, watch: Watch, limit: float | None = None
    ) -> None:
        self._runtime = runtime
        self._limit = limit
        self._watch = watch
        self._class = class_object
        self._system: ActorSystem = actors_of(runtime)
        self._fixture: object = None
        self._passed = 0
        self._skipped = 0
        self._failures: list[TestFailure] = []

    def run(self, selectors: Sequence[str]) -> TestReport:
        start = _now(self._runtime)
        match self._in_process(self._set_up_once):
            case Returned(value):
                self._fixture = value
                self._run_each(selectors)
            case outcome:
                message = f"setUpOnce failed: {self._message_of(outcome)}"
                for selector in selectors:
                    self._note(selector, TestStatus.ERROR, 0.0, message, _error_of(outcome))
        self._in_process(self._tear_down_once)
        duration = _now(self._runtime) - start
        return TestReport(self._passed, self._skipped, tuple(self._failures), duration)

    def _run_each(self, selectors: Sequence[str]) -> None:
        for selector in selectors:
            start = _now(self._runtime)
            outcome = self._in_process(partial(self._run_in_time, selector))
            duration = _now(self._runtime) - start
            if self._count(selector, outcome, duration) is Onward.STOP:
                return

    def _in_process(self, action: Callable[[], object]) -> Outcome:
        def with_fixture() -> object:
            process = self._system.scheduler.current
            self._system.fixtures[process.pid] = self._fixture
            try:
                return action()
            finally:
                del self._system.fixtures[process.pid]

        return self._system.run_all(ProcessKind.TOP_LEVEL, self._class.name, [with_fixture])[0]

    def _count(self, selector: str, outcome: Outcome, duration: float) -> Onward:
        match outcome:
            case Returned():
                return self._note(selector, TestStatus.PASS, duration)
            case Raised(TestSkipped(reason=reason)):
                return self._note(selector, TestStatus.SKIP, duration, reason)
        error = _error_of(outcome)
        is_assertion = error is not None and error.kind == "assertion_failed"
        status = TestStatus.FAIL if is_assertion else TestStatus.ERROR
        return self._note(selector, status, duration, self._message_of(outcome), error)

    def _note(
        self,
        selector: str,
        status: TestStatus,
        duration: float,
        message: str = "",
        error: BeamtalkError | None = None,
    ) -> Onward:
        match status:
            case TestStatus.PASS:
                self._passed += 1
            case TestStatus.SKIP:
                self._skipped += 1
            case TestStatus.FAIL | TestStatus.ERROR:
                self._failures.append(TestFailure(self._class.name, selector, message))
        return self._watch(TestOutcome(self._class.name, selector, status, duration, message, error))

    def _message_of(self, outcome: Outcome) -> str:
        match outcome:
            case Raised(Exception() as error):
                return as_beamtalk_error(error).message
            case Raised(error):
                return f"the test was left by {type(error).__name__}"
            case Ended(reason) if reason is _TIMEOUT:
                return f"timeout: the test took longer than {self._limit:g} s"
            case Ended(reason):
                return f"the process of the test was ended: {label(reason)}"
            case Returned():
                return ""

    # -- in the process of the test -------------------------------------------------------------------------

    def _new(self) -> object:
        return self._runtime.send(self._class, "new")

    def _run_in_time(self, selector: str) -> None:
        if self._limit is None:
            self._run_one(selector)
            return
        scheduler = self._system.scheduler
        end = partial(scheduler.ends.end, scheduler.current, _TIMEOUT)
        deadline = scheduler.after(self._limit, end)
        try:
            self._run_one(selector)
        finally:
            deadline.cancel()

    def _run_one(self, selector: str) -> None:
        instance = self._set_up()
        try:
            self._runtime.send(instance, selector)
        finally:
            self._tear_down(instance)

    def _set_up(self) -> object:
        try:
            fresh = self._new()
            answer = self._runtime.send(fresh, "setUp")
        except Exception as error:
            text = as_beamtalk_error(error).message
            raise BeamtalkError("assertion_failed", f"setUp failed: {text}", class_name=ROOT) from error
        is_instance = self._runtime.class_of(answer) is self._runtime.class_of(fresh)
        return answer if is_instance else fresh

    def _tear_down(self, instance: object) -> None:
        try:
            self._runtime.send(instance, "tearDown")
        except Exception:  # noqa: BLE001 (errors of tearDown are ignored, stdlib.md 6.1)
            return

    def _set_up_once(self) -> object:
        return self._runtime.send(self._new(), "setUpOnce")

    def _tear_down_once(self) -> object:
        return self._runtime.send(self._new(), "tearDownOnce")


def _error_of(outcome: Outcome) -> BeamtalkError | None:
    match outcome:
        case Raised(Exception() as error):
            return as_beamtalk_error(error)
    return None


# ---------------------------------------------------------------- texts (stdlib.md 6.4)


def class_report_text(report: TestReport) -> str:
    """What `CrateTest runAll` answers."""
    lines = [report.summary]
    for failure in report.failures:
        lines += [*([""] if len(lines) == 1 else []), f"  FAIL: {failure.selector}", f"    {failure.message}"]
    return "\n".join(lines)


def result_text(report: TestReport) -> str:
    """`printString` of a TestResult."""
    lines: list[str] = []
    for failure in report.failures:
        lines += [f"  ✗ {failure.class_name}>>{failure.selector}", f"    {failure.message}"]
    return "\n".join([*lines, f"TestResult({report.summary})"])
