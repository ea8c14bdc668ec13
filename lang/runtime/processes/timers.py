"""What is due when: a heap of deadlines on the injected clock.

Comes in: deadlines in seconds of the monotonic clock, each with an action. Guarantees: an action runs at most
once, never before its deadline, never after `cancel`. A pending entry is no process and owns no stack
(actors.md 12). Cancelled entries are dropped when they come up, or all at once when they are the majority.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator

Action = Callable[[], None]

_COMPACT_ABOVE = 64


class Deadline:
    """One entry of the heap; `cancel` is O(1)."""

    __slots__ = ("_heap", "action", "due", "order")

    def __init__(self, due: float, order: int, action: Action, heap: DeadlineHeap) -> None:
        self.due = due
        self.order = order
        self.action: Action | None = action
        self._heap = heap

    def __lt__(self, other: Deadline) -> bool:
        return (self.due, self.order) < (other.due, other.order)

    @property
    def is_pending(self) -> bool:
        """Whether the action is still to run."""
        return self.action is not None

    def cancel(self) -> bool:
        """Drop the action; whether it was still pending."""
        if self.action is None:
            return False
        self.action = None
        self._heap.note_cancelled()
        return True


class DeadlineHeap:
    """All pending deadlines of one scheduler."""

    def __init__(self) -> None:
        self._entries: list[Deadline] = []
        self._order = 0
        self._cancelled = 0

    def __len__(self) -> int:
        return len(self._entries) - self._cancelled

    def add(self, due: float, action: Action) -> Deadline:
        """Run `action` once `due` has come."""
        self._order += 1
        entry = Deadline(due, self._order, action, self)
        heapq.heappush(self._entries, entry)
        return entry

    def next_due(self) -> float | None:
        """The earliest pending deadline."""
        entries = self._entries
        while entries and entries[0].action is None:
            heapq.heappop(entries)
            self._cancelled -= 1
        return entries[0].due if entries else None

    def peek_due(self) -> float | None:
        """A lower bound of `next_due` that changes nothing: the ticker's thread may ask."""
        entries = self._entries
        try:
            return entries[0].due
        except IndexError:
            return None

    def take_due(self, now: float) -> Iterator[Action]:
        """Every action whose deadline has come, the earliest first; each is taken out when it is reached."""
        while (due := self.next_due()) is not None and due <= now:
            entry = heapq.heappop(self._entries)
            action, entry.action = entry.action, None
            if action is not None:
                yield action

    def note_cancelled(self) -> None:
        """Count one more dead entry; rebuild the heap when most entries are dead."""
        self._cancelled += 1
        if self._cancelled > _COMPACT_ABOVE and self._cancelled * 2 > len(self._entries):
            self._entries = [entry for entry in self._entries if entry.action is not None]
            heapq.heapify(self._entries)
            self._cancelled = 0
