"""Git dependencies that are fetched before a project is opened (workspace.md 1.3).

A project without any costs one look into its manifest; one whose checkouts are at the commits of its lock needs
no network.
"""

from __future__ import annotations

import sys
from pathlib import Path

from repl.command_line.opening import CannotOpen
from repl.writing import tell
from workspace.checkouts import Git
from workspace.git_dependencies import CannotFetch, fetch, has_git_dependencies, read_pins, write_pins
from workspace.project import Project, open_project


def fetch_dependencies(root: Path) -> None:
    """Check out what is missing, and bring the lock up to date. Raises `CannotOpen`."""
    project = open_project(root)
    if not isinstance(project, Project) or not has_git_dependencies(project):
        return
    try:
        fetched = fetch(project, Git(shows_progress=sys.stderr.isatty()))
        for note in fetched.notes:
            tell(note)
        if fetched.pins != read_pins(root):
            write_pins(root, fetched.pins)
    except CannotFetch as problem:
        raise CannotOpen(f"error: {problem}") from problem
    except OSError as error:
        raise CannotOpen(f"error: cannot write the lock: {error}") from error
