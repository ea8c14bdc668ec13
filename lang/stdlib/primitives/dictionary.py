"""Primitives of Dictionary (stdlib.md 3.16)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lang.runtime.collections.lists import BtList, list_from
from lang.runtime.collections.mappings import BtDictionary, dictionary_of
from lang.runtime.equality import key_of
from lang.runtime.errors import BeamtalkError
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.printing import print_element, print_pairs
from lang.runtime.symbols import Symbol
from lang.stdlib import arguments as expect
from lang.stdlib.searching import index_of

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

DICTIONARY = PrimitiveTable("Dictionary")
_ABSENT: Final = object()
_OWN_KEYS: Final = frozenset({str, int, Symbol})
"""Types whose values are their own keys (`key_of`)."""


@DICTIONARY.primitive("size")
def size(self: BtDictionary) -> int:
    return len(self.entries)


@DICTIONARY.primitive("keys")
def keys(self: BtDictionary) -> BtList:
    return list_from(self.keys_in_order())


@DICTIONARY.primitive("values")
def values(self: BtDictionary) -> BtList:
    return list_from(self.values_in_order())


@DICTIONARY.runtime_primitive("at:")
def at(runtime: Runtime, self: BtDictionary, key: object) -> object:
    found = self.at(key, _ABSENT)
    if found is _ABSENT:
        raise BeamtalkError(
            "key_error",
            f"key not found: {print_element(runtime, key)}",
            class_name="Dictionary",
            selector="at:",
            hint="Use at:ifAbsent: to give a value for this case",
            raw_kind="error",
        )
    return found


@DICTIONARY.primitive("at:ifAbsent:")
def at_if_absent(self: BtDictionary, key: object, block: object) -> object:
    found = self.at(key, _ABSENT)
    return expect.block(block, 0)() if found is _ABSENT else found


@DICTIONARY.primitive("at:put:")
def at_put(self: BtDictionary, key: object, value: object) -> BtDictionary:
    return BtDictionary(self.entries.set(key if type(key) in _OWN_KEYS else key_of(key), value))


@DICTIONARY.primitive("includesKey:")
def includes_key(self: BtDictionary, key: object) -> bool:
    return key in self


@DICTIONARY.primitive("removeKey:")
def remove_key(self: BtDictionary, key: object) -> BtDictionary:
    return self.without(key)


@DICTIONARY.primitive("merge:")
def merge(self: BtDictionary, other: object) -> BtDictionary:
    return self.merged(_dictionary(other, "merge:"))


@DICTIONARY.runtime_primitive("includes:")
def includes(runtime: Runtime, self: BtDictionary, value: object) -> bool:
    return index_of(runtime, self, value) is not None


@DICTIONARY.primitive("do:")
def do(self: BtDictionary, block: object) -> None:
    action = expect.block(block, 1)
    for value in self:
        action(value)


@DICTIONARY.primitive("collect:")
def collect(self: BtDictionary, block: object) -> BtDictionary:
    transform = expect.block(block, 1)
    return dictionary_of([(key, transform(value)) for key, value in self.items_in_order()])


@DICTIONARY.primitive("doWithKey:")
def do_with_key(self: BtDictionary, block: object) -> None:
    action = expect.block(block, 2)
    for key, value in self.items_in_order():
        action(key, value)


@DICTIONARY.runtime_primitive("printString")
def print_string(runtime: Runtime, self: BtDictionary) -> str:
    return f"#{{{print_pairs(runtime, self.items_in_order())}}}"


def _dictionary(value: object, selector: str) -> BtDictionary:
    if type(value) is not BtDictionary:
        raise BeamtalkError(
            "type_error",
            "expected a Dictionary but got a non-map value",
            class_name="Dictionary",
            selector=selector,
        )
    return value
