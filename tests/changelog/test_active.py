"""Undo and redo stacks, cancelling, indentation (changes.md 2.2, 9)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from changelog.active import cancelled, history
from changelog.entry import Mark, MarkKind
from changelog.indentation import lines_inside_strings, reindented, same_text_but_indentation
from changelog.log import ChangeLog
from changelog.store import MemoryStore
from tests.changelog.making import fixed_clock, patch


def log_of(*reverts: int | None) -> ChangeLog:
    """A log whose n-th entry reverts the given one."""
    log = ChangeLog(MemoryStore(), 1, fixed_clock)
    for each in reverts:
        log.append(patch("m", "m => 1", "m => 2", reverts=each))
    return log


def stacks(log: ChangeLog) -> tuple[list[int], list[int]]:
    found = history(log.entries, 1)
    return [e.seq for e in found.undo], [e.seq for e in found.redo]


@pytest.mark.parametrize(
    ("reverts", "undo", "redo", "gone"),
    [
        ((None,), [1], [], set()),
        ((None, None, 2), [1], [3], {2, 3}),
        ((None, None, 2, 1), [], [3, 4], {1, 2, 3, 4}),
        ((None, 1, 2), [3], [], {2, 3}),
        ((None, 1, 2, 3), [], [4], {1, 2, 3, 4}),
        ((None, 1, None), [3], [], {1, 2}),
    ],
)
def test_the_stacks_are_the_logs(
    reverts: tuple[int | None, ...], undo: list[int], redo: list[int], gone: set[int]
) -> None:
    log = log_of(*reverts)
    assert stacks(log) == (undo, redo)
    assert cancelled(log.entries, log.marks) == gone


def test_a_revert_of_what_was_flushed_cancels_nothing_until_it_is_taken_back() -> None:
    log = log_of(None)
    log.mark(Mark(MarkKind.FLUSHED, 1, "f"))
    log.append(patch("m", "m => 2", "m => 1", reverts=1))
    assert cancelled(log.entries, log.marks) == set()
    log.append(patch("m", "m => 1", "m => 2", reverts=2))
    assert cancelled(log.entries, log.marks) == {2, 3}


def test_other_epochs_and_orphans_are_not_on_the_stacks() -> None:
    store = MemoryStore()
    ChangeLog(store, 1, fixed_clock).append(patch("m", None, "m => 1"))
    log = ChangeLog(store, 2, fixed_clock)
    log.append(patch("m", None, "m => 2"))
    log.append(patch("n", None, "n => 2"))
    assert [e.seq for e in history(log.entries, 2).undo] == [2, 3]
    assert [e.seq for e in history(log.entries, 2, {2}).undo] == [3]


# ------------------------------------------------------------------ indentation


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("m => 1", "m => 1", True),
        ("m =>\n  1\n\n  2", "m =>\n    1\n\n    2", True),
        ("/// Doc.\nm => 1", "/// Doc.\n  m => 1", True),
        ("m =>\n  1\n  2", "m =>\n    1\n     2", False),
        ("m =>\n  1", "m =>\n  2", False),
        ('m => "a\n b"', 'm => "a\n  b"', False),
        ('m => "a\n b {x\n c} d"\n  e', 'm => "a\n b {x\n c} d"\n    e', True),
        ('m => "a"\n  b', 'm => "a"\n    b', True),
        ("m => #'a\n b'", "m => #'a\n  b'", False),
        ('m => $"\n  b', 'm => $"\n    b', True),
        ('m => // "\n  b', 'm => // "\n    b', True),
    ],
)
def test_texts_that_differ_by_where_they_stand(one: str, other: str, same: bool) -> None:
    assert same_text_but_indentation(one, other) is same
    assert same_text_but_indentation(other, one) is same


def test_lines_inside_strings_are_found() -> None:
    text = 'a "x\ny" b\n"{c\nd "e\nf" }\ng" h\n/* "\n*/ i #\'j\nk\' l'
    assert lines_inside_strings(text) == {1, 3, 4, 5, 8}


LINES = st.lists(st.sampled_from(("a => 1", "  b", "    c foo: d", "", "// e", "      [f]")), min_size=1)


@given(LINES, st.integers(0, 6))
def test_reindenting_there_and_back(lines: list[str], column: int) -> None:
    text = "\n".join(("m =>", *lines))
    moved = reindented(text, 0, column)
    assert same_text_but_indentation(moved, text)
    assert reindented(moved, column, 0) == text
