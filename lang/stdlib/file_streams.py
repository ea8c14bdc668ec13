"""Lines of files as Streams (stdlib.md 4.4, 4.12)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from lang.runtime.collections.streams import BtStream, stream_of_resource
from lang.stdlib.files import BtFileHandle, Mode, lines_of
from lang.stdlib.octets import value_of_octets


def stream_of_file(path: str) -> BtStream:
    """The lines of a file, opened at each pull and closed when it ends."""
    return stream_of_resource("on: File", lambda: _OpenedLines(path), _close)


def stream_of_handle(handle: BtFileHandle) -> BtStream:
    """The lines from where a handle stands; the handle stays open."""
    return stream_of_resource("on: FileHandle", lambda: _Texts(lines_of(handle)), lambda _lines: None)


class _Texts(Iterator[object]):
    """Lines as values of the language."""

    def __init__(self, lines: Iterator[bytes]) -> None:
        self._lines = lines

    def __next__(self) -> object:
        return value_of_octets(next(self._lines))


class _OpenedLines(_Texts):
    """Lines of a file that is opened for them."""

    def __init__(self, path: str) -> None:
        self.handle = BtFileHandle(path, Mode.READ, None, lambda _handle: None)
        super().__init__(lines_of(self.handle))


def _close(lines: Iterator[object]) -> None:
    cast("_OpenedLines", lines).handle.close()
