"""Git dependencies on disk: clones below `.beamtalk/deps`, at the commits of the lock (workspace.md 1.3).

Comes in: what a manifest asks for, and the pins of a lock. Guarantees: a checkout is whole or not there;
nothing of it is run: no hooks, no submodules, no helper programs of a URL; what is there already is
not fetched again, so that a warm project needs no network. An interrupt stops git and leaves nothing half-made.
Leaves: the lock file and messages to the caller.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from workspace.manifest import GitSource

# Nothing that a repository or its URL brings along is run; nobody is there to type a password.
_SAFE: Final = (
    *("-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "protocol.ext.allow=never"),
    *("-c", "submodule.recurse=false", "-c", "core.symlinks=true", "-c", "advice.detachedHead=false"),
)
_QUIET: Final = {"GIT_TERMINAL_PROMPT": "0", "GIT_LFS_SKIP_SMUDGE": "1"}
_HELPER: Final = re.compile(r"[A-Za-z0-9+.-]+::")
_SHOWS_PROGRESS_AFTER = "--progress"


class GitFailed(Exception):
    """Git refused or could not; the text is for people."""


@dataclass(frozen=True, slots=True)
class Git:
    """How git is called. `shows_progress`: its own progress goes to the terminal."""

    shows_progress: bool = False

    def run(self, *arguments: str, folder: Path | None = None) -> str:
        """What git answers. Raises `GitFailed`; an interrupt ends git first."""
        program = shutil.which("git")
        if program is None:
            raise GitFailed("git is not installed")
        done = subprocess.run(  # noqa: S603 - sources that could run a program are refused before
            [program, *_SAFE, *arguments],
            cwd=folder,
            env={**os.environ, **_QUIET},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=None if self._is_shown(arguments) else subprocess.PIPE,
            check=False,
        )
        if done.returncode != 0:
            said = (done.stderr or b"").decode("utf-8", "replace").strip()
            raise GitFailed(_last_complaint(said) or f"git {arguments[0]} failed")
        return done.stdout.decode("utf-8", "replace").strip("\n")

    def _is_shown(self, arguments: tuple[str, ...]) -> bool:
        return self.shows_progress and _SHOWS_PROGRESS_AFTER in arguments

    @property
    def progress(self) -> tuple[str, ...]:
        """What makes git show progress, where somebody looks."""
        return (_SHOWS_PROGRESS_AFTER,) if self.shows_progress else ("--quiet",)


def _last_complaint(said: str) -> str:
    lines = [line for line in said.splitlines() if line.startswith(("fatal:", "error:"))] or said.splitlines()
    return lines[-1].removeprefix("fatal: ").removeprefix("error: ") if lines else ""


def refused_source(source: GitSource) -> str | None:
    """Why a source is not asked for at all: it could run a program (workspace.md 1.3)."""
    if source.url.startswith("-") or _HELPER.match(source.url):
        return f"git URL is not allowed: {source.url}"
    if source.reference.startswith("-"):
        return f"git {source.kind} is not allowed: {source.reference}"
    return None


def commit_of(git: Git, checkout: Path) -> str | None:
    """The commit that a checkout is at; None when there is no sound one."""
    if not (checkout / ".git").is_dir():
        return None
    try:
        return git.run("rev-parse", "--verify", "HEAD^{commit}", folder=checkout)
    except GitFailed:
        return None


def changed_files(git: Git, checkout: Path) -> tuple[str, ...]:
    """The files of a checkout that are not as its commit has them."""
    return tuple(line[3:] for line in git.run("status", "--porcelain", folder=checkout).splitlines())


def check_out(git: Git, source: GitSource, checkout: Path, sha: str | None) -> str:
    """Bring a checkout to a commit, or to what the reference means now; the commit. Raises `GitFailed`."""
    problem = refused_source(source)
    if problem is not None:
        raise GitFailed(problem)
    if commit_of(git, checkout) is None or _origin(git, checkout) != source.url:
        return _cloned(git, source, checkout, sha)
    if sha is None or not _has(git, checkout, sha):
        git.run("fetch", *git.progress, "--tags", "--force", "--prune", "origin", folder=checkout)
    wanted = sha if sha is not None else _meaning(git, source, checkout)
    _put(git, checkout, wanted)
    return wanted


def _cloned(git: Git, source: GitSource, checkout: Path, sha: str | None) -> str:
    """A fresh clone, made beside its place."""
    checkout.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix=f".{checkout.name}-", dir=checkout.parent))
    try:
        options = ("--no-checkout", "--no-recurse-submodules", "--template=")
        git.run("clone", *git.progress, *options, "--", source.url, str(draft))
        wanted = sha if sha is not None else _meaning(git, source, draft)
        _put(git, draft, wanted)
        if checkout.exists():
            shutil.rmtree(checkout)
        draft.chmod(0o700)
        draft.rename(checkout)
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        raise
    return wanted


def _put(git: Git, checkout: Path, sha: str) -> None:
    git.run("checkout", "--quiet", "--force", "--detach", sha, folder=checkout)


def _has(git: Git, checkout: Path, sha: str) -> bool:
    try:
        git.run("cat-file", "-e", f"{sha}^{{commit}}", folder=checkout)
    except GitFailed:
        return False
    return True


def _origin(git: Git, checkout: Path) -> str:
    try:
        return git.run("config", "--get", "remote.origin.url", folder=checkout)
    except GitFailed:
        return ""


def _meaning(git: Git, source: GitSource, checkout: Path) -> str:
    """The commit that a tag, branch or revision names."""
    match source.kind:
        case "tag":
            name = f"refs/tags/{source.reference}"
        case "branch":
            name = f"refs/remotes/origin/{source.reference}"
        case _:
            name = source.reference
    try:
        return git.run("rev-parse", "--verify", "--end-of-options", f"{name}^{{commit}}", folder=checkout)
    except GitFailed:
        raise GitFailed(f"{source.url} has no {source.kind} '{source.reference}'") from None
