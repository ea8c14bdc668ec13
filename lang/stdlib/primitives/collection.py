"""Primitives of Collection: what reads any collection by its `do:` (stdlib.md 3.12)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lang.runtime import arithmetic
from lang.runtime.blocks import Home, NonLocalReturn, host_block
from lang.runtime.equality import strict_equal
from lang.runtime.ordering import compare
from lang.runtime.primitive import PrimitiveTable
from lang.stdlib import arguments as expect
from lang.stdlib.searching import elements_by_do

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

COLLECTION = PrimitiveTable("Collection")


@COLLECTION.runtime_primitive("includes:")
def includes(runtime: Runtime, self: object, element: object) -> bool:
    home = Home()

    def look_at(each: object) -> None:
        if strict_equal(each, element) or runtime.equals(each, element):
            raise NonLocalReturn(home, value=True)

    try:
        runtime.send(self, "do:", host_block(look_at, 1))
    except NonLocalReturn as found:
        if found.home is not home:
            raise
        return True
    return False


@COLLECTION.runtime_primitive("sum")
def sum_of(runtime: Runtime, self: object) -> int | float:
    total: int | float = 0
    for element in elements_by_do(runtime, self):
        total = arithmetic.add(total, element)
    return total


@COLLECTION.runtime_primitive("max")
def largest(runtime: Runtime, self: object) -> object:
    elements = _some_elements(runtime, self, "max")
    best = elements[0]
    for element in elements:
        if compare(element, best) > 0:
            best = element
    return best


@COLLECTION.runtime_primitive("min")
def smallest(runtime: Runtime, self: object) -> object:
    elements = _some_elements(runtime, self, "min")
    best = elements[0]
    for element in elements:
        if compare(element, best) < 0:
            best = element
    return best


@COLLECTION.runtime_primitive("average")
def average(runtime: Runtime, self: object) -> float:
    elements = _some_elements(runtime, self, "average")
    total: int | float = 0
    for element in elements:
        total = arithmetic.add(total, element)
    return arithmetic.divide(total, len(elements))


def _some_elements(runtime: Runtime, collection: object, selector: str) -> list[object]:
    elements = elements_by_do(runtime, collection)
    if not elements:
        raise expect.empty_collection("Collection", selector)
    return elements
