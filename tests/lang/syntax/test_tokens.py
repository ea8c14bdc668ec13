"""Characters to tokens (language.md 1)."""

from __future__ import annotations

import pytest

from lang.ast import nodes as n
from lang.syntax.tokens import tokenize
from tests.lang.syntax.parsing import errors, parsed_input, statement, statements


def spelled(text: str) -> list[str]:
    tokens = tokenize(text)
    return [tokens.spelled(i) for i in range(len(tokens) - 1)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x:=1", ["x", ":=", "1"]),
        ("x::T", ["x", "::", "T"]),
        ("at: put:", ["at:", "put:"]),
        ("n-1", ["n", "-1"]),
        ("n - 1", ["n", "-", "1"]),
        ("3*-2", ["3", "*-", "2"]),
        ("a>>=b", ["a", ">>", "=", "b"]),
        ("a=:=b=/=c=>d", ["a", "=:=", "b", "=/=", "c", "=>", "d"]),
        ("a->b", ["a", "->", "b"]),
        ("#at:put: #foo:bar #+ #>= #'a b'", ["#at:put:", "#foo:bar", "#+", "#>=", "#'a b'"]),
        ("#x:=3", ["#x", ":=", "3"]),
        ("#(1, 2)", ["#(", "1", ",", "2", ")"]),
        ("16rFF -16rFF 1_000 2e3 3.", ["16rFF", "-16", "rFF", "1", "_000", "2e3", "3", "."]),
        ('"a{x + "{y}"}b"', ['"a{', "x", "+", '"{', "y", '}"', '}b"']),
        ('"{#{#a => 1}}"', ['"{', "#{", "#a", "=>", "1", "}", '}"']),
        ("$a $\\n $' $\"", ["$a", "$\\n", "$'", '$"']),
        ("json@Parser", ["json@Parser"]),
        ("a // b\n/* c\n */ d", ["a", "d"]),
        ("3 */ 2", ["3", "*/", "2"]),
        ("/* 1 **/2", ["2"]),
    ],
)
def test_spelling(text: str, expected: list[str]) -> None:
    assert spelled(text) == expected


def test_columns_are_those_of_first_tokens_on_a_line() -> None:
    assert tokenize("a b\n  c /* x\n */ d").cols[:4] == [0, -1, 2, 4]


def test_a_byte_order_mark_does_not_move_the_first_line() -> None:
    assert tokenize("\ufeffa").cols[0] == 0


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('"a""b"', 'a"b'),
        (r'"\n\{\}\""', r"\n{}\""),
        ('"a\nb"', "a\nb"),
        ('"}"', "}"),
    ],
)
def test_string_values(text: str, value: str) -> None:
    assert statement(text) == n.StringLiteral((0, len(text)), value)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "value"),
    [("$a", 97), ("$\\n", 10), ("$\\t", 9), ("$\\r", 13), ("$\\\\", 92), ("$\\q", 113), ("$世", 19990)],
)
def test_character_values(text: str, value: int) -> None:
    literal = statement(text)
    assert isinstance(literal, n.CharacterLiteral)
    assert literal.value == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("16rFF", 255),
        ("36rZ", 35),
        ("-9223372036854775808", -(2**63)),
        ("9223372036854775807", 2**63 - 1),
        ("0", 0),
    ],
)
def test_integer_values(text: str, value: int) -> None:
    literal = statement(text)
    assert isinstance(literal, n.IntegerLiteral)
    assert literal.value == value


def test_interpolation_parts_cover_the_raw_text() -> None:
    text = '"a\\{ {x} b"'
    literal = statement(text)
    assert isinstance(literal, n.Interpolation)
    first, middle, last = literal.parts
    assert isinstance(first, n.StringLiteral)
    assert first.value == "a{ "
    assert [text[p.span.start : p.span.end] for p in (first, middle, last)] == ["a\\{ ", "x", " b"]


def test_expect_and_primitive_take_their_word_from_the_same_line() -> None:
    category, after = statements('@expect dnu "a ""b"""\nx')
    assert isinstance(category, n.Expect)
    assert (category.category, category.reason) == ("dnu", 'a "b"')
    assert after == n.Variable((22, 23), "x")  # type: ignore[arg-type]


def test_two_mistakes_in_one_input_are_both_reported() -> None:
    assert len(errors(parsed_input("'a'\n3 + 4\n'b'"))) == 2


@pytest.mark.parametrize(
    ("sign", "named"), [("\x1b", "U+001B"), ("\0", "U+0000"), ("\u200b", "U+200B"), ("é", "é")]
)
def test_a_character_that_shows_nothing_is_named_by_its_number(sign: str, named: str) -> None:
    assert errors(parsed_input(f"3 {sign} 4")) == [f"unexpected character '{named}'"]
