"""Linear searches, and the elements of any collection.

Guarantees: `includes:` and `indexOf:` try `=:=` first, then `equals:` of Values
(stdlib.md 2.4); a collection of the program is read by its `do:`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from lang.runtime.blocks import host_block
from lang.runtime.equality import strict_equal
from lang.runtime.instances import ValueObject

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime


def index_of(runtime: Runtime, elements: Iterable[object], item: object) -> int | None:
    """The 1-based index of the first element that a search takes for `item`."""
    for index, element in enumerate(elements, start=1):
        if strict_equal(element, item) or (
            isinstance(element, ValueObject) and runtime.equals(element, item)
        ):
            return index
    return None


def elements_by_do(runtime: Runtime, collection: object) -> list[object]:
    """What the collection's `do:` hands to its block, in order."""
    found: list[object] = []
    runtime.send(collection, "do:", host_block(found.append, 1))
    return found
