"""Lists, arrays and streams against plain models."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from lang.runtime.collections.arrays import BtArray, array_from
from lang.runtime.collections.lists import BtList, list_of
from lang.runtime.collections.mappings import EMPTY_DICTIONARY, EMPTY_SET
from lang.runtime.collections.streams import Stage, StageKind, gathered, stream_from

steps = st.lists(
    st.tuples(
        st.sampled_from(["append", "prepend", "slice", "concat"]), st.integers(0, 20), st.integers(0, 9)
    ),
    max_size=30,
)


@given(steps)
def test_lists_that_share_a_buffer_never_see_each_other(operations: list[tuple[str, int, int]]) -> None:
    versions: list[tuple[BtList, list[object]]] = [(list_of([]), [])]
    for kind, pick, number in operations:
        actual, model = versions[pick % len(versions)]
        match kind:
            case "append":
                versions.append((actual.appended(number), [*model, number]))
            case "prepend":
                versions.append((actual.prepended(number), [number, *model]))
            case "slice":
                start = min(number, len(model))
                versions.append((actual.sliced(start, len(model)), model[start:]))
            case _:
                other, other_model = versions[number % len(versions)]
                versions.append((actual.concatenated(other), model + other_model))
    for actual, model in versions:
        assert list(actual) == model
        assert [actual[i] for i in range(len(actual))] == model


@given(
    st.integers(0, 150),
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 149), st.integers()), max_size=80),
)
def test_arrays_keep_every_version(size: int, changes: list[tuple[int, int, int]]) -> None:
    versions: list[tuple[BtArray, list[object]]] = [(array_from(range(size)), list(range(size)))]
    for pick, place, value in changes:
        actual, model = versions[-1 - pick % len(versions)]
        if place < size:
            changed = list(model)
            changed[place] = value
            versions.append((actual.replaced(place, value), changed))
    for actual, model in versions:
        assert [actual[i] for i in range(size)] == model
        assert list(actual) == model


def test_iteration_does_not_see_elements_added_meanwhile() -> None:
    numbers = list_of([1, 2, 3])
    grown = numbers
    for element in numbers:
        grown = grown.appended(element)
    assert list(grown) == [1, 2, 3, 1, 2, 3]


def test_growing_at_either_end_is_linear() -> None:
    def least_seconds(count: int) -> float:
        least = float("inf")
        for _ in range(5):
            started = time.thread_time()
            grown = list_of([])
            for number in range(count):
                grown = grown.appended(number).prepended(number)
            least = min(least, time.thread_time() - started)
        return least

    # Twenty times as many steps: 20 when linear, 400 when quadratic; noise only ever adds.
    assert any(least_seconds(20_000) < 80 * least_seconds(1000) for _ in range(3))


def test_a_stream_pulls_no_more_than_it_must() -> None:
    pulled: list[object] = []

    def keep(element: object) -> bool:
        pulled.append(element)
        return True

    stream = (
        stream_from(1).followed_by(Stage(StageKind.SELECT, keep)).followed_by(Stage(StageKind.DROP, count=2))
    )
    assert gathered(stream, bool, 2) == [3, 4]
    assert pulled == [1, 2, 3, 4]
    assert gathered(stream, bool, 0) == []
    assert stream.text == "Stream(from: 1) | select: [...] | drop: 2"


def test_iteration_is_in_term_order() -> None:
    assert list(EMPTY_SET.added("b").added(2).added(1).added("a")) == [1, 2, "a", "b"]
    assert EMPTY_DICTIONARY.put("b", 1).put(3, 2).items_in_order() == [(3, 2), ("b", 1)]
