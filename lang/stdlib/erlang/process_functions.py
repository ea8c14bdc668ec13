"""`Erlang erlang`: processes, messages and time (stdlib.md 8, actors.md 9, 11)."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from lang.runtime.instances import ActorObject
from lang.runtime.processes import ending
from lang.runtime.processes.actor_system import ActorSystem, actors_of
from lang.runtime.processes.pid import Pid, Reference
from lang.runtime.processes.process import Process, unlink
from lang.stdlib.erlang.terms import BadArgument, ErlangModule, name, natural

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

PROCESSES = ErlangModule("erlang")
_PER_SECOND: Final = {
    "second": 1,
    "millisecond": 1_000,
    "microsecond": 1_000_000,
    "nanosecond": 1_000_000_000,
    "native": 1_000_000_000,
}
_NANOSECONDS: Final = 1_000_000_000


def _process(system: ActorSystem, value: object, selector: str) -> Process | None:
    """The live or dead process that a Pid or an actor names; None for a Pid that is gone."""
    if isinstance(value, ActorObject):
        return system.process_of(value, selector)
    if isinstance(value, Pid):
        return system.scheduler.processes.find(value)
    raise BadArgument("Expected a Pid or an actor")


@PROCESSES.runtime_function("self")
def own_pid(runtime: Runtime) -> Pid:
    system = actors_of(runtime)
    return system.classes.pid_of(system.scheduler.current)


@PROCESSES.runtime_function("send")
def send(runtime: Runtime, destination: object, term: object) -> object:
    system = actors_of(runtime)
    target = _process(system, destination, "send:msg:")
    if target is not None:
        system.send_raw(target, term)
    return term


@PROCESSES.runtime_function("send_after")
def send_after(runtime: Runtime, delay: object, destination: object, term: object) -> Reference:
    system = actors_of(runtime)
    seconds = natural(delay) / 1000
    target = _process(system, destination, "send_after:dest:msg:")
    if target is not None:
        system.scheduler.after(seconds, lambda: system.send_raw(target, term))
    return system.make_reference()


@PROCESSES.runtime_function("monitor")
def monitor(runtime: Runtime, kind: object, watched: object) -> Reference:
    if name(kind) != "process":
        raise BadArgument("Only a #process can be watched")
    system = actors_of(runtime)
    target = _process(system, watched, "monitor:arg:")
    if target is None:
        return ending.monitor_gone(system, watched)
    return ending.monitor(system, target)


@PROCESSES.runtime_function("demonitor")
def demonitor(runtime: Runtime, reference: object) -> bool:
    if not isinstance(reference, Reference):
        raise BadArgument("Expected a Reference")
    return ending.demonitor(actors_of(runtime), reference)


@PROCESSES.runtime_function("unlink")
def unlinked(runtime: Runtime, other: object) -> bool:
    system = actors_of(runtime)
    target = _process(system, other, "unlink:")
    if target is not None:
        unlink(system.scheduler.current, target)
    return True


@PROCESSES.runtime_function("is_process_alive")
def is_process_alive(runtime: Runtime, pid: object) -> bool:
    target = _process(actors_of(runtime), pid, "is_process_alive:")
    return target is not None and not target.dead


@PROCESSES.runtime_function("exit")
def send_exit(runtime: Runtime, destination: object, reason: object) -> bool:
    system = actors_of(runtime)
    return ending.send_exit(system, _process(system, destination, "exit:with:"), reason)


@PROCESSES.runtime_function("make_ref")
def make_reference(runtime: Runtime) -> Reference:
    return actors_of(runtime).make_reference()


@PROCESSES.function("monotonic_time")
def monotonic_time() -> int:
    return time.monotonic_ns()


@PROCESSES.function("monotonic_time")
def monotonic_time_in(unit: object) -> int:
    return _in_unit(time.monotonic_ns(), unit)


@PROCESSES.function("system_time")
def system_time() -> int:
    return time.time_ns()


@PROCESSES.function("system_time")
def system_time_in(unit: object) -> int:
    return _in_unit(time.time_ns(), unit)


def _in_unit(nanoseconds: int, unit: object) -> int:
    per_second = _PER_SECOND.get(name(unit))
    if per_second is None:
        raise BadArgument(f"Expected one of {', '.join('#' + each for each in _PER_SECOND)}")
    return nanoseconds * per_second // _NANOSECONDS


@PROCESSES.runtime_function("unique_integer")
def unique_integer(runtime: Runtime) -> int:
    return actors_of(runtime).make_reference().number
