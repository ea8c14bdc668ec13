"""Primitives of Result (stdlib.md 3.19)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lang.runtime.classes import ClassObject
from lang.runtime.collections.tuples import BtTuple
from lang.runtime.errors import BeamtalkError
from lang.runtime.primitive import PrimitiveTable
from lang.stdlib import arguments as expect
from lang.stdlib.results import as_reason, attempt

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

RESULT = PrimitiveTable("Result")


@RESULT.runtime_primitive("ok:", class_side=True)
def ok(runtime: Runtime, self: ClassObject, value: object) -> object:
    return runtime.shapes.instantiate(self, {"okValue": value, "errReason": None, "isOk": True})


@RESULT.runtime_primitive("error:", class_side=True)
def error(runtime: Runtime, self: ClassObject, reason: object) -> object:
    return runtime.shapes.instantiate(self, {"okValue": None, "errReason": reason, "isOk": False})


@RESULT.runtime_primitive("tryDo:", class_side=True)
def try_do(runtime: Runtime, _self: ClassObject, block: object) -> object:
    return attempt(runtime, expect.checked_block(block, 0, "Result", "tryDo:"))


@RESULT.runtime_primitive("fromTuple:", class_side=True)
def from_tuple(runtime: Runtime, _self: ClassObject, pair: object) -> object:
    if isinstance(pair, BtTuple) and len(pair) == 2:
        if pair.is_tagged("ok"):
            return runtime.make_result_ok(pair[1])
        if pair.is_tagged("error"):
            return runtime.make_result_error(as_reason(runtime, pair[1]))
    raise expect.type_error("Result", "fromTuple:", "Expected {#ok, value} or {#error, reason}")


@RESULT.runtime_primitive("unwrapError:")
def unwrap_error(runtime: Runtime, _self: object, reason: object) -> object:
    if isinstance(reason, BeamtalkError):
        raise reason
    text = f"unwrap called on Result error: {runtime.print_string(reason)}"
    raise BeamtalkError("signal", text, class_name="Result", selector="unwrap")
