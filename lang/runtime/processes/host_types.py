"""Python types of this package that are instances of library classes; the library's loader binds them."""

from __future__ import annotations

from typing import Final

from lang.runtime.processes.alarms import Alarm
from lang.runtime.processes.announcing import Bus, BusView, Subscription, SystemBus
from lang.runtime.processes.navigation import Navigator, ProcessNode, ProcessTree
from lang.runtime.processes.pid import Pid, Reference

PROCESS_TYPES: Final[tuple[tuple[type, str], ...]] = (
    (Pid, "Pid"),
    (Reference, "Reference"),
    (Alarm, "Timer"),
    (Bus, "Announcer"),
    (SystemBus, "SystemAnnouncer"),
    (Subscription, "Subscription"),
    (BusView, "AnnouncementNavigation"),
    (Navigator, "ProcessNavigation"),
    (ProcessTree, "SupervisionTree"),
    (ProcessNode, "SupervisionNode"),
)
