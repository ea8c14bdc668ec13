"""Old segments of the journal, and what was damaged in it (changes.md 2).

Comes in: records that the active segment need not keep, and damage found on opening.
Guarantees: records are durable in a compressed segment before they may leave the journal.
Leaves: which records are old to `rotation`.
"""

from __future__ import annotations

import contextlib
import gzip
import posixpath
from collections.abc import Iterable, Iterator

from changelog.files import Files, replace_durably
from changelog.journal import Damage, Record, decoded_lines, encoded_line

_SET_ASIDE = "set-aside.txt"


class Archive:
    """The folder `changes/archive`."""

    def __init__(self, files: Files, folder: str) -> None:
        self._files = files
        self._folder = folder

    def add(self, records: Iterable[Record]) -> str:
        """Keep records in a new segment, durably; answers its name. Raises `OSError`."""
        name = f"{len(self._segments()) + 1:06}.jsonl.gz"
        data = b"".join(encoded_line((each,)) for each in records)
        # mtime 0: the same records give the same bytes.
        replace_durably(self._files, posixpath.join(self._folder, name), gzip.compress(data, mtime=0))
        return name

    def records(self) -> Iterator[Record]:
        """All records of all segments, oldest segment first; damaged segments are skipped."""
        for name in self._segments():
            with contextlib.suppress(OSError, EOFError):
                data = gzip.decompress(self._files.read(posixpath.join(self._folder, name)))
                yield from decoded_lines(data)

    def _segments(self) -> tuple[str, ...]:
        try:
            names = self._files.names(self._folder)
        except FileNotFoundError:
            return ()
        return tuple(name for name in names if name.endswith(".jsonl.gz"))

    def set_aside(self, damage: Iterable[Damage]) -> None:
        """Keep the bytes of damage where a person can look at them; failures are ignored."""
        path = posixpath.join(self._folder, _SET_ASIDE)
        with contextlib.suppress(OSError):
            before = self._already_aside(path)
            fresh = [each.data for each in damage if each.data not in before]
            if fresh:
                self._files.write(path, before + b"".join(data + b"\n" for data in fresh))

    def _already_aside(self, path: str) -> bytes:
        try:
            return self._files.read(path)
        except FileNotFoundError:
            return b""
