"""What classes ask of the live image around them: compiling, removing, reloading (stdlib.md 3.4).

Comes in: a request on a class. Guarantees: without a live image the request is refused
as the library says. Leaves: doing it to whoever gives an image its `LiveImage` (the
workspace), which logs it.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Protocol

from lang.runtime.classes import ClassObject
from lang.runtime.errors import BeamtalkError
from lang.stdlib.services import services_of
from lang.syntax.units import Side

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime


class Intent(Enum):
    """Whether a method compiled at run time is meant to stay."""

    DURABLE = "durable"
    EXPLORATORY = "exploratory"


class LiveImage(Protocol):
    """Changes of classes at run time. Refusals are `BeamtalkError`s."""

    def compile_method(self, owner: ClassObject, side: Side, selector: str, source: str, intent: Intent) -> None:
        """Install a method from its source text."""

    def precheck_method(self, owner: ClassObject, side: Side, selector: str, source: str) -> object:
        """A Dictionary with what compiling the method would find."""

    def remove_method(self, owner: ClassObject, side: Side, selector: str) -> None:
        """Remove a method that exists."""

    def remove_class(self, class_object: ClassObject) -> None:
        """Remove a class from the image."""

    def reload_class(self, class_object: ClassObject) -> None:
        """Load a class again from its file."""


def live_image(runtime: Runtime, class_name: str, selector: str) -> LiveImage:
    """The live image; raises `unsupported` in a program that has none."""
    image = services_of(runtime).live_image
    if image is None:
        raise BeamtalkError(
            "unsupported",
            class_name=class_name,
            selector=selector,
            hint="Classes can be changed in a workspace only.",
        )
    return image
