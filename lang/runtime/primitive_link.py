"""From a primitive to the function of a method.

A primitive that needs the runtime gets it through a closure written out for each
arity: a `functools.partial` or `*args` would cost, and a C frame a level too.
"""

from __future__ import annotations

from types import FunctionType
from typing import TYPE_CHECKING, Any

from lang.runtime.classes import Function
from lang.runtime.primitive import PrimitiveFunction

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime


def bound_primitive(runtime: Runtime, primitive: PrimitiveFunction, arity: int, name: str) -> Function:
    """The function of receiver and arguments that runs a primitive; raises when the arity differs."""
    function = primitive.function
    extra = 2 if primitive.needs_runtime else 1
    if isinstance(function, FunctionType):
        code = function.__code__
        if not code.co_flags & 0x04 and code.co_argcount != arity + extra:
            raise TypeError(f"primitive {name} takes {code.co_argcount - extra} arguments, not {arity}")
        if not primitive.needs_runtime:
            return function
    if primitive.needs_runtime:
        return _with_runtime(runtime, function, arity)
    return _as_function(function)


def _with_runtime(runtime: Runtime, function: Function, arity: int) -> Function:
    def run0(receiver: Any) -> Any:
        return function(runtime, receiver)

    def run1(receiver: Any, a: Any) -> Any:
        return function(runtime, receiver, a)

    def run2(receiver: Any, a: Any, b: Any) -> Any:
        return function(runtime, receiver, a, b)

    def run(receiver: Any, *arguments: Any) -> Any:
        return function(runtime, receiver, *arguments)

    return (run0, run1, run2)[arity] if arity < 3 else run


def _as_function(function: Function) -> Function:
    def run(receiver: Any, *arguments: Any) -> Any:
        return function(receiver, *arguments)

    return run
