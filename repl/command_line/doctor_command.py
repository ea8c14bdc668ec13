"""`doctor`: is everything here that a workspace needs, and is what it keeps sound (workspace.md 6.13).

Guarantees: looks only; nothing is repaired, opened for writing, or run. A check that fails itself is a failed check.
Leaves: mending to those who own what is broken.
"""

from __future__ import annotations

import argparse
import enum
import os
import shlex
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from changelog.folder import FolderUnusable, open_for_reading
from lang.stdlib.load import SOURCES
from repl.caches import library_cache
from repl.command_line.opening import project_root
from repl.writing import say
from workspace.checkouts import Git
from workspace.git_dependencies import CannotFetch, verify
from workspace.project import BrokenManifest, NoManifest, Project, open_project

_LEAST_PYTHON = (3, 11)


class Health(enum.Enum):
    """What a check found: its sign, and the word where signs cannot be shown."""

    GOOD = ("✅", "ok")
    DOUBTFUL = ("⚠️ ", "warn")
    BAD = ("❌", "FAIL")


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report."""

    health: Health
    text: str


_Check = Callable[[], Iterator[Finding]]


def add_arguments(_parser: argparse.ArgumentParser) -> None:
    """There are no options of its own."""


def run(options: argparse.Namespace) -> int:
    """Look at everything; 1 when a required check failed."""
    root = project_root(options.project)
    found = [each for check in _checks(root) for each in _guarded(check)]
    column = 0 if _shows_signs() else 1
    for each in found:
        say(f"{each.health.value[column]} {each.text}")
    return _end({each.health for each in found})


def _end(healths: set[Health]) -> int:
    say()
    if Health.BAD in healths:
        say("Some checks failed. See above for details.")
        return 1
    say("All required checks passed (with warnings)." if Health.DOUBTFUL in healths else "All checks passed!")
    return 0


def _shows_signs() -> bool:
    return (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"


def _checks(root: Path | None) -> Iterator[_Check]:
    yield _python
    yield _terminal
    yield _library
    yield _programs
    if root is None:
        yield lambda: iter([Finding(Health.GOOD, "project: none here")])
        return
    yield lambda: _manifest(root)
    yield lambda: _state(root)
    yield lambda: _log(root)
    yield lambda: _flush(root)
    yield lambda: _dependencies(root)


def _guarded(check: _Check) -> list[Finding]:
    try:
        return list(check())
    except (OSError, FolderUnusable, CannotFetch, ValueError) as error:
        return [Finding(Health.BAD, str(error))]


# ---------------------------------------------------------------- the system


def _python() -> Iterator[Finding]:
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info[:2] < _LEAST_PYTHON:
        yield Finding(Health.BAD, f"Python {version}: {'.'.join(map(str, _LEAST_PYTHON))} or newer is needed")
    else:
        yield Finding(Health.GOOD, f"Python {version} ({sys.implementation.name})")


def _terminal() -> Iterator[Finding]:
    encoding = sys.stdout.encoding or "unknown"
    name = os.environ.get("TERM", "")
    if not _shows_signs():
        yield Finding(
            Health.DOUBTFUL, f"encoding: {encoding}; signs beyond it are not shown; use a UTF-8 locale"
        )
    elif name == "dumb":
        yield Finding(Health.DOUBTFUL, "terminal: dumb; the prompt does without editing and colours")
    else:
        yield Finding(Health.GOOD, f"terminal: {name or 'none'}, {encoding}")


def _library() -> Iterator[Finding]:
    count = len(list(SOURCES.glob("*.bt")))
    yield Finding(Health.GOOD if count else Health.BAD, f"library: {count} classes")
    folder = library_cache(os.environ)
    if not folder.exists():
        yield Finding(Health.GOOD, "cache of the library: made at the next start")
    else:
        yield from _folder("cache of the library", folder)


def _programs() -> Iterator[Finding]:
    git = shutil.which("git")
    yield Finding(
        Health.GOOD if git else Health.DOUBTFUL, f"git: {git or 'not found; git dependencies need it'}"
    )
    wanted = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if not wanted:
        yield Finding(Health.DOUBTFUL, "editor: set $VISUAL or $EDITOR, and :edit opens it")
    else:
        found = shutil.which(shlex.split(wanted)[0])
        yield Finding(
            Health.GOOD if found else Health.DOUBTFUL, f"editor: {wanted}{'' if found else ' is not found'}"
        )


# ---------------------------------------------------------------- the project


def _manifest(root: Path) -> Iterator[Finding]:
    match open_project(root):
        case NoManifest() | BrokenManifest() as problem:
            yield Finding(Health.BAD, problem.reason())
        case Project() as project:
            manifest = project.manifest
            yield Finding(Health.GOOD, f"project: {manifest.name} {manifest.version}")
            for line in project.reading.lines():
                yield Finding(Health.DOUBTFUL, line)


def _state(root: Path) -> Iterator[Finding]:
    folder = root / ".beamtalk"
    if not folder.exists():
        yield Finding(Health.GOOD, "state: none yet")
        return
    yield from _folder("state", folder)
    holder = _holder(folder / "lock")
    yield Finding(Health.GOOD, "lock: free" if holder is None else f"lock: held by process {holder}")
    history = folder / "history"
    if history.exists() and not os.access(history, os.R_OK | os.W_OK):
        yield Finding(Health.DOUBTFUL, f"history: {history} cannot be read and written")


def _folder(what: str, folder: Path) -> Iterator[Finding]:
    mode = folder.stat().st_mode
    if not os.access(folder, os.W_OK):
        yield Finding(Health.DOUBTFUL, f"{what}: {folder} cannot be written")
    elif mode & 0o022:
        yield Finding(Health.DOUBTFUL, f"{what}: {folder} can be written by others")
    else:
        yield Finding(Health.GOOD, f"{what}: {folder}")


def _holder(lock: Path) -> int | None:
    """The process that has written its number into the lock, if it lives."""
    try:
        number = int(lock.read_bytes())
        os.kill(number, 0)
    except (OSError, ValueError, OverflowError):
        return None
    return number if number != os.getpid() else None


def _log(root: Path) -> Iterator[Finding]:
    path = root / ".beamtalk" / "changes" / "changes.jsonl"
    if not path.exists():
        yield Finding(Health.GOOD, "change log: empty")
        return
    folder = open_for_reading(str(root))
    log = folder.open_log()
    try:
        for each in log.problems:
            yield Finding(Health.DOUBTFUL, f"change log: {each}")
        altered = [entry.seq for entry in log.entries if log.damaged_bodies(entry.seq)]
        if altered:
            yield Finding(
                Health.BAD,
                f"change log: texts of {', '.join(f'#{seq}' for seq in altered)} are not as they were logged",
            )
        if not (log.problems or altered):
            yield Finding(Health.GOOD, f"change log: {len(log.entries)} entries, {path.stat().st_size} bytes")
    finally:
        log.close()


def _flush(root: Path) -> Iterator[Finding]:
    folder = root / ".beamtalk" / "flush"
    left = sorted(each.name for each in folder.iterdir()) if folder.is_dir() else []
    if left:
        yield Finding(Health.DOUBTFUL, f"flush: one was cut off ({left[0]}); the next start ends it")
    else:
        yield Finding(Health.GOOD, "flush: none unfinished")


def _dependencies(root: Path) -> Iterator[Finding]:
    project = open_project(root)
    if not isinstance(project, Project):
        return
    differences = list(verify(project, Git()))
    for each in differences:
        yield Finding(Health.BAD, f"dependencies: {each}")
    if not differences:
        yield Finding(Health.GOOD, f"dependencies: {len(project.manifest.dependencies)}, as they should be")
