"""Commands that load, test and run code (workspace.md 1.5, 1.6, 3.12)."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from lang.stdlib.testing import merged, run_class, test_selectors
from lang.syntax.units import UnitKind
from repl.commands.desk import CLASS_NAME, CommandFailed, Desk, Watching, counted, usage, words
from repl.display import printed
from repl.events import Advice, Confirm, Event, Failure, Shown, Steps, agrees
from repl.paint import Style
from workspace.change import Finding, Refusal
from workspace.loader import Loaded
from workspace.operations.classes import unload_class
from workspace.project import SourceSet
from workspace.state import Unit
from workspace.sync import FileProblem, SyncReport


def load(desk: Desk, arguments: str) -> Steps:
    """`:load PATH`."""
    found = words(arguments)
    if len(found) != 1:
        raise usage(":load PATH")
    path = found[0]
    outcome = desk.workspace.loader.load(str(Path(path).expanduser()) if path.startswith("~") else path)
    yield from _loaded(desk, outcome, path, f"Loaded {{}} from {path}")


def _loaded(desk: Desk, outcome: Loaded | Refusal, path: str, many: str) -> Iterator[Event]:
    if isinstance(outcome, Refusal):
        yield from refused(desk, outcome, path)
        return
    yield from _findings(desk, outcome.report.findings)
    if len(outcome.paths) == 1 and path.endswith(".bt"):
        verb = many.split()[0]
        yield Shown(f"{verb}: {', '.join(outcome.names) or outcome.paths[0]}")
    else:
        yield Shown(many.format(counted(len(outcome.paths), "file")))


def refused(desk: Desk, refusal: Refusal, path: str) -> Iterator[Event]:
    """A load that was refused: the diagnostics, then how many files were loaded."""
    if not refusal.findings:
        hint = f"\nHint: {refusal.hint}" if refusal.hint else ""
        raise CommandFailed(f"Error: {refusal.message}{hint}")
    for finding in refusal.findings:
        yield Advice(desk.core.errors.in_file(finding))
    files = {finding.path for finding in refusal.findings}
    is_file = path.endswith(".bt")
    yield Failure(f"0 of {len(files)} files loaded" if is_file else f"Error: {refusal.message}")


def _findings(desk: Desk, findings: list[Finding]) -> Iterator[Event]:
    for finding in findings:
        yield Advice(desk.core.errors.in_file(finding))


def reload(desk: Desk, arguments: str) -> Steps:
    """`:reload [C]`: a class, or the last load again."""
    found = words(arguments)
    if len(found) > 1 or (found and not CLASS_NAME.fullmatch(found[0])):
        raise usage(":reload [CLASS]")
    if found:
        pending = len(desk.workspace.pending.view().active)
        yield Shown(desk.text(desk.value(f"{found[0]} reload")))
        given_up = pending - len(desk.workspace.pending.view().active)
        if given_up > 0:
            yield Shown(
                f"{counted(given_up, 'pending change')} given up; Workspace changes allEntries has them"
            )
        return
    target = desk.workspace.loader.last_target
    if target is None:
        raise CommandFailed("Nothing has been loaded yet; use :load PATH")
    shown = target.removesuffix("/")
    yield from _loaded(desk, desk.workspace.loader.load(target), shown, f"Reloaded {{}} from {shown}")


def sync(desk: Desk, arguments: str) -> Steps:
    """`:sync [watch|stop]`: memory takes what disk holds, now or at each change."""
    found = words(arguments)
    if found not in ([], ["watch"], ["stop"]):
        raise usage(":sync [watch|stop]")
    if desk.workspace.project is None:
        raise CommandFailed("Error: there is no project here to bring in")
    if found == ["stop"]:
        desk.watching = Watching.OFF
        yield Shown("No longer watching.")
        return
    yield from synced(desk)
    if found == ["watch"]:
        if desk.core.screen is None:
            raise CommandFailed("Error: files can only be watched at a prompt")
        desk.watching = Watching.ON
        yield Shown("Watching for changes; :sync stop ends it.")


def synced(desk: Desk) -> Iterator[Event]:
    """Bring memory to what disk holds, and say what came of it."""
    report = desk.workspace.loader.sync()
    yield from report_lines(desk, report)
    yield Shown(report.summary())


def check(desk: Desk, arguments: str) -> Steps:
    """`:check [PATH|CLASS]`: what is wrong in the sources that memory has."""
    found = words(arguments)
    if len(found) > 1:
        raise usage(":check [PATH|CLASS]")
    state = desk.workspace.state
    units = [each for each in state.units.values() if not found or _is_named(each, found[0])]
    if found and not units:
        raise CommandFailed(f"Error: nothing is loaded from {found[0]}")
    wrong = desk.workspace.installer.check(each.lineage for each in units)
    yield from _findings(desk, list(wrong))
    if not wrong:
        classes = sum(1 for each in units if each.kind is UnitKind.HEADER)
        yield Shown(f"No problems in {classes} class{'' if classes == 1 else 'es'}.")


def _is_named(unit: Unit, name: str) -> bool:
    """Whether a unit is of the class, the file or the folder."""
    folder = f"{name.rstrip('/')}/"
    return unit.owner == name or (
        unit.path is not None and (unit.path == name or unit.path.startswith(folder))
    )


def unload(desk: Desk, arguments: str) -> Steps:
    """`:unload C`: forget a class; its file and the record of changes stay as they are."""
    match words(arguments):
        case [name] if CLASS_NAME.fullmatch(name):
            pass
        case _:
            raise usage(":unload CLASS")
    workspace = desk.workspace
    planned = workspace.preview(unload_class(name))
    if isinstance(planned, Refusal):
        raise CommandFailed(f"Error: {planned.message}" + (f"\nHint: {planned.hint}" if planned.hint else ""))
    question = _unload_question(desk, name)
    if question is not None and not agrees((yield Confirm(question, f":unload {name} --yes"))):
        yield Shown(f"Aborted: {name} was not unloaded.")
        return
    outcome = workspace.perform(unload_class(name))
    if isinstance(outcome, Refusal):
        raise CommandFailed(f"Error: {outcome.message}")
    yield Shown("ok")


def _unload_question(desk: Desk, name: str) -> str | None:
    """What is lost besides the class; None when nothing is."""
    workspace = desk.workspace
    target = workspace.runtime.class_named(name)
    live = len(workspace.image.actors.live_actors_of(target)) if target is not None else 0
    pending = sum(1 for entry in workspace.pending.view().active if entry.class_name == name)
    if not live and not pending:
        return None
    parts = [
        counted(count, noun)
        for count, noun in ((live, "live instance"), (pending, "pending change"))
        if count
    ]
    return f"{name} has {' and '.join(parts)}. Unload it? [y/N] "


def report_lines(desk: Desk, report: SyncReport) -> Iterator[Event]:
    """The diagnostics of a sync: warnings, findings, then what did not load."""
    for warning in report.warnings:
        yield Advice(f"⚠ {warning}")
    yield from _findings(desk, report.findings)
    for problem in report.problems:
        yield Advice(problem_text(desk, problem))
    if report.problems:
        paths = ", ".join(problem.path for problem in report.problems)
        yield Advice(f"{len(report.problems)} file(s) failed to load: {paths}")


def problem_text(desk: Desk, problem: FileProblem) -> str:
    """What is wrong with a file that did not load."""
    if problem.findings:
        return "\n".join(desk.core.errors.in_file(each) for each in problem.findings)
    return f"  Error: {problem.message}" + (f" in {problem.path}" if problem.path else "")


def test(desk: Desk, arguments: str) -> Steps:
    """`:test [C [s]]`: takes in `src/` and `test/`, then runs tests."""
    found = words(arguments)
    if len(found) > 2 or (found and not CLASS_NAME.fullmatch(found[0])):
        raise usage(":test [CLASS [SELECTOR]]")
    workspace = desk.workspace
    if workspace.project is not None:
        yield from report_lines(desk, workspace.loader.sync(SourceSet.ALL))
    classes = workspace.test_classes()
    if found:
        wanted = desk.value(found[0])
        classes = [each for each in classes if each is wanted]
        if not classes:
            raise CommandFailed(f"Error: {found[0]} is not a test class")
    clock = workspace.image.actors.scheduler.clock
    start = clock.now()
    reports = []
    for each in classes:
        selectors = found[1:] or test_selectors(each)
        if not selectors:
            continue
        report = run_class(workspace.runtime, each, selectors)
        reports.append(report)
        sign = (
            desk.core.palette.paint("✓", Style.GOOD)
            if report.has_passed
            else desk.core.palette.paint("✗", Style.ERROR)
        )
        yield Shown(f"{sign} {each.name} ({counted(report.total, 'test')})")
    total = merged(reports, clock.now() - start)
    result = printed(workspace.runtime, total)
    yield Shown(result) if total.has_passed else Failure(result)


_RUNS: Final = re.compile(r"-n\s+(\d+)\s+(.+)", re.DOTALL)


def time(desk: Desk, arguments: str) -> Steps:
    """`:time [-n K] EXPR`: the result, then how long the best of K runs took."""
    found = _RUNS.fullmatch(arguments)
    text, runs = (found[2], int(found[1])) if found else (arguments, 1)
    if not text or not runs or text.startswith("-n"):
        raise usage(":time [-n K] EXPRESSION")
    best, value = _timed(desk, text, runs)
    yield Shown(desk.text(value))
    yield Shown(f"{best * 1000:.{3 if best < 0.001 else 1}f} ms ({counted(runs, 'run')}, best)")


def _timed(desk: Desk, text: str, runs: int) -> tuple[float, object]:
    """The shortest time in seconds, and the last value. Several runs are those of one block, compiled once."""
    clock = desk.workspace.image.actors.scheduler.clock
    if runs == 1:
        start = clock.now()
        value = desk.value(text)
        return clock.now() - start, value
    block = desk.value(f"[{text}]")
    best, value = math.inf, None
    for _run in range(runs):
        start = clock.now()
        value = desk.workspace.runtime.send(block, "value")
        best = min(best, clock.now() - start)
    return best, value
