"""What the code of a unit depends on besides its tree; all of it belongs in a cache key."""

from __future__ import annotations

import enum

from lang.dataclass import dataclass
from lang.syntax.units import Side


class SlotWrites(enum.Enum):
    """How `self.x := e` stores (language.md 4.2, actors.md 5)."""

    NONE = "none"
    """There are no slots to write."""
    JOURNALED = "journaled"
    """An actor: the value before is kept until the message ends."""
    IN_PLACE = "in place"
    """A test case: the instance belongs to one test alone."""
    CLASS_VARIABLE = "class variable"
    """The class side: the border of the class keeps the values before."""


@dataclass(frozen=True, slots=True)
class ClassContext:
    """Of the class that owns a unit.

    `module` is the module name of the registry and becomes `co_filename`. `is_host`:
    receivers of instance methods may be of types that are not derived from the root
    type, so that self-sends go through tables.
    """

    module: str
    side: Side | None = None
    writes: SlotWrites = SlotWrites.NONE
    is_host: bool = False
