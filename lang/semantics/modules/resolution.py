"""What a class reference resolves to (types.md 7.3)."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from lang.semantics.modules.names import ClassKey, ModuleName


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
