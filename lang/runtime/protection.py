"""`on:do:` and `ensure:` as generated code and the library run them (language.md 4.14).

Guarantees: a handler sees a `BeamtalkError`, whatever the host raised; `^`, kills and
interrupts pass; slots that the running actor wrote inside a protected block go back
before the handler runs (actors.md 5, point 4).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from lang.runtime.blocks import call_block, call_with_at_most
from lang.runtime.classes import ClassObject
from lang.runtime.errors import BeamtalkError, as_beamtalk_error
from lang.runtime.instances import begin_protected, keep_protected, undo_protected
from lang.runtime.processes.signals import ProcessKilled

if TYPE_CHECKING:
    from lang.runtime.blocks import Block
    from lang.runtime.instances import ActorObject
    from lang.runtime.runtime import Runtime


class Journal:
    """A protected block of the running actor: the journal of the region around, until it ends."""

    __slots__ = ("actor", "outer")

    def __init__(self, actor: ActorObject) -> None:
        self.actor: ActorObject | None = actor
        self.outer = begin_protected(actor)

    def keep(self) -> None:
        """What was written stays; does nothing after `undo`."""
        if self.actor is not None:
            keep_protected(self.actor, self.outer)
            self.actor = None

    def undo(self) -> None:
        """What was written goes back."""
        if self.actor is not None:
            undo_protected(self.actor, self.outer)
            self.actor = None


def operations(runtime: Runtime) -> dict[str, Callable[..., object]]:
    """What generated code calls around a protected block."""
    return {
        "$begin": lambda: begin(runtime),
        "$end": Journal.keep,
        "$undo": undo,
        "$caught": lambda journal, fault, wanted: caught_and_undone(runtime, journal, fault, wanted),
        "$cleans_up": cleans_up,
    }


def begin(runtime: Runtime) -> Journal | None:
    """Enter a protected block; None outside actors."""
    actor = runtime.processes.current_actor
    return Journal(actor) if actor is not None else None


def keep(journal: Journal | None) -> None:
    """Leave a protected block whose slot writes stay."""
    if journal is not None:
        journal.keep()


def undo(journal: Journal | None) -> None:
    """Leave a protected block whose slot writes are undone."""
    if journal is not None:
        journal.undo()


def cleans_up() -> bool:
    """Whether `ensure:` runs its cleanup: not when the process was killed (actors.md 1.5)."""
    return not isinstance(sys.exc_info()[1], ProcessKilled)


def caught(runtime: Runtime, fault: Exception, wanted: object) -> BeamtalkError | None:
    """The exception object if `on: wanted` catches the fault.

    `nil` catches all; what is no exception class catches nothing.
    """
    error = as_beamtalk_error(fault)
    if wanted is None or (isinstance(wanted, ClassObject) and runtime.is_kind_of(error, wanted)):
        return error
    return None


def caught_and_undone(
    runtime: Runtime, journal: Journal | None, fault: Exception, wanted: object
) -> BeamtalkError | None:
    """The same for the end of a protected block: when the fault is caught, the slots go back first."""
    error = caught(runtime, fault, wanted)
    if error is not None:
        undo(journal)
    return error


def on_do(runtime: Runtime, body: Block, wanted: object, handler: Block) -> object:
    """`[body] on: wanted do: handler` for blocks that are not written in place."""
    journal = begin(runtime)
    try:
        return call_block(body, ())
    except Exception as fault:
        error = caught_and_undone(runtime, journal, fault, wanted)
        if error is None:
            raise
    finally:
        keep(journal)
    return call_with_at_most(handler, error)


def ensure(runtime: Runtime, body: Block, cleanup: Block) -> object:
    """`[body] ensure: cleanup` for blocks that are not written in place."""
    journal = begin(runtime)
    try:
        return call_block(body, ())
    except Exception:
        undo(journal)
        raise
    finally:
        keep(journal)
        if cleans_up():
            call_block(cleanup, ())
