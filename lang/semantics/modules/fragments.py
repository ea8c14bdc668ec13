"""A registry from the fragments of parsed files (types.md 7.4).

Comes in: one fragment a file, in any order, also from a cache. Guarantees: the
registry depends on the set of fragments alone, so that merging is associative and
the order of reading does not matter. Leaves: reading and caching of fragments.
"""

from __future__ import annotations

from collections.abc import Iterable

from lang.dataclass import dataclass
from lang.semantics.modules.names import PackageId
from lang.semantics.modules.refusals import RegistryRefusal
from lang.semantics.modules.registry import RegistryState

FRAGMENT_FORMAT = 1
"""Cached fragments of another format are thrown away (M-14)."""


@dataclass(frozen=True, slots=True)
class Fragment:
    """What one parsed file gives to the registry; `class_name` is None where no class is declared."""

    package: PackageId
    path: str
    content_hash: str
    class_name: str | None
    superclass: str | None = None
    format: int = FRAGMENT_FORMAT

    @property
    def sort_key(self) -> tuple[str, str, str, str]:
        """Package, path, class: of two that conflict the first in this order stays (workspace.md 1.7)."""
        return (*self.package.sort_key, self.path, self.class_name or "")


def registry_of(
    fragments: Iterable[Fragment], start: RegistryState | None = None
) -> tuple[RegistryState, tuple[RegistryRefusal, ...]]:
    """The registry of a set of fragments on top of `start`, with the conflicts (M-8, M-14)."""
    state = start or RegistryState()
    refusals: list[RegistryRefusal] = []
    for fragment in sorted(set(fragments), key=lambda f: f.sort_key):
        if fragment.class_name is None:
            continue
        declared = state.declare(fragment.package, fragment.path, fragment.class_name)
        if isinstance(declared, RegistryState):
            state = declared
        else:
            refusals.append(declared)
    return state, tuple(refusals)
