"""`test-script`: transcripts with their expected answers (workspace.md 6.10, stdlib.md 7).

Comes in: files and folders. Guarantees: loads come first, then loads that must fail, then the
inputs in order; files share one session's image and start with no bindings; every mismatch is
named with its file and line. Leaves: reading and matching to `repl/transcripts`.
"""

from __future__ import annotations

import enum
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import assert_never

from lang.dataclass import dataclass, field
from lang.runtime.errors import BeamtalkError
from lang.syntax import is_complete
from repl.command_line.evaluate import Run
from repl.command_line.opening import CannotOpen, Surroundings, open_for_running
from repl.command_line.output import CapturedTranscript
from repl.command_line.test_reports import Detail
from repl.commands.code import report_lines
from repl.events import Failure, NilShown, Shown
from repl.paint import Palette, Style
from repl.session_core import SessionCore
from repl.transcripts import Answer, Check, Script, mismatch, read_script
from repl.transcripts.display import displays
from repl.transcripts.documents import documented_script, group_name
from repl.writing import say, tell
from workspace.change import Refusal
from workspace.project import SourceSet
from workspace.sessions import DeclarationAnswer, Outcome, ValueAnswer
from workspace.workspace import Workspace


class Material(enum.Enum):
    """What is checked: transcripts, or the examples of doc comments and Markdown."""

    TRANSCRIPTS = (".btscript",)
    DOCUMENTS = (".bt", ".md")


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A check that did not pass: where, what was evaluated, why not."""

    path: Path
    line: int
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class ScriptReport:
    """The checks of one file."""

    path: Path
    name: str
    total: int
    failures: tuple[Mismatch, ...]

    @property
    def counts(self) -> str:
        """`12 tests, 12 passed`."""
        passed = f"{self.total} tests, {self.total - len(self.failures)} passed"
        return f"{passed}, {len(self.failures)} failed" if self.failures else passed


@dataclass(frozen=True, slots=True)
class ScriptWish:
    """What the command line asks for; `is_isolated`: each file gets an image of its own."""

    paths: tuple[Path, ...] = ()
    detail: Detail = Detail.CLASSES
    is_isolated: bool = False
    material: Material = Material.TRANSCRIPTS


def run_scripts(run: Run, wish: ScriptWish) -> int:
    """Run transcripts; 0 when every check passed."""
    files = list(_files(wish.paths or (Path(),), wish.material))
    if not files:
        say("No tests found")
        return 0
    if wish.detail is not Detail.FAILURES:
        say("Running tests...\n")
    start = time.perf_counter()
    reports = list(_reports(run, files, wish))
    return _end(reports, time.perf_counter() - start, wish.detail)


def _files(paths: Sequence[Path], material: Material) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            yield from sorted(p for p in path.rglob("*") if p.suffix in material.value and not _is_hidden(p))
        elif path.is_file():
            yield path
        else:
            raise CannotOpen(f"error: {path}: no such file")


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") and part != ".." for part in path.parts)


def _reports(run: Run, files: Sequence[Path], wish: ScriptWish) -> Iterator[ScriptReport]:
    groups = [[file] for file in files] if wish.is_isolated else [list(files)]
    for group in groups:
        workspace = open_for_running(run.place, Surroundings(CapturedTranscript()))
        try:
            _load_project(run, workspace)
            for file in group:
                report = _ScriptRun(workspace, run.palette, file, wish.material).run()
                if report.total or wish.material is Material.TRANSCRIPTS:
                    _say_line(report, wish.detail, run.palette)
                    yield report
        finally:
            workspace.close()


def _load_project(run: Run, workspace: Workspace) -> None:
    if workspace.project is None:
        return
    core = SessionCore(workspace, workspace.sessions.open("load"), run.palette, None)
    report = workspace.evaluator.run(lambda: workspace.loader.sync(SourceSet.ALL), "load")
    for event in workspace.evaluator.run(lambda: list(report_lines(core.desk, report)), "load"):
        tell(getattr(event, "text", ""))


def _say_line(report: ScriptReport, detail: Detail, palette: Palette) -> None:
    if detail is Detail.FAILURES:
        return
    sign = palette.paint("✗", Style.ERROR) if report.failures else palette.paint("✓", Style.GOOD)
    say(f"  {report.name}: {report.counts} {sign}")


def _end(reports: Sequence[ScriptReport], duration: float, detail: Detail) -> int:
    failures = [failure for report in reports for failure in report.failures]
    total = sum(report.total for report in reports)
    summary = (
        f"{len(reports)} file(s), {total} tests, {total - len(failures)} passed, "
        f"{len(failures)} failed ({duration:.1f}s)"
    )
    if detail is not Detail.FAILURES:
        say()
    if not failures:
        say(summary)
        return 0
    lines = []
    for each in failures:
        lines.append(f"FAIL {each.path}:{each.line}")
        lines += [f"    {line}" for line in each.text.splitlines()]
        lines.append(f"  {each.reason}")
    tell("\n".join([*lines, "", summary]))
    return 1


# ---------------------------------------------------------------- one file


@dataclass(slots=True)
class _ScriptRun:
    """One transcript in a session of its own, so that it starts without bindings."""

    workspace: Workspace
    palette: Palette
    path: Path
    material: Material = Material.TRANSCRIPTS
    failures: list[Mismatch] = field(default_factory=list)

    def run(self) -> ScriptReport:
        try:
            text = self.path.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            return ScriptReport(
                self.path, self.path.name, 1, (Mismatch(self.path, 1, "", f"cannot be read: {error}"),)
            )
        name, script = self._read(text.replace("\r\n", "\n"))
        core = SessionCore(self.workspace, self.workspace.sessions.open(self.path.name), self.palette, None)
        for each in script.malformed:
            self._fail(each.line, "", each.reason)
        if self._loads(script):
            for check in script.checks:
                self._check(core, check)
        total = len(script.checks) + len(script.load_failures) + len(script.malformed)
        return ScriptReport(self.path, name, max(total, len(self.failures)), tuple(self.failures))

    def _read(self, text: str) -> tuple[str, Script]:
        match self.material:
            case Material.TRANSCRIPTS:
                return self.path.name, read_script(text, is_complete)
            case Material.DOCUMENTS:
                return group_name(self.path, text), documented_script(self.path, text)
            case _:
                assert_never(self.material)

    def _fail(self, line: int, text: str, reason: str) -> None:
        self.failures.append(Mismatch(self.path, line, text, reason))

    def _loads(self, script: Script) -> bool:
        """Load what the file names; a load that fails fails every check."""
        for load in script.loads:
            error = self._load_error(load.path)
            if error is not None:
                self._fail(load.line, f"// @load {load.path}", error)
                for check in script.checks:
                    self._fail(check.line, check.text, f"{load.path} does not load")
                return False
        for failure in script.load_failures:
            error = self._load_error(failure.path)
            if error is None:
                self._fail(failure.line, f"// @load-error {failure.path}", "loads, but must not")
            elif failure.text not in error:
                reason = f"expected an error with {failure.text!r}, got {error!r}"
                self._fail(failure.line, f"// @load-error {failure.path}", reason)
        return True

    def _load_error(self, path: str) -> str | None:
        """The error of loading a file, whose path is relative to the working directory."""
        full = str(Path(path).absolute())
        outcome = self.workspace.evaluator.run(lambda: self.workspace.loader.load(full), "load")
        return outcome.message if isinstance(outcome, Refusal) else None

    def _check(self, core: SessionCore, check: Check) -> None:
        answer = self.workspace.evaluator.run(lambda: self._answer(core, check.text), check.text)
        reason = mismatch(check.expected, answer)
        if reason is not None:
            self._fail(check.line, check.text, reason)

    def _answer(self, core: SessionCore, text: str) -> Answer:
        if text.startswith(":"):
            return _command_answer(core, text)
        return _evaluated(self.workspace, core.session.evaluate(text))


def _command_answer(core: SessionCore, text: str) -> Answer:
    """What a command prints; questions are answered with yes, as a script's confirmations count as given."""
    turn = core.begin(text)
    events = list(turn.events)
    while turn.question is not None:
        turn = core.go_on(turn, "y")
        events += turn.events
    for event in events:
        if isinstance(event, Failure):
            return Answer((), (), event.text)
    shown = [e.text if isinstance(e, Shown) else "nil" for e in events if isinstance(e, Shown | NilShown)]
    return Answer(("\n".join(shown),))


def _evaluated(workspace: Workspace, outcome: Outcome) -> Answer:
    warnings = (*(each.diagnostic.message for each in outcome.warnings), *outcome.notices)
    if outcome.error is not None:
        return Answer((), warnings, str(outcome.error), outcome.error.kind)
    match outcome.answers[-1] if outcome.answers else DeclarationAnswer(""):
        case DeclarationAnswer(text):
            return Answer((text,), warnings)
        case ValueAnswer(value):
            try:
                return Answer(displays(workspace.runtime, value), warnings)
            except BeamtalkError as error:
                name = workspace.runtime.class_name_of(value)
                return Answer((f"{name}(printString failed: {error.message})",), warnings)
