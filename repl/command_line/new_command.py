"""`new`: a project that builds, lints, is formatted and tested as it comes (workspace.md 6.2).

Comes in: a name. Guarantees: the whole project, or nothing and the reason. Leaves: what is in it to
`project_template`.
"""

from __future__ import annotations

import argparse
import contextlib
import enum
import shutil
import tempfile
from pathlib import Path

from repl.command_line.opening import CannotOpen
from repl.command_line.project_template import Kind, project_files
from repl.writing import say
from workspace.checkouts import Git, GitFailed
from workspace.manifest import name_problem


class _VersionControl(enum.Enum):
    """What keeps the history of a new project."""

    GIT = "git"
    NONE = "none"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add = parser.add_argument
    add("name", metavar="NAME", help="the name of the package, and of its folder")
    add("--app", action="store_true", help="an application: `beamtalk run .` starts it")
    add("--vcs", choices=[each.value for each in _VersionControl], default="git", help="none: no `git init`")


def run(options: argparse.Namespace) -> int:
    """Make the project. Raises `CannotOpen` when it cannot be."""
    name, kind = options.name, Kind.APPLICATION if options.app else Kind.LIBRARY
    problem = name_problem(name)
    if problem is not None:
        raise CannotOpen(f"error: {problem}")
    folder = Path(name)
    if folder.exists() or folder.is_symlink():
        raise CannotOpen(f"error: Directory '{name}' already exists")
    try:
        _make(folder, kind)
    except OSError as error:
        raise CannotOpen(f"error: cannot make '{name}': {error.strerror}") from error
    if _VersionControl(options.vcs) is _VersionControl.GIT:
        _begin_history(folder)
    say(_next_steps(name, kind))
    return 0


def _make(folder: Path, kind: Kind) -> None:
    """Beside its place first, so that a half-made project never has its name."""
    draft = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir="."))
    try:
        for path, text in project_files(folder.name, kind).items():
            (draft / path).parent.mkdir(parents=True, exist_ok=True)
            (draft / path).write_text(text, "utf-8", newline="\n")
        draft.chmod(0o755)
        draft.rename(folder)
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        raise


def _begin_history(folder: Path) -> None:
    """`git init`, unless there is no git or the folder lies in a repository already."""
    git = Git()
    try:
        git.run("rev-parse", "--is-inside-work-tree", folder=folder)
    except GitFailed:
        with contextlib.suppress(GitFailed):
            git.run("init", "--quiet", folder=folder)


def _next_steps(name: str, kind: Kind) -> str:
    last = "beamtalk run ." if kind is Kind.APPLICATION else "beamtalk repl"
    return f"Created {kind.value} package '{name}'\n\nNext steps:\n  cd {name}\n  beamtalk test\n  {last}"
