"""Sorting by a block: a stable permutation, and few calls where little is to do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lang.stdlib.sorting import merge_sorted


@given(st.lists(st.tuples(st.integers(0, 5), st.integers())))
def test_sorting_is_stable(pairs: list[tuple[int, int]]) -> None:
    result = merge_sorted(list(pairs), lambda a, b: a[0] <= b[0], ValueError)  # type: ignore[index]
    assert result == sorted(pairs, key=lambda pair: pair[0])


def test_what_is_sorted_already_is_compared_about_once() -> None:
    calls = 0

    def may_precede(one: object, two: object) -> bool:
        nonlocal calls
        calls += 1
        return one <= two  # type: ignore[operator]

    assert merge_sorted(list(range(1000)), may_precede, ValueError) == list(range(1000))
    assert calls < 1001


def test_a_block_that_answers_no_boolean_is_refused() -> None:
    with pytest.raises(ValueError):
        merge_sorted([1, 2], lambda _a, _b: 1, ValueError)
