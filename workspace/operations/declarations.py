"""Declaring a protocol, an alias or another unit typed at the prompt (workspace.md 3.3)."""

from __future__ import annotations

from lang.syntax.units import ParsedUnit, UnitKind
from workspace import drafting
from workspace.change import Change, Operation, Refusal
from workspace.operations import syntax_errors
from workspace.operations.classes import new_unit
from workspace.refactor import naming_refusals
from workspace.state import ImageState, StateBuilder


def declare(parsed: ParsedUnit) -> Operation:
    """The operation that puts one protocol or alias into the image; it is not logged (changes.md 2.1)."""

    def plan(state: ImageState) -> Change | Refusal:
        errors = syntax_errors.findings((parsed,))
        if errors:
            return Refusal("compile_failed", errors[0].diagnostic.message, findings=errors)
        return _declared(state, parsed)

    return plan


def _declared(state: ImageState, parsed: ParsedUnit) -> Change | Refusal:
    name = parsed.name.owner
    held = state.protocols if parsed.name.kind is UnitKind.PROTOCOL else state.aliases
    if name not in held:
        taken = naming_refusals.name_taken(state, name)
        if taken is not None:
            return taken
    builder = StateBuilder(state)
    if name in held:
        builder.drop(held[name])
    builder.put(new_unit(builder, parsed, None))
    finished = drafting.finished(builder)
    if isinstance(finished, Refusal):
        return finished
    return Change(state, finished, frozenset(builder.touched))
