"""Primitives of Stream (stdlib.md 4.4)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from lang.runtime.collections.lists import BtList, list_of
from lang.runtime.collections.mappings import BtSet
from lang.runtime.collections.streams import (
    Accept,
    BtStream,
    Stage,
    StageKind,
    gathered,
    stream_by,
    stream_from,
    stream_of_list,
    stream_of_set,
    stream_of_text,
)
from lang.runtime.errors import as_beamtalk_error
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.printing import print_element
from lang.stdlib import arguments as expect

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

STREAM = PrimitiveTable("Stream")
T = TypeVar("T")


@STREAM.primitive("from:", class_side=True)
def from_start(_self: object, start: object) -> BtStream:
    return stream_from(expect.integer(start, "Stream", "from:"))


@STREAM.runtime_primitive("from:by:", class_side=True)
def from_by(runtime: Runtime, _self: object, start: object, step: object) -> BtStream:
    block = expect.checked_block(step, 1, "Stream", "from:by:")
    return stream_by(start, print_element(runtime, start), block)


@STREAM.primitive("on:", class_side=True)
def on(_self: object, collection: object) -> BtStream:
    if isinstance(collection, BtList):
        return stream_of_list(collection)
    if isinstance(collection, BtSet):
        return stream_of_set(collection)
    return stream_of_text(expect.text(collection, "Stream", "on:"))


@STREAM.primitive("select:")
def select(self: BtStream, block: object) -> BtStream:
    return _followed(self, StageKind.SELECT, block)


@STREAM.primitive("reject:")
def reject(self: BtStream, block: object) -> BtStream:
    return _followed(self, StageKind.REJECT, block)


@STREAM.primitive("collect:")
def collect(self: BtStream, block: object) -> BtStream:
    return _followed(self, StageKind.COLLECT, block)


@STREAM.primitive("drop:")
def drop(self: BtStream, count: object) -> BtStream:
    return self.followed_by(Stage(StageKind.DROP, count=expect.natural(count, "Stream", "drop:")))


@STREAM.primitive("take:")
def take(self: BtStream, count: object) -> BtList:
    limit = expect.natural(count, "Stream", "take:")
    return _terminal("take:", lambda: list_of(gathered(self, _check("take:"), limit)))


@STREAM.primitive("asList")
def as_list(self: BtStream) -> BtList:
    return _terminal("asList", lambda: list_of(gathered(self, _check("asList"))))


@STREAM.primitive("do:")
def do(self: BtStream, block: object) -> None:
    action = expect.checked_block(block, 1, "Stream", "do:")

    def accept(element: object) -> bool:
        action(element)
        return False

    _pull(self, "do:", accept)


@STREAM.primitive("inject:into:")
def inject_into(self: BtStream, initial: object, block: object) -> object:
    combine = expect.checked_block(block, 2, "Stream", "inject:into:")
    value = initial

    def accept(element: object) -> bool:
        nonlocal value
        value = combine(value, element)
        return False

    _pull(self, "inject:into:", accept)
    return value


@STREAM.primitive("detect:")
def detect(self: BtStream, block: object) -> object:
    found = _first(self, block, "detect:")
    if not found:
        raise expect.not_found("Stream", "detect:")
    return found[0]


@STREAM.primitive("detect:ifNone:")
def detect_if_none(self: BtStream, block: object, default: object) -> object:
    none_block = expect.checked_block(default, 0, "Stream", "detect:ifNone:")
    found = _first(self, block, "detect:ifNone:")
    return found[0] if found else none_block()


@STREAM.primitive("anySatisfy:")
def any_satisfy(self: BtStream, block: object) -> bool:
    return bool(_first(self, block, "anySatisfy:"))


@STREAM.primitive("allSatisfy:")
def all_satisfy(self: BtStream, block: object) -> bool:
    test = expect.checked_block(block, 1, "Stream", "allSatisfy:")
    fails = False

    def accept(element: object) -> bool:
        nonlocal fails
        fails = not expect.truth(test(element), "Stream", "allSatisfy:")
        return fails

    _pull(self, "allSatisfy:", accept)
    return not fails


@STREAM.primitive("printString")
def print_string(self: BtStream) -> str:
    return self.text


def _followed(stream: BtStream, kind: StageKind, block: object) -> BtStream:
    selector = f"{kind.value}:"
    return stream.followed_by(Stage(kind, expect.checked_block(block, 1, "Stream", selector)))


def _first(stream: BtStream, block: object, selector: str) -> list[object]:
    """The first element for which the block is true, in a list; empty when there is none."""
    test = expect.checked_block(block, 1, "Stream", selector)
    found: list[object] = []

    def accept(element: object) -> bool:
        if expect.truth(test(element), "Stream", selector):
            found.append(element)
        return bool(found)

    _pull(stream, selector, accept)
    return found


def _check(selector: str) -> Callable[[object], bool]:
    return lambda answer: expect.truth(answer, "Stream", selector)


def _pull(stream: BtStream, selector: str, accept: Accept) -> None:
    _terminal(selector, lambda: stream.pull(accept, _check(selector)))


def _terminal(selector: str, operation: Callable[[], T]) -> T:
    """Run a terminal operation: a raw fault in a block becomes its own `type_error` (stdlib.md 4.4)."""
    try:
        return operation()
    except Exception as fault:
        error = as_beamtalk_error(fault)
        if error.raw_kind in ("badarith", "badarg"):
            raise expect.type_error("Stream", selector, error.message) from fault
        raise
