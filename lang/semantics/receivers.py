"""What is known of the receiver of a send, as the cross-reference index speaks of it (types.md X-2).

Comes in: names that a type was reduced to. Guarantees: `DYNAMIC` is the only way to say that nothing
is known; composed types have at least two members, sorted, each once. Leaves: where a type
comes from to inference, and whom a send can reach to `workspace.relevance`.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from typing import Final, NamedTuple

from lang.dataclass import dataclass


class ReceiverName(NamedTuple):
    """`N`: an instance of a class or something that conforms to a protocol; `N class`: the class object."""

    name: str
    is_class_object: bool = False

    def __str__(self) -> str:
        return f"{self.name} class" if self.is_class_object else self.name


class Composition(enum.Enum):
    """How the names of a receiver type belong together."""

    ONE = "one"
    UNION = "union"
    INTERSECTION = "intersection"
    DYNAMIC = "dynamic"


@dataclass(frozen=True, slots=True)
class ReceiverType:
    """The projection of a receiver's type: one name, several, or `DYNAMIC`."""

    composition: Composition
    names: tuple[ReceiverName, ...] = ()

    @property
    def single(self) -> ReceiverName | None:
        """The name, where there is exactly one."""
        return self.names[0] if self.composition is Composition.ONE else None

    def __str__(self) -> str:
        match self.composition:
            case Composition.ONE:
                return str(self.names[0])
            case Composition.DYNAMIC:
                return "dynamic"
            case Composition.UNION | Composition.INTERSECTION:
                return f"{self.composition.value}[{', '.join(map(str, self.names))}]"


DYNAMIC: Final = ReceiverType(Composition.DYNAMIC)


def instance_of(name: str) -> ReceiverType:
    """The type of an instance of a class, or of what conforms to a protocol."""
    return ReceiverType(Composition.ONE, (ReceiverName(name),))


def class_object(name: str) -> ReceiverType:
    """The type of a class itself."""
    return ReceiverType(Composition.ONE, (ReceiverName(name, is_class_object=True),))


def union_of(members: Iterable[ReceiverType]) -> ReceiverType:
    """A receiver of any member; one that is not known makes the whole unknown (types.md X-2)."""
    return _composed(Composition.UNION, members)


def intersection_of(members: Iterable[ReceiverType]) -> ReceiverType:
    """A receiver of all members at once; a partial list could exclude too much, so the whole is unknown."""
    return _composed(Composition.INTERSECTION, members)


def _composed(composition: Composition, members: Iterable[ReceiverType]) -> ReceiverType:
    names: set[ReceiverName] = set()
    for member in members:
        if member.composition not in (Composition.ONE, composition):
            return DYNAMIC
        names.update(member.names)
    match sorted(names):
        case []:
            return DYNAMIC
        case [only]:
            return ReceiverType(Composition.ONE, (only,))
        case several:
            return ReceiverType(composition, tuple(several))
