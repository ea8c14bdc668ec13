"""Commands about git: what differs, and committing what was flushed (changes.md 10)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from repl.commands.desk import Desk, counted, string_text, usage, words
from repl.events import Confirm, Shown, Steps, agrees
from repl.paint import visible
from workspace.commits import PlannedCommit
from workspace.facade.git_table import GitObject
from workspace.repository import FileStatus

_LOG_LENGTH: Final = 10


def git(desk: Desk, arguments: str) -> Steps:
    """`:git [status|diff|log [n]]`."""
    asked = GitObject(desk.workspace)
    match words(arguments):
        case [] | ["status"]:
            yield from _status(asked)
        case ["diff"]:
            text = asked.diff().rstrip("\n")
            yield Shown(desk.core.palette.diff(text) if text else "No changes.")
        case ["log"]:
            yield from _log(asked, _LOG_LENGTH)
        case ["log", number] if number.isdecimal():
            yield from _log(asked, int(number))
        case _:
            raise usage(":git [status|diff|log [N]]")


def _status(asked: GitObject) -> Steps:
    status, planned = asked.status()
    place = f"on branch {status.branch}" if status.branch else "on no branch"
    yield Shown(f"{place}, {status.head or 'no commit yet'}")
    flushed = set(planned.files)
    yield from _files("flushed, for :commit:", (each for each in status.files if each.path in flushed))
    yield from _files("other changes:", (each for each in status.files if each.path not in flushed))
    yield from _left(planned)
    if not status.files:
        yield Shown("nothing differs from the last commit")


def _files(title: str, files: Iterable[FileStatus]) -> Steps:
    lines = [
        f"  {each.standing.value:<9}  {visible(each.path)}" + ("  (staged)" if each.is_staged else "")
        for each in files
    ]
    if lines:
        yield Shown("\n".join([title, *lines]))


def _left(planned: PlannedCommit) -> Steps:
    """What was flushed and will not be committed, and why."""
    for path in planned.ignored:
        yield Shown(f"  {visible(path)} was flushed; git is told to ignore it")
    for path in planned.elsewhere:
        yield Shown(f"  {visible(path)} was flushed; it belongs to another repository")


def _log(asked: GitObject, count: int) -> Steps:
    commits = asked.log(count)
    for each in commits:
        yield Shown(visible(f"{each.short_hash}  {each.date[:10]}  {each.author}  {each.subject}"))
    if not commits:
        yield Shown("no commit touches the project")


def commit(desk: Desk, arguments: str) -> Steps:
    """`:commit "MSG"`: exactly the flushed files; asks first when they hold edits that no flush made."""
    match words(arguments):
        case [message] if message.strip():
            pass
        case _:
            raise usage(':commit "MESSAGE"')
    asked = GitObject(desk.workspace)
    planned = asked.planned()
    if planned.edited_besides:
        names = ", ".join(map(visible, planned.edited_besides))
        verb = "holds" if len(planned.edited_besides) == 1 else "hold"
        yield Shown(f"{names} {verb} edits besides what was flushed; they would be committed too.")
        native = f"Workspace git commit: {string_text(message)}"
        if not agrees((yield Confirm("Commit? [y/N] ", native))):
            yield Shown("Aborted: nothing was committed.")
            return
    made = asked.commit(message)
    yield Shown(
        f"{made.short_hash}  {counted(len(made.files), 'file')}: {', '.join(map(visible, made.files))}"
    )
    yield from _left(planned)
