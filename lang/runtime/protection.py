"""`on:do:` and `ensure:` as generated code and the library run them (language.md 4.14).

Guarantees: a handler sees a `BeamtalkError`, whatever the host raised; `^`, kills and
interrupts pass; slots that the running actor wrote inside a protected block go back
before the handler runs (actors.md 5, point 4).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from lang.runtime.blocks import call_block, call_with_at_most
from lang.runtime.classes import ClassObject
from lang.runtime.errors import BeamtalkError, as_beamtalk_error
from lang.runtime.instances import begin_protected, keep_protected, undo_protected

if TYPE_CHECKING:
    from lang.runtime.blocks import Block
    from lang.runtime.instances import ActorObject
    from lang.runtime.runtime import Runtime

Journal = tuple["ActorObject", dict[str, object]] | None
"""The running actor and the journal of the region around; None outside actors."""


def operations(runtime: Runtime) -> dict[str, Callable[..., object]]:
    """What generated code calls around a protected block."""
    return {
        "$begin": lambda: begin(runtime),
        "$keep": keep,
        "$undo": undo,
        "$caught": lambda fault, wanted: caught(runtime, fault, wanted),
    }


def begin(runtime: Runtime) -> Journal:
    """Enter a protected block."""
    actor = runtime.processes.current_actor
    return (actor, begin_protected(actor)) if actor is not None else None


def keep(journal: Journal) -> None:
    """Leave a protected block whose slot writes stay."""
    if journal is not None:
        keep_protected(*journal)


def undo(journal: Journal) -> None:
    """Leave a protected block whose slot writes are undone."""
    if journal is not None:
        undo_protected(*journal)


def caught(runtime: Runtime, fault: Exception, wanted: object) -> BeamtalkError | None:
    """The exception object if `on: wanted` catches the fault; `nil` catches all, no class nothing."""
    error = as_beamtalk_error(fault)
    if wanted is None:
        return error
    if isinstance(wanted, ClassObject) and runtime.is_kind_of(error, wanted):
        return error
    return None


def on_do(runtime: Runtime, body: Block, wanted: object, handler: Block) -> object:
    """`[body] on: wanted do: handler` for blocks that are not written in place."""
    journal = begin(runtime)
    try:
        result = call_block(body, ())
    except Exception as fault:
        error = caught(runtime, fault, wanted)
        if error is None:
            keep(journal)
            raise
        undo(journal)
    except BaseException:
        keep(journal)
        raise
    else:
        keep(journal)
        return result
    return call_with_at_most(handler, error)


def ensure(runtime: Runtime, body: Block, cleanup: Block) -> object:
    """`[body] ensure: cleanup` for blocks that are not written in place."""
    journal = begin(runtime)
    try:
        result = call_block(body, ())
    except Exception:
        undo(journal)
        call_block(cleanup, ())
        raise
    except BaseException:
        keep(journal)
        call_block(cleanup, ())
        raise
    keep(journal)
    call_block(cleanup, ())
    return result
