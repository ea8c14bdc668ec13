"""Primitives of List (stdlib.md 3.13)."""

from __future__ import annotations

from types import FunctionType
from typing import TYPE_CHECKING

from lang.runtime.blocks import Block
from lang.runtime.collections.lists import BtList, list_of
from lang.runtime.collections.mappings import BtDictionary, dictionary_of
from lang.runtime.collections.streams import stream_of_list
from lang.runtime.equality import key_of, value_of_key
from lang.runtime.ordering import compare, sort_exactly, sort_values
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.printing import print_all
from lang.stdlib import arguments as expect
from lang.stdlib.joining import joined_text
from lang.stdlib.searching import index_of
from lang.stdlib.services import services_of
from lang.stdlib.sorting import merge_sorted

if TYPE_CHECKING:
    from lang.runtime.collections.streams import BtStream
    from lang.runtime.runtime import Runtime

LIST = PrimitiveTable("List")


@LIST.primitive("withAll:", class_side=True)
def with_all(_self: object, elements: object) -> object:
    """The argument, whatever it is (stdlib.md 2.9)."""
    return elements


@LIST.primitive("size")
def size(self: BtList) -> int:
    return self._high - self._low


@LIST.primitive("isEmpty")
def is_empty(self: BtList) -> bool:
    return self._high == self._low


@LIST.primitive("first")
def first(self: BtList) -> object:
    if not len(self):
        raise expect.empty_collection("List", "first")
    return self[0]


@LIST.primitive("rest")
def rest(self: BtList) -> BtList:
    return self.sliced(1, len(self))


@LIST.primitive("last")
def last(self: BtList) -> object:
    if not len(self):
        raise expect.empty_collection("List", "last")
    return self[len(self) - 1]


@LIST.primitive("at:")
def at(self: BtList, index: object) -> object:
    count = self._high - self._low
    if type(index) is int and 0 < index <= count:
        place = self._low + index - 1
        return self._back[place] if place >= 0 else self._front[~place]
    position = expect.integer(index, "List", "at:")
    if count == 0 and position >= 1:
        raise expect.empty_collection("List", "at:")
    raise expect.out_of_bounds("List", "at:", position, count)


@LIST.runtime_primitive("includes:")
def includes(runtime: Runtime, self: BtList, item: object) -> bool:
    return index_of(runtime, self, item) is not None


@LIST.runtime_primitive("indexOf:")
def index_of_item(runtime: Runtime, self: BtList, item: object) -> int | None:
    return index_of(runtime, self, item)


@LIST.runtime_primitive("sort")
def sort(runtime: Runtime, self: BtList) -> BtList:
    pass_by = runtime.safe_points.pass_by

    def order(one: object, two: object) -> int:
        pass_by()
        return compare(one, two)

    return list_of(sort_values(self, order))


@LIST.primitive("sort:")
def sort_by(self: BtList, comparator: object) -> BtList:
    block = expect.checked_block(comparator, 2, "List", "sort:")
    return list_of(merge_sorted(list(self), block, lambda: expect.no_truth("List", "sort:")))


@LIST.primitive("reversed")
def reversed_list(self: BtList) -> BtList:
    elements = list(self)
    elements.reverse()
    return list_of(elements)


@LIST.primitive("unique")
def unique(self: BtList) -> BtList:
    distinct = {key_of(element): None for element in self}
    return list_of(sort_exactly([value_of_key(key) for key in distinct]))


@LIST.primitive("detect:")
def detect(self: BtList, block: object) -> object:
    test = expect.checked_block(block, 1, "List", "detect:")
    for element in self:
        if expect.truth(test(element), "List", "detect:"):
            return element
    raise expect.not_found("List", "detect:")


@LIST.primitive("detect:ifNone:")
def detect_if_none(self: BtList, block: object, default: object) -> object:
    test = expect.checked_block(block, 1, "List", "detect:ifNone:")
    for element in self:
        if expect.truth(test(element), "List", "detect:ifNone:"):
            return element
    return expect.block(default, 0)()


@LIST.primitive("do:")
def do(self: BtList, block: object) -> None:
    if type(block) is not FunctionType or block.__code__.co_argcount != 1:
        block = expect.block(block, 1)
    for element in self:
        block(element)


@LIST.primitive("collect:")
def collect(self: BtList, block: object) -> BtList:
    if type(block) is not FunctionType or block.__code__.co_argcount != 1:
        block = expect.block(block, 1)
    return list_of([block(element) for element in self])


@LIST.primitive("select:")
def select(self: BtList, block: object) -> BtList:
    test = expect.block(block, 1)
    return list_of(_chosen(self, test, True, "select:"))


@LIST.primitive("reject:")
def reject(self: BtList, block: object) -> BtList:
    test = expect.block(block, 1)
    return list_of(_chosen(self, test, False, "reject:"))


@LIST.primitive("inject:into:")
def inject_into(self: BtList, initial: object, block: object) -> object:
    combine = expect.block(block, 2)
    value = initial
    for element in self:
        value = combine(value, element)
    return value


@LIST.primitive("take:")
def take(self: BtList, n: object) -> BtList:
    return self.sliced(0, min(expect.natural(n, "List", "take:"), len(self)))


@LIST.primitive("drop:")
def drop(self: BtList, n: object) -> BtList:
    return self.sliced(min(expect.natural(n, "List", "drop:"), len(self)), len(self))


@LIST.primitive("flatten")
def flatten(self: BtList) -> BtList:
    flat: list[object] = []
    pending = [iter(self)]
    while pending:
        for element in pending[-1]:
            if type(element) is BtList:
                pending.append(iter(element))
                break
            flat.append(element)
        else:
            pending.pop()
    return list_of(flat)


@LIST.primitive("flatMap:")
def flat_map(self: BtList, block: object) -> BtList:
    transform = expect.block(block, 1)
    flat: list[object] = []
    for element in self:
        flat.extend(expect.elements(transform(element), "List", "flatMap:"))
    return list_of(flat)


@LIST.primitive("count:")
def count(self: BtList, block: object) -> int:
    test = expect.block(block, 1)
    total = 0
    for element in self:
        if expect.truth(test(element), "List", "count:"):
            total += 1
    return total


@LIST.primitive("anySatisfy:")
def any_satisfy(self: BtList, block: object) -> bool:
    test = expect.block(block, 1)
    for element in self:  # noqa: SIM110 (no frame of C below a block)
        if expect.truth(test(element), "List", "anySatisfy:"):
            return True
    return False


@LIST.primitive("allSatisfy:")
def all_satisfy(self: BtList, block: object) -> bool:
    test = expect.block(block, 1)
    for element in self:  # noqa: SIM110 (no frame of C below a block)
        if not expect.truth(test(element), "List", "allSatisfy:"):
            return False
    return True


@LIST.primitive("++")
def concatenated(self: BtList, other: object) -> BtList:
    if type(other) is not BtList:
        raise expect.argument_error("List", "++", "Expected a List")
    return self.concatenated(other)


@LIST.runtime_primitive("printString")
def print_string(runtime: Runtime, self: BtList) -> str:
    return f"#({print_all(runtime, self)})"


@LIST.primitive("from:to:")
def from_to(self: BtList, start: object, end: object) -> BtList:
    begin = expect.integer(start, "List", "from:to:")
    stop = expect.integer(end, "List", "from:to:")
    if begin < 1:
        raise expect.out_of_bounds("List", "from:to:", begin, len(self))
    return self.sliced(begin - 1, min(stop, len(self)))


@LIST.primitive("zip:")
def zip_with(self: BtList, other: object) -> BtList:
    others = expect.elements(other, "List", "zip:")
    return list_of([list_of([a, b]) for a, b in zip(self, others, strict=False)])


@LIST.primitive("groupBy:")
def group_by(self: BtList, block: object) -> BtDictionary:
    classify = expect.checked_block(block, 1, "List", "groupBy:")
    groups: dict[object, list[object]] = {}
    for element in self:
        groups.setdefault(key_of(classify(element)), []).append(element)
    return dictionary_of([(value_of_key(key), list_of(group)) for key, group in groups.items()])


@LIST.primitive("partition:")
def partition(self: BtList, block: object) -> BtDictionary:
    test = expect.checked_block(block, 1, "List", "partition:")
    matching: list[object] = []
    others: list[object] = []
    for element in self:
        (matching if expect.truth(test(element), "List", "partition:") else others).append(element)
    return dictionary_of([("matching", list_of(matching)), ("nonMatching", list_of(others))])


@LIST.primitive("takeWhile:")
def take_while(self: BtList, block: object) -> BtList:
    return self.sliced(0, _prefix(self, block, "takeWhile:"))


@LIST.primitive("dropWhile:")
def drop_while(self: BtList, block: object) -> BtList:
    return self.sliced(_prefix(self, block, "dropWhile:"), len(self))


@LIST.primitive("intersperse:")
def intersperse(self: BtList, separator: object) -> BtList:
    mixed: list[object] = []
    for element in self:
        if mixed:
            mixed.append(separator)
        mixed.append(element)
    return list_of(mixed)


@LIST.primitive("addFirst:")
def add_first(self: BtList, item: object) -> BtList:
    front, low = self._front, self._low
    if len(front) == -low:
        front.append(item)
        return BtList(self._back, front, low - 1, self._high)
    return self.prepended(item)


@LIST.primitive("add:")
def add(self: BtList, item: object) -> BtList:
    back, high = self._back, self._high
    if len(back) == high:
        back.append(item)
        return BtList(back, self._front, self._low, high + 1)
    return self.appended(item)


@LIST.primitive("stream")
def stream(self: BtList) -> BtStream:
    return stream_of_list(self)


@LIST.runtime_primitive("atRandom")
def at_random(runtime: Runtime, self: BtList) -> object:
    if not len(self):
        raise expect.type_error("List", "atRandom", "The collection is empty")
    return self[services_of(runtime).random.randrange(len(self))]


@LIST.primitive("join")
def join(self: BtList) -> str:
    return joined_text(self, "", "List", "join")


@LIST.primitive("join:")
def join_with(self: BtList, separator: object) -> str:
    return joined_text(self, expect.text(separator, "List", "join:"), "List", "join:")


def _chosen(elements: BtList, test: Block, wanted: bool, selector: str) -> list[object]:
    """The elements for which the block answers `wanted`."""
    kept: list[object] = []
    for element in elements:
        answer = test(element)
        if answer is wanted:
            kept.append(element)
        elif answer is not True and answer is not False:
            raise expect.no_truth("List", selector)
    return kept


def _prefix(elements: BtList, block: object, selector: str) -> int:
    test = expect.checked_block(block, 1, "List", selector)
    length = 0
    for element in elements:
        if not expect.truth(test(element), "List", selector):
            break
        length += 1
    return length
