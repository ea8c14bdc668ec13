"""Collections, Strings and Integers of the library against Python's own, by sends (stdlib.md 2.4, 3).

Keys follow `=:=`: 1, 1.0 and true are three. Every operation leaves the receiver as it was.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from lang.runtime.collections.arrays import BtArray, array_of
from lang.runtime.collections.lists import BtList, list_of
from lang.runtime.collections.mappings import BtDictionary, BtSet
from lang.runtime.errors import BeamtalkError
from lang.runtime.symbols import Symbol, symbol
from tests.lang.codegen.image import Image

_IMAGE = Image(Path(tempfile.mkdtemp(prefix="beamtalk-models")))
"""Values are immutable and these tests define nothing: one image serves all examples."""

SEND = _IMAGE.runtime.send

names = st.sampled_from("abc").map(symbol)
keys = st.one_of(
    st.integers(-3, 3),
    st.sampled_from([0.0, 1.0, 2.0, -1.0, 1.5]),
    st.booleans(),
    st.none(),
    st.text("ab1", max_size=2),
    names,
)
values = st.integers(-9, 9)
texts = st.lists(st.sampled_from([*"ab ,\n", "é", "e\u0301", "ß", "👩\u200d👧", "漢", "İ"]), max_size=8).map(
    "".join
)


def strict(value: object) -> tuple[object, ...]:
    """A value as Python's own keys tell it apart: with its type, and the sign of a zero."""
    if isinstance(value, BtList | BtArray):
        return (type(value), *map(strict, value))
    return (type(value), str(value) if type(value) is float else value)


def graphemes(text: str) -> list[str]:
    found: list[str] = regex.findall(r"\X", text)
    return found


def raised(run: Callable[[], object]) -> str | None:
    try:
        run()
    except BeamtalkError as error:
        return error.kind
    return None


# ---------------------------------------------------------------- List and Array


@given(st.lists(values), values, st.integers(-2, 12), st.integers(-2, 12))
def test_a_list_is_as_a_python_list(model: list[int], item: int, start: int, end: int) -> None:
    actual = list_of(list(model))
    expected: dict[str, tuple[tuple[object, ...], object]] = {
        "size": ((), len(model)),
        "isEmpty": ((), not model),
        "rest": ((), model[1:]),
        "reversed": ((), model[::-1]),
        "sort": ((), sorted(model)),
        "unique": ((), sorted(set(model))),
        "add:": ((item,), [*model, item]),
        "addFirst:": ((item,), [item, *model]),
        "includes:": ((item,), item in model),
        "indexOf:": ((item,), model.index(item) + 1 if item in model else None),
        "++": ((list_of([item]),), [*model, item]),
        "sum": ((), sum(model)),
        "asList": ((), model),
    }
    for selector, (arguments, answer) in expected.items():
        found = SEND(actual, selector, *arguments)
        assert (list(found) if isinstance(found, BtList) else found) == answer, selector
    if start >= 0:
        assert list(SEND(actual, "take:", start)) == model[:start]
        assert list(SEND(actual, "drop:", start)) == model[start:]
    if start >= 1:
        assert list(SEND(actual, "from:to:", start, end)) == model[start - 1 : max(end, 0)]
    assert list(actual) == model


@given(st.lists(values), st.integers(-2, 12))
def test_indices_count_from_1_and_are_checked(model: list[int], index: int) -> None:
    for actual in (list_of(list(model)), array_of(list(model))):
        if 1 <= index <= len(model):
            assert SEND(actual, "at:", index) == model[index - 1]
        else:
            kind = raised(lambda a=actual: SEND(a, "at:", index))
            assert kind == ("empty_collection" if not model and index >= 1 else "index_out_of_bounds")


@given(st.lists(values, min_size=1), values, st.data())
def test_an_array_answers_changed_copies(model: list[int], item: int, data: st.DataObject) -> None:
    index = data.draw(st.integers(1, len(model)))
    actual = array_of(list(model))
    changed = SEND(actual, "at:put:", index, item)
    assert list(changed) == [*model[: index - 1], item, *model[index:]]
    assert list(actual) == model
    assert strict(SEND(changed, "at:put:", index, model[index - 1])) == strict(actual)


# ---------------------------------------------------------------- Dictionary, Set, Bag

changes = st.lists(st.tuples(st.sampled_from(["put", "remove"]), keys, values), max_size=25)


@given(changes)
def test_a_dictionary_keeps_the_keys_that_are_strictly_equal(steps: list[tuple[str, object, int]]) -> None:
    actual: BtDictionary = _IMAGE.run("#{}")  # type: ignore[assignment]
    model: dict[object, tuple[object, int]] = {}
    versions = [(actual, dict(model))]
    for kind, key, value in steps:
        if kind == "put":
            actual = SEND(actual, "at:put:", key, value)
            model[strict(key)] = (key, value)
        else:
            actual = SEND(actual, "removeKey:", key)
            model.pop(strict(key), None)
        versions.append((actual, dict(model)))
    for version, expected in versions:
        found = {strict(key): (key, SEND(version, "at:", key)) for key in SEND(version, "keys")}
        assert found.keys() == expected.keys()
        assert {k: v for k, (_, v) in found.items()} == {k: v for k, (_, v) in expected.items()}
        assert SEND(version, "size") == len(expected)


@given(st.lists(keys, max_size=20), st.lists(keys, max_size=20), keys)
def test_a_set_is_as_a_python_set_of_strict_keys(one: list[object], two: list[object], item: object) -> None:
    first, second = _set(one), _set(two)
    left, right = set(map(strict, one)), set(map(strict, two))
    expected: dict[str, set[tuple[object, ...]]] = {
        "union:": left | right,
        "intersection:": left & right,
        "difference:": left - right,
    }
    for selector, model in expected.items():
        assert _strict_elements(SEND(first, selector, second)) == model, selector
    assert SEND(first, "isSubsetOf:", second) is (left <= right)
    assert SEND(first, "includes:", item) is (strict(item) in left)
    assert _strict_elements(SEND(first, "add:", item)) == left | {strict(item)}
    assert _strict_elements(SEND(first, "remove:", item)) == left - {strict(item)}
    assert _strict_elements(first) == left


def _set(elements: list[object]) -> BtSet:
    made: BtSet = SEND(_IMAGE.runtime.existing_class("Set"), "withAll:", list_of(list(elements)))
    return made


def _strict_elements(collection: object) -> set[tuple[object, ...]]:
    return set(map(strict, SEND(collection, "asList")))


@given(st.lists(keys, max_size=20), keys)
def test_a_bag_counts_strict_keys(elements: list[object], item: object) -> None:
    bag = SEND(_IMAGE.runtime.existing_class("Bag"), "withAll:", list_of(list(elements)))
    model = Counter(map(strict, elements))
    assert SEND(bag, "size") == len(elements)
    for element in elements:
        assert SEND(bag, "occurrencesOf:", element) == model[strict(element)]
    less = SEND(bag, "remove:", item)
    assert SEND(less, "occurrencesOf:", item) == max(model[strict(item)] - 1, 0)
    assert SEND(bag, "occurrencesOf:", item) == model[strict(item)]
    assert SEND(SEND(bag, "add:", item), "occurrencesOf:", item) == model[strict(item)] + 1


# ---------------------------------------------------------------- String


@given(texts, texts, st.integers(0, 10))
def test_a_string_counts_graphemes(one: str, two: str, count: int) -> None:
    parts = graphemes(one)
    expected: dict[str, tuple[tuple[object, ...], object]] = {
        "size": ((), len(parts)),
        "reverse": ((), "".join(reversed(parts))),
        "uppercase": ((), one.upper()),
        "lowercase": ((), one.lower()),
        "asList": ((), parts),
        "++": ((two,), one + two),
        "take:": ((count,), "".join(parts[:count])),
        "drop:": ((count,), "".join(parts[count:])),
        "repeat:": ((count,), one * count),
        "byteSize": ((), len(one.encode())),
        "toBytes": ((), list(one.encode())),
        "isEmpty": ((), not one),
        "startsWith:": ((two,), one.startswith(two)),
        "endsWith:": ((two,), one.endswith(two)),
        "includesSubstring:": ((two,), two in one),
        "lines": ((), one.split("\n")),
        "displayString": ((), one),
        "printString": ((), '"' + one.replace('"', '""') + '"'),
    }
    for selector, (arguments, answer) in expected.items():
        found: Any = SEND(one, selector, *arguments)
        assert (list(found) if isinstance(found, BtList) else found) == answer, selector
    assert SEND(one, "<", two) is (one.encode() < two.encode())


@given(texts)
def test_text_survives_its_encodings(text: str) -> None:
    binary = _IMAGE.runtime.existing_class("Binary")
    for encode, decode in (
        ("asBase64", "fromBase64:"),
        ("asBase64Url", "fromBase64Url:"),
        ("asHex", "fromHex:"),
    ):
        assert SEND(SEND(binary, decode, SEND(text, encode)), "unwrap") == text
    assert SEND(SEND(text, "urlEncoded"), "urlDecoded") == text
    assert SEND(binary, "deserialize:", SEND(binary, "serialize:", text)) == text


# ---------------------------------------------------------------- Integer

big = st.one_of(st.integers(-20, 20), st.integers(-(2**70), 2**70))


@given(big, big)
def test_an_integer_is_as_a_python_int(a: int, b: int) -> None:
    for selector, answer in {
        "+": a + b,
        "-": a - b,
        "*": a * b,
        "bitAnd:": a & b,
        "bitOr:": a | b,
        "bitXor:": a ^ b,
        "max:": max(a, b),
        "min:": min(a, b),
    }.items():
        assert SEND(a, selector, b) == answer, selector
    assert SEND(a, "negated") == -a
    assert SEND(a, "bitNot") == ~a
    assert SEND(a, "abs") == abs(a)
    assert SEND(a, "isEven") is (a % 2 == 0)
    assert SEND(a, "printString") == str(a)
    assert SEND(str(a), "asInteger") == a
    if b:
        quotient, remainder = SEND(a, "div:", b), SEND(a, "%", b)
        assert quotient * b + remainder == a
        assert abs(remainder) < abs(b)
        assert remainder == 0 or (remainder < 0) is (a < 0)
    else:
        assert raised(lambda: SEND(a, "div:", 0)) == "type_error"


@given(st.integers(-50, 50), st.integers(-50, 50), st.integers(-7, 7).filter(bool))
def test_an_interval_is_as_a_python_range(start: int, end: int, step: int) -> None:
    model = range(start, end + (1 if step > 0 else -1), step)
    interval = SEND(start, "to:by:", end, step)
    assert SEND(interval, "size") == len(model)
    assert list(SEND(interval, "asList")) == list(model)
    if model:
        assert SEND(interval, "last") == model[-1]


# ---------------------------------------------------------------- equality


@given(keys, keys)
def test_strict_equality_is_that_of_keys(a: object, b: object) -> None:
    same = strict(a) == strict(b)
    assert SEND(a, "=:=", b) is same
    assert SEND(a, "=/=", b) is not same
    if same:
        assert SEND(a, "hash") == SEND(b, "hash")


def test_keys_are_what_the_model_says() -> None:
    with pytest.raises(AssertionError):
        assert strict(1) == strict(1.0)
    assert strict(True) != strict(1)
    assert strict(symbol("a")) != strict("a")
    assert isinstance(symbol("a"), Symbol)
