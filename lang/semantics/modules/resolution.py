"""What a class reference resolves to (types.md 7.3)."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable

from lang.dataclass import dataclass
from lang.semantics.modules.names import ClassKey, ModuleName, PackageId


class Reach(enum.Enum):
    """Over which way a name was found, first hit first (M-9); `QUALIFIED` is M-11."""

    OWN = "own"
    DEPENDENCY = "dependency"
    TRANSITIVE = "transitive"
    STDLIB = "stdlib"
    QUALIFIED = "qualified"


@dataclass(frozen=True, slots=True)
class Found:
    """The class, its module, and how it was reached."""

    key: ClassKey
    module: ModuleName
    reach: Reach


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Several declared dependencies export the name, in the order of the manifest."""

    keys: tuple[ClassKey, ...]


@dataclass(frozen=True, slots=True)
class Missing:
    """No such class, now; a class defined later is found then (M-4, M-17)."""

    name: str
    qualifier: str | None = None


Resolution = Found | Ambiguous | Missing


Tier = tuple[Reach, tuple[PackageId, ...]]
"""Packages that are searched together; what several of the declared dependencies export is ambiguous."""


def search(tiers: Iterable[Tier], holds: Callable[[PackageId], bool]) -> Tier | None:
    """Where a bare name is found, first hit first (M-9); several packages only where that is ambiguous."""
    for reach, packages in tiers:
        found = tuple(each for each in packages if holds(each))
        if found:
            return reach, found if reach is Reach.DEPENDENCY else found[:1]
    return None
