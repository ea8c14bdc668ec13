"""What git knows of a project's files, and committing some of them (changes.md 10).

Comes in: a project folder. Guarantees: paths are relative to the project, with `/`; reading runs nothing
that the repository configures (no file system monitor, no external diff, no filter program of a text form);
a commit holds exactly the files that it was given, whatever else is staged, and a commit that fails
leaves the index as it was. Every call may block: callers run it in a thread. Leaves: which files to commit
to `commits`. Nothing here is loaded before somebody asks for git.
"""

from __future__ import annotations

import enum
import os
import posixpath
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

from lang.dataclass import dataclass

if TYPE_CHECKING:
    import git

_READING: Final = ("-c", "core.fsmonitor=false", "-c", "core.quotePath=false", "-c", "color.ui=false")
_FIELD: Final = "\x1f"
_PLAIN: Final = {"GIT_LITERAL_PATHSPECS": "1", "GIT_TERMINAL_PROMPT": "0", "GIT_EDITOR": "true"}
"""Paths are names, never patterns; nobody is there to type a password or a message."""


class GitFailed(Exception):
    """Git refused or could not; the text is for people."""


class NoRepository(GitFailed):
    """The project is not in a repository, or there is no git."""

    def __init__(self, reason: str = "not a git repository") -> None:
        super().__init__(reason)


class Standing(enum.Enum):
    """How a file stands to the last commit; the value is the word for people."""

    MODIFIED = "modified"
    ADDED = "added"
    DELETED = "deleted"
    UNTRACKED = "untracked"
    UNMERGED = "unmerged"


@dataclass(frozen=True, slots=True)
class FileStatus:
    """One file that differs from the last commit."""

    path: str
    standing: Standing
    is_staged: bool


@dataclass(frozen=True, slots=True)
class RepositoryStatus:
    """The branch (None: detached), the short hash of the last commit (None: there is none), what differs."""

    branch: str | None
    head: str | None
    files: tuple[FileStatus, ...]


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit; `files` are those of the project that it changed, where they were asked for."""

    short_hash: str
    author: str
    date: str
    subject: str
    files: tuple[str, ...] = ()


class Repository:
    """The repository around a project's folder. Raises `NoRepository` when there is none."""

    def __init__(self, root: Path) -> None:
        self._root = root.resolve()
        self._git = _commands(self._root)
        self._top, self._prefix = self._place()

    def _place(self) -> tuple[Path, str]:
        """The top folder of the working tree, and the project's path in it."""
        try:
            top, _end, prefix = self._run("rev-parse", "--show-toplevel", "--show-prefix").partition("\n")
        except GitFailed as failed:
            said = str(failed)
            if "not a git repository" in said or "must be run in a work tree" in said:
                raise NoRepository from failed
            raise
        return Path(top), prefix.strip("\n").rstrip("/")

    # ------------------------------------------------------------ reading

    def status(self) -> RepositoryStatus:
        """What differs from the last commit, below the project's folder."""
        branch = self._optional("symbolic-ref", "--quiet", "--short", "HEAD")
        head = self._optional("rev-parse", "--short", "--verify", "--quiet", "HEAD")
        listed = self._run("status", "--porcelain=v1", "-z", "--no-renames", "-uall", "--", ".")
        return RepositoryStatus(branch, head, tuple(self._statuses(listed.split("\0"))))

    def _statuses(self, records: Iterable[str]) -> Iterator[FileStatus]:
        for record in records:
            if record:
                path = self._inside(record[3:])
                yield FileStatus(path, _standing(record[0], record[1]), record[0] not in " ?")

    def diff(self) -> str:
        """The unified diff of the project's tracked files against the last commit."""
        against = ("HEAD",) if self._has_commits() else ("--cached",)
        return self._run("diff", "--no-ext-diff", "--no-textconv", "--relative", *against, "--", ".")

    def log(self, count: int) -> tuple[Commit, ...]:
        """The newest commits that touch the project, newest first."""
        if not self._has_commits():
            return ()
        form = _FIELD.join(("%h", "%an <%ae>", "%cI", "%s"))
        lines = self._run("log", f"-{count}", f"--format={form}", "--", ".").splitlines()
        return tuple(_commit(line) for line in lines if line)

    def changed_since(self, moment: float) -> dict[str, float]:
        """The files that commits since a moment (seconds) changed, with the time of the newest of them."""
        if not self._has_commits():
            return {}
        since = f"--since={int(moment)}"
        listed = self._run(
            "log", since, f"--format={_FIELD}%ct", "--name-only", "--relative", "-z", "--", "."
        )
        found: dict[str, float] = {}
        for commit in listed.split(_FIELD)[1:]:
            time, _end, paths = commit.partition("\0")
            for path in paths.strip("\n").split("\0"):
                found.setdefault(path.strip("\n"), float(time))
        return found

    def committed_texts(self, paths: Sequence[str]) -> dict[str, bytes]:
        """The bytes of files in the last commit; those that are not in it are left out."""
        asked = [path for path in paths if "\n" not in path]
        with tempfile.TemporaryFile() as questions:
            for path in asked:
                questions.write(
                    f"HEAD:{posixpath.join(self._prefix, path)}\n".encode("utf-8", "surrogateescape")
                )
            questions.seek(0)
            _status, output, _errors = self._execute(("cat-file", "--batch"), questions)
        return dict(_blobs(asked, output))

    def never_committed(self, paths: Sequence[str]) -> tuple[str, ...]:
        """Which of the files are not in the last commit, so that git cannot bring them back."""
        if not paths:
            return ()
        if not self._has_commits():
            return tuple(paths)
        listed = self._run("ls-tree", "-r", "-z", "--name-only", "HEAD", "--", *paths)
        known = {path for path in listed.split("\0") if path}
        return tuple(path for path in paths if path not in known)

    def ignored(self, paths: Sequence[str]) -> frozenset[str]:
        """Which of the files git is told to ignore and does not track."""
        if not paths:
            return frozenset()
        listed = self._run("ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--", *paths)
        return frozenset(path for path in listed.split("\0") if path)

    def is_elsewhere(self, path: str) -> bool:
        """Whether a file belongs to another repository inside of this one (a submodule)."""
        folder = (self._root / path).parent
        inside = [each for each in (folder, *folder.parents) if each.is_relative_to(self._top)]
        return any((each / ".git").exists() for each in inside if each != self._top)

    # ------------------------------------------------------------ committing

    def commit(self, message: str, paths: Sequence[str]) -> Commit:
        """Commit exactly these files as they are on disk; deleted ones are deleted. Hooks run.

        What else is staged stays staged. Raises `GitFailed` with git's own words, the index as before.
        """
        fresh = [path for path in paths if self._is_untracked(path)]
        if fresh:
            # `--only` takes files that the index knows by name.
            self._run("add", "--intent-to-add", "--", *fresh)
        try:
            self._run("commit", "--quiet", "--only", f"--message={message}", "--", *paths)
        except GitFailed:
            if fresh:
                self._run("rm", "--cached", "--quiet", "--force", "--ignore-unmatch", "--", *fresh)
            raise
        made = self.log(1)[0]
        return Commit(made.short_hash, made.author, made.date, made.subject, tuple(paths))

    def _is_untracked(self, path: str) -> bool:
        return not self._run("ls-files", "-z", "--", path) and os.path.lexists(self._root / path)

    # ------------------------------------------------------------ git

    def _has_commits(self) -> bool:
        return self._optional("rev-parse", "--verify", "--quiet", "HEAD") is not None

    def _inside(self, path: str) -> str:
        """A path of the repository as one of the project."""
        return path[len(self._prefix) + 1 :] if self._prefix else path

    def _optional(self, *arguments: str) -> str | None:
        """The answer of a question whose failure means no."""
        status, output, _errors = self._execute(arguments)
        return output.decode("utf-8", "surrogateescape").strip("\n") if status == 0 else None

    def _run(self, *arguments: str) -> str:
        status, output, errors = self._execute(arguments)
        if status != 0:
            said = errors.strip() or output.decode("utf-8", "replace").strip()
            raise GitFailed(_first_lines(said) or f"git {arguments[0]} failed")
        return output.decode("utf-8", "surrogateescape")

    def _execute(self, arguments: Sequence[str], questions: BinaryIO | None = None) -> tuple[int, bytes, str]:
        import git  # noqa: PLC0415 - 80 ms that only those wait for who ask git something

        try:
            status, output, errors = self._git.execute(
                ["git", *_READING, *arguments],
                istream=questions,
                with_extended_output=True,
                with_exceptions=False,
                stdout_as_string=False,
                strip_newline_in_stdout=False,
                env=_PLAIN,
            )
        except (git.exc.GitError, OSError) as error:
            raise GitFailed(str(error)) from error
        return int(status), _octets(output), _text(errors)


def _commands(root: Path) -> git.Git:
    os.environ.setdefault("GIT_PYTHON_REFRESH", "quiet")
    import git  # noqa: PLC0415 - see `_execute`

    return git.Git(root)


def _commit(line: str) -> Commit:
    short_hash, author, date, subject = line.split(_FIELD, 3)
    return Commit(short_hash, author, date, subject)


def has_repository(root: Path) -> bool:
    """Whether some folder at or above looks like a repository; asks the file system only."""
    here = root.resolve()
    return any((each / ".git").exists() for each in (here, *here.parents))


def _standing(index: str, tree: str) -> Standing:
    pair = index + tree
    if pair == "??":
        return Standing.UNTRACKED
    if "U" in pair or pair in ("AA", "DD"):
        return Standing.UNMERGED
    if "D" in pair:
        return Standing.DELETED
    return Standing.ADDED if index == "A" else Standing.MODIFIED


def _blobs(paths: Iterable[str], output: bytes) -> Iterator[tuple[str, bytes]]:
    """The answers of `cat-file --batch`: a line, and for what is there its bytes and a line end."""
    at = 0
    for path in paths:
        end = output.find(b"\n", at)
        if end < 0:
            return
        *_hash, kind, size = output[at:end].rsplit(b" ", 2)
        at = end + 1
        if size.isdigit():
            if kind == b"blob":
                yield path, output[at : at + int(size)]
            at += int(size) + 1


def _octets(output: object) -> bytes:
    return output if isinstance(output, bytes) else str(output).encode("utf-8", "surrogateescape")


def _text(output: object) -> str:
    return output.decode("utf-8", "replace") if isinstance(output, bytes) else str(output)


def _first_lines(text: str) -> str:
    """What a person is shown of a failure; hooks may say a lot."""
    return "\n".join(text.splitlines()[:40])
