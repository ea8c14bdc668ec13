"""Equality, keys and order: the laws, over random nested values."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from lang.runtime.collections.arrays import array_from
from lang.runtime.collections.lists import list_from
from lang.runtime.collections.mappings import dictionary_of, set_of
from lang.runtime.collections.tuples import tuple_of
from lang.runtime.equality import hash_of, key_of, loose_equal, strict_equal, value_of_key
from lang.runtime.ordering import compare, compare_exactly, sort_values
from lang.runtime.symbols import symbol

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.sampled_from([0.0, -0.0, 1.0, 2.5]),
    st.sampled_from(["", "a", "b", "é"]),
    st.sampled_from([b"\xff", b"\xfe"]),
    st.sampled_from(["a", "b", "nil"]).map(symbol),
)


def _nested(inner: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    lists = st.lists(inner, max_size=3)
    return st.one_of(
        lists.map(list_from),
        lists.map(array_from),
        lists.map(tuple_of),
        lists.map(set_of),
        st.lists(st.tuples(inner, inner), max_size=3).map(dictionary_of),
    )


values = st.recursive(scalars, _nested, max_leaves=8)


@given(values, values)
def test_strict_equality_is_that_of_keys_and_implies_hashes(one: object, two: object) -> None:
    same = strict_equal(one, two)
    assert same == strict_equal(two, one)
    assert same == (key_of(one) == key_of(two))
    if same:
        assert hash_of(one) == hash_of(two)
        assert hash(key_of(one)) == hash(key_of(two))
        assert loose_equal(one, two)
        assert compare(one, two) == 0


@given(values)
def test_a_key_leads_back(value: object) -> None:
    assert value_of_key(key_of(value)) is value or strict_equal(value_of_key(key_of(value)), value)


@given(values, values, values)
def test_the_order_is_total(one: object, two: object, three: object) -> None:
    assert (compare(one, two) > 0) == (compare(two, one) < 0)
    if compare(one, two) <= 0 and compare(two, three) <= 0:
        assert compare(one, three) <= 0


@given(values, values)
def test_the_exact_order_tells_all_unequal_values_apart(one: object, two: object) -> None:
    assert (compare_exactly(one, two) == 0) == strict_equal(one, two)


@given(st.lists(values, max_size=6))
def test_sorting_gives_an_ascending_permutation(elements: list[object]) -> None:
    result = sort_values(elements)
    assert sorted(map(id, result)) == sorted(map(id, elements))
    assert all(compare(a, b) <= 0 for a, b in pairwise(result))


def test_numbers_and_booleans_are_told_apart() -> None:
    keys = dictionary_of([(1, "int"), (1.0, "float"), (True, "bool"), (0.0, "zero"), (-0.0, "minus")])
    assert len(keys) == 5
    assert keys.at(1.0, None) == "float"
    assert loose_equal(list_from([1, 2]), list_from([1.0, 2.0]))
    assert not strict_equal(list_from([1, 2]), list_from([1.0, 2.0]))
    assert not loose_equal(True, 1)
    assert loose_equal(0.0, -0.0)


def test_kinds_stand_in_the_order_of_the_library() -> None:
    order = [1.5, 3, None, True, symbol("x"), tuple_of([9]), dictionary_of([(1, 2)]), list_from([1]), "b"]
    assert sort_values(list(reversed(order))) == order


def test_deep_values_do_not_exhaust_the_stack_of_the_host() -> None:
    def nest(depth: int) -> object:
        value: object = 1
        for _ in range(depth):
            value = list_from([value])
        return value

    assert strict_equal(nest(200), nest(200))
    assert compare(nest(200), nest(201)) != 0
