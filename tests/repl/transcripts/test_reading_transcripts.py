"""Reading transcripts (stdlib.md 7.1)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from repl.transcripts import Check, Load, LoadFailure, Malformed, read_script


def brackets_close(text: str) -> bool:
    """Enough of the language's rule for these cases."""
    return text.count("(") <= text.count(")") and not text.endswith(":=")


def read(text: str) -> list[Check | Malformed]:
    script = read_script(text, brackets_close)
    return [*script.checks, *script.malformed]


def test_an_input_and_its_expectation() -> None:
    assert read("// a comment\n\n  3 + 4  \n// =>  7 \n") == [Check(3, "3 + 4", "7")]


def test_an_expectation_may_be_empty_and_crlf_is_trimmed() -> None:
    assert read('""\r\n// =>\r\n') == [Check(1, '""', "")]


def test_an_incomplete_input_goes_on_and_keeps_its_columns() -> None:
    assert read("(1\n   + 2\n)\n// => 3") == [Check(1, "(1\n   + 2\n)", "3")]


def test_an_expectation_ends_an_incomplete_input() -> None:
    assert read("(1\n// => ERROR: )") == [Check(1, "(1", "ERROR: )")]


def test_a_class_definition_goes_on_while_lines_are_indented() -> None:
    text = "Actor subclass: Pump\n  state: n = 0\n  up => self.n := self.n + 1\n  n => self.n"
    assert read(text + "\n// => Pump\n") == [Check(1, text, "Pump")]


def test_an_input_without_expectation_fails_and_the_next_is_read() -> None:
    reason = "expression will not be executed (missing assertion)"
    assert read("1\n2\n// => 2") == [Check(2, "2", "2"), Malformed(1, reason)]
    assert read("1\n\n// => 1") == [Malformed(1, reason)]
    assert read("(1\n\n2)\n// => 1") == [Check(3, "2)", "1"), Malformed(1, reason)]


def test_loads_wherever_they_stand() -> None:
    script = read_script("1\n// => 1\n// @load a.bt\n// @load-error b.bt => bad => thing\n", brackets_close)
    assert script.loads == (Load(3, "a.bt"),)
    assert script.load_failures == (LoadFailure(4, "b.bt", "bad => thing"),)


def test_malformed_load_errors() -> None:
    script = read_script("// @load-error\n// @load-error a.bt\n// @load-error a.bt =>\n", brackets_close)
    assert [each.line for each in script.malformed] == [1, 2, 3]


@given(st.text(alphabet="/=> @load1(\n:."))
def test_every_line_that_is_no_comment_is_in_some_input(text: str) -> None:
    script = read_script(text, lambda _: True)
    inputs = sum(1 for line in text.split("\n") if line.strip() and not line.strip().startswith("//"))
    wrong_loads = sum(1 for each in script.malformed if "@load" in each.reason)
    assert len(script.checks) + len(script.malformed) - wrong_loads == inputs
