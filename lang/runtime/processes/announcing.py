"""Announcers: busses of events, subscriptions that processes own, handlers in processes of their own (actors.md 15).

Guarantees: the match set is fixed when an event is announced; one delivery a subscription; a handler that fails or
is ended touches nobody else; a subscription ends with its owner, and one for a single delivery is used up by the first
match. Events of the system are best effort: they cost nothing while nobody listens, and never fail their cause.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from lang.dataclass import dataclass
from lang.runtime.blocks import Block, NonLocalReturn, call_with_at_most
from lang.runtime.classes import ClassObject
from lang.runtime.collections.lists import list_from
from lang.runtime.instances import SLOT_PREFIX, ActorObject
from lang.runtime.processes.crew import Crew
from lang.runtime.processes.messages import Ended, Outcome
from lang.runtime.processes.process import Process, ProcessKind
from lang.runtime.symbols import symbol

if TYPE_CHECKING:
    from lang.runtime.processes.actor_system import ActorSystem
    from lang.runtime.processes.pid import Pid

STATE_CHANGED: Final = "ObjectStateChanged"
_LABEL: Final = "Announcement handler"

DEFAULT_PATIENCE: Final = 5.0
"""Seconds that `announceAndWait:` gives all handlers together."""

Deliver = Callable[[object], object]


class HandlerKind(enum.Enum):
    """How a subscription was made."""

    DO = "do"
    SEND = "send"
    DO_ONCE = "doOnce"


class Subscription:
    """One subscription of a process on a bus."""

    __slots__ = ("bus", "deliver", "event_class", "is_active", "key", "kind", "owner")

    def __init__(
        self,
        bus: Bus,
        event_class: ClassObject,
        owner: Process,
        key: int,
        kind: HandlerKind,
        deliver: Deliver,
    ) -> None:
        self.bus = bus
        self.event_class = event_class
        self.owner = owner
        self.key = key
        self.kind = kind
        self.deliver = deliver
        self.is_active = True

    def end(self) -> None:
        """No delivery from now on; idempotent."""
        if self.is_active:
            self.is_active = False
            self.bus.forget(self)


class Bus:
    """An announcer: an identity and its subscriptions."""

    def __init__(self, system: ActorSystem) -> None:
        self._system = system
        self._subscriptions: dict[int, Subscription] = {}

    # -- subscribing ----------------------------------------------------------------------------------------

    def subscribe(self, event_class: ClassObject, kind: HandlerKind, deliver: Deliver) -> Subscription:
        """A subscription of the running process to a class of events and its subclasses."""
        owner = self._system.scheduler.current
        key = self._system.make_reference().number
        made = Subscription(self, event_class, owner, key, kind, deliver)
        self._subscriptions[key] = made
        self._system.own(owner, key, made.end)
        return made

    def forget(self, subscription: Subscription) -> None:
        """Take a subscription out; `Subscription.end` is the way in."""
        self._subscriptions.pop(subscription.key, None)
        self._system.disown(subscription.owner, subscription.key)

    def unsubscribe(self, pid: Pid) -> None:
        """End all subscriptions that a process owns on this bus."""
        for subscription in self.subscriptions():
            if subscription.owner.pid is pid:
                subscription.end()

    def subscriptions(self) -> list[Subscription]:
        """The active subscriptions, in the order in which they were made."""
        return list(self._subscriptions.values())

    # -- announcing -----------------------------------------------------------------------------------------

    def announce(self, event: object) -> None:
        """Deliver an event, each time in a process of its own; does not wait."""
        for action in self._deliveries(event):
            self._system.scheduler.start(ProcessKind.HANDLER, _LABEL, action, _nobody_waits)

    def announce_and_wait(self, event: object, seconds: float = DEFAULT_PATIENCE) -> None:
        """Deliver an event and wait until all handlers have ended; those that take too long are ended."""
        actions = self._deliveries(event)
        scheduler = self._system.scheduler
        if not actions:
            return
        if scheduler.current is scheduler.host:
            scheduler.run(lambda: self._run(actions, seconds))
        else:
            self._run(actions, seconds)

    def _run(self, actions: Sequence[Callable[[], object]], seconds: float) -> None:
        crew = Crew(self._system.scheduler, ProcessKind.HANDLER, _LABEL, actions)
        cut = sum(isinstance(outcome, Ended) for outcome in crew.outcomes_within(seconds))
        if cut:
            self._system.log.note(
                f"announceAndWait: ended {cut} handlers that took longer than {seconds:g} s"
            )

    def _deliveries(self, event: object) -> list[Callable[[], object]]:
        event_class = self._system.runtime.class_of_instance(event)
        matching = [s for s in self.subscriptions() if event_class.inherits_from(s.event_class)]
        for subscription in matching:
            if subscription.kind is HandlerKind.DO_ONCE:
                subscription.end()
        return [partial(self._deliver, subscription, event) for subscription in matching]

    def _deliver(self, subscription: Subscription, event: object) -> None:
        """Run a handler, in its process; its failure is reported and is nobody's else."""
        system = self._system
        try:
            subscription.deliver(event)
        except (Exception, NonLocalReturn) as error:  # noqa: BLE001 (the outermost loop of a handler)
            selector = f"when: {subscription.event_class.name}"
            system.log.failed_message(system.scheduler.current, selector, error)


class SystemBus(Bus):
    """The bus of the system's own events."""

    def subscribe(self, event_class: ClassObject, kind: HandlerKind, deliver: Deliver) -> Subscription:
        """As of any bus; whoever asks for changes of state makes actors tell them."""
        made = super().subscribe(event_class, kind, deliver)
        self._watch_state()
        return made

    def forget(self, subscription: Subscription) -> None:
        """As of any bus; nobody tells changes of state that nobody asks for."""
        super().forget(subscription)
        self._watch_state()

    def _watch_state(self) -> None:
        # Not for subscriptions to all announcements: their handlers may well be actors, whose state changes.
        is_wanted = any(s.event_class.name == STATE_CHANGED for s in self._subscriptions.values())
        self._system.scheduler.committed = self._tell_state_changed if is_wanted else None

    def _tell_state_changed(self, actor: ActorObject) -> None:
        """An actor keeps what a message wrote."""
        state, process = vars(actor), actor.process
        changed = [name for name, before in actor._undo.items() if state.get(name) is not before]
        if changed:
            slots = list_from([symbol(name.removeprefix(SLOT_PREFIX)) for name in changed])
            label = symbol(process.label)
            self.tell(STATE_CHANGED, lambda: {"pid": process.pid, "actorClass": label, "changedSlots": slots})

    def hears(self, class_name: str) -> bool:
        """Whether anybody listens to events of a class."""
        event_class = self._system.runtime.class_named(class_name) if self._subscriptions else None
        return event_class is not None and any(
            event_class.inherits_from(s.event_class) for s in self._subscriptions.values()
        )

    def tell(self, class_name: str, values: Callable[[], dict[str, object]]) -> None:
        """Announce an event of the library, if anybody listens; never fails."""
        if not self._subscriptions:
            return
        runtime = self._system.runtime
        event_class = runtime.class_named(class_name)
        if event_class is not None:
            self.announce(runtime.shapes.instantiate(event_class, values()))


@dataclass(frozen=True, slots=True)
class BusView:
    """Somebody who looks at the subscriptions of a bus: Beamtalk's AnnouncementNavigation."""

    bus: Bus


def _nobody_waits(_outcome: Outcome) -> None:
    """An announcement that is not waited for has no answer."""


def to_block(block: Block) -> Deliver:
    """Deliver an event to a block, which may take it or not. The block has crossed already."""
    return partial(call_with_at_most, block)
