"""Named tables and counters that actors share (stdlib.md 4.5, section 8; actors.md 18).

Guarantees: a name stands for at most one table; a table whose owner has ended, or that
was deleted, is stale and its name free. Leaves: who the running process is to the
caller.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import final

from lang.runtime.collections.lists import BtList, list_of
from lang.runtime.collections.mappings import EMPTY_DICTIONARY, BtDictionary
from lang.runtime.collections.tuples import BtTuple


class TableType(Enum):
    """The kinds of tables; only ORDERED_SET promises an order."""

    SET = "set"
    ORDERED_SET = "orderedSet"
    BAG = "bag"
    DUPLICATE_BAG = "duplicateBag"


@final
class Rows:
    """What a table of `Erlang ets` holds under a key that has no single pair: its Tuples."""

    __slots__ = ("rows",)

    def __init__(self, rows: tuple[BtTuple, ...]) -> None:
        self.rows = rows

    def as_list(self) -> BtList:
        """The Tuples, as Ets shows them."""
        return list_of([*self.rows])


@final
class BtTable:
    """A table: `content` None when it is stale. `owner` is the process that made it."""

    __slots__ = ("_content", "_is_alive", "name", "owner", "type")

    def __init__(
        self, name: str, table_type: TableType, owner: object, is_alive: Callable[[object], bool]
    ) -> None:
        self.name = name
        self.type = table_type
        self.owner = owner
        self._is_alive = is_alive
        self._content: BtDictionary | None = EMPTY_DICTIONARY

    @property
    def content(self) -> BtDictionary | None:
        """What is stored; None once the table was deleted or its owner has ended."""
        if self._content is not None and not self._is_alive(self.owner):
            self._content = None
        return self._content

    def store(self, content: BtDictionary) -> None:
        """Replace what is stored."""
        self._content = content

    def delete(self) -> None:
        """Make the table stale."""
        self._content = None


@final
class BtCounter:
    """A counter: `value` None when it was deleted."""

    __slots__ = ("name", "value")

    def __init__(self, name: str) -> None:
        self.name = name
        self.value: int | None = 0


class SharedNames:
    """The tables and counters of one image, by name."""

    def __init__(self) -> None:
        self.counters: dict[str, BtCounter] = {}
        self._tables: dict[str, BtTable] = {}

    def table(self, name: str) -> BtTable | None:
        """The live table of a name."""
        found = self._tables.get(name)
        if found is not None and found.content is None:
            del self._tables[name]
            return None
        return found

    def add_table(self, table: BtTable) -> None:
        """Enter a table under its name."""
        self._tables[table.name] = table

    def remove_table(self, table: BtTable) -> None:
        """Delete a table and free its name."""
        table.delete()
        if self._tables.get(table.name) is table:
            del self._tables[table.name]
