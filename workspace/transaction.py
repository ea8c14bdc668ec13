"""Memory transactions: log, then swap, all or nothing (changes.md 6).

Comes in: a `Prepared` change, everything that can fail done. Guarantees: after
`commit` the log, the live objects and the image state agree, or all are as before; no
Beamtalk code runs and no task switches in between. Leaves: what follows a change
(stopping instances, notices) to the caller.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from typing import Protocol

from changelog.entry import Entry, NewEntry
from lang.dataclass import dataclass


class Store(Protocol):
    """One assignment into a place that exists; it cannot fail but by a defect."""

    def do(self) -> None:
        """Put the new value, remembering the old one."""

    def undo(self) -> None:
        """Put the old value back."""


class Log(Protocol):
    """What a transaction needs of the ChangeLog."""

    def append(self, entry: NewEntry) -> Entry:
        """Number, append and fsync an entry."""

    def length(self) -> int:
        """The length to which `cut_back` may return."""

    def cut_back(self, length: int) -> None:
        """Drop what was appended since `length` was asked."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A change that is ready: the entry to log (None: not logged) and the stores to do.

    `still_valid` asks whether what was planned on has stayed the same; `empty_caches`
    makes look-ups see the new definitions, and runs after the stores and after undoing them.
    """

    entry: NewEntry | None
    stores: tuple[Store, ...]
    still_valid: Callable[[], bool]
    empty_caches: Callable[[], None]


class Stale(Exception):
    """The image has moved on since the change was planned; nothing was done."""


class Transactions:
    """Carries out prepared changes, one at a time.

    `before_store` is a test hook: it is called before each store with its number.
    """

    def __init__(self, log: Log, critical: Callable[[], AbstractContextManager[object]]) -> None:
        self._log = log
        self._critical = critical
        self.before_store: Callable[[int], None] = lambda _number: None

    def commit(self, prepared: Prepared) -> Entry | None:
        """Log and swap. Raises `Stale`, or what the append raised; memory is then untouched."""
        with self._critical():
            if not prepared.still_valid():
                raise Stale
            length = self._log.length()
            entry = None if prepared.entry is None else self._log.append(prepared.entry)
            try:
                self._swap(prepared)
            except BaseException:
                self._log.cut_back(length)
                raise
            return entry

    def _swap(self, prepared: Prepared) -> None:
        done: list[Store] = []
        try:
            for number, store in enumerate(prepared.stores):
                self.before_store(number)
                store.do()
                done.append(store)
        except BaseException:
            _undo(reversed(done))
            prepared.empty_caches()
            raise
        prepared.empty_caches()


def _undo(stores: Iterable[Store]) -> None:
    for store in stores:
        store.undo()
