"""`repl` with `-e` or without a terminal, and `run FILE.btscript` (workspace.md 0.6, 6.4)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from pathlib import Path
from typing import TYPE_CHECKING

from lang.dataclass import dataclass
from lang.deferred import deferred
from lang.runtime.collections.lists import list_of
from lang.runtime.errors import BeamtalkError
from lang.runtime.processes.signals import Interrupted
from lang.source import SourceText
from lang.stdlib.services import Services
from repl.command_line.opening import CannotOpen, Place, Surroundings, open_for_running, open_image
from repl.command_line.output import PlainTranscript
from repl.events import Event, Failure
from repl.paint import Palette
from repl.writing import tell
from workspace.workspace import Workspace

if TYPE_CHECKING:
    from repl import driving, errors, script, session_core
    from repl.commands import code
    from repl.driving import Driver, Ending, Results, Streams
    from repl.session_core import SessionCore
else:
    code = deferred("repl.commands.code")
    driving = deferred("repl.driving")
    errors = deferred("repl.errors")
    script = deferred("repl.script")
    session_core = deferred("repl.session_core")


@dataclass(frozen=True, slots=True)
class Run:
    """How output looks, and which project is meant."""

    place: Place
    palette: Palette


def evaluate_expressions(run: Run, expressions: Sequence[str]) -> int:
    """`repl -e EXPR`: evaluate each, print its value."""
    streams = driving.Streams(sys.stdout, sys.stderr)
    workspace = open_image(run.place, Surroundings(PlainTranscript(sys.stdout)))
    try:
        driver = _driver(run, workspace, streams)
        for text in expressions:
            ending = driver.run(text, errors.Typed(SourceText(text.replace("\r\n", "\n"))))
            if ending is not driving.Ending.DONE:
                return _code(ending)
        return 0
    finally:
        _close(workspace)


def run_pipe(run: Run) -> int:
    """Standard input as a script: values on standard output."""
    return _run_text(run, sys.stdin.read(), script.STDIN_NAME, driving.Results.PRINTED)


def run_file(run: Run, path: Path) -> int:
    """`run FILE.btscript`. Raises `CannotOpen` when the file cannot be read."""
    try:
        text = path.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise CannotOpen(f"error: {path}: not UTF-8: invalid byte at offset {error.start}") from error
    except OSError as error:
        raise CannotOpen(f"error: {path}: {error.strerror}") from error
    return _run_text(run, text, str(path), driving.Results.SILENT)


def _run_text(run: Run, text: str, name: str, results: Results) -> int:
    streams = driving.Streams(sys.stdout, sys.stderr, results)
    leaving: Future[object] = Future()
    around = Surroundings(PlainTranscript(sys.stdout), Services(exit=exit_of(leaving)))
    workspace = open_image(run.place, around)
    try:
        driver = _driver(run, workspace, streams)
        try:
            return _code(script.run_script(driver, streams, text, name))
        except Interrupted:
            if leaving.done():
                return exit_code(leaving)
            raise
    finally:
        _close(workspace)


def exit_of(leaving: Future[object]) -> Callable[[int], None]:
    """How a program ends: the code is kept, and the running process unwinds."""

    def leave(code: int) -> None:
        if not leaving.done():
            leaving.set_result(code)
        raise Interrupted

    return leave


def exit_code(leaving: Future[object]) -> int:
    """What the program left with."""
    code = leaving.result()
    return code if isinstance(code, int) else 0


def _driver(run: Run, workspace: Workspace, streams: Streams) -> Driver:
    core = session_core.SessionCore(workspace, workspace.sessions.open("script"), run.palette, None)
    for event in workspace.evaluator.run(lambda: list(_load(core)), "load"):
        streams.write(event)
    return driving.Driver(core, streams)


def _load(core: SessionCore) -> Iterator[Event]:
    if core.workspace.project is not None:
        yield from code.report_lines(core.desk, core.workspace.loader.sync())


def _code(ending: Ending) -> int:
    return 1 if ending is driving.Ending.FAILED else 0


def _close(workspace: Workspace) -> None:
    sys.stdout.flush()
    workspace.close()


# ---------------------------------------------------------------- run CLASS SELECTOR


def run_class(run: Run, class_name: str, selector: str, arguments: Sequence[str]) -> int:
    """`run CLASS SELECTOR [ARGS…]`: load the project, send the message, leave with the program's code."""
    tell("Building...")
    leaving: Future[object] = Future()
    around = Surroundings(PlainTranscript(sys.stdout), Services(exit=exit_of(leaving)))
    workspace = open_for_running(run.place, around)
    try:
        if not built(run, workspace):
            return 1
        tell(f"Running {class_name}>>{selector}...")
        evaluation = workspace.evaluator.submit(
            lambda: _send(workspace, class_name, selector, arguments), f"{class_name}>>{selector}"
        )
        wait([evaluation.future, leaving], return_when=FIRST_COMPLETED)
        if leaving.done():
            return exit_code(leaving)
        return _outcome(run, workspace, evaluation.future)
    finally:
        _close(workspace)


def built(run: Run, workspace: Workspace) -> bool:
    """Load the project and show what is found; False when a file did not load."""
    report = workspace.evaluator.run(workspace.loader.sync, "load")
    if report.says_nothing:
        return True
    core = session_core.SessionCore(workspace, workspace.sessions.open("script"), run.palette, None)
    streams = driving.Streams(sys.stdout, sys.stderr)
    for event in workspace.evaluator.run(lambda: list(code.report_lines(core.desk, report)), "load"):
        streams.write(event)
    return not report.problems


def _send(workspace: Workspace, class_name: str, selector: str, arguments: Sequence[str]) -> object:
    runtime = workspace.runtime
    target = runtime.class_named(class_name)
    if target is None:
        raise BeamtalkError("class_not_found", class_name=class_name)
    if ":" not in selector:
        return runtime.send(target, selector)
    return runtime.send(target, selector, list_of(list(arguments)))


def _outcome(run: Run, workspace: Workspace, future: Future[object]) -> int:
    try:
        future.result()
    except BeamtalkError as error:
        return failed(run, workspace, error)
    return 0


def failed(run: Run, workspace: Workspace, error: BeamtalkError) -> int:
    """Show an error that ends a program; its exit code."""
    printer = errors.ErrorPrinter(workspace, run.palette)
    frames = [f"  in {frame}" for frame in printer.frames(error)]
    text = "\n".join([printer.without_place(error), *frames])
    driving.Streams(sys.stdout, sys.stderr).write(Failure(text))
    return 1
