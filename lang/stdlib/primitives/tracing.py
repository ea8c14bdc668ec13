"""Primitives of Tracing (actors.md 16)."""

from __future__ import annotations

import resource
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from lang.runtime.classes import ClassObject
from lang.runtime.collections.lists import BtList, list_from
from lang.runtime.collections.mappings import BtDictionary, dictionary_of
from lang.runtime.instances import ActorObject
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.processes.actor_system import ActorSystem, actors_of
from lang.runtime.processes.pid import Pid
from lang.runtime.processes.process import MethodCost, Process, ProcessKind
from lang.runtime.processes.tracing import ProcessCosts, TraceEvent, Tracing, entries_of, with_entries
from lang.runtime.symbols import symbol
from lang.stdlib import arguments as expect

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

TRACING = PrimitiveTable("Tracing")

MethodRow = tuple[ProcessCosts, str, MethodCost]


# ---------------------------------------------------------------- context


@TRACING.runtime_primitive("setContext:", class_side=True)
def set_context(runtime: Runtime, self: ClassObject, more: object) -> None:
    if not isinstance(more, BtDictionary):
        raise expect.type_error("Tracing", "setContext:", "Expected a Dictionary")
    system = actors_of(runtime)
    _put_context(system, _context(system).merged(more))


@TRACING.runtime_primitive("context", class_side=True)
def context(runtime: Runtime, self: ClassObject) -> BtDictionary:
    return _context(actors_of(runtime))


@TRACING.runtime_primitive("clearContext", class_side=True)
def clear_context(runtime: Runtime, self: ClassObject) -> None:
    _put_context(actors_of(runtime), None)


def _context(system: ActorSystem) -> BtDictionary:
    found = entries_of(system.scheduler.current.context)
    return found if isinstance(found, BtDictionary) else dictionary_of([])


def _put_context(system: ActorSystem, value: BtDictionary | None) -> None:
    process = system.scheduler.current
    process.context = with_entries(process.context, value)
    if process.kind is ProcessKind.TOP_LEVEL:
        # The context of the top level belongs to its session and outlives the turn.
        system.scheduler.contexts[process.label] = value


# ---------------------------------------------------------------- capture


@TRACING.runtime_primitive("enable", class_side=True)
def enable(runtime: Runtime, self: ClassObject) -> None:
    actors_of(runtime).tracing.is_enabled = True


@TRACING.runtime_primitive("disable", class_side=True)
def disable(runtime: Runtime, self: ClassObject) -> None:
    actors_of(runtime).tracing.is_enabled = False


@TRACING.runtime_primitive("isEnabled", class_side=True)
def is_enabled(runtime: Runtime, self: ClassObject) -> bool:
    return actors_of(runtime).tracing.is_enabled


@TRACING.runtime_primitive("clear", class_side=True)
def clear(runtime: Runtime, self: ClassObject) -> None:
    actors_of(runtime).tracing.clear()


@TRACING.runtime_primitive("maxEvents", class_side=True)
def max_events(runtime: Runtime, self: ClassObject) -> int:
    return actors_of(runtime).tracing.max_events


@TRACING.runtime_primitive("maxEvents:", class_side=True)
def set_max_events(runtime: Runtime, self: ClassObject, size: object) -> None:
    actors_of(runtime).tracing.max_events = _positive(size, "maxEvents:")


def _positive(value: object, selector: str) -> int:
    if type(value) is not int or value <= 0:
        raise expect.type_error("Tracing", selector, "Expected an Integer above 0")
    return value


def _pid(system: ActorSystem, value: object, selector: str) -> Pid:
    if isinstance(value, ActorObject):
        return system.process_of(value, selector).pid
    if isinstance(value, Pid):
        return value
    raise expect.type_error("Tracing", selector, "Expected an actor or a Pid")


# ---------------------------------------------------------------- events


@TRACING.runtime_primitive("traces", class_side=True)
def traces(runtime: Runtime, self: ClassObject) -> BtList:
    return list_from([_event(event) for event in actors_of(runtime).tracing.events()])


@TRACING.runtime_primitive("tracesFor:", class_side=True)
def traces_for(runtime: Runtime, self: ClassObject, actor: object) -> BtList:
    system = actors_of(runtime)
    pid = _pid(system, actor, "tracesFor:")
    return list_from([_event(event) for event in system.tracing.events() if event.pid is pid])


@TRACING.runtime_primitive("tracesFor:selector:", class_side=True)
def traces_for_selector(runtime: Runtime, self: ClassObject, actor: object, selector: object) -> BtList:
    system = actors_of(runtime)
    pid = _pid(system, actor, "tracesFor:selector:")
    name = expect.name(selector, "Tracing", "tracesFor:selector:")
    found = [event for event in system.tracing.events() if event.pid is pid and event.selector == name]
    return list_from([_event(event) for event in found])


def _event(event: TraceEvent) -> BtDictionary:
    span = event.context.span
    made = dictionary_of(
        [
            ("timestamp_us", event.timestamp // 1000),
            ("actor", f"<{event.pid}>"),
            ("class", event.class_name),
            ("selector", event.selector),
            ("mode", event.mode),
            ("duration_us", event.duration // 1000),
            ("outcome", event.outcome),
            ("trace_id", f"{span.trace:032x}"),
            ("span_id", f"{span.number:016x}"),
            ("parent_span_id", None if span.parent is None else f"{span.parent:016x}"),
        ]
    )
    entries = event.context.entries
    return made.merged(entries) if isinstance(entries, BtDictionary) else made


# ---------------------------------------------------------------- aggregates


@TRACING.runtime_primitive("stats", class_side=True)
def stats(runtime: Runtime, self: ClassObject) -> BtDictionary:
    return _stats(actors_of(runtime).tracing.costs())


@TRACING.runtime_primitive("statsFor:", class_side=True)
def stats_for(runtime: Runtime, self: ClassObject, actor: object) -> BtDictionary:
    system = actors_of(runtime)
    found = system.tracing.costs_of(_pid(system, actor, "statsFor:"))
    return _stats([found] if found is not None else [])


def _stats(costs: list[ProcessCosts]) -> BtDictionary:
    return dictionary_of([(f"<{one.pid}>", _process_stats(one)) for one in costs])


def _process_stats(costs: ProcessCosts) -> BtDictionary:
    methods = [(selector, dictionary_of(_cost(cost))) for selector, cost in costs.methods.items()]
    return dictionary_of([("class", costs.class_name), ("methods", dictionary_of(methods))])


def _cost(cost: MethodCost) -> list[tuple[object, object]]:
    return [
        ("calls", cost.calls),
        ("ok", cost.ok),
        ("errors", cost.errors),
        ("timeouts", cost.timeouts),
        ("total_duration_ns", cost.total),
        ("avg_duration_ns", cost.total // cost.calls if cost.calls else 0),
        ("min_duration_ns", cost.shortest),
        ("max_duration_ns", cost.longest),
    ]


@TRACING.runtime_primitive("slowMethods:", class_side=True)
def slow_methods(runtime: Runtime, self: ClassObject, limit: object) -> BtList:
    wanted = _positive(limit, "slowMethods:")
    return _ranked(actors_of(runtime).tracing, wanted, lambda cost: cost.total / max(cost.calls, 1))


@TRACING.runtime_primitive("hotMethods:", class_side=True)
def hot_methods(runtime: Runtime, self: ClassObject, limit: object) -> BtList:
    wanted = _positive(limit, "hotMethods:")
    return _ranked(actors_of(runtime).tracing, wanted, lambda cost: cost.calls)


@TRACING.runtime_primitive("errorMethods:", class_side=True)
def error_methods(runtime: Runtime, self: ClassObject, limit: object) -> BtList:
    wanted = _positive(limit, "errorMethods:")
    return _ranked(actors_of(runtime).tracing, wanted, _error_rate)


def _error_rate(cost: MethodCost) -> float:
    return (cost.errors + cost.timeouts) / max(cost.calls, 1)


def _ranked(tracing: Tracing, limit: int, rank: Callable[[MethodCost], float]) -> BtList:
    rows = sorted(tracing.method_costs(), key=lambda row: rank(row[2]), reverse=True)
    return list_from([_method_row(row) for row in rows[:limit]])


def _method_row(row: MethodRow) -> BtDictionary:
    costs, selector, cost = row
    return dictionary_of(
        [
            ("pid", f"<{costs.pid}>"),
            ("class", costs.class_name),
            ("selector", symbol(selector)),
            *_cost(cost),
            ("error_rate", _error_rate(cost)),
        ]
    )


# ---------------------------------------------------------------- health


@TRACING.runtime_primitive("bottlenecks:", class_side=True)
def bottlenecks(runtime: Runtime, self: ClassObject, limit: object) -> BtList:
    wanted = _positive(limit, "bottlenecks:")
    actors = actors_of(runtime).live_actors()
    longest = sorted(actors, key=lambda actor: len(actor.process.mailbox), reverse=True)
    return list_from(
        [dictionary_of([("actor", actor), *_state(actor.process)]) for actor in longest[:wanted]]
    )


@TRACING.runtime_primitive("healthFor:", class_side=True)
def health_for(runtime: Runtime, self: ClassObject, actor: object) -> BtDictionary:
    system = actors_of(runtime)
    pid = _pid(system, actor, "healthFor:")
    process = system.scheduler.processes.find(pid)
    if process is None:
        dead = [("pid", f"<{pid}>"), ("status", symbol("dead")), ("error", "process not alive")]
        return dictionary_of(dead)
    status = symbol("idle" if process.idle else "busy")
    handled = sum(cost.calls for cost in (process.costs or {}).values())
    return dictionary_of([("pid", f"<{pid}>"), ("status", status), *_state(process), ("reductions", handled)])


def _state(process: Process) -> list[tuple[object, object]]:
    size = sys.getsizeof(process) + sys.getsizeof(process.mailbox)
    if process.actor is not None:
        size += sys.getsizeof(vars(process.actor))
    return [("class", process.label), ("queue_depth", len(process.mailbox)), ("memory_kb", size / 1024)]


@TRACING.runtime_primitive("systemHealth", class_side=True)
def system_health(runtime: Runtime, self: ClassObject) -> BtDictionary:
    scheduler = actors_of(runtime).scheduler
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    memory = dictionary_of([("total_mb", peak), ("stacks", scheduler.stack_count)])
    return dictionary_of(
        [
            ("scheduler_count", 1),
            ("process_count", len(scheduler.processes.live)),
            ("process_limit", sys.maxsize),
            ("run_queue", len(scheduler.ready)),
            ("memory", memory),
        ]
    )
