from __future__ import annotations

import pytest

from repl.script import inputs_of


def chunks(text: str) -> list[str]:
    return [text[each.span.start : each.span.end] for each in inputs_of(text)]


@pytest.mark.parametrize(
    ("text", "inputs"),
    [
        ("1\n2\n", ["1", "2"]),
        ("\n\n// a remark\n1", ["1"]),
        ("#(1,\n  2)\n3", ["#(1,\n  2)", "3"]),
        ("x :=\n\n  4\ny", ["x :=\n\n  4", "y"]),
        (":load a.bt\n1", [":load a.bt", "1"]),
        (
            "Actor subclass: A\n  state: a = 1\n  a => 1\n  b => 2\nA",
            ["Actor subclass: A\n  state: a = 1\n  a => 1\n  b => 2", "A"],
        ),
        (
            "Object subclass: A\n  a => 1\n\n  b => 2\n\nA b",
            ["Object subclass: A\n  a => 1\n\n  b => 2", "A b"],
        ),
        (
            "/// doc\nObject subclass: A\n  a =>\n    1\nA",
            ["/// doc\nObject subclass: A\n  a =>\n    1", "A"],
        ),
        ("Object subclass: A\nA new", ["Object subclass: A\nA new"]),
        ('"a subclass: B"\n  foo', ['"a subclass: B"', "  foo"]),
    ],
)
def test_an_input_ends_where_it_is_complete(text: str, inputs: list[str]) -> None:
    assert chunks(text) == inputs


def test_what_the_text_breaks_off_is_not_finished() -> None:
    assert [each.is_finished for each in inputs_of("1\n2 +")] == [True, False]


def test_the_end_of_the_text_ends_a_class_definition() -> None:
    assert [each.is_finished for each in inputs_of("Actor subclass: A\n  state: a = 1\n")] == [True]
