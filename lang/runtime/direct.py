"""Actors without a scheduler: a message runs at once, on the caller's stack.

What a `Runtime` has until `lang/runtime/processes` takes over, and what tests of the
core use. State still goes back when a message ends by an error (actors.md 5).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lang.runtime.instances import ActorObject, begin_protected, keep_protected, undo_protected

if TYPE_CHECKING:
    from lang.runtime.classes import ClassObject, Function
    from lang.runtime.dispatch import Selector
    from lang.runtime.runtime import Runtime


class DirectProcesses:
    """The `Processes` of an image that has no scheduler."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self.current_actor: ActorObject | None = None

    def call(self, receiver: ActorObject, selector: str, arguments: tuple[object, ...]) -> object:
        """Run the method as the receiver."""
        before, self.current_actor = self.current_actor, receiver
        outer = begin_protected(receiver)
        try:
            result: object = self._runtime.send_own(receiver, selector, arguments)
        except Exception:
            undo_protected(receiver, outer)
            raise
        except BaseException:
            keep_protected(receiver, outer)
            raise
        else:
            keep_protected(receiver, outer)
            return result
        finally:
            self.current_actor = before

    def entry(self, selector: Selector, function: Function) -> Function:
        """Direct when the receiver is the actor that runs, else a `call`."""
        text = selector.text

        def entry(receiver: ActorObject, *arguments: object) -> object:
            if self.current_actor is receiver:
                return function(receiver, *arguments)
            return self.call(receiver, text, arguments)

        return entry

    def call_within(
        self, receiver: ActorObject, selector: str, arguments: tuple[object, ...], limit: float | None
    ) -> object:
        """Run the method as the receiver: nothing waits here."""
        del limit
        return self.call(receiver, selector, arguments)

    def enter_class(self, class_object: ClassObject, selector: str) -> bool:
        """Nothing: there is only one thread of control."""
        del class_object, selector
        return False

    def leave_class(self, class_object: ClassObject) -> None:
        """Nothing."""

    def is_inside(self, class_object: ClassObject) -> bool:
        """Nobody keeps count."""
        del class_object
        return False

    def cast(self, receiver: ActorObject, selector: str, arguments: tuple[object, ...]) -> None:
        """Run the method as the receiver; its errors are dropped."""
        try:
            self.call(receiver, selector, arguments)
        except Exception:  # noqa: BLE001 - the outermost loop of this actor's turn
            return
