"""Functions of a module of the original host, and what their arguments have to be.

Comes in: values of the language as arguments. Guarantees: a function is found by name and number of arguments, as
the first keyword of a message and its arguments say (language.md 4.19); what it cannot take raises `BadArgument`,
a block is checked before it is called. Leaves: what becomes of `BadArgument` to the gateway.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from lang.runtime.blocks import Block
from lang.runtime.collections.lists import BtList
from lang.runtime.collections.mappings import BtDictionary
from lang.runtime.collections.tuples import BtTuple
from lang.runtime.symbols import Symbol, symbol
from lang.stdlib import arguments as expect

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

F = TypeVar("F", bound=Callable[..., object])
Call = Callable[["Runtime", tuple[object, ...]], object]


class BadArgument(Exception):
    """An argument that the function does not take; the text says what it wants."""


class ErlangModule:
    """The functions of one module, by name and number of arguments; filled at import, then only read."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._functions: dict[tuple[str, int], Call] = {}

    def function(self, name: str) -> Callable[[F], F]:
        """Register a function of its arguments alone; it may be entered under several names."""
        return self._register(name, needs_runtime=False)

    def runtime_function(self, name: str) -> Callable[[F], F]:
        """Register a function whose first parameter is the image's `Runtime`."""
        return self._register(name, needs_runtime=True)

    def find(self, name: str, arity: int) -> Call | None:
        """The function of that name with so many arguments."""
        return self._functions.get((name, arity))

    def names(self) -> Iterator[tuple[str, int]]:
        """Every name with its number of arguments."""
        yield from self._functions

    def _register(self, name: str, *, needs_runtime: bool) -> Callable[[F], F]:
        def register(function: F) -> F:
            arity = function.__code__.co_argcount - needs_runtime
            if (name, arity) in self._functions:
                raise ValueError(f"{self.name}:{name}/{arity} is defined twice")
            self._functions[name, arity] = _called(function, needs_runtime=needs_runtime)
            return function

        return register


def _called(function: Callable[..., object], *, needs_runtime: bool) -> Call:
    if needs_runtime:
        return lambda runtime, arguments: function(runtime, *arguments)
    return lambda _runtime, arguments: function(*arguments)


# ---------------------------------------------------------------- arguments


def elements(value: object) -> list[object]:
    """A List, as a Python list of its own."""
    if not isinstance(value, BtList):
        raise BadArgument("Expected a List")
    return list(value)


def integer(value: object) -> int:
    """An Integer."""
    if type(value) is not int:
        raise BadArgument("Expected an Integer")
    return value


def natural(value: object) -> int:
    """An Integer that is not negative."""
    if type(value) is not int or value < 0:
        raise BadArgument("Expected an Integer that is not negative")
    return value


def number(value: object) -> int | float:
    """An Integer or a Float."""
    if type(value) is not int and type(value) is not float:
        raise BadArgument("Expected a number")
    return value


def pair_list(value: object) -> list[BtTuple]:
    """A List of Tuples."""
    found = []
    for element in elements(value):
        if not isinstance(element, BtTuple):
            raise BadArgument("Expected a List of Tuples")
        found.append(element)
    return found


def a_tuple(value: object) -> BtTuple:
    """A Tuple."""
    if not isinstance(value, BtTuple):
        raise BadArgument("Expected a Tuple")
    return value


def dictionary(value: object) -> BtDictionary:
    """A Dictionary."""
    if not isinstance(value, BtDictionary):
        raise BadArgument("Expected a Dictionary")
    return value


def name(value: object) -> str:
    """The text of a Symbol."""
    if type(value) is not Symbol:
        raise BadArgument("Expected a Symbol")
    return value.name


def octets(value: object) -> bytes:
    """The bytes of a String, a Binary, or nested Lists of them with bytes and code points."""
    if type(value) is bytes:
        return value
    if type(value) is str:
        return value.encode()
    found: list[bytes] = []
    pending: list[object] = [value]
    while pending:
        piece = pending.pop()
        if isinstance(piece, BtList):
            pending.extend(reversed(list(piece)))
        elif type(piece) is int:
            found.append(_octets_of_integer(piece))
        elif type(piece) is str:
            found.append(piece.encode())
        elif type(piece) is bytes:
            found.append(piece)
        else:
            raise BadArgument("Expected a String, a Binary, or a List of them")
    return b"".join(found)


def _octets_of_integer(number: int) -> bytes:
    try:
        return bytes([number]) if 0 <= number <= 127 else chr(number).encode()
    except (ValueError, OverflowError, UnicodeEncodeError):
        raise BadArgument(f"{number} is no code point") from None


def text(value: object) -> str:
    """A String, also one in pieces: a List of Strings and code points."""
    if type(value) is str:
        return value
    try:
        return octets(value).decode()
    except UnicodeDecodeError:
        raise BadArgument("Expected text in UTF-8") from None


def block(value: object, arity: int) -> Block:
    """A block that takes so many arguments."""
    return expect.block(value, arity)


def deciding(value: object, arity: int = 1) -> Callable[..., bool]:
    """A block that decides; only Booleans are answers."""
    decide = expect.block(value, arity)

    def holds(*arguments: Any) -> bool:
        answer = decide(*arguments)
        if answer is not True and answer is not False:
            raise expect.no_truth("Erlang", "value:" * arity)
        return answer is True

    return holds


OK = symbol("ok")
ERROR = symbol("error")


def ok(value: object) -> BtTuple:
    """`{#ok, value}`."""
    return BtTuple((OK, value))


def pair(one: object, two: object) -> BtTuple:
    """`{one, two}`."""
    return BtTuple((one, two))
