"""What an image needs from outside: somebody who runs messages, and somewhere to write.

Leaves: who that is. A runtime without a scheduler runs messages in place (`direct.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from lang.runtime.classes import ClassObject, Function
    from lang.runtime.dispatch import Selector
    from lang.runtime.instances import ActorObject


class Processes(Protocol):
    """What dispatch needs of the scheduler."""

    @property
    def current_actor(self) -> ActorObject | None:
        """The actor whose message runs now."""

    def entry(self, selector: Selector, function: Function) -> Function:
        """What a send from outside calls for receivers of an actor type (actors.md 4.1, 4.2)."""

    def call(self, receiver: ActorObject, selector: str, arguments: tuple[object, ...]) -> object:
        """A sync send to another actor (actors.md 4)."""

    def enter_class(self, class_object: ClassObject, selector: str) -> bool:
        """A class method begins in the process of its class (actors.md 10.2); whether `leave_class` must follow."""

    def leave_class(self, class_object: ClassObject) -> None:
        """It has ended, in whatever way."""

    def is_inside(self, class_object: ClassObject) -> bool:
        """Whether the running code is a class method of that class, or a block that it runs."""

    def call_within(
        self, receiver: ActorObject, selector: str, arguments: tuple[object, ...], limit: float | None
    ) -> object:
        """A sync send with a limit of its own; None waits for ever (actors.md 4)."""

    def cast(self, receiver: ActorObject, selector: str, arguments: tuple[object, ...]) -> None:
        """An asynchronous send (actors.md 6)."""


class Transcript(Protocol):
    """Where `Transcript show:` goes."""

    def write(self, text: str) -> object:
        """Append text."""


class Discard:
    """A transcript that nobody reads."""

    def write(self, text: str) -> object:
        """Drop the text."""
        return len(text)
