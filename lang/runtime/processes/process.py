"""The record of one process: what the scheduler knows about it.

A process owns a mailbox and, only while one of its messages runs or waits, a stack (a greenlet borrowed from
the scheduler's pool): an idle actor owns none (actors.md 21.1). Records are changed by the scheduler's own
thread only.
"""

from __future__ import annotations

import enum
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from lang.runtime.processes.reasons import NORMAL

if TYPE_CHECKING:
    from greenlet import greenlet

    from lang.runtime.instances import ActorObject
    from lang.runtime.processes.messages import Message
    from lang.runtime.processes.pid import Pid


class ProcessKind(enum.Enum):
    """What made a process, and so how it ends (actors.md 1.1)."""

    ACTOR = "actor"
    SUPERVISOR = "supervisor"
    TIMER = "timer"
    WORKER = "worker"
    HANDLER = "handler"
    WATCHER = "watcher"
    TOP_LEVEL = "top level"
    HOST = "host"

    @property
    def lives_on(self) -> bool:
        """Whether the process stays when its mailbox is empty."""
        return self in _LIVING_ON

    @property
    def survives_links(self) -> bool:
        """Whether the abnormal end of a linked process leaves this one alone (actors.md 1.5)."""
        return self in _SURVIVING


_LIVING_ON = frozenset({ProcessKind.ACTOR, ProcessKind.SUPERVISOR, ProcessKind.HOST})
_SURVIVING = frozenset({ProcessKind.SUPERVISOR, ProcessKind.TOP_LEVEL, ProcessKind.HOST})


class Wait(Protocol):
    """What a parked process waits for."""

    def abandon(self) -> None:
        """The process no longer waits: what was awaited must not wake it later."""

    def target(self) -> Process | None:
        """The process whose answer is awaited, if it is an answer (actors.md 7)."""


class ProcessSignal(enum.Enum):
    """What a process must do at its next safe point."""

    INTERRUPT = "interrupt"
    KILL = "kill"


class MethodCost:
    """What sends of one selector to one actor have cost so far; times in nanoseconds (actors.md 16)."""

    __slots__ = ("calls", "errors", "longest", "shortest", "timeouts", "total")

    def __init__(self) -> None:
        self.calls = 0
        self.errors = 0
        self.timeouts = 0
        self.total = 0
        self.shortest = 0
        self.longest = 0

    @property
    def ok(self) -> int:
        """How many ended well."""
        return self.calls - self.errors - self.timeouts


class Process:
    """One process. `idle` is true while no message runs, waits or is queued."""

    __slots__ = (
        "actor",
        "context",
        "costs",
        "dead",
        "exit_reason",
        "exit_watchers",
        "greenlet",
        "idle",
        "inline_target",
        "interrupted",
        "is_stopping",
        "kind",
        "label",
        "links",
        "lives_on",
        "mailbox",
        "message",
        "owned",
        "parked",
        "patience",
        "pid",
        "signal",
        "stop_reason",
    )

    def __init__(self, pid: Pid, kind: ProcessKind, label: str, patience: float | None) -> None:
        self.pid = pid
        self.kind = kind
        self.lives_on = kind.lives_on
        self.label = label
        self.patience = patience
        """Seconds that a sync send to this process waits for its answer; None waits for ever."""
        self.mailbox: deque[Message] = deque()
        self.actor: ActorObject | None = None
        self.greenlet: greenlet | None = None
        self.message: Message | None = None
        self.parked: Wait | None = None
        self.inline_target: Process | None = None
        self.signal: ProcessSignal | None = None
        self.context: object = None
        """The trace context that is in force (actors.md 16); None is the empty one."""
        self.costs: dict[str, MethodCost] | None = None
        self.interrupted = False
        self.idle = True
        self.dead = False
        self.is_stopping = False
        """The process ends, with `stop_reason`, when its present message is done; also of one that has ended."""
        self.stop_reason: object = NORMAL
        self.exit_reason: object = None
        self.links: set[Process] | None = None
        self.exit_watchers: dict[int, Callable[[object], None]] | None = None
        self.owned: dict[int, Callable[[], None]] | None = None

    def __repr__(self) -> str:
        return f"<Process {self.pid} {self.label} {self.kind.value}>"

    def awaits(self) -> Process | None:
        """The process that must answer before this one can go on."""
        parked = self.parked
        return self.inline_target if parked is None else parked.target()

    def is_in_chain_of(self, other: Process) -> bool:
        """Whether this process waits, directly or through others, for `other` (actors.md 7)."""
        step: Process | None = self
        while step is not None:
            if step is other:
                return True
            step = step.awaits()
        return False


def chain_to(caller: Process, target: Process) -> tuple[Process, ...]:
    """The processes that wait for `caller`, from `target` on."""
    chain = []
    step: Process | None = target
    while step is not None and step is not caller:
        chain.append(step)
        step = step.awaits()
    return tuple(chain)


def link(one: Process, other: Process) -> None:
    """Tie two processes: the abnormal end of one ends the other (actors.md 1.5)."""
    for process, peer in ((one, other), (other, one)):
        if process.links is None:
            process.links = set()
        process.links.add(peer)


def unlink(one: Process, other: Process) -> None:
    """Undo `link`; no effect on processes that are not linked."""
    for process, peer in ((one, other), (other, one)):
        if process.links is not None:
            process.links.discard(peer)
