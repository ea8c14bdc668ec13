"""`Erlang lists`: the functions on Lists (stdlib.md 8)."""

from __future__ import annotations

from collections.abc import Callable

from lang.runtime.collections.lists import BtList, list_of
from lang.runtime.collections.tuples import BtTuple
from lang.runtime.equality import key_of, loose_equal, strict_equal
from lang.runtime.ordering import compare, sort_values
from lang.runtime.symbols import symbol
from lang.stdlib.arguments import no_truth
from lang.stdlib.erlang.terms import (
    BadArgument,
    ErlangModule,
    a_tuple,
    block,
    deciding,
    elements,
    integer,
    natural,
    number,
    pair,
    pair_list,
)
from lang.stdlib.sorting import merge_sorted

LISTS = ErlangModule("lists")
_OK = symbol("ok")
_VALUE = symbol("value")


# ---------------------------------------------------------------- with a block


@LISTS.function("map")
def mapped(function: object, items: object) -> BtList:
    call = block(function, 1)
    return list_of([call(element) for element in elements(items)])


@LISTS.function("filter")
def filtered(predicate: object, items: object) -> BtList:
    holds = deciding(predicate)
    return list_of([element for element in elements(items) if holds(element)])


@LISTS.function("filtermap")
def filter_mapped(function: object, items: object) -> BtList:
    call = block(function, 1)
    found = []
    for element in elements(items):
        answer = call(element)
        if answer is True:
            found.append(element)
        elif isinstance(answer, BtTuple) and len(answer) == 2 and answer[0] is True:
            found.append(answer[1])
        elif answer is not False:
            raise BadArgument("The block has to answer true, false or {true, value}")
    return list_of(found)


@LISTS.function("flatmap")
def flat_mapped(function: object, items: object) -> BtList:
    call = block(function, 1)
    return list_of([each for element in elements(items) for each in elements(call(element))])


@LISTS.function("foreach")
def for_each(function: object, items: object) -> object:
    call = block(function, 1)
    for element in elements(items):
        call(element)
    return _OK


@LISTS.function("foldl")
def folded(function: object, start: object, items: object) -> object:
    """The block gets the element first, then what was gathered."""
    return _fold(function, start, elements(items))


@LISTS.function("foldr")
def folded_from_the_right(function: object, start: object, items: object) -> object:
    return _fold(function, start, elements(items)[::-1])


def _fold(function: object, start: object, items: list[object]) -> object:
    call = block(function, 2)
    gathered = start
    for element in items:
        gathered = call(element, gathered)
    return gathered


@LISTS.function("mapfoldl")
def map_folded(function: object, start: object, items: object) -> BtTuple:
    call = block(function, 2)
    gathered, found = start, []
    for element in elements(items):
        answer = a_tuple(call(element, gathered))
        if len(answer) != 2:
            raise BadArgument("The block has to answer a Tuple of two")
        found.append(answer[0])
        gathered = answer[1]
    return pair(list_of(found), gathered)


@LISTS.function("all")
def all_of(predicate: object, items: object) -> bool:
    holds = deciding(predicate)
    for element in elements(items):  # noqa: SIM110 (no frame of C for each level)
        if not holds(element):
            return False
    return True


@LISTS.function("any")
def any_of(predicate: object, items: object) -> bool:
    holds = deciding(predicate)
    for element in elements(items):  # noqa: SIM110
        if holds(element):
            return True
    return False


@LISTS.function("partition")
def partitioned(predicate: object, items: object) -> BtTuple:
    holds = deciding(predicate)
    yes: list[object] = []
    no: list[object] = []
    for element in elements(items):
        (yes if holds(element) else no).append(element)
    return pair(list_of(yes), list_of(no))


@LISTS.function("search")
def searched(predicate: object, items: object) -> object:
    """`{value, element}` of the first that passes, else false."""
    holds = deciding(predicate)
    for element in elements(items):
        if holds(element):
            return pair(_VALUE, element)
    return False


@LISTS.function("takewhile")
def taken_while(predicate: object, items: object) -> BtList:
    found = elements(items)
    return list_of(found[: _prefix(deciding(predicate), found)])


@LISTS.function("dropwhile")
def dropped_while(predicate: object, items: object) -> BtList:
    found = elements(items)
    return list_of(found[_prefix(deciding(predicate), found) :])


@LISTS.function("splitwith")
def split_with(predicate: object, items: object) -> BtTuple:
    found = elements(items)
    count = _prefix(deciding(predicate), found)
    return pair(list_of(found[:count]), list_of(found[count:]))


def _prefix(holds: Callable[[object], bool], items: list[object]) -> int:
    for count, element in enumerate(items):
        if not holds(element):
            return count
    return len(items)


# ---------------------------------------------------------------- order


@LISTS.function("sort")
def in_order(items: object) -> BtList:
    return list_of(sort_values(elements(items)))


@LISTS.function("sort")
def in_order_by(comparator: object, items: object) -> BtList:
    call = block(comparator, 2)
    return list_of(merge_sorted(elements(items), call, lambda: no_truth("Erlang", "sort:")))


@LISTS.function("usort")
def in_order_once(items: object) -> BtList:
    """Without repetitions: of elements that compare equal, the first stays."""
    found: list[object] = []
    for element in sort_values(elements(items)):
        if not found or compare(found[-1], element):
            found.append(element)
    return list_of(found)


@LISTS.function("reverse")
def backwards(items: object) -> BtList:
    return list_of(elements(items)[::-1])


@LISTS.function("reverse")
def backwards_before(items: object, tail: object) -> BtList:
    return list_of(elements(items)[::-1] + elements(tail))


@LISTS.function("max")
def greatest(items: object) -> object:
    best = _some(items)[0]
    for element in elements(items):
        if compare(element, best) > 0:
            best = element
    return best


@LISTS.function("min")
def least(items: object) -> object:
    best = _some(items)[0]
    for element in elements(items):
        if compare(element, best) < 0:
            best = element
    return best


@LISTS.function("sum")
def total(items: object) -> int | float:
    result: int | float = 0
    for element in elements(items):
        result += number(element)
    return result


# ---------------------------------------------------------------- parts


@LISTS.function("nth")
def nth(position: object, items: object) -> object:
    return _some(items)[_place(position, items) - 1]


@LISTS.function("nthtail")
def nth_tail(count: object, items: object) -> BtList:
    found = elements(items)
    if natural(count) > len(found):
        raise BadArgument("The List is shorter")
    return list_of(found[natural(count) :])


def _place(position: object, items: object) -> int:
    if not 1 <= integer(position) <= len(elements(items)):
        raise BadArgument("No element has this position")
    return integer(position)


@LISTS.function("last")
def last(items: object) -> object:
    return _some(items)[-1]


@LISTS.function("droplast")
def without_last(items: object) -> BtList:
    return list_of(_some(items)[:-1])


def _some(items: object) -> list[object]:
    found = elements(items)
    if not found:
        raise BadArgument("The List is empty")
    return found


@LISTS.function("split")
def split_at(count: object, items: object) -> BtTuple:
    found, at = elements(items), natural(count)
    if at > len(found):
        raise BadArgument("The List is shorter")
    return pair(list_of(found[:at]), list_of(found[at:]))


@LISTS.function("sublist")
def first_elements(items: object, count: object) -> BtList:
    return list_of(elements(items)[: natural(count)])


@LISTS.function("sublist")
def elements_from(items: object, start: object, count: object) -> BtList:
    found, at = elements(items), integer(start)
    if not 1 <= at <= len(found) + 1:
        raise BadArgument("No element has this position")
    return list_of(found[at - 1 : at - 1 + natural(count)])


@LISTS.function("prefix")
def is_prefix(beginning: object, items: object) -> bool:
    wanted = elements(beginning)
    return _same_elements(wanted, elements(items)[: len(wanted)])


@LISTS.function("suffix")
def is_suffix(end: object, items: object) -> bool:
    wanted, found = elements(end), elements(items)
    return len(wanted) <= len(found) and _same_elements(wanted, found[len(found) - len(wanted) :])


def _same_elements(one: list[object], two: list[object]) -> bool:
    return strict_equal(list_of(one), list_of(two))


# ---------------------------------------------------------------- made of others


@LISTS.function("append")
def joined(lists: object) -> BtList:
    return list_of([element for each in elements(lists) for element in elements(each)])


@LISTS.function("append")
def joined_two(one: object, two: object) -> BtList:
    return list_of(elements(one) + elements(two))


@LISTS.function("flatten")
def flat(items: object) -> BtList:
    found: list[object] = []
    pending: list[object] = elements(items)[::-1]
    while pending:
        element = pending.pop()
        if isinstance(element, BtList):
            pending.extend(elements(element)[::-1])
        else:
            found.append(element)
    return list_of(found)


@LISTS.function("duplicate")
def repeated(count: object, element: object) -> BtList:
    return list_of([element] * natural(count))


@LISTS.function("seq")
def sequence(start: object, end: object) -> BtList:
    return sequence_by(start, end, 1)


@LISTS.function("seq")
def sequence_by(start: object, end: object, step: object) -> BtList:
    first, final, by = integer(start), integer(end), integer(step)
    if by == 0 or (final - first) * by < -abs(by) * abs(by):
        raise BadArgument("The step leads away from the end")
    return list_of(list(range(first, final + (1 if by > 0 else -1), by)))


@LISTS.function("join")
def separated(separator: object, items: object) -> BtList:
    found: list[object] = []
    for element in elements(items):
        found.extend((element, separator))
    return list_of(found[:-1])


@LISTS.function("enumerate")
def numbered(items: object) -> BtList:
    return list_of([pair(at, element) for at, element in enumerate(elements(items), start=1)])


@LISTS.function("zip")
def zipped(one: object, two: object) -> BtList:
    return list_of([pair(a, b) for a, b in _side_by_side(one, two)])


@LISTS.function("zipwith")
def zipped_with(function: object, one: object, two: object) -> BtList:
    call = block(function, 2)
    return list_of([call(a, b) for a, b in _side_by_side(one, two)])


def _side_by_side(one: object, two: object) -> list[tuple[object, object]]:
    left, right = elements(one), elements(two)
    if len(left) != len(right):
        raise BadArgument("The Lists are of different sizes")
    return list(zip(left, right, strict=True))


@LISTS.function("unzip")
def unzipped(pairs: object) -> BtTuple:
    found = pair_list(pairs)
    if any(len(each) != 2 for each in found):
        raise BadArgument("Expected a List of Tuples of two")
    return pair(list_of([each[0] for each in found]), list_of([each[1] for each in found]))


# ---------------------------------------------------------------- as sets


@LISTS.function("member")
def is_member(element: object, items: object) -> bool:
    return _index(element, elements(items)) is not None


@LISTS.function("delete")
def without_first(element: object, items: object) -> BtList:
    found = elements(items)
    at = _index(element, found)
    return list_of(found if at is None else found[:at] + found[at + 1 :])


@LISTS.function("subtract")
def subtracted(items: object, others: object) -> BtList:
    """For each element of the second List, the first equal one of the first List goes."""
    unwanted: dict[object, int] = {}
    for element in elements(others):
        unwanted[key_of(element)] = unwanted.get(key_of(element), 0) + 1
    kept = []
    for element in elements(items):
        key = key_of(element)
        if unwanted.get(key):
            unwanted[key] -= 1
        else:
            kept.append(element)
    return list_of(kept)


def _index(element: object, items: list[object]) -> int | None:
    for at, each in enumerate(items):
        if strict_equal(each, element):
            return at
    return None


# ---------------------------------------------------------------- lists of tuples


@LISTS.function("keyfind")
def key_found(key: object, position: object, tuples: object) -> object:
    """The first Tuple that has the key at that place, else false."""
    at = _key_index(key, position, pair_list(tuples))
    return False if at is None else pair_list(tuples)[at]


@LISTS.function("keymember")
def is_key(key: object, position: object, tuples: object) -> bool:
    return _key_index(key, position, pair_list(tuples)) is not None


@LISTS.function("keydelete")
def key_deleted(key: object, position: object, tuples: object) -> BtList:
    found: list[object] = [*pair_list(tuples)]
    at = _key_index(key, position, pair_list(tuples))
    return list_of(found if at is None else found[:at] + found[at + 1 :])


@LISTS.function("keyreplace")
def key_replaced(key: object, position: object, tuples: object, other: object) -> BtList:
    found: list[object] = [*pair_list(tuples)]
    at = _key_index(key, position, pair_list(tuples))
    return list_of(found if at is None else [*found[:at], a_tuple(other), *found[at + 1 :]])


@LISTS.function("keystore")
def key_stored(key: object, position: object, tuples: object, other: object) -> BtList:
    if _key_index(key, position, pair_list(tuples)) is None:
        return list_of([*pair_list(tuples), a_tuple(other)])
    return key_replaced(key, position, tuples, other)


@LISTS.function("keytake")
def key_taken(key: object, position: object, tuples: object) -> object:
    """`{value, tuple, rest}`, or false."""
    at = _key_index(key, position, pair_list(tuples))
    if at is None:
        return False
    found: list[object] = [*pair_list(tuples)]
    return BtTuple((_VALUE, found[at], list_of(found[:at] + found[at + 1 :])))


@LISTS.function("keysort")
def key_sorted(position: object, tuples: object) -> BtList:
    place = natural(position)
    found = pair_list(tuples)
    if any(not 1 <= place <= len(each) for each in found):
        raise BadArgument("A Tuple is shorter")

    def is_before(one: object, two: object) -> bool:
        return compare(a_tuple(one)[place - 1], a_tuple(two)[place - 1]) <= 0

    return list_of(merge_sorted([*found], is_before, lambda: BadArgument("no order")))


def _key_index(key: object, position: object, tuples: list[BtTuple]) -> int | None:
    place = integer(position)
    if place < 1:
        raise BadArgument("Positions begin at 1")
    for at, each in enumerate(tuples):
        if place <= len(each) and loose_equal(each[place - 1], key):
            return at
    return None
