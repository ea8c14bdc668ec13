"""Messages to modules and objects of the host (language.md 4.19).

Comes in: a host object, a selector, arguments of the language. Guarantees: a unary message
calls or reads the attribute of its name; a keyword message calls what its first keyword
names, with all arguments by position; an operator is the operator of Python. Leaves:
conversion to `host_values`, and where a function runs to `host_calls`.
"""

from __future__ import annotations

import importlib
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from types import ModuleType
from typing import TYPE_CHECKING, Final, cast

from lang.runtime.blocks import Block
from lang.runtime.collections.lists import BtList, list_of
from lang.runtime.collections.streams import BtStream, stream_of_resource
from lang.stdlib.host_calls import Place, called
from lang.stdlib.host_values import from_python, guarded, python_error, to_python

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

_OPERATORS: Final[Mapping[str, Callable[..., object]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}
"""The operators that are messages; comparisons follow the order of all values (stdlib.md 2.5)."""


def send(
    runtime: Runtime, target: object, selector: str, arguments: list[object], place: Place = Place.BY_TABLE
) -> object:
    """The converted answer of a message to a host object."""
    name = selector.partition(":")[0]
    computed = _OPERATORS.get(selector)
    if computed is not None:
        return called(runtime, computed, [target, *arguments], place)
    attribute = attribute_of(target, name)
    if callable(attribute):
        return called(runtime, attribute, arguments, place)
    if arguments:
        raise python_error(TypeError(f"{_title(target)}.{name} is not callable"))
    return from_python(attribute)


def attribute_of(target: object, name: str) -> object:
    """The attribute of that name, or the submodule; raises `python_error` when there is none."""
    try:
        return getattr(target, name)
    except AttributeError as fault:
        submodule = _submodule(target, name)
        if submodule is not None:
            return submodule
        raise python_error(fault) from fault
    except Exception as fault:
        raise python_error(fault) from fault


def _submodule(target: object, name: str) -> ModuleType | None:
    if not isinstance(target, ModuleType):
        return None
    full_name = f"{target.__name__}.{name}"
    try:
        return importlib.import_module(full_name)
    except ModuleNotFoundError as missing:
        if missing.name is not None and full_name.startswith(missing.name):
            return None
        raise python_error(missing) from missing
    except (Exception, SystemExit) as fault:
        raise python_error(fault) from fault


def _title(target: object) -> str:
    return target.__name__ if isinstance(target, ModuleType) else type(target).__qualname__


# ---------------------------------------------------------------- iterators


class _Values(Iterator[object]):
    """What a host iterator yields, converted; its faults are `python_error`s."""

    def __init__(self, iterable: object) -> None:
        self._iterator = cast("Iterator[object]", guarded(lambda: iter(cast("Iterable[object]", iterable))))

    def __next__(self) -> object:
        found = guarded(self._advance)
        if found is _END:
            raise StopIteration
        return from_python(found)

    def _advance(self) -> object:
        return next(self._iterator, _END)


_END: Final = object()


def values_of(iterable: object) -> Iterator[object]:
    """The converted elements of anything that Python can iterate over."""
    return _Values(iterable)


def list_of_values(iterable: object) -> BtList:
    """All of them."""
    return list_of(list(values_of(iterable)))


def stream_of_values(iterable: object) -> BtStream:
    """A lazy view of them; an iterator, unlike a collection, can be consumed once."""
    return stream_of_resource("on: PythonObject", lambda: _Values(iterable), lambda _values: None)


# ---------------------------------------------------------------- context managers


def used(manager: object, block: Block) -> object:
    """The value of the block, run with what the context manager answers; it is left on every exit.

    An error of the block reaches `__exit__`; one that it swallows makes the answer nil.
    """
    entered = guarded(lambda: cast("AbstractContextManager[object]", manager).__enter__())
    leave = attribute_of(manager, "__exit__")
    if not callable(leave):
        raise python_error(TypeError(f"{_title(manager)} is no context manager"))
    try:
        answer: object = block(from_python(entered))
    except BaseException as fault:
        kind, error, trace = type(fault), fault, fault.__traceback__
        if guarded(lambda: leave(kind, error, trace)) and isinstance(fault, Exception):
            return None
        raise
    guarded(lambda: leave(None, None, None))
    return answer


# ---------------------------------------------------------------- items


def item_of(runtime: Runtime, target: object, key: object) -> object:
    """`target[key]`."""
    return called(runtime, operator.getitem, [target, key])


def put_item(target: object, key: object, value: object) -> object:
    """`target[key] = value`; answers the value."""
    guarded(lambda: operator.setitem(cast("dict[object, object]", target), to_python(key), to_python(value)))
    return value
