"""Did-you-mean: the candidate that a wrong name was probably meant to be (types.md 3.4)."""

from __future__ import annotations

from collections.abc import Iterable


def nearest(written: str, candidates: Iterable[str]) -> str | None:
    """The closest eligible candidate; on a tie the first in order; None if all are too far.

    Eligible is a Levenshtein distance of 1 to 3 that is below half the length of what was
    written, plus one (D-S1).
    """
    limit = min(3, len(written) // 2)
    best: str | None = None
    for candidate in candidates:
        if candidate != written and abs(len(candidate) - len(written)) <= limit:
            found = distance(written, candidate, limit)
            if found <= limit:
                best, limit = candidate, found - 1
    return best


def distance(one: str, other: str, limit: int = 1 << 30) -> int:
    """The Levenshtein distance over characters; any number above `limit` when it is above."""
    previous = list(range(len(other) + 1))
    for i, left in enumerate(one, 1):
        row = [i]
        for j, right in enumerate(other, 1):
            row.append(min(previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (left != right)))
        if min(row) > limit:
            return limit + 1
        previous = row
    return previous[-1]
