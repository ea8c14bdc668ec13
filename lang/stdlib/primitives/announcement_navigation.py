"""Primitives of AnnouncementNavigation (stdlib.md 5.7)."""

from __future__ import annotations

from lang.runtime.classes import ClassObject
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.processes.announcing import Bus, BusView
from lang.stdlib import arguments as expect

ANNOUNCEMENT_NAVIGATION = PrimitiveTable("AnnouncementNavigation")


@ANNOUNCEMENT_NAVIGATION.primitive("of:", class_side=True)
def of(self: ClassObject, bus: object) -> BusView:
    if not isinstance(bus, Bus):
        raise expect.type_error("AnnouncementNavigation", "of:", "Expected an Announcer")
    return BusView(bus)


@ANNOUNCEMENT_NAVIGATION.primitive("announcer")
def announcer(self: BusView) -> Bus:
    return self.bus
