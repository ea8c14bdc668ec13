"""What nobody waits for and somebody should know: failures of processes (actors.md 5, 8, 12, 15; workspace.md 3.5).

Comes in: the reports of the scheduler (`Log` of `lang/runtime/processes/faults.py`). Guarantees: each is written to
the log once; each is offered to the prompt once, at most 200 in a second; a report never fails its cause. Leaves:
colours, and where the line appears.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from lang.runtime.errors import BeamtalkError, as_beamtalk_error
from lang.runtime.processes.process import Process, ProcessKind
from lang.runtime.processes.reasons import KILLED
from lang.stdlib.services import LogRecord
from workspace.runtime_log import RuntimeLog

SHOWN_A_SECOND: Final = 200

_OF_PROGRAMS: Final = frozenset({ProcessKind.ACTOR, ProcessKind.SUPERVISOR})


class ProcessReports:
    """The `Log` of one workspace's actors. `show` gets one line of text without end; None: nobody looks."""

    def __init__(
        self,
        log: RuntimeLog,
        show: Callable[[str], None] | None,
        wall_clock: Callable[[], int],
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._log = log
        self._show = None if show is None else _Throttle(show, monotonic)
        self._wall_clock = wall_clock

    def failed_message(self, process: Process, selector: str, error: BaseException) -> None:
        """A message, timer block, handler or hook raised, and nobody waits for its answer."""
        told = _told(error)
        facts = (*_facts(process), ("selector", selector), *_error_facts(error))
        self._write("warn", f"{_who(process)} failed in '{selector}': {told}", facts)

    def ended(self, process: Process, reason: object) -> None:
        """A process ended abnormally. A kill was somebody's wish; a failed start is told to who asked for it."""
        if process.kind not in _OF_PROGRAMS:
            return
        facts = (*_facts(process), ("reason", str(reason)))
        if reason is KILLED:
            self._log.record(self._record("info", f"{_who(process)} was killed", facts))
        elif isinstance(reason, BaseException):
            text = f"{_who(process)} did not start: {_told(reason)}"
            self._log.record(self._record("warn", text, (*facts, *_error_facts(reason))))
        else:
            self._write("warn", f"{_who(process)} stopped: {reason}", facts)

    def note(self, text: str) -> None:
        """Something that a user may want to know; of a text with several lines the last tells it."""
        self._log.record(self._record("warn", text, ()))
        if self._show is not None:
            self._show(text.strip().rpartition("\n")[2])

    def _write(self, level: str, text: str, facts: tuple[tuple[str, str], ...]) -> None:
        self._log.record(self._record(level, text, facts))
        if self._show is not None:
            self._show(text)

    def _record(self, level: str, text: str, facts: tuple[tuple[str, str], ...]) -> LogRecord:
        return LogRecord(self._wall_clock(), level, text, facts)


class _Throttle:
    """Hands on at most so many lines in a second, and says how many it did not."""

    def __init__(self, show: Callable[[str], None], monotonic: Callable[[], float]) -> None:
        self._show = show
        self._monotonic = monotonic
        self._second = 0
        self._shown = 0
        self._dropped = 0

    def __call__(self, text: str) -> None:
        second = int(self._monotonic())
        if second != self._second:
            self._second, self._shown = second, 0
        if self._shown == SHOWN_A_SECOND:
            self._dropped += 1
            return
        if self._dropped:
            dropped, self._dropped = self._dropped, 0
            self._show(f"… {dropped} lines dropped, see the log")
        self._shown += 1
        self._show(text)


def _who(process: Process) -> str:
    """`Actor(Till, 0.14.0)`, or what the process is."""
    match process.kind:
        case ProcessKind.ACTOR:
            return f"Actor({process.label}, {process.pid})"
        case ProcessKind.SUPERVISOR:
            return f"Supervisor({process.label}, {process.pid})"
        case _:
            return process.label


def _facts(process: Process) -> tuple[tuple[str, str], ...]:
    return (("pid", f"<{process.pid}>"), ("process", process.kind.value), ("class", process.label))


def _told(error: BaseException) -> str:
    """`RuntimeError: Till does not understand 'hop'`."""
    seen = _seen(error)
    return f"{seen.exception_class_name}: {seen.message}"


def _error_facts(error: BaseException) -> tuple[tuple[str, str], ...]:
    seen = _seen(error)
    return (("error", seen.exception_class_name), ("kind", seen.kind), ("cause", seen.message))


def _seen(error: BaseException) -> BeamtalkError:
    if isinstance(error, Exception):
        return as_beamtalk_error(error)
    return BeamtalkError("erlang_throw", "'^' cannot return to another process")
