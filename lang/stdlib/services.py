"""What the library asks of the world around an image: time, chance, environment, streams.

Guarantees: no primitive reads a clock, a random source or the process environment but
through here, so that a test or a workspace can put its own in place (`Runtime.services`).
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, MutableMapping
from enum import Enum
from typing import TYPE_CHECKING, TextIO

from lang.dataclass import dataclass, field
from lang.stdlib.tables import SharedNames

if TYPE_CHECKING:
    from random import Random

    from lang.runtime.processes.blocking import BlockingCalls
    from lang.runtime.reflection import PlaceOf
    from lang.runtime.runtime import Runtime
    from lang.stdlib.files import BtFileHandle
    from lang.stdlib.packages import PackageFacts


@dataclass(frozen=True, slots=True)
class LogRecord:
    """One entry of the program's log; the time in nanoseconds since 1970."""

    time: int
    level: str
    message: str
    facts: tuple[tuple[str, str], ...]


class HostAccess(Enum):
    """Whether programs may reach files, programs, variables and modules of the host (workspace.md 8.4)."""

    ALLOWED = "allowed"
    FORBIDDEN = "forbidden"


def no_log(_record: LogRecord) -> None:
    """Drop a record: the log of an image that was given none."""


def built_module(name: str) -> str:
    """The module of a built class where no workspace keeps a registry."""
    from lang.semantics.modules import WORKSPACE, ClassKey, RegistryState  # noqa: PLC0415 (start-up)

    return str(RegistryState().assign(WORKSPACE, name).module_of(ClassKey(WORKSPACE, name)))


def _no_packages() -> Iterable[PackageFacts]:
    return ()


@dataclass(slots=True)
class Services:
    """The surroundings of one image. Times in nanoseconds."""

    wall_clock: Callable[[], int] = time.time_ns
    monotonic_clock: Callable[[], int] = time.monotonic_ns
    chance: Random | None = None
    environment: MutableMapping[str, str] = field(default_factory=lambda: os.environ)
    output: TextIO = field(default_factory=lambda: sys.stdout)
    errors: TextIO = field(default_factory=lambda: sys.stderr)
    input: TextIO = field(default_factory=lambda: sys.stdin)
    host_access: HostAccess = HostAccess.ALLOWED
    """Decided before the library is loaded: what is forbidden stays so for the whole run."""
    command_name: str = "beamtalk"
    exit: Callable[[int], None] | None = None
    """Ends the program; None when the process belongs to more than the program."""
    last_unique: int = 0
    shared_names: SharedNames = field(default_factory=SharedNames)
    open_handles: list[BtFileHandle] = field(default_factory=list)
    log: Callable[[LogRecord], object] = no_log
    packages: Callable[[], Iterable[PackageFacts]] = _no_packages
    """What is known of packages besides their classes."""
    module_for: Callable[[str], str] = built_module
    """The module of a class that running code builds."""
    place_of: PlaceOf | None = None
    """Where methods stand in their files; None where nothing comes from files."""
    blocking_calls: BlockingCalls | None = None
    """Threads for host calls that block; made when the first is needed."""

    def forget_handle(self, handle: BtFileHandle) -> None:
        """Take a closed handle off the list."""
        if handle in self.open_handles:
            self.open_handles.remove(handle)

    @property
    def random(self) -> Random:
        """The source of chance; seeded by the host unless one was given."""
        if self.chance is None:
            from random import Random  # noqa: PLC0415 (5 ms, and most programs leave nothing to chance)

            self.chance = Random()
        return self.chance


def services_of(runtime: Runtime) -> Services:
    """The services of an image; those of the host when it was given none."""
    services = runtime.services
    if not isinstance(services, Services):
        services = runtime.services = Services()
    return services
