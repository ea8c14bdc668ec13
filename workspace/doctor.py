"""Whether a workspace is well (workspace.md 6.13; changes.md 2, 11).

Comes in: an open workspace. Guarantees: nothing is repaired or changed; each question has one answer, a line for people
and a verdict for tools. Leaves: signs and colours, and what belongs to a terminal, to whoever shows it.
"""

from __future__ import annotations

import enum
import os
import platform
import shutil
import stat
from collections.abc import Iterator
from dataclasses import dataclass

from changelog.folder import open_for_reading
from changelog.log import ChangeLog
from workspace.invariants import broken_laws
from workspace.repository import has_repository
from workspace.workspace import Workspace

_SHOWN = 5
"""How many problems of one kind are named; the rest is counted."""


class Verdict(enum.Enum):
    """How a check ended; the value is the word where no sign can be shown."""

    OK = "ok"
    WARNING = "warn"
    FAILED = "FAIL"


@dataclass(frozen=True, slots=True)
class Check:
    """One question: what was looked at, and what was found."""

    name: str
    verdict: Verdict
    text: str


def examine(workspace: Workspace) -> tuple[Check, ...]:
    """All checks, in the order in which they are shown."""
    return (
        Check("Python", Verdict.OK, f"{platform.python_implementation()} {platform.python_version()}"),
        _library(workspace),
        _cache_folder(workspace),
        _lock(workspace),
        _change_log(workspace),
        _unfinished_flush(workspace),
        _image(workspace),
        _disk(workspace),
        _git(workspace),
    )


def worst(checks: tuple[Check, ...]) -> Verdict:
    """The verdict on all of them."""
    found = {check.verdict for check in checks}
    return next(
        each for each in (Verdict.FAILED, Verdict.WARNING, Verdict.OK) if each in found or each is Verdict.OK
    )


def closing_line(checks: tuple[Check, ...]) -> str:
    """What stands below the checks."""
    match worst(checks):
        case Verdict.OK:
            return "All checks passed!"
        case Verdict.WARNING:
            return "All required checks passed (with warnings)."
        case Verdict.FAILED:
            return "Some checks failed. See above for details."


# ---------------------------------------------------------------- the checks


def _of_problems(name: str, problems: list[str], well: str) -> Check:
    if not problems:
        return Check(name, Verdict.OK, well)
    more = f"; {len(problems) - _SHOWN} more" if len(problems) > _SHOWN else ""
    return Check(name, Verdict.FAILED, "; ".join(problems[:_SHOWN]) + more)


def _library(workspace: Workspace) -> Check:
    classes = len(workspace.state.library)
    verdict = Verdict.OK if classes else Verdict.FAILED
    return Check("Library", verdict, f"{classes} classes")


def _cache_folder(workspace: Workspace) -> Check:
    """Compiled code is run as it is: nobody else may write it."""
    folder = workspace.root / ".beamtalk"
    if workspace.folder is None or not folder.is_dir():
        return Check("Cache folder", Verdict.OK, "none; nothing is kept")
    mode = folder.stat().st_mode
    if mode & (stat.S_IWGRP | stat.S_IWOTH):
        return Check("Cache folder", Verdict.WARNING, f"{folder} can be written by others")
    if not os.access(folder, os.W_OK):
        return Check("Cache folder", Verdict.WARNING, f"{folder} cannot be written")
    return Check("Cache folder", Verdict.OK, str(folder))


def _lock(workspace: Workspace) -> Check:
    if workspace.folder is None:
        return Check("Lock", Verdict.OK, "no project")
    if workspace.folder.is_read_only:
        return Check("Lock", Verdict.OK, "open for reading only")
    return Check("Lock", Verdict.OK, f"held by this process ({os.getpid()})")


def _change_log(workspace: Workspace) -> Check:
    log = workspace.log
    problems = list(log.problems)
    if log.read_only_reason is not None:
        problems.append(log.read_only_reason)
    problems += _damaged(log)
    if workspace.folder is not None:
        problems += _difference_to_disk(workspace, log)
    pending = len(workspace.pending.view().active)
    return _of_problems("ChangeLog", problems, f"{len(log.entries)} entries, {pending} pending")


def _damaged(log: ChangeLog) -> Iterator[str]:
    for entry in log.entries:
        if damaged := log.damaged_bodies(entry.seq):
            yield f"#{entry.seq}: {', '.join(damaged)} differs from its hash"


def _difference_to_disk(workspace: Workspace, log: ChangeLog) -> Iterator[str]:
    """What the journal holds, read again, is what memory holds of it."""
    there = open_for_reading(str(workspace.root)).open_log()
    yield from (problem for problem in there.problems if problem not in log.problems)
    yield from _damaged(there)
    lost = {entry.seq for entry in log.entries} - {entry.seq for entry in there.entries}
    if lost:
        yield f"entries that the file does not hold: {', '.join(f'#{seq}' for seq in sorted(lost))}"
    if len(there.marks) != len(log.marks):
        yield f"{len(log.marks)} marks in memory, {len(there.marks)} in the file"


def _unfinished_flush(workspace: Workspace) -> Check:
    if workspace.flushing is None:
        return Check("Flush", Verdict.OK, "no project")
    if workspace.flushing.blocked is not None:
        return Check("Flush", Verdict.FAILED, f"not finished: {workspace.flushing.blocked}")
    report = workspace.flushing.look()
    if report.is_due or report.blocked:
        return Check("Flush", Verdict.WARNING, "one was not finished; the next flush or start ends it")
    return Check("Flush", Verdict.OK, "none is unfinished")


def _image(workspace: Workspace) -> Check:
    units = len(workspace.state.units)
    return _of_problems(
        "Image", list(broken_laws(workspace)), f"{units} units agree with classes, index, disk"
    )


def _disk(workspace: Workspace) -> Check:
    """Which sources somebody has changed since memory was built from them."""
    known = workspace.state.disk
    today = workspace.read_sources(known)
    changed = [
        path for path, file in sorted(known.items()) if path not in today or today[path].data != file.data
    ]
    if not changed:
        return Check("Sources", Verdict.OK, f"{len(known)} files are as memory knows them")
    named = ", ".join(changed[:_SHOWN])
    return Check("Sources", Verdict.WARNING, f"{len(changed)} changed on disk since, see :sync: {named}")


def _git(workspace: Workspace) -> Check:
    if workspace.project is None or not has_repository(workspace.root):
        return Check("git", Verdict.OK, "not a git repository")
    if shutil.which("git") is None:
        return Check("git", Verdict.WARNING, "the project is in a repository, and git is not installed")
    return Check("git", Verdict.OK, "a repository")
