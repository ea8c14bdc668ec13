"""Primitives of Array (stdlib.md 3.14)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lang.runtime.collections.arrays import BtArray, array_from, array_of
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.printing import print_all
from lang.stdlib import arguments as expect
from lang.stdlib.searching import index_of

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

ARRAY = PrimitiveTable("Array")


@ARRAY.primitive("withAll:", class_side=True)
def with_all(_self: object, elements: object) -> BtArray:
    return array_from(expect.elements(elements, "Array", "withAll:"))


@ARRAY.primitive("size")
def size(self: BtArray) -> int:
    return len(self)


@ARRAY.primitive("isEmpty")
def is_empty(self: BtArray) -> bool:
    return not len(self)


@ARRAY.primitive("at:")
def at(self: BtArray, index: object) -> object:
    if type(index) is int and 0 < index <= len(self):
        return self[index - 1]
    position = expect.integer(index, "Array", "at:")
    if not len(self) and position >= 1:
        raise expect.empty_collection("Array", "at:")
    raise expect.out_of_bounds("Array", "at:", position, len(self))


@ARRAY.primitive("first")
def first(self: BtArray) -> object:
    if not len(self):
        raise expect.empty_collection("Array", "first")
    return self[0]


@ARRAY.primitive("last")
def last(self: BtArray) -> object:
    if not len(self):
        raise expect.empty_collection("Array", "last")
    return self[len(self) - 1]


@ARRAY.primitive("at:put:")
def at_put(self: BtArray, index: object, value: object) -> BtArray:
    position = expect.integer(index, "Array", "at:put:")
    if not 0 < position <= len(self):
        raise expect.out_of_bounds("Array", "at:put:", position, len(self))
    return self.replaced(position - 1, value)


@ARRAY.runtime_primitive("includes:")
def includes(runtime: Runtime, self: BtArray, element: object) -> bool:
    return index_of(runtime, self, element) is not None


@ARRAY.primitive("do:")
def do(self: BtArray, block: object) -> None:
    action = expect.block(block, 1)
    for element in self:
        action(element)


@ARRAY.primitive("collect:")
def collect(self: BtArray, block: object) -> BtArray:
    transform = expect.block(block, 1)
    return array_of([transform(element) for element in self])


@ARRAY.primitive("select:")
def select(self: BtArray, block: object) -> BtArray:
    test = expect.block(block, 1)
    return array_of([e for e in self if expect.truth(test(e), "Array", "select:")])


@ARRAY.primitive("inject:into:")
def inject_into(self: BtArray, initial: object, block: object) -> object:
    combine = expect.block(block, 2)
    value = initial
    for element in self:
        value = combine(value, element)
    return value


@ARRAY.primitive("++")
def concatenated(_self: BtArray, _other: object) -> object:
    raise expect.argument_error("Array", "++", "Only Strings and Lists can be joined")


@ARRAY.runtime_primitive("printString")
def print_string(runtime: Runtime, self: BtArray) -> str:
    return f"#[{print_all(runtime, self)}]"
