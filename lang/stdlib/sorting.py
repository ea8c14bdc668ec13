"""Sorting by a block of the program.

The host's sort would call the block from C, a C frame for each level of a program that
sorts inside a sort block; this one calls it from a Python loop (design, Depth).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

MayPrecede = Callable[[object, object], bool]
_RUN: Final = 8


def merge_sorted(elements: list[object], may_precede: MayPrecede) -> list[object]:
    """The elements, stably sorted: `may_precede(a, b)` answers whether a may stand before b."""
    runs = [_insertion_sorted(elements[at : at + _RUN], may_precede) for at in range(0, len(elements), _RUN)]
    while len(runs) > 1:
        merged = [_merged(runs[at], runs[at + 1], may_precede) for at in range(0, len(runs) - 1, 2)]
        if len(runs) % 2:
            merged.append(runs[-1])
        runs = merged
    return runs[0] if runs else []


def _insertion_sorted(run: list[object], may_precede: MayPrecede) -> list[object]:
    for index in range(1, len(run)):
        element = run[index]
        place = index
        while place > 0 and not may_precede(run[place - 1], element):
            run[place] = run[place - 1]
            place -= 1
        run[place] = element
    return run


def _merged(left: list[object], right: list[object], may_precede: MayPrecede) -> list[object]:
    merged: list[object] = []
    at_left = at_right = 0
    while at_left < len(left) and at_right < len(right):
        if may_precede(left[at_left], right[at_right]):
            merged.append(left[at_left])
            at_left += 1
        else:
            merged.append(right[at_right])
            at_right += 1
    merged.extend(left[at_left:])
    merged.extend(right[at_right:])
    return merged
