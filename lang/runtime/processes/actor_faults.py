"""The errors of sends to actors, as Beamtalk exceptions (actors.md 4.1, 5, 7, 8; stdlib.md 2.7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lang.runtime.blocks import NonLocalReturn
from lang.runtime.collections.lists import list_from
from lang.runtime.collections.mappings import dictionary_of
from lang.runtime.errors import BeamtalkError, as_beamtalk_error, default_message
from lang.runtime.processes.process import Process
from lang.runtime.symbols import symbol

_HOST_FAULTS: Final = frozenset({"badarith", "badarg", "error", "system_limit"})
"""Raw kinds of faults that come from the host and not from a `BeamtalkError` somebody raised."""


class BeamtalkFaults:
    """The `Faults` of a scheduler that runs Beamtalk actors."""

    def actor_dead(self, selector: str, process: Process) -> BeamtalkError:
        """The process has ended (actors.md 4.1)."""
        return BeamtalkError(
            "actor_dead",
            default_message("actor_dead", process.label, selector),
            class_name="unknown",
            selector=selector,
            hint="Ask isAlive before the send, or watch the actor with monitor or onExit:.",
            details=process.exit_reason,
        )

    def timeout(self, selector: str, _process: Process, /) -> BeamtalkError:
        """No answer came in time; the callee runs on (actors.md 4.1)."""
        return BeamtalkError(
            "timeout",
            class_name="unknown",
            selector=selector,
            hint="The actor may be slow, loaded or deadlocked; withTimeout: gives it more time.",
        )

    def deadlock(self, selector: str, process: Process, chain: Sequence[Process]) -> BeamtalkError:
        """The target waits, further up, for the sender (actors.md 7)."""
        return BeamtalkError(
            "deadlock_detected",
            class_name=process.label,
            selector=selector,
            hint="The target already waits for this send, further up the chain of calls.",
            details=dictionary_of(
                [
                    (symbol("chain"), list_from([waiting.pid for waiting in chain])),
                    (symbol("pid"), process.pid),
                    (symbol("timeoutCompatible"), True),
                ]
            ),
        )

    def classify(self, error: BaseException, process: Process, selector: str) -> BaseException:
        """What the sender sees of an exception that left a method."""
        match error:
            case NonLocalReturn():
                return BeamtalkError(
                    "erlang_throw",
                    f"'^' cannot return to another process from '{selector}'",
                    class_name=process.label,
                    selector=selector,
                )
            case Exception():
                return _located(as_beamtalk_error(error), process.label, selector)
            case _:
                return error


def _located(error: BeamtalkError, class_name: str, selector: str) -> BeamtalkError:
    """A host fault is blamed on the method that it left: `Kettle>>spill: …` (actors.md 4.1)."""
    if error.raw_kind in _HOST_FAULTS and ">>" not in error.message:
        error.message = f"{class_name}>>{selector}: {error.message}"
        error.class_name = error.class_name or class_name
        error.selector = error.selector or selector
    return error


def instantiation_error(class_name: str, selector: str, hint: str) -> BeamtalkError:
    """A spawn that failed; the hint tells why (actors.md 2.2)."""
    return BeamtalkError("instantiation_error", class_name=class_name, selector=selector, hint=hint)


def type_error(class_name: str, selector: str, hint: str) -> BeamtalkError:
    """An argument of the wrong kind."""
    return BeamtalkError("type_error", class_name=class_name, selector=selector, hint=hint)
