"""How deep Beamtalk code may recurse (design "Depth").

Sends are Python calls on heap frames; the recursion limit is set once and gives
`resource_error`. It holds for the whole host process and disarms the guards of C code
that recurses over data, so user code runs on a thread with a big stack only.
"""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Callable
from typing import Final, TypeVar

RECURSION_LIMIT: Final = 1_000_000
"""Frames, of Beamtalk and library code together."""

STACK_BYTES: Final = 256 * 1024 * 1024
"""Stack of the thread that evaluates."""

COLLECTOR_THRESHOLDS: Final = (100_000, 20, 20)
"""New objects before a look for cycles among them, and how many looks before a wider one."""

T = TypeVar("T")


def allow_deep_recursion() -> None:
    """Set the recursion limit of the host process; lowering it is left alone."""
    if sys.getrecursionlimit() < RECURSION_LIMIT:
        sys.setrecursionlimit(RECURSION_LIMIT)


def pace_collector() -> None:
    """Have the host look for cycles less often; it holds for the whole process.

    Immutable values die by reference count, while each look of the default pace walks
    a whole image: building a list or dictionary of 100,000 took 2.5 times as long.
    """
    if gc.get_threshold()[0] < COLLECTOR_THRESHOLDS[0]:
        gc.set_threshold(*COLLECTOR_THRESHOLDS)


def start_evaluator_thread(run: Callable[[], None], name: str = "evaluator") -> threading.Thread:
    """Start a thread whose stack fits deep recursion."""
    allow_deep_recursion()
    pace_collector()
    thread = threading.Thread(target=run, name=name, daemon=True)
    before = threading.stack_size(STACK_BYTES)
    try:
        thread.start()
    finally:
        threading.stack_size(before)
    return thread


def run_on_evaluator_stack(work: Callable[[], T]) -> T:
    """Run something on a thread with the big stack and answer its value; its exception is raised here."""
    results: list[T] = []
    faults: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as fault:  # noqa: BLE001 - handed to the thread that waits
            faults.append(fault)

    start_evaluator_thread(run).join()
    if faults:
        raise faults[0]
    return results[0]
