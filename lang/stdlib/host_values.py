"""Values across the border to Python (language.md 4.19).

Guarantees: what arrives is a value of the language, or an opaque object of exactly its
own Python type; infinity and NaN never arrive; a fault of the host becomes a
`python_error`, an error of the program passes unchanged. Leaves: look-up of names to
`host_sends`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from math import isfinite
from types import FunctionType, ModuleType
from typing import Any, Final

from lang.runtime.blocks import NonLocalReturn, call_block, host_block
from lang.runtime.collections.arrays import BtArray
from lang.runtime.collections.lists import BtList, list_of
from lang.runtime.collections.mappings import BtDictionary, dictionary_of
from lang.runtime.collections.tuples import BtTuple, tuple_of
from lang.runtime.errors import BeamtalkError
from lang.runtime.symbols import Symbol
from lang.stdlib.octets import value_of_octets

MAX_BLOCK_ARITY: Final = 3
_BLOCK: Final = "beamtalk_block"
"""The attribute of a function for the host that holds the block behind it."""


class BtPythonModule:
    """A module of the host, as `Python math` answers it."""

    __slots__ = ("module",)

    def __init__(self, module: ModuleType) -> None:
        self.module = module


class BtInThread:
    """A module or an object of the host whose functions are called in a thread (`host_calls`)."""

    __slots__ = ("target",)

    def __init__(self, target: object) -> None:
        self.target = target


class HostFunction:
    """A host function that no block can stand for: its arguments are not a fixed few."""

    __slots__ = ("function",)

    def __init__(self, function: FunctionType) -> None:
        self.function = function


def python_error(fault: BaseException) -> BeamtalkError:
    """The error of a fault of the host: its text, and the name of its class as `errorClass`."""
    error = BeamtalkError("python_error", str(fault) or type(fault).__name__, class_name=type(fault).__name__)
    error.__cause__ = fault
    return error


def guarded(run: Callable[[], object]) -> object:
    """What host code answers, unconverted; its fault as a `python_error`.

    `SystemExit` is a fault like others: a host function ends no image.
    """
    try:
        return run()
    except (BeamtalkError, NonLocalReturn):
        raise
    except (Exception, SystemExit) as fault:
        raise python_error(fault) from fault


def called(function: Callable[..., object], arguments: list[object]) -> object:
    """The converted answer of a host function for arguments that are yet to be converted."""
    return from_python(guarded(lambda: function(*[to_python(argument) for argument in arguments])))


def to_python(value: object) -> Any:
    """A value as Python code expects it; what has no counterpart travels as it is."""
    match value:
        case Symbol():
            return value.name
        case BtList() | BtArray():
            return [to_python(element) for element in value]
        case BtTuple():
            return tuple([to_python(element) for element in value])
        case BtDictionary():
            return {_python_key(key): to_python(item) for key, item in value.items_in_order()}
        case FunctionType():
            return _callable(value)
        case BtPythonModule():
            return value.module
        case BtInThread():
            return value.target
        case HostFunction():
            return value.function
        case _:
            return value


def from_python(value: object) -> object:
    """A value of the host as one of the language."""
    kind = type(value)
    if kind is float:
        return _finite(value)  # type: ignore[arg-type]
    if kind is bytes:
        return value_of_octets(value)  # type: ignore[arg-type]
    match value:
        case list() if kind is list:
            return list_of([from_python(element) for element in value])
        case tuple() if kind is tuple:
            return tuple_of([from_python(element) for element in value])
        case dict() if kind is dict:
            return dictionary_of([(from_python(key), from_python(item)) for key, item in value.items()])
        case FunctionType():
            return _block(value)
        case ModuleType():
            return BtPythonModule(value)
        case _:
            return value


def _finite(number: float) -> float:
    if not isfinite(number):
        raise BeamtalkError(
            "python_error", f"the answer is {number}, which is no Float", class_name="ValueError"
        )
    return number


def _python_key(key: object) -> object:
    converted = to_python(key)
    try:
        hash(converted)
    except TypeError as fault:
        raise python_error(fault) from fault
    return converted


def _callable(block: FunctionType) -> Callable[..., object]:
    """The block as a function, for the thread that runs the image: no other may touch it."""
    home = threading.get_ident()

    def call(*arguments: object) -> object:
        if threading.get_ident() != home:
            raise RuntimeError("a block of the image was called from another thread")
        return to_python(call_block(block, [from_python(argument) for argument in arguments]))

    setattr(call, _BLOCK, block)
    return call


def _block(function: FunctionType) -> object:
    # `functools.wraps` copies the attribute to a function that does something else.
    if _BLOCK in vars(function) and "__wrapped__" not in vars(function):
        return vars(function)[_BLOCK]
    arity = function.__code__.co_argcount
    if arity > MAX_BLOCK_ARITY or function.__code__.co_flags & 0x0C or function.__code__.co_kwonlyargcount:
        return HostFunction(function)
    return host_block(lambda *arguments: called(function, list(arguments)), arity)
