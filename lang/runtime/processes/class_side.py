"""Class methods run one after the other, as if each class were a process (actors.md 3, 10).

The method itself runs on the stack of its caller, so that an interrupt or a kill of the caller reaches it: a method
that loops does not keep its class for ever. What there is of the process is its identity, its queue and its
refusal to wait for itself. Guarantees: two processes never run methods of one class at the same time; a class that
is sent a message while it runs one for the same chain of waiting processes answers `dispatch_error` at once;
waiting for a turn is limited to 60 s. Leaves: which methods run in the class, class variables and their way back
after an error to dispatch.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final

from lang.runtime.errors import BeamtalkError
from lang.runtime.processes.pid import Pid
from lang.runtime.processes.process import Process
from lang.runtime.processes.waits import Gate

if TYPE_CHECKING:
    from lang.runtime.classes import ClassObject
    from lang.runtime.processes.scheduler import Scheduler

_PATIENCE: Final = 60.0
"""Seconds that a caller waits for its turn (actors.md 10.2)."""


class ClassProcesses:
    """Who runs class methods of which class, in one image."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        self._holders: dict[ClassObject, Process] = {}
        self._waiting: dict[ClassObject, deque[Gate]] = {}
        self._pids: dict[ClassObject, Pid] = {}

    def enter(self, class_object: ClassObject, selector: str) -> bool:
        """Begin a class method for the running process, when it is the class's turn; whether `leave` must follow.

        Sends to `self` do not come here while the class is inside: they are direct.
        """
        current = self._scheduler.current
        while (holder := self._holders.get(class_object)) is not None:
            if holder is current or holder.is_in_chain_of(current):
                raise _would_deadlock(class_object, selector)
            self._wait_for_turn(class_object, selector)
        self._holders[class_object] = current
        return True

    def leave(self, class_object: ClassObject) -> None:
        """End a class method: the next one in the queue may begin."""
        self._holders.pop(class_object, None)
        waiting = self._waiting.get(class_object)
        if waiting:
            waiting.popleft().open()

    def _wait_for_turn(self, class_object: ClassObject, selector: str) -> None:
        gate = Gate(self._scheduler)
        queue = self._waiting.setdefault(class_object, deque())
        queue.append(gate)
        try:
            has_come = gate.wait_at_most(_PATIENCE)
        except BaseException:
            self._step_back(class_object, queue, gate)
            raise
        if not has_come:
            self._step_back(class_object, queue, gate)
            raise BeamtalkError("timeout", class_name=class_object.name, selector=selector)

    def _step_back(self, class_object: ClassObject, queue: deque[Gate], gate: Gate) -> None:
        """A process no longer waits; a turn that it was given meanwhile goes to the next."""
        if gate in queue:
            queue.remove(gate)
        elif gate.is_open and class_object not in self._holders and queue:
            queue.popleft().open()

    def is_inside(self, class_object: ClassObject) -> bool:
        """Whether the running process runs a class method of that class."""
        return self._holders.get(class_object) is self._scheduler.current

    def pid_of(self, process: Process) -> Pid:
        """The identity that running code sees: of the class whose method it runs, else its process's own."""
        for class_object, holder in reversed(self._holders.items()):
            if holder is process:
                found = self._pids.get(class_object)
                if found is None:
                    found = self._pids[class_object] = self._scheduler.processes.reserve()
                return found
        return process.pid


def _would_deadlock(class_object: ClassObject, selector: str) -> BeamtalkError:
    return BeamtalkError(
        "dispatch_error",
        f"Dispatch error for '{selector}' on {class_object.name}",
        class_name=class_object.name,
        selector=selector,
        hint="The class runs a class method for this very caller: the send would deadlock. Use self inside the class.",
    )
