"""Primitives of AtomicCounter (stdlib.md 4.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lang.runtime.errors import BeamtalkError
from lang.runtime.primitive import PrimitiveTable
from lang.stdlib import arguments as expect
from lang.stdlib.services import services_of
from lang.stdlib.tables import BtCounter

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

ATOMIC_COUNTER = PrimitiveTable("AtomicCounter")


@ATOMIC_COUNTER.runtime_primitive("new:", class_side=True)
def new(runtime: Runtime, _self: object, name: object) -> BtCounter:
    text = expect.name(name, "AtomicCounter", "new:")
    counters = services_of(runtime).shared_names.counters
    if text in counters:
        raise BeamtalkError("already_exists", class_name="AtomicCounter", selector="new:")
    counters[text] = BtCounter(text)
    return counters[text]


@ATOMIC_COUNTER.runtime_primitive("named:", class_side=True)
def named(runtime: Runtime, _self: object, name: object) -> BtCounter:
    found = services_of(runtime).shared_names.counters.get(expect.name(name, "AtomicCounter", "named:"))
    if found is None:
        raise BeamtalkError("not_found", class_name="AtomicCounter", selector="named:")
    return found


@ATOMIC_COUNTER.primitive("increment")
def increment(self: BtCounter) -> int:
    return _changed(self, 1, "increment")


@ATOMIC_COUNTER.primitive("incrementBy:")
def increment_by(self: BtCounter, n: object) -> int:
    return _changed(self, expect.integer(n, "AtomicCounter", "incrementBy:"), "incrementBy:")


@ATOMIC_COUNTER.primitive("decrement")
def decrement(self: BtCounter) -> int:
    return _changed(self, -1, "decrement")


@ATOMIC_COUNTER.primitive("decrementBy:")
def decrement_by(self: BtCounter, n: object) -> int:
    return _changed(self, -expect.integer(n, "AtomicCounter", "decrementBy:"), "decrementBy:")


@ATOMIC_COUNTER.primitive("value")
def value(self: BtCounter) -> int:
    return _value(self, "value")


@ATOMIC_COUNTER.primitive("reset")
def reset(self: BtCounter) -> None:
    _value(self, "reset")
    self.value = 0


@ATOMIC_COUNTER.runtime_primitive("delete")
def delete(runtime: Runtime, self: BtCounter) -> None:
    _value(self, "delete")
    self.value = None
    services_of(runtime).shared_names.counters.pop(self.name, None)


def _value(counter: BtCounter, selector: str) -> int:
    if counter.value is None:
        raise BeamtalkError("stale_counter", class_name="AtomicCounter", selector=selector)
    return counter.value


def _changed(counter: BtCounter, amount: int, selector: str) -> int:
    counter.value = changed = _value(counter, selector) + amount
    return changed
