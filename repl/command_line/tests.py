"""`test`: load the project with its tests, and run them (workspace.md 6.9).

Comes in: which tests, and how to report. Guarantees: a failing test is named with its error and
the file and line of each project method that it went through; reports for machines are written
also when tests fail. Leaves: running a test to `lang/stdlib/testing.py`, texts to `test_reports`.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from lang.dataclass import dataclass, field, replace
from lang.runtime.classes import ClassObject
from lang.stdlib.testing import Onward, TestOutcome, TestStatus, run_class, test_selectors
from lang.syntax.units import Side
from repl.command_line.evaluate import Run
from repl.command_line.findings import finding_text
from repl.command_line.opening import CannotOpen, Surroundings, open_for_running
from repl.command_line.output import CapturedTranscript
from repl.command_line.test_reports import ClassRecord, Detail, Format, Reporter, TestRecord, written_junit
from repl.errors import ErrorPrinter
from repl.places import place_of_method
from repl.writing import tell
from workspace.project import SourceSet
from workspace.workspace import Workspace

_FRAMES_SHOWN = 3


@dataclass(frozen=True, slots=True)
class TestWish:
    """What the command line asks for. `pattern` is searched in `Class>>selector`."""

    wanted: tuple[str, ...] = ()
    pattern: re.Pattern[str] | None = None
    on_failure: Onward = Onward.GO_ON
    detail: Detail = Detail.CLASSES
    format: Format = Format.TEXT
    junit: Path | None = None
    limit: float = 60.0
    """Seconds after which a test fails."""
    seed: int | None = None
    """Where the order of classes and tests is left to chance: with this seed."""


@dataclass(frozen=True, slots=True)
class _Chosen:
    """A class with the tests of it to run, and the argument that asked for them."""

    argument: str
    class_object: ClassObject
    selectors: tuple[str, ...]


def run_tests(run: Run, wish: TestWish) -> int:
    """Run what is wished for; 0 when nothing failed."""
    transcript = CapturedTranscript()
    workspace = open_for_running(run.place, Surroundings(transcript))
    try:
        if not _loaded(run, workspace):
            return 1
        chosen = _chosen(workspace, wish)
        missing = [each for each in wish.wanted if each not in {c.argument for c in chosen}]
        if missing:
            tell(f"error: no tests match: {', '.join(missing)}")
            return 1
        return _TestRun(run, workspace, transcript, wish).run(_shuffled(chosen, wish.seed))
    finally:
        workspace.close()


def _loaded(run: Run, workspace: Workspace) -> bool:
    report = workspace.evaluator.run(lambda: workspace.loader.sync(SourceSet.ALL), "load")
    for problem in report.problems:
        texts = [finding_text(each, run.palette, workspace.root) for each in problem.findings]
        tell("\n".join(texts or [f"error: {problem.message}\n --> {problem.path}"]))
    return not report.problems


# ---------------------------------------------------------------- which tests


def _chosen(workspace: Workspace, wish: TestWish) -> list[_Chosen]:
    """The classes in order of their paths, each with its tests."""
    state = workspace.state
    classes = sorted(workspace.test_classes(), key=lambda c: (state.path_of(c.name) or "", c.name))
    found = []
    for argument in wish.wanted or ("",):
        name, _, selector = argument.partition(">>")
        for each in classes:
            if not argument or each.name == name or _is_in(state.path_of(each.name) or "", argument):
                selectors = tuple(s for s in test_selectors(each) if not selector or s == selector)
                found.append(_Chosen(argument, each, _matching(each, selectors, wish.pattern)))
    return [each for each in found if each.selectors]


def _shuffled(chosen: list[_Chosen], seed: int | None) -> list[_Chosen]:
    """The tests of each class in an order of chance; classes too, which are reported in the order of running."""
    if seed is None:
        return chosen
    chance = random.Random(seed)
    mixed = [
        replace(each, selectors=tuple(chance.sample(each.selectors, len(each.selectors)))) for each in chosen
    ]
    chance.shuffle(mixed)
    return mixed


def _is_in(path: str, argument: str) -> bool:
    """Whether an argument names a file, by the end of its path, or a folder around it."""
    wanted = argument.removeprefix("./").rstrip("/")
    return path == wanted or path.startswith(f"{wanted}/") or path.endswith(f"/{wanted}")


def _matching(
    class_object: ClassObject, selectors: tuple[str, ...], pattern: re.Pattern[str] | None
) -> tuple[str, ...]:
    if pattern is None:
        return selectors
    return tuple(s for s in selectors if pattern.search(f"{class_object.name}>>{s}"))


# ---------------------------------------------------------------- the run


@dataclass(slots=True)
class _TestRun:
    """One run; records are made on the evaluator as tests end."""

    shell: Run
    workspace: Workspace
    transcript: CapturedTranscript
    wish: TestWish
    records: list[TestRecord] = field(default_factory=list)

    def run(self, chosen: Sequence[_Chosen]) -> int:
        reporter = Reporter(self.wish.format, self.wish.detail, self.shell.palette)
        if not chosen:
            reporter.nothing_found()
            return self._end(reporter, [], 0.0)
        reporter.begin()
        start = time.perf_counter()
        classes = []
        for each in chosen:
            classes.append(self._run_class(each))
            reporter.class_done(classes[-1])
            if self._stops and not classes[-1].has_passed:
                break
        return self._end(reporter, classes, time.perf_counter() - start)

    @property
    def _stops(self) -> bool:
        return self.wish.on_failure is Onward.STOP

    def _end(self, reporter: Reporter, classes: list[ClassRecord], duration: float) -> int:
        reporter.end(classes, duration)
        if self.wish.junit is not None:
            try:
                written_junit(self.wish.junit, classes)
            except OSError as error:
                raise CannotOpen(f"error: cannot write {self.wish.junit}: {error.strerror}") from error
        return 0 if all(each.has_passed for each in classes) else 1

    def _run_class(self, chosen: _Chosen) -> ClassRecord:
        self.records = []
        self.transcript.take()
        began = time.time()
        work = partial(
            run_class,
            self.workspace.runtime,
            chosen.class_object,
            chosen.selectors,
            self._note,
            self.wish.limit,
        )
        report = self.workspace.evaluator.run(work, "test")
        return ClassRecord(chosen.class_object.name, tuple(self.records), report.duration, began)

    def _note(self, outcome: TestOutcome) -> Onward:
        has_failed = outcome.status in (TestStatus.FAIL, TestStatus.ERROR)
        path, line = self._place(outcome)
        frames = self._frames(outcome) if has_failed else ()
        self.records.append(
            TestRecord(
                outcome.class_name,
                outcome.selector,
                outcome.status,
                outcome.duration,
                outcome.message,
                path,
                line,
                frames,
                self.transcript.take(),
            )
        )
        return Onward.STOP if has_failed and self._stops else Onward.GO_ON

    def _frames(self, outcome: TestOutcome) -> tuple[str, ...]:
        """The innermost activations of project code, the test itself always among them."""
        if outcome.error is None:
            return ()
        frames = list(ErrorPrinter(self.workspace, self.shell.palette).frames(outcome.error))
        shown = frames[:_FRAMES_SHOWN]
        test = next((f for f in frames if f">>{outcome.selector} " in f"{f} "), None)
        if test is not None and test not in shown:
            shown[-1] = test
        return tuple(f"at {frame}" for frame in shown)

    def _place(self, outcome: TestOutcome) -> tuple[str, int]:
        """Where the method of a test stands; it may be inherited."""
        class_object = self.workspace.runtime.class_named(outcome.class_name)
        if class_object is not None:
            for owner in class_object.chain():
                place = place_of_method(self.workspace.state, owner.name, Side.INSTANCE, outcome.selector)
                if place is not None:
                    return place
        return "", 0
