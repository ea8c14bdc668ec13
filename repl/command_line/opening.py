"""Opening an image for a shell command, with one clear message when that cannot be (workspace.md 6.1).

Comes in: what the command line said. Guarantees: a workspace, or `CannotOpen` with the text to
print. Leaves: loading sources to the caller.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from changelog.folder import FolderUnusable, WorkspaceLocked
from lang.dataclass import dataclass, field, replace
from lang.deferred import deferred
from lang.runtime.surroundings import Transcript
from lang.stdlib.services import HostAccess, Services
from repl.caches import library_cache
from workspace.manifest import MANIFEST_NAME
from workspace.opening import ManifestError, Opening, open_workspace
from workspace.project import BrokenManifest, NoManifest, find_root
from workspace.workspace import Workspace

if TYPE_CHECKING:
    import argparse
    import getpass
else:
    getpass = deferred("getpass")


class CannotOpen(Exception):
    """There is no workspace to be had; the text says why, and what to do."""


@dataclass(frozen=True, slots=True)
class Place:
    """Which project is meant, and how it is opened."""

    root: Path | None
    is_read_only: bool = False
    host_access: HostAccess = HostAccess.ALLOWED


def place_of(options: argparse.Namespace, root: Path | None) -> Place:
    """How the options of all commands want a project opened."""
    access = HostAccess.FORBIDDEN if options.no_ffi else HostAccess.ALLOWED
    return Place(root, options.read_only, access)


def project_root(wanted: str | None) -> Path | None:
    """The project of `--project`, else the one around the working directory, if any. Raises `CannotOpen`."""
    if wanted is None:
        return find_root(Path.cwd())
    root = Path(wanted).expanduser()
    if not root.is_dir():
        raise CannotOpen(f"error: no such folder: {wanted}")
    if not (root / MANIFEST_NAME).is_file():
        raise CannotOpen(f"error: {NoManifest(root.absolute()).reason()}")
    return root.absolute()


def required_root(wanted: str | None) -> Path:
    """The same for commands that need a project."""
    root = project_root(wanted)
    if root is None:
        raise CannotOpen(f"error: {NoManifest(Path.cwd()).reason()}")
    return root


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where an image's output goes, and what it is told of the process."""

    transcript: Transcript
    services: Services = field(default_factory=Services)
    background: Callable[[str], None] | None = None
    """Gets a line for what fails while nobody waits for it."""


def open_image(place: Place, around: Surroundings) -> Workspace:
    """Open the workspace, with its git dependencies where they should be. Raises `CannotOpen`."""
    if place.root is not None and _may_need_git(place.root):
        from repl.command_line.fetching import fetch_dependencies  # noqa: PLC0415 (few projects need it)

        fetch_dependencies(place.root)
    around.services.host_access = place.host_access
    opening = Opening(
        place.root,
        is_read_only=place.is_read_only,
        library_cache=library_cache(os.environ),
        transcript=around.transcript,
        services=around.services,
        author=_author,
        background=around.background,
    )
    try:
        return open_workspace(opening)
    except ManifestError as error:
        raise CannotOpen(manifest_text(error.problem)) from error
    except WorkspaceLocked as error:
        raise CannotOpen(locked_text(error)) from error
    except FolderUnusable as error:
        raise CannotOpen(f"error: {error}") from error
    except OSError as error:
        raise CannotOpen(f"error: cannot open the workspace: {error}") from error


def _may_need_git(root: Path) -> bool:
    """Whether a manifest mentions dependencies: most do not, and are not read twice."""
    try:
        return b"dependencies" in (root / MANIFEST_NAME).read_bytes()
    except OSError:
        return False


def open_for_running(place: Place, around: Surroundings) -> Workspace:
    """The same for commands that also work while a prompt has the project open."""
    try:
        return open_image(place, around)
    except CannotOpen as refusal:
        if not isinstance(refusal.__cause__, WorkspaceLocked):
            raise
        return open_image(replace(place, is_read_only=True), around)


def manifest_text(problem: NoManifest | BrokenManifest) -> str:
    """The message of a manifest that is missing or wrong."""
    return f"error: {problem.reason()}" if isinstance(problem, NoManifest) else problem.reason()


def locked_text(error: WorkspaceLocked) -> str:
    """The message of a workspace that another process holds."""
    holder = "another process" if error.pid is None else f"process {error.pid}"
    return f"error: the workspace is open in {holder}\nhint: close it there, or look at it with --read-only"


def _author() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return ""
