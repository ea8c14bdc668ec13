"""Sorting by a block of the program.

The host's sort would call the block from C, a C frame for each level of a program that
sorts inside a sort block; this one calls it from a Python loop (design, Depth).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

Comparator = Callable[[object, object], object]
"""Answers `True` when its first argument may stand before the second, else `False`."""

_RUN: Final = 8


def merge_sorted(elements: list[object], block: Comparator, refuse: Callable[[], Exception]) -> list[object]:
    """The elements, stably sorted; raises what `refuse` makes when the block answers no Boolean."""
    runs = [
        _insertion_sorted(elements[at : at + _RUN], block, refuse) for at in range(0, len(elements), _RUN)
    ]
    while len(runs) > 1:
        merged = [_merged(runs[at], runs[at + 1], block, refuse) for at in range(0, len(runs) - 1, 2)]
        if len(runs) % 2:
            merged.append(runs[-1])
        runs = merged
    return runs[0] if runs else []


def _insertion_sorted(run: list[object], block: Comparator, refuse: Callable[[], Exception]) -> list[object]:
    for index in range(1, len(run)):
        element = run[index]
        place = index
        while place > 0:
            answer = block(run[place - 1], element)
            if answer is True:
                break
            if answer is not False:
                raise refuse()
            run[place] = run[place - 1]
            place -= 1
        run[place] = element
    return run


def _merged(
    left: list[object], right: list[object], block: Comparator, refuse: Callable[[], Exception]
) -> list[object]:
    # Two runs that are in order already cost one comparison: sorting what is sorted is linear.
    if block(left[-1], right[0]) is True:
        return left + right
    merged: list[object] = []
    at_left = at_right = 0
    while at_left < len(left) and at_right < len(right):
        answer = block(left[at_left], right[at_right])
        if answer is True:
            merged.append(left[at_left])
            at_left += 1
        elif answer is False:
            merged.append(right[at_right])
            at_right += 1
        else:
            raise refuse()
    merged.extend(left[at_left:])
    merged.extend(right[at_right:])
    return merged
