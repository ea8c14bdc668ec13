"""Why processes end, as user code sees it (actors.md 1.5)."""

from __future__ import annotations

from typing import Final

from lang.runtime.symbols import Symbol, symbol

NORMAL: Final = symbol("normal")
KILLED: Final = symbol("killed")
SHUTDOWN: Final = symbol("shutdown")
NO_PROCESS: Final = symbol("noproc")
INFINITY: Final = symbol("infinity")


def is_abnormal(reason: object) -> bool:
    """Whether linked processes go along; any reason but `#normal` takes them."""
    return reason is not NORMAL


def label(reason: object) -> str:
    """A short text for logs."""
    return reason.name if type(reason) is Symbol else str(reason)
