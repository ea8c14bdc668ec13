"""Primitives of Time (stdlib.md 4.10)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lang.runtime.primitive import PrimitiveTable
from lang.stdlib.services import services_of

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

TIME = PrimitiveTable("Time")


@TIME.runtime_primitive("nowS", class_side=True)
def now_seconds(runtime: Runtime, _self: object) -> int:
    return services_of(runtime).wall_clock() // 1_000_000_000


@TIME.runtime_primitive("nowMs", class_side=True)
def now_milliseconds(runtime: Runtime, _self: object) -> int:
    return services_of(runtime).wall_clock() // 1_000_000


@TIME.runtime_primitive("nowUs", class_side=True)
def now_microseconds(runtime: Runtime, _self: object) -> int:
    return services_of(runtime).wall_clock() // 1000
