"""Dynamic sends: `perform:` and its family (stdlib.md 3.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lang.runtime.blocks import is_block
from lang.runtime.dispatch import arity_of, class_variables, restore_class_variables
from lang.runtime.errors import BeamtalkError, block_arity_mismatch
from lang.runtime.instances import ActorObject
from lang.runtime.symbols import Symbol
from lang.stdlib import arguments as expect

if TYPE_CHECKING:
    from lang.runtime.classes import ClassObject
    from lang.runtime.runtime import Runtime

_VALUE_FAMILY = frozenset({"value", "value:", "value:value:", "value:value:value:"})


def perform(runtime: Runtime, receiver: object, selector: object, arguments: object, asked_by: str) -> object:
    """Send `selector` with the elements of `arguments`; the count has to fit the selector."""
    name, values = _message(runtime, receiver, selector, arguments, asked_by)
    return runtime.send(receiver, name, *values)


def perform_here(
    runtime: Runtime, receiver: ClassObject, selector: object, arguments: object, asked_by: str
) -> object:
    """As `perform` of a class method, not in the process of the class: its class variables stay as they were."""
    name, values = _message(runtime, receiver, selector, arguments, asked_by)
    before = class_variables(receiver)
    try:
        return runtime.send_own(receiver, name, values)
    finally:
        restore_class_variables(receiver, before)


def perform_within(
    runtime: Runtime, receiver: ActorObject, selector: object, arguments: object, timeout: object
) -> object:
    """As `perform`, waiting at most `timeout` milliseconds, or for ever with `#infinity`, for an actor."""
    asked_by = "perform:withArguments:timeout:"
    name, values = _message(runtime, receiver, selector, arguments, asked_by)
    limit: float | None
    if isinstance(timeout, Symbol) and timeout.name == "infinity":
        limit = None
    else:
        limit = expect.natural(timeout, runtime.class_name_of(receiver), asked_by) / 1000
    return runtime.processes.call_within(receiver, name, values, limit)


def _message(
    runtime: Runtime, receiver: object, selector: object, arguments: object, asked_by: str
) -> tuple[str, tuple[object, ...]]:
    class_name = runtime.class_name_of(receiver)
    name = expect.name(selector, class_name, asked_by)
    values = tuple(expect.elements(arguments, class_name, asked_by))
    if len(values) != arity_of(name):
        if name in _VALUE_FAMILY and is_block(receiver):
            raise block_arity_mismatch(arity_of(name), len(values))
        raise BeamtalkError("arity_mismatch", class_name=class_name, selector=name)
    return name, values
