"""Which classes the checks of a file asked about: a change of any other leaves the file checked (workspace.md 1.9).

Comes in: the view that checks look things up in, and the file that is being checked. Guarantees: whatever a
check learns of the project's classes, protocols and aliases by name is noted, absence too; who walks through all
of them asks about everything. Leaves: digests of what was seen to `compile_cache`.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from typing import TypeVar

from lang.dataclass import replace
from lang.semantics.hierarchy import ClassView

V = TypeVar("V")


class Consulted:
    """The names that the checks of one file asked about."""

    __slots__ = ("_is_everything", "_names")

    def __init__(self) -> None:
        self._names: set[str] = set()
        self._is_everything = False

    def note(self, name: str) -> None:
        """A check asked about a name; a qualified one counts as the bare one."""
        self._names.add(name.rpartition("@")[2])

    def note_everything(self) -> None:
        """A check walked through all names there are."""
        self._is_everything = True

    def names(self) -> tuple[str, ...] | None:
        """The names in order; None for everything."""
        return None if self._is_everything else tuple(sorted(self._names))


class Consultations:
    """What the checks of one load asked about, by file."""

    def __init__(self) -> None:
        self._by_path: dict[str, Consulted] = {}
        self._views: dict[str, ClassView] = {}

    def watched(self, path: str, owners: Iterable[str], view: ClassView) -> ClassView:
        """The view for checks of a file that declares members of `owners`; one load has one view."""
        consulted = self._by_path.setdefault(path, Consulted())
        for owner in owners:
            consulted.note(owner)
        if path not in self._views:
            self._views[path] = replace(
                view,
                classes=_WatchedMapping(view.classes, consulted),
                aliases=_WatchedMapping(view.aliases, consulted),
                protocols=_WatchedNames(view.protocols, consulted),
                parents=_WatchedNames(view.parents, consulted),
            )
        return self._views[path]

    def names_of(self, path: str) -> tuple[str, ...] | None:
        """What the checks of a file asked about; None for everything, which is safe where nothing is known."""
        found = self._by_path.get(path)
        return None if found is None else found.names()


class _WatchedMapping(Mapping[str, V]):
    def __init__(self, whole: Mapping[str, V], consulted: Consulted) -> None:
        self._whole = whole
        self._consulted = consulted

    def __getitem__(self, name: str) -> V:
        self._consulted.note(name)
        return self._whole[name]

    def __contains__(self, name: object) -> bool:
        self._consulted.note(str(name))
        return name in self._whole

    def __iter__(self) -> Iterator[str]:
        self._consulted.note_everything()
        return iter(self._whole)

    def __len__(self) -> int:
        self._consulted.note_everything()
        return len(self._whole)


class _WatchedNames:
    def __init__(self, whole: Container[str], consulted: Consulted) -> None:
        self._whole = whole
        self._consulted = consulted

    def __contains__(self, name: object) -> bool:
        self._consulted.note(str(name))
        return name in self._whole
