"""What a send to an actor calls: itself directly, an idle one inline or by hand-off, a busy one through its mailbox.

Comes in: a selector and the method that the actor's class has for it. Guarantees: a send to the running actor is a
direct call (actors.md 4.2). A *leaf* method runs on the caller's stack: it contains no send, no loop and no block, so
it cannot wait, and nobody can tell the difference (actors.md 21.2). Everything else runs on a stack of its own, which
outlives the caller's wait. State goes back when the method fails. Tables are emptied when a method changes, so that the
captured function is never an old one.
"""

from __future__ import annotations

import opcode
from collections.abc import Callable
from time import perf_counter_ns
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Final

from lang.runtime.blocks import copy_for_crossing
from lang.runtime.processes.messages import Request, RequestState
from lang.runtime.processes.signals import ProcessKilled
from lang.runtime.processes.turns import roll_back

if TYPE_CHECKING:
    from lang.runtime.classes import Function
    from lang.runtime.dispatch import Selector
    from lang.runtime.instances import ActorObject
    from lang.runtime.processes.messages import Addressed
    from lang.runtime.processes.process import Process
    from lang.runtime.processes.scheduler import Scheduler
    from lang.runtime.processes.tracing import Tracing

    Call = Callable[[Process, Addressed, object, tuple[object, ...]], object]

_HARMLESS_NAMES: Final = frozenset({"$tick", "$poll", "$type", "$int", "$float", "$truth", "_undo"})
_HARMLESS_PREFIXES: Final = ("f_", "$op ", "# ", "lit ")
"""Names in generated code that stand for no send: slots, operators on numbers, symbols, literals (lang/codegen/unit.py)."""

_BACKWARD: Final = frozenset(op for name, op in opcode.opmap.items() if "BACKWARD" in name)


def is_leaf(function: Function) -> bool:
    """Whether a method can neither wait nor run long: no send, no loop, no block, no call but of operators."""
    if type(function) is not FunctionType or "<unit>" not in function.__globals__:
        return False
    code = function.__code__
    if not all(name in _HARMLESS_NAMES or name.startswith(_HARMLESS_PREFIXES) for name in code.co_names):
        return False
    if any(isinstance(constant, CodeType) for constant in code.co_consts):
        return False
    # Every second byte is an operation; what the interpreter keeps between them reads as zero.
    return _BACKWARD.isdisjoint(code.co_code[::2])


def crossing(arguments: tuple[object, ...]) -> tuple[object, ...]:
    """Arguments as another process gets them: blocks over copies of their variables (actors.md 1.3)."""
    for argument in arguments:
        if type(argument) is FunctionType and argument.__closure__ is not None:
            return tuple([copy_for_crossing(a) if type(a) is FunctionType else a for a in arguments])
    return arguments


def make_entry(scheduler: Scheduler, tracing: Tracing, selector: Selector, function: Function) -> Function:
    """The `sel` entry of an actor type for a method."""
    call = measured(scheduler.call, scheduler, tracing)
    if is_leaf(function):
        return _inline_entry(scheduler, tracing, selector, function, call)
    return _hand_off_entry(scheduler, tracing, selector, function, call)


def measured(call: Call, scheduler: Scheduler, tracing: Tracing) -> Call:
    """A sync send whose time and outcome are reported."""
    succeeded, failed = tracing.succeeded, tracing.failed
    call_traced = traced(call, scheduler, tracing)

    def call_measured(
        process: Process, selector: Addressed, receiver: object, arguments: tuple[object, ...]
    ) -> object:
        if tracing.is_enabled:
            return call_traced(process, selector, receiver, arguments)
        started = perf_counter_ns()
        try:
            value = call(process, selector, receiver, arguments)
        except Exception as error:
            duration = perf_counter_ns() - started
            failed(process, selector.text, duration, error, scheduler.current.context)
            raise
        succeeded(process, selector.text, perf_counter_ns() - started, scheduler.current.context)
        return value

    return call_measured


def traced(call: Call, scheduler: Scheduler, tracing: Tracing) -> Call:
    """The same while capture is on: what the method sends belongs to this send (actors.md 16)."""

    def call_traced(
        process: Process, selector: Addressed, receiver: object, arguments: tuple[object, ...]
    ) -> object:
        caller, text = scheduler.current, selector.text
        before = caller.context
        inside = caller.context = tracing.inside_of(before)
        started = perf_counter_ns()
        try:
            value = call(process, selector, receiver, arguments)
        except Exception as error:
            tracing.failed(process, text, perf_counter_ns() - started, error, before, inside)
            raise
        finally:
            caller.context = before
        tracing.succeeded(process, text, perf_counter_ns() - started, before, inside)
        return value

    return call_traced


def _hand_off_entry(
    scheduler: Scheduler, tracing: Tracing, selector: Selector, function: Function, call: Call
) -> Function:
    hand_off = _hand_off(scheduler, tracing, selector, call)

    def entry0(receiver: ActorObject) -> object:
        if receiver.process is scheduler.current:
            return function(receiver)
        return hand_off(receiver, ())

    def entry1(receiver: ActorObject, argument: object) -> object:
        if receiver.process is scheduler.current:
            return function(receiver, argument)
        if type(argument) is FunctionType:
            argument = copy_for_crossing(argument)
        return hand_off(receiver, (argument,))

    def entry(receiver: ActorObject, *arguments: object) -> object:
        if receiver.process is scheduler.current:
            return function(receiver, *arguments)
        return hand_off(receiver, crossing(arguments))

    match selector.arity:
        case 0:
            return entry0
        case 1:
            return entry1
        case _:
            return entry


def _hand_off(
    scheduler: Scheduler, tracing: Tracing, selector: Selector, call: Call
) -> Callable[[ActorObject, tuple[object, ...]], object]:
    """A sync send to another actor: to an idle one a direct switch to a parked stack and back, measured.

    One flat function: this and `Turns.work` are what 100,000 sends a second run through. All that is not usual
    goes to `call`.
    """
    host, pool, text, now = scheduler.host, scheduler.pool, selector.text, perf_counter_ns
    answered = RequestState.ANSWERED

    def hand_off(receiver: ActorObject, arguments: tuple[object, ...]) -> object:
        process: Process = receiver.process
        caller = scheduler.current
        if not (process.idle and pool) or caller is host or tracing.is_enabled or scheduler.critical_depth:
            return call(process, selector, receiver, arguments)
        started = now()
        message = Request(process, caller, process.patience, selector, receiver, arguments)
        process.idle = False
        process.mailbox.append(message)
        caller.parked = message
        pool.pop().switch(process)
        scheduler.current = caller
        caller.parked = None
        if caller.signal is not None or message.state is not answered:
            return _settled(scheduler, tracing, process, message, started)
        duration = now() - started
        costs = process.costs
        cost = None if costs is None else costs.get(text)
        if cost is None or tracing.is_enabled:
            tracing.succeeded(process, text, duration, caller.context)
            return message.value
        cost.calls += 1
        cost.total += duration
        if duration < cost.shortest:
            cost.shortest = duration
        elif duration > cost.longest:
            cost.longest = duration
        return message.value

    return hand_off


def _settled(
    scheduler: Scheduler, tracing: Tracing, process: Process, message: Request, started: int
) -> object:
    """The end of a hand-off that is none of the usual ones: an error, or something that the caller was told."""
    caller, selector = scheduler.current, message.selector_name
    try:
        value = scheduler.settle(process, message)
    except Exception as error:
        tracing.failed(process, selector, perf_counter_ns() - started, error, caller.context)
        raise
    tracing.succeeded(process, selector, perf_counter_ns() - started, caller.context)
    return value


def _inline_entry(
    scheduler: Scheduler, tracing: Tracing, selector: Selector, function: Function, call: Call
) -> Function:
    host, text, succeeded = scheduler.host, selector.text, tracing.succeeded

    def entry(receiver: ActorObject, *arguments: object) -> object:
        process, caller = receiver.process, scheduler.current
        if not process.idle or caller is host:
            if process is caller:
                return function(receiver, *arguments)
            return call(process, selector, receiver, crossing(arguments))
        if arguments:
            arguments = crossing(arguments)
        started = perf_counter_ns()
        process.idle = False
        process.greenlet = caller.greenlet
        caller.inline_target = process
        scheduler.current = process
        try:
            value = function(receiver, *arguments)
        except BaseException as error:  # noqa: BLE001 (raised again, as the sender has to see it)
            seen = _failed_inline(scheduler, caller, process, receiver, text, error)
            tracing.failed(process, text, perf_counter_ns() - started, seen, caller.context)
            raise seen from error.__cause__
        scheduler.current = caller
        caller.inline_target = None
        process.greenlet = None
        if receiver._undo:
            if scheduler.committed is not None:
                scheduler.committed(receiver)
            receiver._undo = {}
        if process.mailbox or process.dead or caller.signal is not None:
            scheduler.turns.leave_inline(caller, process, text)
        else:
            process.idle = True
        succeeded(process, text, perf_counter_ns() - started, caller.context)
        return value

    return entry


def _failed_inline(
    scheduler: Scheduler,
    caller: Process,
    process: Process,
    receiver: ActorObject,
    selector: str,
    error: BaseException,
) -> BaseException:
    """End an inline call that raised: what the caller must raise."""
    scheduler.current = caller
    caller.inline_target = None
    process.greenlet = None
    roll_back(receiver)
    if isinstance(error, ProcessKilled):
        if error.process is not process:
            scheduler.turns.become_idle(process)
            return error
        scheduler.turns.return_to_unwinder(caller)
    scheduler.turns.leave_inline(caller, process, selector)
    return scheduler.faults.classify(error, process, selector)
