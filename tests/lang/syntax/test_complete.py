"""Completeness of prompt inputs (language.md 2.10, workspace.md 3.2)."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lang.syntax import is_complete


@pytest.mark.parametrize(
    "text",
    [
        "3 + 4",
        "x foo!",
        "",
        "// note",
        ")",
        "x foo: )",
        "(]",
        '"total { 3"',
        '"{{x}}"',
        "1. 2.",
        "Value subclass: A\n  one => 1",
        "Value subclass: A\n  field: x = 1\n",
        "Value subclass: A\n",
        "Protocol define: P\n  foo\n",
        "A >> one => 1",
        "x subclass: #Foo",
        "#(1, 2)",
        "$(",
        "x := 3 // [",
    ],
)
def test_complete(text: str) -> None:
    assert is_complete(text)


@pytest.mark.parametrize(
    "text",
    [
        "(3",
        "[:x | x",
        "#(1,",
        "#{#a =>",
        "#[1\n",
        '"abc',
        '"abc {x + ',
        "#'abc",
        "/* abc",
        "$",
        "x foo:",
        "3 +",
        "x :=",
        "x;",
        "^",
        "a ->",
        "A >>",
        "A >> one =>",
        "Value subclass: A",
        "Value subclass: A\n  field: x = #{#a => 1}",
        "Protocol define: P",
        "Protocol define: P\n  foo",
        "/// doc",
        "/// doc\n",
        "@expect dnu",
        "(\n\n",
        "x match: [<<a",
        "Object subclass:",
    ],
)
def test_incomplete(text: str) -> None:
    assert not is_complete(text)


@given(st.text(alphabet="ab:=()[]{}#\"'.,;^!|+->/* \n$@1", max_size=60))
def test_it_never_raises(text: str) -> None:
    is_complete(text)


@pytest.mark.parametrize("piece", ["(", "foo: a\n", '"{', "[:x | ", "A subclass: B\n", "/*\n", '"a {x" \n'])
def test_it_is_linear(piece: str) -> None:
    def seconds(count: int) -> float:
        text = piece * count
        begun = time.process_time()
        is_complete(text)
        return time.process_time() - begun

    small = min(seconds(2000) for _ in range(3))
    assert min(seconds(16000) for _ in range(2)) < 40 * small + 0.01
