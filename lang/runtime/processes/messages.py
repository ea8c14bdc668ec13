"""What stands in a mailbox: sync requests, casts, stop requests and whole computations, in one queue (actors.md 1.2).

A message with a `caller` is a sync one: as long as `caller` is set, that process is parked for this answer and for
nothing else. Whoever wakes it for another reason (time-out, interrupt, kill) takes the caller out first, so that a
late answer finds nobody (actors.md 21.6).
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol

from lang.dataclass import dataclass

if TYPE_CHECKING:
    from lang.runtime.processes.process import Process
    from lang.runtime.processes.timers import Deadline

Method = Callable[..., object]


class Addressed(Protocol):
    """A selector as the scheduler sees it: its name, and how an object runs it in its own process."""

    @property
    def text(self) -> str:
        """The selector's text."""

    @property
    def own(self) -> Mapping[type, Method]:
        """By type of the receiver, the method to run; looked up anew for each message (actors.md 19)."""


class RequestState(enum.Enum):
    """What has become of a message."""

    WAITING = "waiting"
    ANSWERED = "answered"
    FAILED = "failed"
    LOST = "lost"
    TIMED_OUT = "timed out"


@dataclass(frozen=True, slots=True)
class Returned:
    """A computation came to its end with a value."""

    value: object


@dataclass(frozen=True, slots=True)
class Raised:
    """A computation ended by an error, or by an interrupt."""

    error: BaseException


@dataclass(frozen=True, slots=True)
class Ended:
    """The process of a computation was ended from outside."""

    reason: object


Outcome = Returned | Raised | Ended


class Message:
    """One entry of a mailbox, and the place where its answer appears. It is the `Wait` of its caller."""

    __slots__ = ("addressee", "caller", "state", "timeout", "timer", "value")

    def __init__(self, addressee: Process, caller: Process | None, timeout: float | None) -> None:
        self.addressee = addressee
        self.caller = caller
        self.timeout = timeout
        self.timer: Deadline | None = None
        self.state = RequestState.WAITING
        self.value: object = None

    def perform(self, process: Process, /) -> object:
        """Do what the message asks, in its process."""
        raise NotImplementedError

    @property
    def selector_name(self) -> str:
        """The selector to name in errors."""
        raise NotImplementedError

    def failed(self, error: BaseException) -> None:
        """The message was handled and raised."""
        self.state = RequestState.FAILED
        self.value = error

    def lost(self, reason: object) -> None:
        """The process went away before or while it handled the message."""
        self.state = RequestState.LOST
        self.value = reason

    def abandon(self) -> None:
        """`Wait.abandon`: the caller goes on without the answer."""
        self.caller = None
        if self.timer is not None:
            self.timer.cancel()

    def target(self) -> Process | None:
        """`Wait.target`: who must answer."""
        return self.addressee


class Request(Message):
    """A sync send (actors.md 4.1). The method is looked up when the message is taken, not when it is sent."""

    __slots__ = ("arguments", "receiver", "selector")

    def __init__(
        self,
        addressee: Process,
        caller: Process | None,
        timeout: float | None,
        selector: Addressed,
        receiver: object,
        arguments: tuple[object, ...],
    ) -> None:
        self.addressee = addressee
        self.caller = caller
        self.timeout = timeout
        self.timer = None
        self.state = RequestState.WAITING
        self.value = None
        self.selector = selector
        self.receiver = receiver
        self.arguments = arguments

    def perform(self, _process: Process, /) -> object:
        """Look the method up now, and run it."""
        receiver = self.receiver
        return self.selector.own[type(receiver)](receiver, *self.arguments)

    @property
    def selector_name(self) -> str:
        """The selector to name in errors."""
        return self.selector.text


class Posted(Request):
    """A send that goes through the queue: to a busy process, or one that nobody waits for (actors.md 6).

    `stamp` tells which selectors were retired when it was sent (`lang/runtime/retired.py`).
    """

    __slots__ = ("context", "stamp")

    def __init__(
        self,
        addressee: Process,
        caller: Process | None,
        timeout: float | None,
        selector: Addressed,
        receiver: object,
        arguments: tuple[object, ...],
        stamp: int,
        context: object,
    ) -> None:
        self.addressee = addressee
        self.caller = caller
        self.timeout = timeout
        self.timer = None
        self.state = RequestState.WAITING
        self.value = None
        self.selector = selector
        self.receiver = receiver
        self.arguments = arguments
        self.stamp = stamp
        self.context = context


class Stamps(Protocol):
    """Counts the retirements of selectors."""

    stamp: int

    def stamp_for(self, selector: str, /) -> int:
        """The stamp of a message that is sent now and not waited for."""


class NoStamps:
    """Nothing is ever retired."""

    stamp = 0

    def stamp_for(self, _selector: str, /) -> int:
        """See `Stamps`."""
        return 0


class Procedure(Message):
    """A step that the runtime itself asks of a process: an initializer, a state snapshot."""

    __slots__ = ("_action", "_name")

    def __init__(
        self,
        addressee: Process,
        caller: Process | None,
        timeout: float | None,
        name: str,
        action: Callable[[], object],
    ) -> None:
        super().__init__(addressee, caller, timeout)
        self._name = name
        self._action = action

    def perform(self, _process: Process, /) -> object:
        """Take the step."""
        return self._action()

    @property
    def selector_name(self) -> str:
        """The selector to name in errors."""
        return self._name


class Stop(Procedure):
    """A request to end, in its place of the queue: its action is the end hook (actors.md 8)."""

    __slots__ = ("reason",)

    def __init__(
        self,
        addressee: Process,
        caller: Process | None,
        timeout: float | None,
        reason: object,
        end_hook: Callable[[], object],
    ) -> None:
        super().__init__(addressee, caller, timeout, "stop", end_hook)
        self.reason = reason

    def perform(self, process: Process, /) -> object:
        """Run the end hook; the process ends after this message."""
        process.is_stopping = True
        process.stop_reason = self.reason
        return super().perform(process)


class Computation(Message):
    """A whole computation: the one message of a process that ends with it."""

    __slots__ = ("_action", "_done")

    def __init__(
        self, addressee: Process, action: Callable[[], object], done: Callable[[Outcome], None]
    ) -> None:
        super().__init__(addressee, None, None)
        self._action = action
        self._done = done

    def perform(self, _process: Process, /) -> object:
        """Run the computation and tell its value."""
        value = self._action()
        self._done(Returned(value))
        return value

    @property
    def selector_name(self) -> str:
        """The selector to name in errors."""
        return "value"

    def failed(self, error: BaseException) -> None:
        """Tell the error."""
        super().failed(error)
        self._done(Raised(error))

    def lost(self, reason: object) -> None:
        """Tell the end."""
        super().lost(reason)
        self._done(Ended(reason))
