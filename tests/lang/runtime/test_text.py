"""Float text, graphemes and arithmetic at their edges."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lang.runtime import arithmetic
from lang.runtime.errors import BeamtalkError
from lang.runtime.text import binary_text, float_text, grapheme_count, graphemes, quoted


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (100.0, "100.0"),
        (1000.0, "1.0e3"),
        (1500.0, "1.5e3"),
        (12345.0, "12345.0"),
        (123456.0, "123456.0"),
        (0.0001, "0.0001"),
        (0.00012, "1.2e-4"),
        (1e-5, "1.0e-5"),
        (2.0**53, "9.007199254740992e15"),
        (-0.0, "-0.0"),
        (1e22, "1.0e22"),
        (5e-324, "5.0e-324"),
    ],
)
def test_float_text_is_the_shorter_form(number: float, text: str) -> None:
    assert float_text(number) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_float_text_reads_back(number: float) -> None:
    text = float_text(number)
    assert float(text) == number
    assert "." in text


def test_graphemes_are_what_people_count() -> None:
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    assert list(graphemes("e\u0301a")) == ["e\u0301", "a"]
    assert grapheme_count(family) == 1
    assert grapheme_count("a\r\nb") == 3
    assert grapheme_count("") == 0


def test_quoting() -> None:
    assert quoted('say "hi"') == '"say ""hi"""'
    assert binary_text(b"\xff\x0a") == "<<FF 0A>>"


@given(st.integers(), st.integers().filter(bool))
def test_division_truncates_and_the_remainder_follows_the_dividend(one: int, two: int) -> None:
    quotient, rest = arithmetic.truncated_quotient(one, two), arithmetic.remainder(one, two)
    assert quotient * two + rest == one
    assert abs(rest) < abs(two)
    assert rest == 0 or (rest < 0) == (one < 0)


@pytest.mark.parametrize(
    ("operation", "one", "two"),
    [
        (arithmetic.add, 1, "a"),
        (arithmetic.add, True, 1),
        (arithmetic.multiply, 1e308, 10.0),
        (arithmetic.divide, 1, 0),
        (arithmetic.divide, 1.0, 0.0),
        (arithmetic.remainder, 1.5, 1),
        (arithmetic.power, -8.0, 0.5),
        (arithmetic.power, 0, -1),
        (arithmetic.add, 10**400, 1.0),
    ],
)
def test_what_is_no_arithmetic_is_a_type_error(
    operation: Callable[[object, object], object], one: object, two: object
) -> None:
    with pytest.raises(BeamtalkError) as found:
        operation(one, two)
    assert (found.value.kind, found.value.raw_kind) == ("type_error", "badarith")
    assert "bad arithmetic operation" in found.value.message


def test_powers() -> None:
    assert arithmetic.power(3, 40) == 3**40
    assert arithmetic.power(2, -1) == 0.5
    assert isinstance(arithmetic.power(2, 3.0), float)
    with pytest.raises(BeamtalkError, match="system limit"):
        arithmetic.power(3, 10**12)


@pytest.mark.parametrize(("number", "nearest"), [(2.5, 3), (-2.5, -3), (0.49999999999999994, 0), (7.4, 7)])
def test_rounding_goes_away_from_zero_at_halves(number: float, nearest: int) -> None:
    assert arithmetic.rounded(number) == nearest
