"""Primitives of Announcer (actors.md 15, stdlib.md 4.22)."""

from __future__ import annotations

from types import FunctionType
from typing import TYPE_CHECKING

from lang.runtime.blocks import copy_for_crossing
from lang.runtime.classes import ClassObject
from lang.runtime.collections.lists import BtList, list_from
from lang.runtime.errors import BeamtalkError
from lang.runtime.instances import ActorObject
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.processes.actor_system import actors_of
from lang.runtime.processes.announcing import Bus, Deliver, HandlerKind, Subscription, to_block
from lang.runtime.processes.pid import Pid
from lang.runtime.symbols import symbol
from lang.stdlib import arguments as expect

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

ANNOUNCER = PrimitiveTable("Announcer")


@ANNOUNCER.runtime_primitive("new", class_side=True)
def new(runtime: Runtime, self: ClassObject) -> Bus:
    return Bus(actors_of(runtime))


@ANNOUNCER.runtime_primitive("when:do:")
def when_do(runtime: Runtime, self: Bus, event_class: object, block: object) -> Subscription:
    return self.subscribe(_event_class(event_class, "when:do:"), HandlerKind.DO, _deliver(block, "when:do:"))


@ANNOUNCER.runtime_primitive("when:doOnce:")
def when_do_once(runtime: Runtime, self: Bus, event_class: object, block: object) -> Subscription:
    wanted = _event_class(event_class, "when:doOnce:")
    return self.subscribe(wanted, HandlerKind.DO_ONCE, _deliver(block, "when:doOnce:"))


@ANNOUNCER.runtime_primitive("when:send:to:")
def when_send(
    runtime: Runtime, self: Bus, event_class: object, selector: object, receiver: object
) -> Subscription:
    wanted = _event_class(event_class, "when:send:to:")
    name = expect.name(selector, "Announcer", "when:send:to:")
    return self.subscribe(wanted, HandlerKind.SEND, lambda event: runtime.send(receiver, name, event))


def _event_class(value: object, selector: str) -> ClassObject:
    if not isinstance(value, ClassObject):
        hint = "Events are told apart by their class."
        raise BeamtalkError("invalid_argument", class_name="Announcer", selector=selector, hint=hint)
    return value


def _deliver(block: object, selector: str) -> Deliver:
    if type(block) is not FunctionType or block.__code__.co_argcount > 1:
        raise expect.type_error("Announcer", selector, "Expected a block with at most one argument")
    return to_block(copy_for_crossing(block))


@ANNOUNCER.primitive("announce:")
def announce(self: Bus, event: object) -> None:
    self.announce(event)


@ANNOUNCER.primitive("announceAndWait:")
def announce_and_wait(self: Bus, event: object) -> None:
    self.announce_and_wait(event)


@ANNOUNCER.primitive("announceAndWait:timeout:")
def announce_and_wait_at_most(self: Bus, event: object, ms: object) -> None:
    self.announce_and_wait(event, expect.natural(ms, "Announcer", "announceAndWait:timeout:") / 1000)


@ANNOUNCER.runtime_primitive("unsubscribe:")
def unsubscribe(runtime: Runtime, self: Bus, subscriber: object) -> None:
    if isinstance(subscriber, ActorObject):
        self.unsubscribe(actors_of(runtime).process_of(subscriber, "unsubscribe:").pid)
    elif isinstance(subscriber, Pid):
        self.unsubscribe(subscriber)
    else:
        raise expect.type_error("Announcer", "unsubscribe:", "Expected an actor or a Pid")


@ANNOUNCER.runtime_primitive("subscriptions")
def subscriptions(runtime: Runtime, self: Bus) -> BtList:
    return list_from([_node(runtime, subscription) for subscription in self.subscriptions()])


@ANNOUNCER.runtime_primitive("subscribersOf:")
def subscribers_of(runtime: Runtime, self: Bus, event_class: object) -> BtList:
    return list_from([_node(runtime, s) for s in self.subscriptions() if s.event_class is event_class])


@ANNOUNCER.primitive("subscriptionCount")
def subscription_count(self: Bus) -> int:
    return len(self.subscriptions())


def _node(runtime: Runtime, subscription: Subscription) -> object:
    values: dict[str, object] = {
        "announcementClass": subscription.event_class,
        "announcer": subscription.bus,
        "subscriber": subscription.owner.pid,
        "handlerKind": symbol(subscription.kind.value),
        "once": subscription.kind is HandlerKind.DO_ONCE,
    }
    node: object = runtime.shapes.instantiate(runtime.existing_class("SubscriptionNode"), values)
    return node
