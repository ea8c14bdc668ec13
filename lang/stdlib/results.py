"""Results from library operations: what succeeds, what fails in an ordinary way (stdlib.md 2.8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lang.runtime.errors import BeamtalkError, as_beamtalk_error
from lang.runtime.protection import begin, keep, undo

if TYPE_CHECKING:
    from lang.runtime.blocks import Block
    from lang.runtime.runtime import Runtime


def attempt(runtime: Runtime, block: Block) -> object:
    """The value of a block as a success, or what it raised as a failure; `^` passes (stdlib.md 2.6)."""
    journal = begin(runtime)
    try:
        value = block()
    except Exception as fault:  # noqa: BLE001 - whatever is raised is the reason
        undo(journal)
        return runtime.make_result_error(as_beamtalk_error(fault))
    except BaseException:
        keep(journal)
        raise
    keep(journal)
    return runtime.make_result_ok(value)


def failure(
    runtime: Runtime,
    kind: str,
    class_name: str,
    selector: str,
    *,
    message: str | None = None,
    hint: str | None = None,
) -> object:
    """A failed Result whose reason is an error object of that kind."""
    error = BeamtalkError(kind, message, class_name=class_name, selector=selector, hint=hint)
    return runtime.make_result_error(error)


def as_reason(runtime: Runtime, reason: object) -> BeamtalkError:
    """A reason as an error object; one that is none is wrapped into a `runtime_error`."""
    if isinstance(reason, BeamtalkError):
        return reason
    return BeamtalkError(
        "runtime_error", runtime.display_string(reason), class_name="Result", selector="fromTuple:"
    )
