"""Calls of the host that may take long (design, "Prompt and image")."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeVar

from lang.runtime.processes.actor_system import ActorSystem
from lang.runtime.processes.blocking import BlockingCalls
from lang.stdlib.services import services_of

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

T = TypeVar("T")

INLINE_OCTETS: Final = 262_144
"""A file operation on so many bytes is done in place: it costs less than the way to a thread and back (50 us)."""


def run_blocking(runtime: Runtime, call: Callable[[], T]) -> T:
    """The answer of a host call on plain values; where there is a scheduler, only the caller waits."""
    system = runtime.processes
    if not isinstance(system, ActorSystem):
        return call()
    services = services_of(runtime)
    if services.blocking_calls is None:
        services.blocking_calls = BlockingCalls(system.scheduler)
    return services.blocking_calls.run(call)


def run_sized(runtime: Runtime, octets: int | None, call: Callable[[], T]) -> T:
    """The answer of a file operation on that many bytes; None for a number that is not known."""
    if octets is not None and octets <= INLINE_OCTETS:
        return call()
    return run_blocking(runtime, call)
