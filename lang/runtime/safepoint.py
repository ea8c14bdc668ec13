"""Safe points: the one flag that generated code tests (design "Safe points").

`$tick` and `$poll` stand in the builtins dict that all generated code of an image
shares; code tests `$tick` at method entry and at loop ends and calls `$poll` when it
is set. Who wants service calls `request`; `poll` runs what is wanted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

TICK: Final = "$tick"
POLL: Final = "$poll"


class SafePoints:
    """The flag of one image. `serve` is set by whoever schedules; it runs at safe points only."""

    def __init__(self, builtins: dict[str, object]) -> None:
        self._builtins = builtins
        self.serve: Callable[[], None] | None = None
        builtins[TICK] = False
        builtins[POLL] = self.poll

    def request(self) -> None:
        """Have `serve` run at the next safe point. May be called from any thread."""
        self._builtins[TICK] = True

    @property
    def flags(self) -> Mapping[str, object]:
        """The dict with the flag, for loops that read it often."""
        return self._builtins

    @property
    def is_requested(self) -> bool:
        """Whether service is wanted and has not come yet."""
        return bool(self._builtins[TICK])

    def pass_by(self) -> None:
        """A safe point in a loop of the library: serve what is wanted."""
        if self._builtins[TICK]:
            self.poll()

    def poll(self) -> None:
        """What generated code calls when the flag is set."""
        self._builtins[TICK] = False
        if self.serve is not None:
            self.serve()
