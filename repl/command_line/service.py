"""`run .`: the supervisor of an application, in the foreground (workspace.md 6.4).

Guarantees: SIGINT and SIGTERM end it in supervision order, with exit code 0; a supervisor that gives
up or does not start ends it with 1; `Program exit: n` with n. It never detaches.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from queue import SimpleQueue
from types import FrameType

from lang.runtime.classes import ClassObject
from lang.runtime.errors import BeamtalkError
from lang.runtime.processes import ending
from lang.stdlib.services import Services
from repl.command_line.evaluate import Run, built, exit_code, exit_of, failed
from repl.command_line.opening import CannotOpen, Surroundings, open_for_running
from repl.command_line.output import PlainTranscript
from repl.writing import tell
from workspace.workspace import Workspace

_NO_ENTRY = """\
error: No entry point defined for `beamtalk run .`
hint: name a supervisor in beamtalk.toml:

    [application]
    supervisor = "MainSup"

or run a class method: beamtalk run Main main"""


def run_service(run: Run) -> int:
    """Start the application of the project and stay until it ends."""
    tell("Building...")
    leaving: Future[object] = Future()
    around = Surroundings(PlainTranscript(sys.stdout), Services(exit=exit_of(leaving)))
    workspace = open_for_running(run.place, around)
    try:
        supervisor = workspace.project.manifest.supervisor if workspace.project is not None else None
        if supervisor is None:
            raise CannotOpen(_NO_ENTRY)
        if not built(run, workspace):
            return 1
        tell(f"Running {supervisor}...")
        return _serve(run, workspace, supervisor, leaving)
    finally:
        sys.stdout.flush()
        workspace.close()


class _Signalled:
    """Somebody outside asks for the end."""


_End = _Signalled | Future[object] | str
"""Why a service ends: a signal, the program's own wish, or the reason of its supervisor."""


def _serve(run: Run, workspace: Workspace, supervisor: str, leaving: Future[object]) -> int:
    ends: SimpleQueue[_End] = SimpleQueue()
    leaving.add_done_callback(ends.put)
    with _told_of_signals(ends):
        try:
            workspace.evaluator.run(lambda: _start(workspace, supervisor, ends), supervisor)
        except BeamtalkError as error:
            return failed(run, workspace, error)
        match ends.get():
            case _Signalled():
                return 0
            case Future():
                return exit_code(leaving)
            case reason:
                tell(f"error: {supervisor} ended: {reason}")
                return 1


def _start(workspace: Workspace, name: str, ends: SimpleQueue[_End]) -> None:
    """Start the supervisor, and have its end told."""
    runtime, system = workspace.runtime, workspace.image.actors
    target = runtime.class_named(name)
    if not isinstance(target, ClassObject):
        raise BeamtalkError("class_not_found", class_name=name)
    runtime.send(runtime.send(target, "supervise"), "unwrap")
    running = system.supervisors.running(target)
    if running is None:
        ends.put("it is not running")
        return
    key = system.make_reference().number
    ending.watch(running.process, key, lambda reason: ends.put(runtime.print_string(reason)))


@contextmanager
def _told_of_signals(ends: SimpleQueue[_End]) -> Iterator[None]:
    def note(_number: int, _frame: FrameType | None) -> None:
        ends.put(_Signalled())

    before = {each: signal.signal(each, note) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
