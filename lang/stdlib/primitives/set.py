"""Primitives of Set (stdlib.md 3.17)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lang.runtime.collections.lists import BtList, list_from
from lang.runtime.collections.mappings import BtSet, set_of
from lang.runtime.collections.streams import BtStream, stream_of_set
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.printing import print_all
from lang.stdlib import arguments as expect

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

SET = PrimitiveTable("Set")


@SET.primitive("withAll:", class_side=True)
def with_all(_self: object, elements: object) -> BtSet:
    return set_of(expect.elements(elements, "Set", "withAll:"))


@SET.primitive("size")
def size(self: BtSet) -> int:
    return len(self)


@SET.primitive("isEmpty")
def is_empty(self: BtSet) -> bool:
    return not len(self)


@SET.primitive("includes:")
def includes(self: BtSet, element: object) -> bool:
    return element in self


@SET.primitive("add:")
def add(self: BtSet, element: object) -> BtSet:
    return self.added(element)


@SET.primitive("remove:")
def remove(self: BtSet, element: object) -> BtSet:
    return self.without(element)


@SET.primitive("union:")
def union(self: BtSet, other: object) -> BtSet:
    return self.union(_set(other, "union:"))


@SET.primitive("intersection:")
def intersection(self: BtSet, other: object) -> BtSet:
    return self.intersection(_set(other, "intersection:"))


@SET.primitive("difference:")
def difference(self: BtSet, other: object) -> BtSet:
    return self.difference(_set(other, "difference:"))


@SET.primitive("isSubsetOf:")
def is_subset_of(self: BtSet, other: object) -> bool:
    return self.is_subset_of(_set(other, "isSubsetOf:"))


@SET.primitive("asList")
def as_list(self: BtSet) -> BtList:
    return list_from(self)


@SET.primitive("fromList:")
def from_list(_self: BtSet, elements: object) -> BtSet:
    return set_of(expect.elements(elements, "Set", "fromList:"))


@SET.primitive("do:")
def do(self: BtSet, block: object) -> None:
    action = expect.block(block, 1)
    for element in self:
        action(element)


@SET.runtime_primitive("printString")
def print_string(runtime: Runtime, self: BtSet) -> str:
    return f"Set({print_all(runtime, self)})"


@SET.primitive("stream")
def stream(self: BtSet) -> BtStream:
    return stream_of_set(self)


def _set(value: object, selector: str) -> BtSet:
    if type(value) is not BtSet:
        raise expect.type_error("Set", selector, "Expected a Set")
    return value
