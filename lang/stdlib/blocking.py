"""Calls of the host that may take long (design, "Prompt and image")."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from lang.stdlib.services import services_of

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

T = TypeVar("T")


def run_blocking(runtime: Runtime, call: Callable[[], T]) -> T:
    """The answer of a host call on plain values; where there is a scheduler, only the caller waits."""
    run = services_of(runtime).run_blocking
    return call() if run is None else run(call)  # type: ignore[return-value]
