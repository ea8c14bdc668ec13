"""The live image as the prompt sees it: a session, its facts for the toolbar, its output (workspace.md 3.1, 3.8).

Comes in: where the project is. Guarantees: facts are published by one assignment from the
evaluator, and read by the main thread. Leaves: drawing to `app`. This module imports the
image, so it is imported after the prompt is up.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Final, TextIO, cast

from changelog.entry import Intent
from lang.runtime.processes.evaluator import Evaluator
from lang.stdlib.services import HostAccess, Services, services_of
from repl.command_line.opening import CannotOpen, Place, Surroundings, open_image
from repl.commands.code import report_lines, synced
from repl.commands.desk import Watching
from repl.commands.rechecking import notice_lines
from repl.display import Screen
from repl.events import Advice, Event, Failure, Shown
from repl.paint import Palette, Style, visible
from repl.prompt.activity import Activity
from repl.prompt.app import ImageUnavailable
from repl.prompt.completing import SessionCompleter
from repl.prompt.lexing import SourceLexer
from repl.prompt.outlet import LineWriter, Outlet
from repl.prompt.toolbar import Facts, Surrounding
from repl.prompt.watching import Watcher
from repl.session_core import SessionCore
from workspace.flush.outcome import Direction, RecoveryReport
from workspace.project import SourceSet
from workspace.recheck.rechecks import ReloadCheckCompleted
from workspace.workspace import Workspace

STALE_AFTER: Final = 1.0
"""Seconds after which the toolbar's numbers are asked for again."""


class LiveImage:
    """One workspace with the session of the prompt."""

    def __init__(
        self, workspace: Workspace, core: SessionCore, writers: tuple[LineWriter, ...], outlet: Outlet
    ) -> None:
        self.workspace = workspace
        self._outlet = outlet
        self.core = core
        self.lexer = SourceLexer()
        self.completer = SessionCompleter()
        self.completer.core = core
        self.facts = Facts()
        self._watcher = _watcher_of(workspace)
        self.on_facts: Callable[[], None] = lambda: None
        self._writers = writers
        self._asked_at = 0.0

    @property
    def evaluator(self) -> Evaluator:
        """The evaluator of the image."""
        return self.workspace.evaluator

    def flush_output(self) -> None:
        """Hand on lines that have not ended."""
        for each in self._writers:
            each.flush()

    # ------------------------------------------------------------ facts

    @property
    def around(self) -> Surrounding:
        """What was last found in the project's folder."""
        return self._watcher.found if self._watcher is not None else Surrounding()

    async def look_around(self) -> bool:
        """Look at the project's folder when that is due; whether something is new. Syncs when that is wanted."""
        if self._watcher is None or not await self._watcher.look():
            return False
        if self.core.desk.watching is Watching.ON and self._watcher.found.changed_files:
            self.evaluator.submit(self._sync_aside, "sync")
        return True

    def _sync_aside(self) -> None:
        """Take in what changed, with one line above the prompt."""
        for event in synced(self.core.desk):
            match event:
                case Shown(text) | Advice(text) | Failure(text):
                    self._outlet.put(text)
                case _:
                    pass
        self._publish()

    def refresh_if_stale(self) -> None:
        """Ask for the facts again when they are old."""
        if time.monotonic() - self._asked_at > STALE_AFTER:
            self.refresh_facts()

    def refresh_facts(self) -> None:
        """Have the evaluator publish the facts; at once, never a wait."""
        self._asked_at = time.monotonic()
        self.evaluator.call_soon(self._publish)

    def _publish(self) -> None:
        facts = self._present_facts()
        if facts != self.facts:
            self.facts = facts
            self.on_facts()

    def _present_facts(self) -> Facts:
        workspace = self.workspace
        view = workspace.pending.view()
        waiting = [
            entry
            for entry in view.active
            if entry.intent is Intent.DURABLE
            and entry.seq not in view.clean
            and entry.seq not in view.shadowed
        ]
        destructive = sum(1 for entry in waiting if entry.is_destructive)
        actors = len(workspace.image.actors.live_actors()) - 1  # the Transcript is one
        return Facts(
            workspace.project.manifest.name if workspace.project is not None else None,
            len(waiting) - destructive,
            destructive,
            max(actors, 0),
            workspace.folder is not None and workspace.folder.is_read_only,
            services_of(workspace.runtime).host_access is HostAccess.FORBIDDEN,
        )

    def close(self) -> None:
        """Give the workspace back."""
        self.workspace.close()


def _watcher_of(workspace: Workspace) -> Watcher | None:
    project = workspace.project
    if project is None:
        return None

    def known() -> Mapping[str, tuple[int, int, str]]:
        files = ((path, file.snapshot) for path, file in workspace.state.disk.items())
        return {path: (found.mtime_ns, found.size, found.sha256) for path, found in files}

    return Watcher(project.root, known, lambda: project.sources(SourceSet.SOURCES))


def open_live_image(place: Place, palette: Palette, outlet: Outlet, activity: Activity) -> LiveImage:
    """Open, load the project, and say above the prompt what was found. Raises `ImageUnavailable`."""
    transcript = LineWriter(outlet, lambda line: f"{palette.paint('│', Style.DIM)} {visible(line)}")
    console = LineWriter(outlet, lambda line: line)
    # It has what the library asks of a stream.
    stream = cast("TextIO", console)
    services = Services(output=stream, errors=stream)
    try:
        around = Surroundings(transcript, services, lambda text: outlet.put(f"⚠ {visible(text)}"))
        workspace = open_image(place, around)
    except CannotOpen as refusal:
        raise ImageUnavailable(str(refusal)) from refusal
    core = SessionCore(workspace, workspace.sessions.open("repl"), palette, Screen())
    image = LiveImage(workspace, core, (transcript, console), outlet)
    del activity
    for event in workspace.evaluator.run(lambda: list(_first_lines(core)), "load"):
        match event:
            case Shown(text) | Advice(text) | Failure(text):
                outlet.put(text)
            case _:
                pass
    workspace.rechecking.rounds.subscribe(lambda report: _tell(outlet, report))
    image.refresh_facts()
    return image


def _tell(outlet: Outlet, report: ReloadCheckCompleted) -> None:
    """Say above the prompt what a change did to code that it did not touch."""
    for line in notice_lines(report):
        outlet.put(f"⚠ {visible(line)}" if not line.startswith(" ") else visible(line))


def _first_lines(core: SessionCore) -> Iterator[Event]:
    """Load the project, and the lines of workspace.md 3.1."""
    workspace = core.workspace
    if workspace.project is None:
        yield Shown(core.palette.paint("no beamtalk.toml here; changes stay in memory", Style.DIM))
        return
    report = workspace.loader.sync()
    manifest = workspace.project.manifest
    classes = sum(1 for name in workspace.state.classes if workspace.state.path_of(name) is not None)
    yield Shown(
        f"{manifest.name} {manifest.version}: {_counted(classes, 'class')} from {_counted(len(report.changed), 'file')}"
    )
    yield from report_lines(core.desk, report)
    yield from _earlier(workspace)
    if workspace.folder is not None and workspace.folder.is_read_only:
        yield Shown("read-only: changes cannot be made or written here")


def _earlier(workspace: Workspace) -> Iterator[Event]:
    """What an earlier session has left."""
    if workspace.recovery is not None:
        yield from _recovered(workspace.recovery)
    waiting = len(workspace.log.restorable())
    if waiting:
        noun = (
            "1 change from an earlier session"
            if waiting == 1
            else f"{waiting} changes from an earlier session"
        )
        yield Shown(f"{noun} can be restored: :recover")


def _recovered(recovery: RecoveryReport) -> Iterator[Event]:
    for each in recovery.recovered:
        if each.direction is Direction.FINISHED:
            yield Shown(f"a flush ({each.flush_id}) was completed after a crash")
        elif each.direction is Direction.TAKEN_BACK:
            yield Shown(f"an unfinished flush ({each.flush_id}) was taken back after a crash")
    if recovery.is_due:
        yield Shown("a flush was not finished; the next start that may write here ends it")
    for blocked in recovery.blocked:
        yield Failure(f"flush {blocked.flush_id} needs a hand: {blocked.reason}")


def _counted(count: int, noun: str) -> str:
    plural = f"{noun}es" if noun.endswith("s") else f"{noun}s"
    return f"{count} {noun if count == 1 else plural}"
