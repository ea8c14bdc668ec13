"""`--watch`: a command again, each time sources change (workspace.md 6.1).

Guarantees: each run is a process of its own, that sees the files as they are when it starts; a run in progress ends when
something changes meanwhile; Ctrl-C ends it with the code of the last run that came to its end. Writes nothing.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from repl.writing import say
from workspace.manifest import MANIFEST_NAME
from workspace.project import SOURCE_SUFFIX, TRANSCRIPT_SUFFIX

_PAUSE = 0.15
"""Seconds between looks; changes within one are one change."""
_CLEAR = "\x1b[2J\x1b[H"
_MOST_SHOWN = 3

_Stamps = Mapping[str, tuple[int, int]]


def watch(arguments: Sequence[str], root: Path) -> int:
    """Run the command line given, again and again; the exit code of its last whole run."""
    watching = _Watching([sys.executable, "-m", "repl.cli", *arguments], root)
    try:
        watching.run()
    except KeyboardInterrupt:
        pass
    finally:
        watching.stop()
    return watching.code


@dataclass(slots=True)
class _Watching:
    """One watch: the run in progress, if any, and how the last one ended."""

    command: Sequence[str]
    root: Path
    code: int = 0
    process: subprocess.Popen[bytes] | None = field(default=None)

    def run(self) -> None:
        """For ever."""
        seen = stamps(self.root)
        self._start()
        while True:
            time.sleep(_PAUSE)
            self._note_end()
            now = stamps(self.root)
            if now != seen:
                now = self._settled(now)
                self.stop()
                _announce(changed(seen, now))
                seen = now
                self._start()

    def _settled(self, now: _Stamps) -> _Stamps:
        """What there is when nothing has changed for a moment."""
        while True:
            time.sleep(_PAUSE)
            later = stamps(self.root)
            if later == now:
                return later
            now = later

    def _start(self) -> None:
        # The product's own command line, with the arguments that this process was given.
        self.process = subprocess.Popen(self.command)  # noqa: S603

    def _note_end(self) -> None:
        if self.process is not None and self.process.poll() is not None:
            self.code = self.process.returncode
            self.process = None

    def stop(self) -> None:
        """End the run in progress."""
        if self.process is not None:
            self.process.terminate()
            self.process.wait()
            self.process = None


def stamps(root: Path) -> _Stamps:
    """Size and time of every source, transcript and manifest of a project."""
    return dict(_stamps(root, root))


def _stamps(folder: Path, root: Path) -> Iterator[tuple[str, tuple[int, int]]]:
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return
    for entry in entries:
        if entry.name.startswith((".", "_")):
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from _stamps(Path(entry.path), root)
        elif entry.name.endswith((SOURCE_SUFFIX, TRANSCRIPT_SUFFIX)) or entry.name == MANIFEST_NAME:
            try:
                found = entry.stat()
            except OSError:
                continue
            yield Path(entry.path).relative_to(root).as_posix(), (found.st_mtime_ns, found.st_size)


def changed(before: _Stamps, now: _Stamps) -> list[str]:
    """The paths that are new, gone or different."""
    return sorted(path for path in before.keys() | now.keys() if before.get(path) != now.get(path))


def _announce(paths: Sequence[str]) -> None:
    if sys.stdout.isatty():
        sys.stdout.write(_CLEAR)
        sys.stdout.flush()
        return
    more = f" and {len(paths) - _MOST_SHOWN} more" if len(paths) > _MOST_SHOWN else ""
    say(f"── {time.strftime('%H:%M:%S')} {' '.join(paths[:_MOST_SHOWN])}{more} ──")
