"""Primitives of Tuple (stdlib.md 3.15)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lang.runtime.collections.lists import BtList
from lang.runtime.collections.tuples import BtTuple, tuple_of
from lang.runtime.errors import BeamtalkError
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.printing import print_all
from lang.stdlib import arguments as expect
from lang.stdlib.services import services_of

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

TUPLE = PrimitiveTable("Tuple")


@TUPLE.primitive("withAll:", class_side=True)
def with_all(_self: object, elements: object) -> BtTuple:
    if type(elements) is not BtList:
        raise expect.argument_error("Tuple", "withAll:", "Expected a List")
    return tuple_of(elements)


@TUPLE.primitive("size")
def size(self: BtTuple) -> int:
    return len(self)


@TUPLE.primitive("at:")
def at(self: BtTuple, index: object) -> object:
    position = expect.integer(index, "Tuple", "at:")
    if not 0 < position <= len(self):
        # Kept from the original (stdlib.md 10, 2): the kind is not that of a List.
        raise BeamtalkError(
            "does_not_understand",
            class_name="Tuple",
            selector="at:",
            hint=f"Index {position} is out of bounds (size {len(self)})",
        )
    return self[position - 1]


@TUPLE.primitive("isOk")
def is_ok(self: BtTuple) -> bool:
    return self.is_tagged("ok")


@TUPLE.primitive("isError")
def is_error(self: BtTuple) -> bool:
    return self.is_tagged("error")


@TUPLE.runtime_primitive("asString")
def as_string(runtime: Runtime, self: BtTuple) -> str:
    return f"{{{print_all(runtime, self)}}}"


@TUPLE.primitive("do:")
def do(self: BtTuple, block: object) -> None:
    action = expect.block(block, 1)
    for element in self:
        action(element)


@TUPLE.runtime_primitive("atRandom")
def at_random(runtime: Runtime, self: BtTuple) -> object:
    if not len(self):
        raise expect.type_error("Tuple", "atRandom", "The collection is empty")
    return self[services_of(runtime).random.randrange(len(self))]
