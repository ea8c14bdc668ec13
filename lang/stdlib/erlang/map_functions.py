"""`Erlang maps`: the functions on Dictionaries (stdlib.md 8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lang.runtime.collections.lists import BtList, list_of
from lang.runtime.collections.mappings import EMPTY_DICTIONARY, BtDictionary, dictionary_of
from lang.runtime.errors import BeamtalkError
from lang.stdlib.erlang.terms import (
    ERROR,
    OK,
    BadArgument,
    ErlangModule,
    block,
    deciding,
    dictionary,
    elements,
    ok,
    pair,
    pair_list,
)

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

MAPS = ErlangModule("maps")
_MISSING = object()


@MAPS.function("new")
def new() -> BtDictionary:
    return EMPTY_DICTIONARY


@MAPS.runtime_function("get")
def get(runtime: Runtime, key: object, source: object) -> object:
    """The value under a key of a Dictionary, or a field of a Value."""
    if not isinstance(source, BtDictionary):
        answer: object = runtime.send(source, "fieldAt:", key)
        return answer
    found = source.at(key, _MISSING)
    if found is _MISSING:
        raise _no_key(runtime, key, "get:with:")
    return found


def _no_key(runtime: Runtime, key: object, selector: str) -> BeamtalkError:
    message = f"key not found: {runtime.print_string(key)}"
    return BeamtalkError("key_error", message, class_name="Erlang", selector=selector)


@MAPS.function("get")
def get_or(key: object, source: object, default: object) -> object:
    return dictionary(source).at(key, default)


@MAPS.function("find")
def find(key: object, source: object) -> object:
    """`{#ok, value}`, or the Symbol `#error`."""
    found = dictionary(source).at(key, _MISSING)
    return ERROR if found is _MISSING else ok(found)


@MAPS.function("is_key")
def is_key(key: object, source: object) -> bool:
    return key in dictionary(source)


@MAPS.function("put")
def put(key: object, value: object, source: object) -> BtDictionary:
    return dictionary(source).put(key, value)


@MAPS.runtime_function("update")
def update(runtime: Runtime, key: object, value: object, source: object) -> BtDictionary:
    if key not in dictionary(source):
        raise _no_key(runtime, key, "update:")
    return dictionary(source).put(key, value)


@MAPS.runtime_function("update_with")
def update_with(runtime: Runtime, key: object, function: object, source: object) -> BtDictionary:
    change = block(function, 1)
    if key not in dictionary(source):
        raise _no_key(runtime, key, "update_with:")
    return dictionary(source).put(key, change(dictionary(source).at(key, None)))


@MAPS.function("update_with")
def update_with_default(key: object, function: object, start: object, source: object) -> BtDictionary:
    change = block(function, 1)
    found = dictionary(source).at(key, _MISSING)
    return dictionary(source).put(key, start if found is _MISSING else change(found))


@MAPS.function("remove")
def remove(key: object, source: object) -> BtDictionary:
    return dictionary(source).without(key)


@MAPS.function("take")
def take(key: object, source: object) -> object:
    """`{value, rest}`, or the Symbol `#error`."""
    found = dictionary(source).at(key, _MISSING)
    return ERROR if found is _MISSING else pair(found, dictionary(source).without(key))


@MAPS.function("merge")
def merge(one: object, two: object) -> BtDictionary:
    return dictionary(one).merged(dictionary(two))


@MAPS.function("keys")
def keys(source: object) -> BtList:
    return list_of(list(dictionary(source).keys_in_order()))


@MAPS.function("values")
def values(source: object) -> BtList:
    return list_of(dictionary(source).values_in_order())


@MAPS.function("size")
def size(source: object) -> int:
    return len(dictionary(source))


@MAPS.function("to_list")
def to_list(source: object) -> BtList:
    return list_of([pair(key, value) for key, value in dictionary(source).items_in_order()])


@MAPS.function("from_list")
def from_list(pairs: object) -> BtDictionary:
    found = pair_list(pairs)
    if any(len(each) != 2 for each in found):
        raise BadArgument("Expected a List of Tuples of two")
    return dictionary_of([(each[0], each[1]) for each in found])


@MAPS.function("from_keys")
def from_keys(wanted: object, value: object) -> BtDictionary:
    return dictionary_of([(key, value) for key in elements(wanted)])


@MAPS.function("with")
def only(wanted: object, source: object) -> BtDictionary:
    kept = dictionary(source)
    return dictionary_of([(key, kept.at(key, None)) for key in elements(wanted) if key in kept])


@MAPS.function("without")
def without(unwanted: object, source: object) -> BtDictionary:
    kept = dictionary(source)
    for key in elements(unwanted):
        kept = kept.without(key)
    return kept


@MAPS.function("map")
def mapped(function: object, source: object) -> BtDictionary:
    call = block(function, 2)
    return dictionary_of([(key, call(key, value)) for key, value in dictionary(source).items_in_order()])


@MAPS.function("filter")
def filtered(predicate: object, source: object) -> BtDictionary:
    holds = deciding(predicate, 2)
    items = dictionary(source).items_in_order()
    return dictionary_of([(key, value) for key, value in items if holds(key, value)])


@MAPS.function("foreach")
def for_each(function: object, source: object) -> object:
    call = block(function, 2)
    for key, value in dictionary(source).items_in_order():
        call(key, value)
    return OK


@MAPS.function("fold")
def folded(function: object, start: object, source: object) -> object:
    """The block gets key, value and what was gathered."""
    call = block(function, 3)
    gathered = start
    for key, value in dictionary(source).items_in_order():
        gathered = call(key, value, gathered)
    return gathered


@MAPS.function("groups_from_list")
def grouped(function: object, items: object) -> BtDictionary:
    call = block(function, 1)
    groups = EMPTY_DICTIONARY
    for element in elements(items):
        key = call(element)
        group = groups.at(key, None)
        grown = group.appended(element) if isinstance(group, BtList) else list_of([element])
        groups = groups.put(key, grown)
    return groups
