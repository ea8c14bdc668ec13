"""The live image: the present state, and the live objects that it describes.

Comes in: a runtime with the standard library. Guarantees: `state` is replaced by one
assignment, inside a transaction. Leaves: what to change to the operations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager

from immutables import Map

from changelog.indentation import same_text_but_indentation
from lang.runtime.classes import ClassObject
from lang.runtime.processes.actor_system import ActorSystem
from lang.runtime.runtime import Runtime
from lang.semantics.modules.registry import RegistryState
from workspace.flush.file_text import lf
from workspace.flush.view import DiskFile
from workspace.index_on_demand import IndexOnDemand
from workspace.receiver_types import ReceiverTypes
from workspace.sources import SourceToday
from workspace.state import ImageState, LibraryClass

ReadToday = Callable[[Iterable[str]], Mapping[str, SourceToday]]
"""Reads sources by project path; what is gone is left out."""


class Image:
    """Owns the state and the class objects by lineage. `begin` makes the first state."""

    state: ImageState

    def __init__(self, runtime: Runtime, actors: ActorSystem) -> None:
        self.runtime = runtime
        self.actors = actors
        self.class_objects: dict[int, ClassObject] = {}

    def critical(self) -> AbstractContextManager[object]:
        """A section in which no other task runs and no interrupt is taken."""
        return self.actors.scheduler.critical()

    def begin(self, package: str | None, receivers: ReceiverTypes) -> None:
        """Take the library's classes as the first state."""
        self.state = self._first_state(package, receivers)

    def _first_state(self, package: str | None, receivers: ReceiverTypes) -> ImageState:
        library: dict[str, LibraryClass] = {}
        classes: dict[str, int] = {}
        for number, class_object in enumerate(self.runtime.classes(), start=1):
            name = class_object.name
            library[name] = LibraryClass(class_object.definition)
            classes[name] = -number
            self.class_objects[-number] = class_object
        return ImageState(
            change_number=0,
            next_lineage=1,
            units=Map(),
            files=Map(),
            members=Map(),
            classes=Map(classes),
            protocols=Map(),
            aliases=Map(),
            registry=RegistryState(),
            cross_reference=IndexOnDemand(),
            disk=Map(),
            library=Map(library),
            package=package,
            receivers=receivers,
        )

    def class_object(self, name: str) -> ClassObject | None:
        """The live class of a name, None when it is not loaded."""
        return self.runtime.class_named(name)

    def stale_files(self, lineages: Iterable[int], read_today: ReadToday) -> frozenset[str]:
        """The files in which one of the units no longer reads as memory last saw disk (changes.md 9)."""
        wanted = set(lineages)
        files = {
            path: file
            for path, file in self.state.disk.items()
            if any(unit.lineage in wanted for unit in file.units)
        }
        today = read_today(files)
        return frozenset(path for path, file in files.items() if not _reads_as(today.get(path), file, wanted))


def _reads_as(today: SourceToday | None, known: DiskFile, wanted: set[int]) -> bool:
    if today is None:
        return False
    if today.snapshot.sha256 == known.snapshot.sha256:
        return True
    parsed = today.parsed()
    if isinstance(parsed, str):
        return False
    now = {unit.name: lf(unit.text) for unit in parsed.units}
    return all(
        same_text_but_indentation(now.get(unit.name, ""), unit.text)
        for unit in known.units
        if unit.lineage in wanted
    )
