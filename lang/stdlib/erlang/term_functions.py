"""`Erlang erlang`: what terms are, arithmetic, and texts of terms (stdlib.md 8)."""

from __future__ import annotations

from types import FunctionType
from typing import TYPE_CHECKING, Final, NoReturn

from lang.runtime import arithmetic
from lang.runtime.blocks import is_block
from lang.runtime.collections.lists import BtList, list_of
from lang.runtime.collections.mappings import BtDictionary
from lang.runtime.collections.tuples import BtTuple, tuple_of
from lang.runtime.equality import hash_of
from lang.runtime.errors import BeamtalkError
from lang.runtime.ordering import compare
from lang.runtime.processes.pid import Pid, Reference
from lang.runtime.symbols import Symbol, symbol
from lang.runtime.text import float_text
from lang.stdlib.erlang.terms import (
    BadArgument,
    ErlangModule,
    a_tuple,
    dictionary,
    elements,
    integer,
    natural,
    number,
    octets,
    text,
)
from lang.stdlib.octets import value_of_octets
from lang.stdlib.serialising import read_value, written_value

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

ERLANG = ErlangModule("erlang")
_DIGITS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_MOST_HASHES: Final = 1 << 27


# ---------------------------------------------------------------- kinds


@ERLANG.function("is_atom")
def is_atom(term: object) -> bool:
    return term is None or type(term) in (Symbol, bool)


@ERLANG.function("is_boolean")
def is_boolean(term: object) -> bool:
    return type(term) is bool


@ERLANG.function("is_integer")
def is_integer(term: object) -> bool:
    return type(term) is int


@ERLANG.function("is_float")
def is_float(term: object) -> bool:
    return type(term) is float


@ERLANG.function("is_number")
def is_number(term: object) -> bool:
    return type(term) in (int, float)


@ERLANG.function("is_binary")
def is_binary(term: object) -> bool:
    return type(term) in (str, bytes)


@ERLANG.function("is_list")
def is_list(term: object) -> bool:
    return isinstance(term, BtList)


@ERLANG.function("is_tuple")
def is_tuple(term: object) -> bool:
    return isinstance(term, BtTuple)


@ERLANG.function("is_map")
def is_map(term: object) -> bool:
    return isinstance(term, BtDictionary)


@ERLANG.function("is_pid")
def is_pid(term: object) -> bool:
    return isinstance(term, Pid)


@ERLANG.function("is_reference")
def is_reference(term: object) -> bool:
    return isinstance(term, Reference)


@ERLANG.function("is_function")
def is_function(term: object) -> bool:
    return is_block(term)


@ERLANG.function("is_function")
def is_function_of(term: object, arity: object) -> bool:
    return isinstance(term, FunctionType) and term.__code__.co_argcount == integer(arity)


# ---------------------------------------------------------------- numbers


@ERLANG.function("abs")
def absolute(term: object) -> int | float:
    return abs(number(term))


@ERLANG.function("round")
def rounded(term: object) -> int:
    return arithmetic.rounded(number(term))


@ERLANG.function("trunc")
def truncated(term: object) -> int:
    return int(number(term))


@ERLANG.function("floor")
def floor(term: object) -> int:
    return int(number(term) // 1)


@ERLANG.function("ceil")
def ceiling(term: object) -> int:
    return -int(-number(term) // 1)


@ERLANG.function("float")
def as_float(term: object) -> float:
    return arithmetic.float_power(number(term), 1)


@ERLANG.function("max")
def greater(one: object, two: object) -> object:
    return two if compare(one, two) < 0 else one


@ERLANG.function("min")
def smaller(one: object, two: object) -> object:
    return two if compare(one, two) > 0 else one


@ERLANG.function("div")
def quotient(one: object, two: object) -> int:
    return arithmetic.truncated_quotient(one, two)


@ERLANG.function("rem")
def remainder(one: object, two: object) -> int:
    return arithmetic.remainder(one, two)


@ERLANG.function("band")
def bits_and(one: object, two: object) -> int:
    return integer(one) & integer(two)


@ERLANG.function("bor")
def bits_or(one: object, two: object) -> int:
    return integer(one) | integer(two)


@ERLANG.function("bxor")
def bits_xor(one: object, two: object) -> int:
    return integer(one) ^ integer(two)


@ERLANG.function("bnot")
def bits_not(one: object) -> int:
    return ~integer(one)


@ERLANG.function("bsl")
def shifted_left(one: object, places: object) -> int:
    return arithmetic.shift(one, places)


@ERLANG.function("bsr")
def shifted_right(one: object, places: object) -> int:
    return arithmetic.shift(one, -integer(places))


# ---------------------------------------------------------------- lists, tuples, maps


@ERLANG.function("hd")
def head(items: object) -> object:
    return _some(items)[0]


@ERLANG.function("tl")
def tail(items: object) -> BtList:
    found = _some(items)
    return found.sliced(1, len(found))


def _some(items: object) -> BtList:
    if not isinstance(items, BtList) or not len(items):
        raise BadArgument("Expected a List that is not empty")
    return items


@ERLANG.function("length")
def length(items: object) -> int:
    return len(elements(items))


@ERLANG.function("element")
def element(position: object, items: object) -> object:
    return a_tuple(items)[_place(position, items) - 1]


@ERLANG.function("setelement")
def set_element(position: object, items: object, value: object) -> BtTuple:
    found = [*a_tuple(items)]
    found[_place(position, items) - 1] = value
    return tuple_of(found)


def _place(position: object, items: object) -> int:
    if not 1 <= integer(position) <= len(a_tuple(items)):
        raise BadArgument("No element has this position")
    return integer(position)


@ERLANG.function("tuple_size")
def tuple_size(items: object) -> int:
    return len(a_tuple(items))


@ERLANG.function("tuple_to_list")
def tuple_to_list(items: object) -> BtList:
    return list_of([*a_tuple(items)])


@ERLANG.function("list_to_tuple")
def list_to_tuple(items: object) -> BtTuple:
    return tuple_of(elements(items))


@ERLANG.function("map_size")
def map_size(source: object) -> int:
    return len(dictionary(source))


# ---------------------------------------------------------------- bytes and texts


@ERLANG.runtime_function("list_to_binary")
def list_to_binary(runtime: Runtime, items: object) -> object:
    answer: object = runtime.send(runtime.existing_class("Binary"), "fromBytes:", items)
    return answer


@ERLANG.function("iolist_to_binary")
def iolist_to_binary(pieces: object) -> object:
    return value_of_octets(octets(pieces))


@ERLANG.function("iolist_size")
@ERLANG.function("byte_size")
def byte_size(pieces: object) -> int:
    return len(octets(pieces))


@ERLANG.function("binary_to_list")
def binary_to_list(binary: object) -> BtList:
    return list_of([*octets(binary)])


@ERLANG.function("binary_part")
def binary_part(binary: object, start: object, count: object) -> object:
    whole, at, size = octets(binary), natural(start), integer(count)
    low, high = min(at, at + size), max(at, at + size)
    if low < 0 or high > len(whole):
        raise BadArgument("The part is not within the Binary")
    return value_of_octets(whole[low:high])


@ERLANG.function("term_to_binary")
def term_to_binary(term: object) -> object:
    return value_of_octets(written_value(term))


@ERLANG.function("binary_to_term")
def binary_to_term(binary: object) -> object:
    return read_value(octets(binary), "binary_to_term:")[0]


@ERLANG.function("atom_to_binary")
@ERLANG.function("atom_to_list")
def atom_to_binary(atom: object) -> str:
    if not is_atom(atom):
        raise BadArgument("Expected a Symbol")
    return atom.name if isinstance(atom, Symbol) else {None: "nil", True: "true", False: "false"}[atom]  # type: ignore[index]


@ERLANG.function("binary_to_atom")
@ERLANG.function("binary_to_existing_atom")
@ERLANG.function("list_to_atom")
@ERLANG.function("list_to_existing_atom")
def binary_to_atom(name: object) -> Symbol:
    return symbol(text(name))


@ERLANG.function("integer_to_binary")
@ERLANG.function("integer_to_list")
def integer_to_binary(term: object) -> str:
    return str(integer(term))


@ERLANG.function("integer_to_binary")
@ERLANG.function("integer_to_list")
def integer_to_binary_in(term: object, base: object) -> str:
    rest, digits = abs(integer(term)), ""
    while rest or not digits:
        rest, digit = divmod(rest, _base(base))
        digits = _DIGITS[digit] + digits
    return f"-{digits}" if integer(term) < 0 else digits


@ERLANG.function("binary_to_integer")
@ERLANG.function("list_to_integer")
def binary_to_integer(digits: object) -> int:
    return _parsed(text(digits), 10)


@ERLANG.function("binary_to_integer")
@ERLANG.function("list_to_integer")
def binary_to_integer_in(digits: object, base: object) -> int:
    return _parsed(text(digits), _base(base))


def _parsed(digits: str, base: int) -> int:
    allowed = _DIGITS[:base] + _DIGITS[:base].lower()
    unsigned = digits.removeprefix("-") if digits.startswith("-") else digits.removeprefix("+")
    if not unsigned or unsigned.strip(allowed):
        raise BadArgument(f"Expected digits to the base {base}")
    return int(digits, base)


def _base(value: object) -> int:
    if not 2 <= integer(value) <= 36:
        raise BadArgument("Expected a base between 2 and 36")
    return integer(value)


@ERLANG.function("float_to_binary")
@ERLANG.function("float_to_list")
def float_to_binary(term: object) -> str:
    """The shortest text that reads back to the same Float."""
    if type(term) is not float:
        raise BadArgument("Expected a Float")
    return float_text(term)


@ERLANG.runtime_function("binary_to_float")
@ERLANG.runtime_function("list_to_float")
def binary_to_float(runtime: Runtime, digits: object) -> object:
    answer: object = runtime.send(text(digits), "asFloat")
    return answer


@ERLANG.function("phash2")
def hashed(term: object) -> int:
    return hash_of(term) % _MOST_HASHES


@ERLANG.function("phash2")
def hashed_below(term: object, range_: object) -> int:
    if natural(range_) == 0:
        raise BadArgument("Expected a range that is not empty")
    return hash_of(term) % natural(range_)


# ---------------------------------------------------------------- raising


@ERLANG.runtime_function("throw")
def throw(runtime: Runtime, term: object) -> NoReturn:
    raise _raised(runtime, "erlang_throw", "throw:", term)


@ERLANG.runtime_function("exit")
def exit_with(runtime: Runtime, term: object) -> NoReturn:
    raise _raised(runtime, "erlang_exit", "exit:", term)


@ERLANG.runtime_function("error")
def error(runtime: Runtime, term: object) -> NoReturn:
    if isinstance(term, BeamtalkError):
        raise term
    raise _raised(runtime, "runtime_error", "error:", term)


def _raised(runtime: Runtime, kind: str, selector: str, term: object) -> BeamtalkError:
    message = runtime.print_string(term)
    return BeamtalkError(kind, message, class_name="Erlang", selector=selector, details=term)
