"""Which file is meant by a path at a moment of the log (changes.md 1.1).

Comes in: the entries of an epoch in order, and which of them are on disk. Guarantees: a
file keeps its token through moves, whatever its paths were; a file that comes back from
a removal is the same. Leaves: what is in the files to `replay`.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from changelog.entry import Entry, FileMove
from lang.dataclass import dataclass


@dataclass(slots=True)
class Tracks:
    """Files by token.

    `moves` are those of an entry with their tokens; `tokens` the files that an entry's
    paths mean, once its moves are made; `disk_paths` where each file is on disk (None:
    nowhere), after the flushes so far.
    """

    moves: dict[int, tuple[tuple[int, FileMove], ...]]
    tokens: dict[int, dict[str, int]]
    disk_paths: dict[int, str | None]
    memory_paths: dict[int, str | None]

    def fresh_token(self) -> int:
        """A token for a file that no entry names."""
        token = len(self.disk_paths) + 1
        self.disk_paths[token] = None
        return token


def track(entries: Sequence[Entry], flushed: AbstractSet[int]) -> Tracks:
    """Follow all files through the entries of an epoch."""
    tracking = _Tracking(flushed)
    for entry in entries:
        tracking.follow(entry)
    return Tracks(tracking.moves, tracking.tokens, tracking.disk_paths, tracking.memory_paths())


class _Tracking:
    def __init__(self, flushed: AbstractSet[int]) -> None:
        self._flushed = flushed
        self._by_path: dict[str, int] = {}
        self.moves: dict[int, tuple[tuple[int, FileMove], ...]] = {}
        self.tokens: dict[int, dict[str, int]] = {}
        self.disk_paths: dict[int, str | None] = {}

    def follow(self, entry: Entry) -> None:
        """Take the moves of an entry, and see which files its paths mean then."""
        leaving = [(self._leave(move.old) if move.old is not None else None, move) for move in entry.files]
        moved: list[tuple[int, FileMove]] = []
        for token, move in leaving:
            file = token if token is not None else self._coming(entry, move)
            moved.append((file, move))
            if move.new is not None:
                self._by_path[move.new] = file
            if entry.seq in self._flushed:
                self.disk_paths[file] = move.new
        self.moves[entry.seq] = tuple(moved)
        addresses = (a for e in entry.edits for a in (e.before_address, e.after_address))
        paths = {a.path for a in addresses if a is not None and a.path is not None}
        gone = {move.old for move in entry.files}
        self.tokens[entry.seq] = {
            path: self._token(path) for path in paths if path not in gone or path in self._by_path
        }

    def _leave(self, path: str) -> int:
        token = self._token(path)
        del self._by_path[path]
        return token

    def _coming(self, entry: Entry, move: FileMove) -> int:
        """The token of a created file: that of the file which the reverted entry deleted, else a new one."""
        for token, reverted in self.moves.get(entry.reverts or 0, ()):
            if reverted.new is None and reverted.old == move.new:
                return token
        return self._new(None)

    def _token(self, path: str) -> int:
        if path not in self._by_path:
            self._by_path[path] = self._new(path)
        return self._by_path[path]

    def _new(self, disk_path: str | None) -> int:
        token = len(self.disk_paths) + 1
        self.disk_paths[token] = disk_path
        return token

    def memory_paths(self) -> dict[int, str | None]:
        """Where memory has each file."""
        return {token: path for path, token in self._by_path.items()}
