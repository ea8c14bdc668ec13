"""Opening a workspace: lock, recovery, runtime, library, log (workspace.md 3.1, changes.md 2.3).

Comes in: a project folder or none. Guarantees: an unfinished flush is recovered before
anything is loaded; the answer owns all that it needs and shares nothing with another. Leaves:
loading the project's sources to `Workspace.load_project`.
"""

from __future__ import annotations

import contextlib
import posixpath
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from changelog.folder import WorkspaceFolder, open_for_reading, open_for_writing
from changelog.log import ACTIVE_SEGMENT, ChangeLog, Clock, system_clock
from changelog.store import MemoryStore
from lang.dataclass import dataclass, field
from lang.runtime.processes.actor_system import ActorSystem
from lang.runtime.processes.evaluator import Evaluator
from lang.runtime.runtime import Runtime
from lang.runtime.surroundings import Transcript
from lang.stdlib.load import LibraryPart, LibrarySources, load_library
from lang.stdlib.services import Services, no_log
from workspace.authorship import Authorship
from workspace.class_view import Imports, library_facts
from workspace.compile_cache import CompileCache
from workspace.facade.library import HOST_NAMES, bind_host_types, facade_tables
from workspace.flush.disk import Disk, RealDisk
from workspace.image import Image
from workspace.install import Installer
from workspace.package_facts import package_facts
from workspace.places import places_of
from workspace.process_reports import ProcessReports
from workspace.project import BrokenManifest, NoManifest, Project, open_project
from workspace.recalling import note_compiled
from workspace.receiver_types import ReceiverTypes
from workspace.runtime_log import RuntimeLog
from workspace.workspace import Workspace

if TYPE_CHECKING:
    from workspace.flush.outcome import RecoveryReport
    from workspace.flushing import Flushing

FACADE_SOURCES = Path(__file__).parent / "facade"


@dataclass(frozen=True, slots=True)
class Opening:
    """How to open a workspace. `root` None: no project; the log then ends with the process.

    `author` None: git's user, else the login. `background` is called on the evaluator and must not wait.
    """

    root: Path | None
    is_read_only: bool = False
    library_cache: Path | None = None
    transcript: Transcript | None = None
    services: Services = field(default_factory=Services)
    clock: Clock = system_clock
    disk: Disk = field(default_factory=RealDisk)
    author: Callable[[], str] | None = None
    background: Callable[[str], None] | None = None
    """Gets a line, without end, for what fails while nobody waits for it (workspace.md 3.5)."""


class ManifestError(Exception):
    """The project's manifest is missing or has errors; nothing was opened."""

    def __init__(self, problem: NoManifest | BrokenManifest) -> None:
        super().__init__(problem.reason())
        self.problem = problem


def open_workspace(opening: Opening) -> Workspace:
    """Open a workspace and start its evaluator.

    Raises `ManifestError`, `WorkspaceLocked`, `FolderUnusable` or `OSError`; nothing stays open then.
    """
    project = _project(opening.root)
    folder = _folder(opening)
    try:
        return _opened(opening, project, folder)
    except BaseException:
        if folder is not None:
            folder.close()
        raise


def _project(root: Path | None) -> Project | None:
    if root is None:
        return None
    found = open_project(root)
    if isinstance(found, Project):
        return found
    raise ManifestError(found)


def _folder(opening: Opening) -> WorkspaceFolder | None:
    if opening.root is None:
        return None
    root = str(opening.root)
    return open_for_reading(root) if opening.is_read_only else open_for_writing(root)


def _opened(opening: Opening, project: Project | None, folder: WorkspaceFolder | None) -> Workspace:
    log = folder.open_log(opening.clock) if folder is not None else ChangeLog(MemoryStore(), 1, opening.clock)
    runtime = Runtime(transcript=opening.transcript, services=opening.services)
    runtime_log = RuntimeLog(_log_path(opening, folder))
    if opening.services.log is no_log:
        opening.services.log = runtime_log.record
    actors = ActorSystem(
        runtime, log=ProcessReports(runtime_log, opening.background, opening.services.wall_clock)
    )
    runtime.use_processes(actors)
    image = Image(runtime, actors)
    workspace = Workspace(image, log, Evaluator(actors.scheduler), project, folder)
    workspace.runtime_log = runtime_log
    opening.services.module_for = workspace.module_for_built
    opening.services.packages = partial(package_facts, workspace)
    opening.services.place_of = places_of(lambda: image.state)
    workspace.author = opening.author or Authorship(opening.root)
    library = load_library(
        runtime, opening.library_cache, (LibraryPart(FACADE_SOURCES, facade_tables(workspace), HOST_NAMES),)
    )
    bind_host_types(runtime)
    # There is no installer yet.
    receivers = ReceiverTypes(lambda state: workspace.installer.world(state))  # noqa: PLW0108
    image.begin(None if project is None else project.manifest.name, receivers)
    facts = library_facts(runtime.classes())
    workspace.installer = Installer(image, Imports(facts, facts.keys()), (FACADE_SOURCES,))
    workspace.installer.globals = lambda: workspace.globals
    workspace.installer.table = {} if project is None else project.manifest.severities
    if opening.root is not None:
        workspace.make_flushing = partial(_flushing, opening, opening.root, workspace)
        cache = workspace.compile_cache = _compile_cache(opening, opening.root, project, library)
        workspace.installer.note_compiled = partial(note_compiled, cache)
        if folder is not None:
            workspace.recovery = _recovered(opening, opening.root, workspace, folder)
            if not folder.is_read_only:
                _archive_old(log, folder)
    workspace.begin()
    return workspace


def _archive_old(log: ChangeLog, folder: WorkspaceFolder) -> None:
    """Spikes of earlier sessions, and the oldest entries that nobody needs, leave the journal (changes.md 2, 2.3)."""
    keep = folder.setting("active_segment", ACTIVE_SEGMENT)
    # What cannot be archived now stays where it is: it only takes room.
    with contextlib.suppress(OSError):
        log.prune_ephemeral()
        log.rotate(frozenset(entry.seq for entry in log.restorable()), max(int(keep), 0))


def _log_path(opening: Opening, folder: WorkspaceFolder | None) -> Path | None:
    """Who may only look at a project leaves no log in it."""
    if opening.root is None or folder is None or folder.is_read_only:
        return None
    return opening.root / ".beamtalk" / "log" / "beamtalk.log"


def _compile_cache(
    opening: Opening, root: Path, project: Project | None, library: LibrarySources
) -> CompileCache:
    package = project.manifest.name if project is not None else ""
    folder = root / ".beamtalk" / "cache"
    return CompileCache(folder, package, lambda: library.key, is_writable=not opening.is_read_only)


def _recovered(
    opening: Opening, root: Path, workspace: Workspace, folder: WorkspaceFolder
) -> RecoveryReport | None:
    """What a crash had left and what became of it; None when there was nothing."""
    if not _may_be_unfinished(opening.disk, root) or workspace.flushing is None:
        return None
    return workspace.flushing.look() if folder.is_read_only else workspace.flushing.recover()


def _may_be_unfinished(disk: Disk, root: Path) -> bool:
    """Whether a flush has left anything that recovery must look at; a folder that cannot be read may hold it."""
    try:
        return bool(disk.listdir(_flush_folder(root)))
    except FileNotFoundError:
        return False
    except OSError:
        return True


def _flush_folder(root: Path) -> str:
    return posixpath.join(str(root.resolve()), ".beamtalk", "flush")


def _flushing(opening: Opening, root: Path, workspace: Workspace) -> Flushing:
    # Imported when the first change is written, or a crash has left something: 40 ms.
    from workspace.flush.journal import FlushFolder  # noqa: PLC0415
    from workspace.flushing import Flushing  # noqa: PLC0415

    folder = FlushFolder(str(root.resolve()), _flush_folder(root))
    return Flushing(
        workspace.image,
        workspace.log,
        workspace.pending,
        opening.disk,
        folder,
        workspace.list_sources,
    )
