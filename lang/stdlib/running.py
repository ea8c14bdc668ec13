"""Who runs: the process that a library method is called by (actors.md 18).

Guarantees: the top level of a session counts as one owner that never ends, so that what
it made survives an input. Leaves: scheduling.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lang.runtime.processes.actor_system import ActorSystem
from lang.runtime.processes.process import Process, ProcessKind

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

_OF_THE_SESSION: Final = frozenset({ProcessKind.TOP_LEVEL, ProcessKind.HOST})


def running_process(runtime: Runtime) -> Process | None:
    """The process that runs now; None at the top level, and where there is no scheduler."""
    system = runtime.processes
    if not isinstance(system, ActorSystem):
        return None
    process = system.scheduler.current
    return None if process.kind in _OF_THE_SESSION else process


def is_running(owner: object) -> bool:
    """Whether what `running_process` answered has not ended."""
    return not (isinstance(owner, Process) and owner.dead)


def send_raw_to(runtime: Runtime, process: Process, term: object) -> bool:
    """Send a raw message (actors.md 11); false when the process has ended."""
    system = runtime.processes
    if process.dead or not isinstance(system, ActorSystem):
        return False
    system.send_raw(process, term)
    return True
