"""The stores of a transaction: the assignments that put a change in place (changes.md 6, step 4).

Each goes into a place that exists and can be taken back; none runs Beamtalk code.
"""

from __future__ import annotations

from collections.abc import Mapping

from lang.runtime.classes import ClassDefinition, ClassObject
from workspace.change import RetiredSelector
from workspace.image import Image
from workspace.state import ImageState


class DefinitionStore:
    """The definition of a class."""

    def __init__(self, class_object: ClassObject, new: ClassDefinition) -> None:
        self._class_object = class_object
        self._new = new
        self._old = class_object.definition

    def do(self) -> None:
        """See `Store`."""
        self._old = self._class_object.definition
        self._class_object.definition = self._new

    def undo(self) -> None:
        """See `Store`."""
        self._class_object.definition = self._old


class Removal:
    """Whether a class object is out of the image."""

    def __init__(self, class_object: ClassObject, *, is_removed: bool) -> None:
        self._class_object = class_object
        self._new = is_removed

    def do(self) -> None:
        """See `Store`."""
        self._class_object.is_removed = self._new

    def undo(self) -> None:
        """See `Store`."""
        self._class_object.is_removed = not self._new


class NamesStore:
    """What names mean in code; references to removed classes wait for the name again."""

    def __init__(self, image: Image, new: Mapping[str, object], removed: tuple[ClassObject, ...]) -> None:
        self._runtime = image.runtime
        self._new = new
        self._removed = removed
        self._old: Mapping[str, object] = image.runtime.class_names

    def do(self) -> None:
        """See `Store`."""
        self._old = self._runtime.class_names
        for class_object in self._removed:
            self._runtime.unbind_class(class_object)
        self._runtime.bind_names(self._new)

    def undo(self) -> None:
        """See `Store`."""
        self._runtime.bind_names(self._old)


class ObjectsStore:
    """Class objects by lineage."""

    def __init__(self, image: Image, new: Mapping[int, ClassObject]) -> None:
        self._image = image
        self._new = new
        self._old = image.class_objects

    def do(self) -> None:
        """See `Store`."""
        self._old = self._image.class_objects
        self._image.class_objects = {**self._old, **self._new}

    def undo(self) -> None:
        """See `Store`."""
        self._image.class_objects = self._old


class RetiredStore:
    """A selector that code in flight may still send."""

    def __init__(self, image: Image, retired: RetiredSelector) -> None:
        self._image = image
        self._retired = retired

    def do(self) -> None:
        """See `Store`."""
        owner = self._image.class_objects[self._retired.class_lineage]
        self._image.runtime.retired.retire(owner, self._retired.side, self._retired.old, self._retired.new)
        self._image.runtime.retired.revive(owner, self._retired.side, self._retired.new)

    def undo(self) -> None:
        """See `Store`."""
        owner = self._image.class_objects[self._retired.class_lineage]
        self._image.runtime.retired.revive(owner, self._retired.side, self._retired.old)


class StateStore:
    """The state itself, last."""

    def __init__(self, image: Image, new: ImageState) -> None:
        self._image = image
        self._new = new
        self._old = image.state

    def do(self) -> None:
        """See `Store`."""
        self._old = self._image.state
        self._image.state = self._new

    def undo(self) -> None:
        """See `Store`."""
        self._image.state = self._old
