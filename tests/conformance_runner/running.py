"""Carry out one transcript or scenario; every check gives one verdict.

Comes in: a file of the corpus and a driver. Guarantees: a verdict for each check in order;
what the driver raises is a failed check, never the end of the run. Leaves: time limits, to
whoever runs this in a process of its own.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from repl.transcripts import Answer, Check, LoadFailure, Malformed, Script, mismatch, read_script
from tests.conformance_runner.driver import Driver, Session
from tests.conformance_runner.scenario import (
    AskFile,
    DeleteFile,
    Evaluate,
    OpenProject,
    ReplaceText,
    Restart,
    Step,
    Wanted,
    WriteFile,
    read_scenario,
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome of the check on a line; `failure` says why, None after a pass."""

    line: int
    failure: str | None


Begin = Callable[[int], None]
"""Called with its line before each check, for the time limit."""


def checks_of(file: Path, is_complete: Callable[[str], bool]) -> tuple[int, ...]:
    """The lines of all checks of a file."""
    text = file.read_text("utf-8")
    if file.suffix == ".scenario":
        return tuple(step.line for step in read_scenario(text) if isinstance(step, Evaluate | AskFile))
    script = read_script(text, is_complete)
    parts: list[LoadFailure | Check | Malformed] = [*script.load_failures, *script.checks, *script.malformed]
    return tuple(part.line for part in parts)


def run_transcript(
    file: Path, driver: Driver, begin: Begin, skipped: frozenset[int] = frozenset()
) -> Iterator[Verdict]:
    """Run a `.btscript` in the folder of the run; inputs on `skipped` lines are left out."""
    script = read_script(file.read_text("utf-8"), driver.is_complete)
    session = driver.open_folder(file.parent)
    try:
        yield from (Verdict(each.line, each.reason) for each in script.malformed)
        begin(0)
        failed_loads = [
            f"{each.path} does not load: {error}"
            for each in script.loads
            if (error := session.load(each.path))
        ]
        yield from _load_failures(script, session, begin)
        for check in script.checks:
            if check.line in skipped:
                continue
            if failed_loads:
                yield Verdict(check.line, failed_loads[0])
            else:
                begin(check.line)
                yield Verdict(
                    check.line, _guarded(partial(_check, check, session, may_refuse=file.name == OPTIONAL))
                )
    finally:
        session.close()


OPTIONAL = "limits.btscript"
"""The transcript of programs that may be refused, but must not answer anything else (the corpus's README)."""


def _check(check: Check, session: Session, *, may_refuse: bool) -> str | None:
    answer = session.evaluate(check.text)
    return None if may_refuse and answer.error is not None else mismatch(check.expected, answer)


def _load_failures(script: Script, session: Session, begin: Begin) -> Iterator[Verdict]:
    for each in script.load_failures:
        begin(each.line)
        error = session.load(each.path)
        if error is None:
            yield Verdict(each.line, f"{each.path} loads, but must not")
        elif each.text not in error:
            yield Verdict(each.line, f"expected an error with {each.text!r}, got {error!r}")
        else:
            yield Verdict(each.line, None)


def _guarded(check: Callable[[], str | None]) -> str | None:
    """The failure of a check; an exception of the product is one (the outermost loop of the runner)."""
    try:
        return check()
    except Exception as error:  # noqa: BLE001
        return f"raised {type(error).__name__}: {error}"


def run_scenario(
    file: Path, scratch: Path, driver: Driver, begin: Begin, skipped: frozenset[int] = frozenset()
) -> Iterator[Verdict]:
    """Run a `.scenario` on a copy of its project below `scratch`."""
    run = _ScenarioRun(file.parent / "projects", scratch, driver)
    try:
        for step in read_scenario(file.read_text("utf-8")):
            if step.line not in skipped:
                begin(step.line)
                failure = _guarded(partial(run.carry_out, step))
                if failure is not None or isinstance(step, Evaluate | AskFile):
                    yield Verdict(step.line, failure)
    finally:
        run.close()


class _ScenarioRun:
    """A project on disk and the session in it, through the steps of one scenario."""

    def __init__(self, projects: Path, scratch: Path, driver: Driver) -> None:
        self._projects = projects
        self._scratch = scratch
        self._driver = driver
        self._pristine = projects
        self._root = scratch
        self._session: Session | None = None

    def carry_out(self, step: Step) -> str | None:
        """Do one step; why it failed, None when it did not."""
        match step:
            case OpenProject(name=name):
                self._pristine = self._projects / name
                self._root = self._scratch / name
                shutil.copytree(self._pristine, self._root)
                self._session = self._driver.open_project(self._root)
            case Restart():
                self.close()
                self._session = self._driver.open_project(self._root)
            case Evaluate(text=text, expected=expected):
                return self._evaluate(text, expected)
            case AskFile():
                return self._ask(step)
            case WriteFile() | ReplaceText() | DeleteFile():
                return self._edit(step)
        return None

    def close(self) -> None:
        """End the session, if one is open."""
        session, self._session = self._session, None
        if session is not None:
            session.close()

    def _evaluate(self, text: str, expected: str | None) -> str | None:
        if self._session is None:
            return "no session is open"
        answer: Answer = self._session.evaluate(text)
        if expected is None:
            return None if answer.error is None else f"got the error {answer.error!r}"
        return mismatch(expected, answer)

    def _edit(self, step: WriteFile | ReplaceText | DeleteFile) -> str | None:
        file = self._root / step.path
        match step:
            case DeleteFile():
                file.unlink()
            case WriteFile(content=content):
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(content.encode())
            case ReplaceText(old=old, new=new):
                text = file.read_bytes().decode()
                if old not in text:
                    return f"{step.path} does not hold {old!r}"
                file.write_bytes(text.replace(old, new, 1).encode())
        return None

    def _ask(self, step: AskFile) -> str | None:
        file = self._root / step.path
        # By the listing: a file system that folds case would find the other spelling.
        is_there = file.parent.is_dir() and file.name in {each.name for each in file.parent.iterdir()}
        if step.wanted is Wanted.ABSENT:
            return f"{step.path} is there" if is_there else None
        if not is_there:
            return f"{step.path} is not there"
        data, text = file.read_bytes(), step.text.encode()
        match step.wanted:
            case Wanted.EQUALS:
                right = data == text
            case Wanted.CONTAINS:
                right = text in data
            case Wanted.LACKS:
                right = text not in data
            case Wanted.PRISTINE:
                right = data == (self._pristine / step.path).read_bytes()
            case Wanted.PRESENT:
                right = True
        return None if right else f"{step.path} {step.wanted.value} {step.text!r}: it holds {data.decode()!r}"
