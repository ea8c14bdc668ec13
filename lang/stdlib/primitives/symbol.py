"""Primitives of Symbol (stdlib.md 3.10)."""

from __future__ import annotations

from lang.runtime.equality import hash_of
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.symbols import Symbol
from lang.stdlib import arguments as expect

SYMBOL = PrimitiveTable("Symbol")


@SYMBOL.primitive("asString")
def as_string(self: Symbol) -> str:
    return self.name


@SYMBOL.primitive("asAtom")
def as_atom(self: Symbol) -> Symbol:
    return self


@SYMBOL.primitive("printString")
def print_string(self: Symbol) -> str:
    return f"#{self.name}"


@SYMBOL.primitive("=:=")
def is_same(self: Symbol, other: object) -> bool:
    return self is other


@SYMBOL.primitive("=/=")
def is_other(self: Symbol, other: object) -> bool:
    return self is not other


@SYMBOL.primitive("/=")
def differs(self: Symbol, other: object) -> bool:
    return self is not other


@SYMBOL.primitive("++")
def concatenated(_self: Symbol, _other: object) -> object:
    raise expect.argument_error("Symbol", "++", "Only Strings and Lists can be joined")


@SYMBOL.primitive("hash")
def hash_value(self: Symbol) -> int:
    return abs(hash_of(self))
