"""Near names for a mistyped one (workspace.md 3.7, 3.12).

Comes in: a word and the words that exist. Guarantees: nearest first, then by spelling; cost
bounded by the length of the word. Leaves: the sentence around them.
"""

from __future__ import annotations

from collections.abc import Iterable


def near(word: str, known: Iterable[str], *, distance: int = 2, most: int = 2) -> tuple[str, ...]:
    """The known words within an edit distance (exchanged neighbours count once)."""
    limit = min(distance, max(1, len(word) // 2))
    ranked = sorted(
        (found, each)
        for each in set(known)
        if each != word and abs(len(each) - len(word)) <= limit and (found := edits(word, each)) <= limit
    )
    return tuple(each for _found, each in ranked[:most])


def edits(one: str, two: str) -> int:
    """How many insertions, deletions, replacements and exchanges of neighbours lead from one to the other."""
    before: list[int] = []
    row = list(range(len(two) + 1))
    for i, a in enumerate(one, 1):
        older, before, row = before, row, [i]
        for j, b in enumerate(two, 1):
            best = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == two[j - 2] and b == one[i - 2]:
                best = min(best, older[j - 2] + 1)
            row.append(best)
    return row[-1]
