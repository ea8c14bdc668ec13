"""Every live process by number, and what the end of one means for the others (actors.md 1.5, 8).

Comes in: a process and the reason of its end. Guarantees: numbers are never given twice; when a process is buried its
waiters have been answered, what it owns released, its watchers told, its links followed. Leaves: stacks, which the
scheduler unwinds afterwards.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from lang.runtime.processes.messages import Message, RequestState
from lang.runtime.processes.pid import Pid
from lang.runtime.processes.process import Process, ProcessKind
from lang.runtime.processes.reasons import is_abnormal

DEFAULT_PATIENCE: Final = 5.0
"""Seconds that a sync send waits for its answer (actors.md 4.1)."""


class ProcessTable:
    """The live processes of one scheduler. `wake` makes a parked process runnable."""

    def __init__(
        self, wake: Callable[[Process], None], tell_ended: Callable[[Process, object], None]
    ) -> None:
        self.live: dict[int, Process] = {}
        self.tell_ended = tell_ended
        """Told of every process that ends, with the reason, after its own watchers."""
        self._wake = wake
        self._last_number = 0

    def make(self, kind: ProcessKind, label: str, patience: float | None = DEFAULT_PATIENCE) -> Process:
        """A new, idle process."""
        self._last_number = number = self._last_number + 1
        process = self.live[number] = Process(Pid(number), kind, label, patience)
        return process

    def reserve(self) -> Pid:
        """An identity that no process will have."""
        self._last_number += 1
        return Pid(self._last_number)

    def find(self, pid: Pid) -> Process | None:
        """The live process of that identity."""
        return self.live.get(pid.number)

    def bury_linked(self, first: Process, reason: object) -> list[Process]:
        """Take a process out of the world with all that its links take along; answers who was ended."""
        victims: list[Process] = []
        doomed = [first]
        while doomed:
            process = doomed.pop()
            if process.dead:
                continue
            victims.append(process)
            peers = self._bury(process, reason)
            if is_abnormal(reason):
                doomed.extend(peer for peer in peers if not peer.kind.survives_links)
        return victims

    def _bury(self, process: Process, reason: object) -> tuple[Process, ...]:
        """Take a process out of the world; its stack, if any, is still there. Answers its links."""
        process.dead = True
        process.is_stopping = True
        process.idle = False
        process.exit_reason = reason
        self.live.pop(process.pid.number, None)
        if process.parked is not None:
            process.parked.abandon()
            process.parked = None
        for message in (process.message, *process.mailbox):
            if message is not None:
                self._lose(message, reason)
        process.mailbox.clear()
        peers = tuple(process.links or ())
        for peer in peers:
            if peer.links is not None:
                peer.links.discard(process)
        process.links = None
        self._tell_end(process, reason)
        return peers

    def _tell_end(self, process: Process, reason: object) -> None:
        owned, process.owned = process.owned, None
        for release in tuple((owned or {}).values()):
            release()
        watchers, process.exit_watchers = process.exit_watchers, None
        for watcher in tuple((watchers or {}).values()):
            watcher(reason)
        self.tell_ended(process, reason)

    def _lose(self, message: Message, reason: object) -> None:
        if message.state is not RequestState.WAITING:
            return
        message.lost(reason)
        caller = message.caller
        if caller is not None:
            message.abandon()
            self._wake(caller)
