"""Primitives of Parallel (actors.md 17, stdlib.md 4.16)."""

from __future__ import annotations

from types import FunctionType
from typing import TYPE_CHECKING

from lang.runtime.blocks import Block, copy_for_crossing
from lang.runtime.classes import ClassObject
from lang.runtime.collections.lists import BtList, list_from
from lang.runtime.errors import BeamtalkError
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.processes.actor_faults import type_error
from lang.runtime.processes.actor_system import actors_of
from lang.runtime.processes.durations import milliseconds_or_self
from lang.runtime.processes.messages import Ended, Outcome, Raised, Returned
from lang.runtime.processes.reasons import label

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

PARALLEL = PrimitiveTable("Parallel")


@PARALLEL.runtime_primitive("all:", class_side=True)
def run_all(runtime: Runtime, self: ClassObject, blocks: object) -> BtList:
    outcomes = actors_of(runtime).crew(_checked(blocks, "all:"), lambda crew: crew.outcomes())
    return list_from([_result(runtime, outcome, "all:") for outcome in outcomes])


@PARALLEL.runtime_primitive("all:timeout:", class_side=True)
def run_all_within(runtime: Runtime, self: ClassObject, blocks: object, limit: object) -> BtList:
    checked = _checked(blocks, "all:timeout:")
    ms = milliseconds_or_self(runtime, limit)
    if type(ms) is not int or ms < 0:
        raise type_error("Parallel", "all:timeout:", "A deadline is a number of milliseconds or a Duration.")
    seconds = ms / 1000
    outcomes = actors_of(runtime).crew(checked, lambda crew: crew.outcomes_within(seconds))
    return list_from([_result(runtime, outcome, "all:timeout:") for outcome in outcomes])


@PARALLEL.runtime_primitive("any:", class_side=True)
def run_any(runtime: Runtime, self: ClassObject, blocks: object) -> object:
    checked = _checked(blocks, "any:")
    if not checked:
        raise type_error("Parallel", "any:", "any: needs at least one block.")
    outcomes = actors_of(runtime).crew(checked, lambda crew: crew.outcomes_until(_is_ok))
    winner = next((outcome for outcome in outcomes if _is_ok(outcome)), None)
    if isinstance(winner, Returned):
        return runtime.make_result_ok(winner.value)
    return runtime.make_result_error(list_from([_error(runtime, outcome, "any:") for outcome in outcomes]))


def _is_ok(outcome: Outcome) -> bool:
    return isinstance(outcome, Returned)


def _checked(blocks: object, selector: str) -> list[Block]:
    if not isinstance(blocks, BtList):
        raise type_error("Parallel", selector, "Expected a List of blocks.")
    checked: list[Block] = []
    for block in blocks:
        if type(block) is not FunctionType or block.__code__.co_argcount:
            raise type_error("Parallel", selector, "Every element has to be a block without arguments.")
        checked.append(copy_for_crossing(block))
    return checked


def _result(runtime: Runtime, outcome: Outcome, selector: str) -> object:
    if isinstance(outcome, Returned):
        return runtime.make_result_ok(outcome.value)
    return runtime.make_result_error(_error(runtime, outcome, selector))


def _error(runtime: Runtime, outcome: Outcome, selector: str) -> BaseException:
    match outcome:
        case Raised(error):
            system = actors_of(runtime)
            return system.scheduler.faults.classify(error, system.scheduler.current, "value")
        case Ended(reason):
            hint = f"The block was ended: {label(reason)}."
            return BeamtalkError("timeout", class_name="Parallel", selector=selector, hint=hint)
        case Returned():
            raise AssertionError("a value is no error")
