"""Primitives of Interval: reading elements without making them (stdlib.md 3.18)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lang.runtime import arithmetic
from lang.runtime.collections.lists import BtList, list_of
from lang.runtime.instances import ValueObject
from lang.runtime.primitive import PrimitiveTable
from lang.stdlib import arguments as expect

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

INTERVAL = PrimitiveTable("Interval")


@INTERVAL.runtime_primitive("at:")
def at(runtime: Runtime, self: ValueObject, index: object) -> object:
    position = expect.integer(index, "Interval", "at:")
    count = runtime.send(self, "size")
    if not 0 < position <= count:
        raise expect.out_of_bounds("Interval", "at:", position, count)
    return _element(runtime, self, position - 1)


@INTERVAL.runtime_primitive("first")
def first(runtime: Runtime, self: ValueObject) -> object:
    if not runtime.send(self, "size"):
        raise expect.empty_collection("Interval", "first")
    return _element(runtime, self, 0)


@INTERVAL.runtime_primitive("last")
def last(runtime: Runtime, self: ValueObject) -> object:
    count = runtime.send(self, "size")
    if not count:
        raise expect.empty_collection("Interval", "last")
    return _element(runtime, self, count - 1)


@INTERVAL.runtime_primitive("asList")
def as_list(runtime: Runtime, self: ValueObject) -> BtList:
    count = runtime.send(self, "size")
    start, step = runtime.send(self, "from"), runtime.send(self, "step")
    return list_of(list(range(start, start + step * count, step)) if count else [])


def _element(runtime: Runtime, interval: ValueObject, place: int) -> object:
    offset = arithmetic.multiply(runtime.send(interval, "step"), place)
    return arithmetic.add(runtime.send(interval, "from"), offset)
