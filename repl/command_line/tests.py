"""`test`: load the project with its tests, and run them (workspace.md 6.9)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from lang.runtime.classes import ClassObject
from lang.runtime.runtime import Discard
from lang.stdlib.testing import TestReport, merged, run_class, test_selectors
from repl.command_line.evaluate import Run
from repl.command_line.findings import finding_text
from repl.command_line.opening import Surroundings, open_for_running
from repl.paint import Palette, Style
from repl.writing import say, tell
from workspace.project import SourceSet
from workspace.workspace import Workspace


def run_tests(run: Run, wanted: Sequence[str]) -> int:
    """Run the test classes named (`TillTest`, `TillTest>>testRing`, a path), or all."""
    workspace = open_for_running(run.place, Surroundings(Discard()))
    try:
        if not _loaded(run, workspace):
            return 1
        chosen = _chosen(workspace, wanted)
        missing = [each for each in wanted if each not in {name for name, _c, _s in chosen}]
        if missing:
            tell(f"error: no tests match: {', '.join(missing)}")
            return 1
        if not chosen:
            say("No tests found")
            return 0
        return _run(run, workspace, [(c, s) for _name, c, s in chosen])
    finally:
        workspace.close()


def _loaded(run: Run, workspace: Workspace) -> bool:
    report = workspace.evaluator.run(lambda: workspace.loader.sync(SourceSet.ALL), "load")
    for problem in report.problems:
        texts = [finding_text(each, run.palette, workspace.root) for each in problem.findings]
        tell("\n".join(texts or [f"error: {problem.message}\n --> {problem.path}"]))
    return not report.problems


def _chosen(workspace: Workspace, wanted: Sequence[str]) -> list[tuple[str, ClassObject, list[str]]]:
    """The classes in order of their paths, each with its tests and the argument that asked for it."""
    state = workspace.state
    classes = sorted(workspace.test_classes(), key=lambda c: (state.path_of(c.name) or "", c.name))
    if not wanted:
        return [("", each, test_selectors(each)) for each in classes if test_selectors(each)]
    found = []
    for argument in wanted:
        name, _, selector = argument.partition(">>")
        for each in classes:
            path = state.path_of(each.name) or ""
            if each.name == name or path == argument or path.startswith(f"{argument.rstrip('/')}/"):
                selectors = [s for s in test_selectors(each) if not selector or s == selector]
                if selectors:
                    found.append((argument, each, selectors))
    return found


def _run(run: Run, workspace: Workspace, chosen: Sequence[tuple[ClassObject, Sequence[str]]]) -> int:
    say("Running tests...\n")
    clock = workspace.image.actors.scheduler.clock
    start = clock.now()
    reports = []
    for class_object, selectors in chosen:
        report = workspace.evaluator.run(
            partial(run_class, workspace.runtime, class_object, selectors), "test"
        )
        reports.append(report)
        say(_line(class_object, report, run.palette))
    total = merged(reports, clock.now() - start)
    say()
    if total.has_passed:
        say(_summary(total, len(chosen)))
    else:
        failures = [f"FAIL {each.class_name} {each.selector}: {each.message}" for each in total.failures]
        tell("\n".join([*failures, "", _summary(total, len(chosen))]))
    return 0 if total.has_passed else 1


def _line(class_object: ClassObject, report: TestReport, palette: Palette) -> str:
    sign = palette.paint("✓", Style.GOOD) if report.has_passed else palette.paint("✗", Style.ERROR)
    return f"  {class_object.name}: {report.counts} {sign}"


def _summary(report: TestReport, files: int) -> str:
    skipped = f", {report.skipped} skipped" if report.skipped else ""
    counts = f"{report.total} tests, {report.passed} passed, {report.failed} failed{skipped}"
    return f"{files} file(s), {counts} ({report.duration:.1f}s)"
