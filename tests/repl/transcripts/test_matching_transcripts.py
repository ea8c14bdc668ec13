"""Matching answers (stdlib.md 7.3, 7.5)."""

from __future__ import annotations

import pytest

from repl.transcripts import Answer, mismatch
from repl.transcripts.matching import matches_text


@pytest.mark.parametrize(
    ("pattern", "text", "matches"),
    [
        ("7", "7", True),
        ("7", "8", False),
        ("Seven", "seven", False),
        ("", "", True),
        ("_", "anything\nat all", True),
        ("_", "", True),
        ("does_not_understand", "does_not_understand", True),
        ("does_not_understand", "doesXnotXunderstand", False),
        ("Actor(Tally, _)", "Actor(Tally, 0.12.0)", True),
        ("Actor(Tally, _)", "Actor(Tally, 0.12.0", False),
        ("_ ends", "it ends", True),
        ("_ ends", "it ends not", False),
        ("starts _", "starts here", True),
        ("a _ b _ c", "a 1 b 2 c", True),
        ("a _ b _ c", "a 1 c 2 b", False),
        ("#(_, 2)", "#(1, 2)", True),
        ("a.*_", "a.* x", True),
        ("a.*_", "abc", False),
        ("é_é", "é and é", True),
    ],
)
def test_texts(pattern: str, text: str, matches: bool) -> None:
    assert matches_text(pattern, text) is matches


@pytest.mark.parametrize(
    ("expected", "answer"),
    [
        ("ready", Answer(("#ready", "ready"))),
        ("ERROR: not understand", Answer(error="Integer does not understand 'x'\nHint: check it")),
        ("ERROR: check it", Answer(error="bad\nHint: check it")),
        ("ERROR: does_not_understand", Answer(error="no way", error_kind="does_not_understand")),
        ("ERROR:", Answer(error="anything")),
        ("ERROR: text", Answer(("ERROR: text",))),
        ("WARNING: colour", Answer(("1",), warnings=("unknown slot colour",))),
        ("NO-WARNING: colour", Answer(("1",), warnings=("something",))),
        ("INCLUDES: size", Answer(("at:, size, first",))),
        ("{#ok: 1}", Answer(("{#ok: 1}",))),
    ],
)
def test_a_match(expected: str, answer: Answer) -> None:
    assert mismatch(expected, answer) is None


@pytest.mark.parametrize(
    ("expected", "answer", "reason"),
    [
        ("7", Answer(("8",)), "expected '7', got '8'"),
        ("_", Answer(error="broke"), "expected '_', got the error 'broke'"),
        ("ERROR: a", Answer(error="b", error_kind="c"), "expected an error with 'a', got 'b'"),
        ("ERROR: a", Answer(("a",)), "expected 'ERROR: a', got 'a'"),
        ("WARNING: a", Answer(("1",)), "expected a warning with 'a', got []"),
        ("WARNING: a", Answer(error="a"), "expected 'WARNING: a', got the error 'a'"),
        ("NO-WARNING: a", Answer(("1",), warnings=("an a",)), "expected no warning with 'a', got ['an a']"),
        ("INCLUDES: si", Answer(("size, at:",)), "expected 'si' among ['at:', 'size']"),
    ],
)
def test_a_mismatch_says_both(expected: str, answer: Answer, reason: str) -> None:
    assert mismatch(expected, answer) == reason
