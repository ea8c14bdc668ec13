"""Primitives of Subscription (actors.md 15)."""

from __future__ import annotations

from lang.runtime.primitive import PrimitiveTable
from lang.runtime.processes.announcing import Subscription

SUBSCRIPTION = PrimitiveTable("Subscription")


@SUBSCRIPTION.primitive("unsubscribe")
def unsubscribe(self: Subscription) -> None:
    self.end()


@SUBSCRIPTION.primitive("isActive")
def is_active(self: Subscription) -> bool:
    return self.is_active
