"""Diffs from edits apply, and say no more than `diff -u` does."""

from __future__ import annotations

import difflib
import re

from hypothesis import given
from hypothesis import strategies as st

from lang.source import Span, TextEdit, apply_edits
from workspace.flush.diff import created_diff, deleted_diff, unified_diff

LINES = st.lists(st.sampled_from(("a", "b", "", "  c", "d d")), max_size=14)


@st.composite
def edited(draw: st.DrawFn) -> tuple[str, list[TextEdit]]:
    text = "\n".join(draw(LINES)) + draw(st.sampled_from(("", "\n")))
    borders = sorted(draw(st.lists(st.integers(0, len(text)), max_size=6)))
    pairs = zip(borders[::2], borders[1::2], strict=False)
    return text, [
        TextEdit(Span(a, b), draw(st.sampled_from(("", "x", "y\n", "\nz", "\n")))) for a, b in pairs
    ]


def patched(text: str, diff: str) -> str:
    """What a plain `patch` makes of a text."""
    lines = text.split("\n")
    old = [f"{line}\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
    new: list[str] = []
    at = 0
    body = diff.split("\n")[2:-1]
    for number, line in enumerate(body):
        ends = "" if number + 1 < len(body) and body[number + 1].startswith("\\") else "\n"
        if head := re.match(r"@@ -(\d+)(?:,(\d+))? \+", line):
            start = int(head[1]) - (0 if head[2] == "0" else 1)
            new += old[at:start]
            at = start
        elif line.startswith("+"):
            new.append(line[1:] + ends)
        elif line.startswith((" ", "-")):
            assert old[at] == line[1:] + ends
            new += [old[at]] if line.startswith(" ") else []
            at += 1
    return "".join(new + old[at:])


@given(edited())
def test_a_diff_applies(case: tuple[str, list[TextEdit]]) -> None:
    text, edits = case
    after = apply_edits(text, edits)
    diff = unified_diff("p", "p", text, edits)
    assert (diff == "") is (after == text)
    assert patched(text, diff) == after


def test_a_diff_reads_as_difflibs() -> None:
    text = "".join(f"line {n}\n" for n in range(30))
    edits = [
        TextEdit(Span(text.index("line 5"), text.index("line 6")), "five\n"),
        TextEdit(Span(len(text), len(text)), "end"),
    ]
    edits += [TextEdit(Span(text.index("line 9"), text.index("line 10")), "")]
    after = apply_edits(text, edits)
    wanted = difflib.unified_diff(
        text.splitlines(keepends=True), after.splitlines(keepends=True), "a/p", "b/q"
    )
    assert unified_diff("p", "q", text, edits) == "".join(wanted) + "\n\\ No newline at end of file\n"


def test_whole_files() -> None:
    assert created_diff("p", "a\n") == "--- /dev/null\n+++ b/p\n@@ -0,0 +1 @@\n+a\n"
    assert (
        deleted_diff("p", "a\nb")
        == "--- a/p\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n\\ No newline at end of file\n"
    )
    assert unified_diff("p", "q", "a\n", []) == "--- a/p\n+++ b/q\n"
