"""Stream: a recipe for a sequence, pulled by a terminal operation (stdlib.md 4.4).

Comes in: a source and the stages after it. Guarantees: blocks run only when pulled, once
for each element and terminal operation; one flat loop drives all stages, so that no
host iterator stands between the program's blocks; a source with a resource is released
when the operation ends in any way. Leaves: argument checks to the primitives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum
from typing import Any, final

from lang.dataclass import dataclass
from lang.runtime.collections.lists import BtList
from lang.runtime.collections.mappings import BtSet
from lang.runtime.text import graphemes

Accept = Callable[[object], bool]
"""Takes an element; answers whether the operation wants no more."""


class StageKind(Enum):
    """What a lazy operation does with an element."""

    SELECT = "select"
    REJECT = "reject"
    COLLECT = "collect"
    DROP = "drop"


@dataclass(frozen=True, slots=True)
class Stage:
    """One lazy operation: a block, or for DROP a count."""

    kind: StageKind
    block: Callable[[object], object] | None = None
    count: int = 0

    @property
    def text(self) -> str:
        """Its part of the stream's printString."""
        return f"{self.kind.value}: {self.count if self.kind is StageKind.DROP else '[...]'}"


@dataclass(frozen=True, slots=True)
class Source:
    """Where elements come from: `open` starts a new pull; `close` ends it, if there is something to release."""

    text: str
    open: Callable[[], Iterator[object]]
    close: Callable[[Iterator[object]], None] | None = None


@final
class BtStream:
    """A source and lazy operations."""

    __slots__ = ("source", "stages")

    def __init__(self, source: Source, stages: tuple[Stage, ...] = ()) -> None:
        self.source = source
        self.stages = stages

    def followed_by(self, stage: Stage) -> BtStream:
        """The stream with one more lazy operation."""
        return BtStream(self.source, (*self.stages, stage))

    @property
    def text(self) -> str:
        """The printString: the pipeline."""
        return " | ".join([f"Stream({self.source.text})", *[stage.text for stage in self.stages]])

    def pull(self, accept: Accept, check: Callable[[object], bool]) -> None:
        """Hand elements to `accept` until it wants no more; `check` makes a condition of a block's answer."""
        elements = self.source.open()
        dropped = [0] * len(self.stages)
        try:
            for element in elements:
                kept, value = self._through_stages(element, dropped, check)
                if kept and accept(value):
                    return
        finally:
            if self.source.close is not None:
                self.source.close(elements)

    def _through_stages(
        self, element: object, dropped: list[int], check: Callable[[object], bool]
    ) -> tuple[bool, Any]:
        value = element
        for index, stage in enumerate(self.stages):
            match stage.kind:
                case StageKind.COLLECT:
                    assert stage.block is not None
                    value = stage.block(value)
                case StageKind.DROP:
                    if dropped[index] < stage.count:
                        dropped[index] += 1
                        return False, None
                case StageKind.SELECT | StageKind.REJECT:
                    assert stage.block is not None
                    if check(stage.block(value)) is (stage.kind is StageKind.REJECT):
                        return False, None
        return True, value


class _Stepping(Iterator[object]):
    """`start`, then each value that the block answers for the one before."""

    def __init__(self, start: object, step: Callable[[object], object]) -> None:
        self._next = start
        self._step = step
        self._is_started = False

    def __next__(self) -> object:
        if self._is_started:
            self._next = self._step(self._next)
        self._is_started = True
        return self._next


def stream_from(start: int) -> BtStream:
    """`start`, `start + 1`, and so on."""
    return BtStream(Source(f"from: {start}", lambda: _Stepping(start, lambda n: n + 1)))  # type: ignore[operator]


def stream_by(start: object, start_text: str, step: Callable[[object], object]) -> BtStream:
    """`start`, and each value that `step` answers for the one before."""
    return BtStream(Source(f"from: {start_text} by: [...]", lambda: _Stepping(start, step)))


def stream_of_list(elements: BtList) -> BtStream:
    """The elements of a List."""
    return BtStream(Source("on: [...]", lambda: iter(elements)))


def stream_of_text(text: str) -> BtStream:
    """The grapheme clusters of a String."""
    return BtStream(Source("on: '...'", lambda: iter(graphemes(text))))


def stream_of_set(elements: BtSet) -> BtStream:
    """The elements of a Set."""
    return BtStream(Source("on: Set(...)", lambda: iter(elements)))


def stream_of_resource(
    text: str, start: Callable[[], Iterator[object]], close: Callable[[Iterator[object]], None]
) -> BtStream:
    """Elements of something that has to be released: a file, a process."""
    return BtStream(Source(text, start, close))


def gathered(stream: BtStream, check: Callable[[object], bool], limit: int | None = None) -> list[object]:
    """The elements, all or at most `limit`; no more are pulled."""
    found: list[object] = []
    if limit == 0:
        return found

    def accept(element: object) -> bool:
        found.append(element)
        return len(found) == limit

    stream.pull(accept, check)
    return found
