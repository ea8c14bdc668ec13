"""Words in strings, comments and symbols, and not in code (changes.md 6)."""

import pytest

from lang.semantics.prose import ProseKind, prose_mentions, word_mentions


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ('x => "a Counter here"', [ProseKind.STRING]),
        ("/// Talks about Counter.\nx => Counter new", [ProseKind.COMMENT]),
        ("x => Counter new // Counter\n", [ProseKind.COMMENT]),
        ("x => /* Counter */ Counter", [ProseKind.COMMENT]),
        ("x => #Counter", [ProseKind.SYMBOL]),
        ("x => #'a Counter'", [ProseKind.SYMBOL]),
        ('x => "{Counter spawn} Counter {Counter} Counter"', [ProseKind.STRING, ProseKind.STRING]),
        ('x => "{"Counter"}"', [ProseKind.STRING]),
        ("x => CounterPool new: MyCounter", []),
        ('x => "CounterPool"', []),
        ('x => "Counter', [ProseKind.STRING]),
        ("x => /* Counter", [ProseKind.COMMENT]),
        ("x => Counter", []),
    ],
)
def test_prose_is_found_by_kind(text: str, kinds: list[ProseKind]) -> None:
    found = prose_mentions(text, "Counter")
    assert [mention.kind for mention in found] == kinds
    assert all(text[mention.span.start : mention.span.end] == "Counter" for mention in found)


def test_in_a_broken_text_every_word_counts() -> None:
    assert len(word_mentions("x => Counter ( #Counter CounterPool", "Counter")) == 2
