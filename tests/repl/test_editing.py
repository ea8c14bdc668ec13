from __future__ import annotations

import pytest

from repl.prompt.editing import indentation, pasted, submits


@pytest.mark.parametrize(
    ("text", "takes"),
    [
        ("", True),
        ("   ", True),
        ("1 + 1", True),
        ("1 +", False),
        ("#(1,", False),
        (":load x", True),
        ("x foo!", True),
        ("]", True),
        ("Actor subclass: A", False),
        ("Actor subclass: A\n  a => 1", False),
        ("Actor subclass: A\n  a => 1\n", True),
        ("Actor subclass: A\n  a => 1\n  ", True),
        ("Actor subclass: A\n  a => [\n", False),
        ("Actor subclass: A  a => 1", True),
        ("Protocol define: P", False),
        ("Protocol define: P\n  a\n", True),
        ("Till >> a =>", False),
        ("Till >> a =>\n  1", True),
        ('"a\nsubclass: B"', True),
    ],
)
def test_enter_takes_what_is_complete(text: str, takes: bool) -> None:
    assert submits(text) is takes


@pytest.mark.parametrize(
    ("before", "blanks"),
    [
        ("x := [", "  "),
        ("x := [:n | #(", "  "),
        ("Actor subclass: A", "  "),
        ("Actor subclass: A\n  a =>", "    "),
        ("Actor subclass: A\n  a => 1", "  "),
        ("f [\n  g: [", "    "),
        ("1 +", ""),
    ],
)
def test_a_new_line_is_indented(before: str, blanks: str) -> None:
    assert indentation(before) == blanks


@pytest.mark.parametrize(
    ("paste", "text"),
    [
        ("a\r\nb\rc", "a\nb\nc"),
        ("bt> #(1,\n..> 2)\n#(1, 2)\nbt> 3", "#(1,\n2)\n3"),
        ("x bt> y", "x bt> y"),
    ],
)
def test_a_paste_loses_its_prompts(paste: str, text: str) -> None:
    assert pasted(paste) == text
