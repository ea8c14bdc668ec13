"""How actors are ended and watched: stop, kill, exit signals, monitors, exit watches (actors.md 8, 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lang.runtime.blocks import Block, call_with_at_most, copy_for_crossing
from lang.runtime.collections.tuples import BtTuple
from lang.runtime.errors import BeamtalkError
from lang.runtime.instances import ActorObject
from lang.runtime.processes.messages import Outcome, Raised, RequestState, Stop
from lang.runtime.processes.pid import Reference
from lang.runtime.processes.process import Process, ProcessKind
from lang.runtime.processes.process_table import DEFAULT_PATIENCE
from lang.runtime.processes.reasons import KILLED, NO_PROCESS, NORMAL
from lang.runtime.symbols import symbol

if TYPE_CHECKING:
    from collections.abc import Callable

    from lang.runtime.processes.actor_system import ActorSystem

_OK: Final = symbol("ok")
_KILL: Final = symbol("kill")


def stop(system: ActorSystem, actor: ActorObject) -> object:
    """`anActor stop`: takes its place in the mailbox; `#ok`, also when the actor is dead already."""
    process = system.process_of(actor, "stop")
    scheduler = system.scheduler
    if process.dead:
        return _OK
    system.tracing.noted(process, "stop", "lifecycle", "ok", scheduler.current.context)
    if process is scheduler.current:
        raise scheduler.faults.deadlock("stop", process, (process,))
    hook = end_hook(system, process, NORMAL)
    request = Stop(process, scheduler.current, DEFAULT_PATIENCE, NORMAL, hook)
    try:
        scheduler.ask(process, request)
    except BeamtalkError as error:
        if request.state is RequestState.TIMED_OUT:
            raise _still_stopping(process) from error
        if request.state is not RequestState.LOST:
            raise
    return _OK


def end_hook(system: ActorSystem, process: Process, reason: object) -> _EndHook:
    """The action of a stop request: the end hook of whatever lives in the process."""
    return _EndHook(system, process, reason)


class _EndHook:
    """Runs `terminate:` of a process's actor; nothing for processes without one."""

    __slots__ = ("_process", "_reason", "_system")

    def __init__(self, system: ActorSystem, process: Process, reason: object) -> None:
        self._system = system
        self._process = process
        self._reason = reason

    def __call__(self) -> object:
        if self._process.actor is not None:
            self._system.run_end_hook(self._process.actor, self._reason)
        return _OK


def _still_stopping(process: Process) -> BeamtalkError:
    """The actor had not come to the stop request in time; the request stays in its queue."""
    return BeamtalkError(
        "actor_dead",
        class_name=process.label,
        selector="stop",
        hint="The actor is still busy; it will stop when it comes to the request.",
        details=symbol("timeout"),
    )


def kill(system: ActorSystem, actor: ActorObject) -> object:
    """`anActor kill`: at once, without hook; the process is gone when this answers `#ok`."""
    process = system.process_of(actor, "kill")
    if not process.dead:
        system.tracing.noted(process, "kill", "lifecycle", "ok", system.scheduler.current.context)
    system.scheduler.ends.end(process, KILLED)
    return _OK


def send_exit(system: ActorSystem, process: Process | None, reason: object) -> bool:
    """`aPid exit: reason`: an exit signal; `#normal` is ignored, `#kill` kills."""
    if process is not None and reason is not NORMAL:
        system.scheduler.ends.end(process, KILLED if reason is _KILL else reason)
    return True


# ---------------------------------------------------------------- watching


def monitor(system: ActorSystem, process: Process) -> Reference:
    """One raw `{#DOWN, ref, #process, pid, reason}` for the running process when `process` ends."""
    watcher = system.scheduler.current
    reference = system.make_reference()

    def tell(reason: object) -> None:
        system.monitored.pop(reference, None)
        down = (symbol("DOWN"), reference, symbol("process"), process.pid, reason)
        system.send_raw(watcher, BtTuple(down))

    if process.dead:
        tell(NO_PROCESS)
    else:
        system.monitored[reference] = process
        watch(process, reference.number, tell)
    return reference


def monitor_gone(system: ActorSystem, pid: object) -> Reference:
    """As `monitor`, of a Pid whose process is gone: the notice comes at once."""
    reference = system.make_reference()
    down = (symbol("DOWN"), reference, symbol("process"), pid, NO_PROCESS)
    system.send_raw(system.scheduler.current, BtTuple(down))
    return reference


def demonitor(system: ActorSystem, reference: Reference) -> bool:
    """No DOWN for this reference from now on."""
    process = system.monitored.pop(reference, None)
    if process is not None and process.exit_watchers is not None:
        process.exit_watchers.pop(reference.number, None)
    return True


def watch(process: Process, key: int, tell: Callable[[object], None]) -> None:
    """Have `tell` called with the reason when a live process ends."""
    if process.exit_watchers is None:
        process.exit_watchers = {}
    process.exit_watchers[key] = tell


def on_exit(system: ActorSystem, process: Process, block: Block) -> object:
    """`anActor onExit: block`: the block runs once, in a process of its own, with the exit reason."""
    crossed = copy_for_crossing(block)

    def finished(outcome: Outcome) -> None:
        if isinstance(outcome, Raised):
            system.log.failed_message(process, "onExit:", outcome.error)

    def tell(reason: object) -> None:
        system.scheduler.start(
            ProcessKind.WATCHER, "onExit:", lambda: call_with_at_most(crossed, reason), finished
        )

    if process.dead:
        tell(NO_PROCESS)
    else:
        watch(process, system.make_reference().number, tell)
    return _OK
