"""Times as programs give them: an Integer of milliseconds, or a Duration (stdlib.md 4.9)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lang.runtime.processes.actor_faults import type_error

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime


_LONGEST: Final = 10**15
"""Milliseconds that nobody will see the end of; more are as many: they are no number of seconds for the host."""


def milliseconds_or_self(runtime: Runtime, value: object) -> object:
    """A Duration as its milliseconds; anything else as it is."""
    if type(value) is int:
        return value
    duration = runtime.class_named("Duration")
    if duration is None or not runtime.is_kind_of(value, duration):
        return value
    milliseconds: object = runtime.send(value, "asMilliseconds")
    return milliseconds


def delay(runtime: Runtime, value: object, selector: str) -> float:
    """A delay of a Timer in seconds; `type_error` unless it is an Integer or Duration that is not negative."""
    milliseconds = milliseconds_or_self(runtime, value)
    if type(milliseconds) is not int or milliseconds < 0:
        raise type_error(
            "Timer", selector, "A delay is a number of milliseconds or a Duration, not negative."
        )
    return min(milliseconds, _LONGEST) / 1000
