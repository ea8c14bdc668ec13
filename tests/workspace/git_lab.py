"""A lab whose project is in a git repository (for tests)."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.workspace.lab import P0, Files, Lab, project

IDENTITY = {
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.org",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}


def git(folder: Path, *arguments: str, at: str | None = None) -> str:
    """Run git as a person would. `at` is the time of a commit."""
    dates = {} if at is None else {"GIT_AUTHOR_DATE": at, "GIT_COMMITTER_DATE": at}
    done = subprocess.run(
        ["git", *arguments],
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, **IDENTITY, **dates},
    )
    return done.stdout


def repository(root: Path, *, at: str | None = "2020-01-01T00:00:00Z") -> None:
    """Make a folder a repository with all of its files committed."""
    git(root, "init", "--quiet", "--initial-branch=main")
    git(root, "config", "user.name", "Ada")
    git(root, "config", "user.email", "ada@example.org")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message=begin", at=at)


@contextmanager
def git_lab(root: Path, files: Files = P0) -> Iterator[Lab]:
    """A lab on a committed project, its sources loaded."""
    repository(project(root, files))
    lab = Lab(root)
    try:
        lab.sync()
        yield lab
    finally:
        lab.close()


def in_commit(root: Path, revision: str = "HEAD") -> list[str]:
    """What a commit did, as `M src/A.bt`."""
    shown = git(root, "show", "--no-renames", "--name-status", "--format=", revision)
    return sorted(line.replace("\t", " ") for line in shown.splitlines() if line)
