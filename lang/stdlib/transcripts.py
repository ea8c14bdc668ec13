"""The shared log of a workspace (stdlib.md 3.23)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime
    from lang.runtime.surroundings import Transcript

MAX_PIECES: Final = 1000


class TranscriptLog:
    """What was written, piece by piece, and who gets each piece as it is written.

    `sink` is a transcript that existed before; it gets every piece, too.
    """

    def __init__(self, sink: Transcript | None = None) -> None:
        self._sink = sink
        self._pieces: deque[str] = deque(maxlen=MAX_PIECES)
        self._subscribers: dict[object, Callable[[str], bool]] = {}

    def write(self, text: str) -> object:
        """Append a piece and hand it to the subscribers."""
        self._pieces.append(text)
        for who, deliver in list(self._subscribers.items()):
            if not deliver(text):
                self.unsubscribe(who)
        return self._sink.write(text) if self._sink is not None else len(text)

    def recent(self) -> list[str]:
        """The pieces, oldest first."""
        return list(self._pieces)

    def clear(self) -> None:
        """Forget the pieces."""
        self._pieces.clear()

    def subscribe(self, who: object, deliver: Callable[[str], bool]) -> None:
        """Have each piece delivered until `deliver` answers false; a second subscription replaces the first."""
        self._subscribers[who] = deliver

    def unsubscribe(self, who: object) -> None:
        """End a subscription, if there is one."""
        self._subscribers.pop(who, None)


def log_of(runtime: Runtime) -> TranscriptLog:
    """The log of an image: from its first use on it stands before the transcript that the image was given."""
    if not isinstance(runtime.transcript, TranscriptLog):
        runtime.transcript = TranscriptLog(runtime.transcript)
    return runtime.transcript
