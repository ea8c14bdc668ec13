"""What Supervisor and DynamicSupervisor have in common: primitives over running supervisors (actors.md 13.3)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from lang.runtime.classes import ClassObject
from lang.runtime.errors import BeamtalkError, as_beamtalk_error
from lang.runtime.processes.actor_system import actors_of
from lang.runtime.processes.supervision import Supervision

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime


def supervise(runtime: Runtime, class_object: ClassObject) -> object:
    """`S supervise`: the running one, or a fresh one; its start hook runs in the caller."""
    supervisors = actors_of(runtime).supervisors
    running = supervisors.running(class_object)
    if running is not None:
        return runtime.make_result_ok(running.reference)
    try:
        runtime.shapes.check_instantiable(class_object, "supervise")
        fresh = supervisors.start(class_object)
    except Exception as fault:  # noqa: BLE001 (whatever the class-side methods raise is the cause)
        cause = as_beamtalk_error(fault)
        error = BeamtalkError(
            "supervisor_start_failed", class_name=class_object.name, selector="supervise", hint=str(cause)
        )
        return runtime.make_result_error(error)
    runtime.send_own(class_object, "initialize:", (fresh.reference,))
    return runtime.make_result_ok(fresh.reference)


def current(runtime: Runtime, class_object: ClassObject) -> object:
    """`S current`."""
    running = actors_of(runtime).supervisors.running(class_object)
    return running.reference if running is not None else None


def live(runtime: Runtime, reference: object, selector: str) -> Supervision:
    """The supervision behind a reference; raises `stale_handle` when it has ended."""
    supervision = actors_of(runtime).supervisors.find(reference)
    if supervision is None or supervision.process.dead:
        name = runtime.class_name_of(reference)
        raise BeamtalkError(
            "stale_handle", class_name=name, selector=selector, hint="The supervisor has ended."
        )
    return supervision


def is_alive(runtime: Runtime, reference: object) -> bool:
    """Whether the supervisor runs."""
    supervision = actors_of(runtime).supervisors.find(reference)
    return supervision is not None and not supervision.process.dead


def text_of(runtime: Runtime, reference: object, family: str) -> str:
    """`Supervisor(Class, 0.N.0)`."""
    supervision = actors_of(runtime).supervisors.find(reference)
    where = "not running" if supervision is None else str(supervision.process.pid)
    return f"{family}({runtime.class_name_of(reference)}, {where})"


def attempt(
    runtime: Runtime, reference: object, selector: str, failure: str, action: Callable[[Supervision], object]
) -> object:
    """A Result: of the action on a live supervisor, or an error of kind `stale_handle` or `failure`."""
    try:
        supervision = live(runtime, reference, selector)
    except BeamtalkError as stale:
        return runtime.make_result_error(stale)
    try:
        return runtime.make_result_ok(action(supervision))
    except Exception as fault:  # noqa: BLE001 (whatever the child raises is the cause)
        cause = as_beamtalk_error(fault)
        name = runtime.class_name_of(reference)
        return runtime.make_result_error(
            BeamtalkError(failure, class_name=name, selector=selector, hint=str(cause))
        )
