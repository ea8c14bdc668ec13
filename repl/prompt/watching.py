"""What happens in the project's folder while the prompt is open (workspace.md 3.8, `:sync watch`).

Comes in: the folder, and what memory was built from. Guarantees: git and the disk are asked in threads and
subprocesses, at most every 5 and every 2 seconds; nothing waits for the answer. Leaves: drawing.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from lang.dataclass import replace
from repl.prompt.toolbar import Surrounding

ASK_GIT_EVERY: Final = 5.0
LOOK_EVERY: Final = 2.0
_GIT_STATUS: Final = ("status", "--porcelain=v2", "--branch", "--untracked-files=no")

Known = Mapping[str, tuple[int, int, str]]
"""Time of change in nanoseconds, size and SHA-256 of each source, by path below the root."""


class Watcher:
    """Asks about one project. `known` and `listed` answer from published state; they run in a thread."""

    def __init__(self, root: Path, known: Callable[[], Known], listed: Callable[[], tuple[str, ...]]) -> None:
        self.found = Surrounding()
        self._root = root
        self._known = known
        self._listed = listed
        self._asked_git_at = -ASK_GIT_EVERY
        self._looked_at = -LOOK_EVERY
        self._has_git = True

    async def look(self) -> bool:
        """Ask what is due; whether something is new."""
        now, before = time.monotonic(), self.found
        if self._has_git and now - self._asked_git_at >= ASK_GIT_EVERY:
            self._asked_git_at = now
            self.found = await self._git()
        if now - self._looked_at >= LOOK_EVERY:
            self._looked_at = now
            changed = await asyncio.to_thread(self._changed)
            self.found = replace(self.found, changed_files=changed)
        return self.found != before

    async def _git(self) -> Surrounding:
        """Branch and state of the tree."""
        try:
            process = await asyncio.create_subprocess_exec(
                "git",
                "-C",
                str(self._root),
                *_GIT_STATUS,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                # Looking must not take the lock from who commits at the same moment.
                env={**os.environ, "GIT_OPTIONAL_LOCKS": "0"},
            )
            answer, _errors = await process.communicate()
        except OSError:
            self._has_git = False
            return self.found
        if process.returncode != 0:
            return replace(self.found, branch="", is_dirty=False)
        branch, is_dirty = read_status(answer.decode("utf-8", "replace"))
        return replace(self.found, branch=branch, is_dirty=is_dirty)

    def _changed(self) -> int:
        """How many sources are other than memory knows them, new and gone ones included."""
        known = self._known()
        if not known:
            return 0
        return sum(self._differs(path, known.get(path)) for path in {*known, *self._listed()})

    def _differs(self, path: str, known: tuple[int, int, str] | None) -> bool:
        """A file of another time is read: only its bytes tell whether it is another."""
        try:
            found = (self._root / path).stat()
            if known is None or found.st_size != known[1]:
                return True
            if found.st_mtime_ns == known[0]:
                return False
            return hashlib.sha256((self._root / path).read_bytes()).hexdigest() != known[2]
        except OSError:
            return known is not None


def read_status(text: str) -> tuple[str, bool]:
    """Branch (a short commit when there is none) and whether anything differs, from git's answer."""
    branch, commit, is_dirty = "", "", False
    for line in text.splitlines():
        if line.startswith("# branch.head "):
            branch = line.removeprefix("# branch.head ")
        elif line.startswith("# branch.oid "):
            commit = line.removeprefix("# branch.oid ")[:7]
        elif not line.startswith("#"):
            is_dirty = True
    return (commit if branch == "(detached)" else branch), is_dirty
