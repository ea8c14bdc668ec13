"""Did-you-mean (types.md 3.4)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lang.semantics.nearest import distance, nearest

WORDS = st.text("abc", max_size=6)


@pytest.mark.parametrize(
    ("written", "candidates", "expected"),
    [
        ("siez", ["size", "site"], "size"),
        ("wieght", ["weight", "mark"], "weight"),
        ("size", ["size"], None),
        ("ab", ["ac"], "ac"),
        ("a", ["b"], None),
        ("abcd", ["abxy"], "abxy"),
        ("abc", ["axy"], None),
        ("abcdefgh", ["abcdxxxx"], None),
        ("abcdefgh", ["abcdexxx"], "abcdexxx"),
        ("inclde", ["include", "includes"], "include"),
        ("boot", ["boat", "book"], "boat"),
        ("boot", ["book", "boat"], "book"),
    ],
)
def test_the_closest_eligible_candidate_wins(
    written: str, candidates: list[str], expected: str | None
) -> None:
    assert nearest(written, candidates) == expected


def naive(one: str, other: str) -> int:
    if not one or not other:
        return len(one) + len(other)
    return min(
        naive(one[1:], other) + 1,
        naive(one, other[1:]) + 1,
        naive(one[1:], other[1:]) + (one[0] != other[0]),
    )


@given(WORDS, WORDS)
def test_the_distance_is_levenshteins(one: str, other: str) -> None:
    assert distance(one, other) == naive(one, other)


@given(WORDS, WORDS, st.integers(0, 3))
def test_a_limit_changes_nothing_below_it(one: str, other: str, limit: int) -> None:
    found, bounded = distance(one, other), distance(one, other, limit)
    assert bounded == found if found <= limit else bounded > limit
