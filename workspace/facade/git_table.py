"""`Workspace git` as Beamtalk sees it (changes.md 10).

Guarantees: git runs in a thread, and only the process that asks waits for it; what git refuses is a
`runtime_error` with git's own words. Leaves: what the words are to `repository` and `commits`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from lang.dataclass import dataclass
from lang.runtime.errors import BeamtalkError
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.symbols import symbol
from lang.stdlib.blocking import run_blocking
from workspace.commits import Flushes, PlannedCommit, commit, never_committed, plan_commit
from workspace.facade.values import beamtalk_list, record, text_argument, type_error
from workspace.flush.plan import FlushPlan
from workspace.repository import Commit, FileStatus, GitFailed, NoRepository, Repository, RepositoryStatus

if TYPE_CHECKING:
    from workspace.workspace import Workspace

T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class GitObject:
    """`Workspace git`; its methods may only be called on the evaluator."""

    workspace: Workspace

    def status(self) -> tuple[RepositoryStatus, PlannedCommit]:
        """What differs from the last commit, and what a commit would take."""
        root, flushes = self._root(), self._flushes()
        return self._asked(lambda: (Repository(root).status(), plan_commit(root, flushes)), "status")

    def diff(self) -> str:
        """The difference to the last commit."""
        root = self._root()
        return self._asked(lambda: Repository(root).diff(), "diff")

    def log(self, count: int) -> tuple[Commit, ...]:
        """The newest commits."""
        root = self._root()
        return self._asked(lambda: Repository(root).log(count), "log:")

    def commit(self, message: str) -> Commit:
        """Commit what was flushed."""
        root, flushes = self._root(), self._flushes()
        return self._asked(lambda: commit(root, flushes, message), "commit:")

    def planned(self) -> PlannedCommit:
        """What `commit` would take."""
        root, flushes = self._root(), self._flushes()
        return self._asked(lambda: plan_commit(root, flushes), "commit:")

    def never_committed(self, planned: FlushPlan) -> tuple[str, ...]:
        """The files of a plan that git cannot bring back; without a git that answers, none is known."""
        if self.workspace.project is None:
            return ()
        root = self._root()
        try:
            return self._asked(lambda: never_committed(root, planned), "neverCommitted")
        except BeamtalkError:
            return ()

    def _root(self) -> Path:
        if self.workspace.project is None:
            raise _failed(NoRepository(), "git")
        return self.workspace.root

    def _flushes(self) -> Flushes:
        log = self.workspace.log
        return Flushes(tuple(log.entries), tuple(log.marks), self.workspace.state.disk)

    def _asked(self, question: Callable[[], T], selector: str) -> T:
        try:
            return run_blocking(self.workspace.runtime, question)
        except GitFailed as failed:
            raise _failed(failed, selector) from failed


def _failed(failed: GitFailed, selector: str) -> BeamtalkError:
    return BeamtalkError("runtime_error", str(failed), class_name="WorkspaceGit", selector=selector)


def git_table() -> PrimitiveTable:
    """The primitives of WorkspaceGit."""
    table = PrimitiveTable("WorkspaceGit")
    table.primitive("status")(_status)
    table.primitive("diff")(GitObject.diff)
    table.primitive("log:")(_log)
    table.primitive("commit:")(_commit)
    return table


def _status(git: GitObject) -> object:
    status, planned = git.status()
    return record(
        {
            "branch": status.branch,
            "head": status.head,
            "files": beamtalk_list(map(_file, status.files)),
            "flushed": beamtalk_list(planned.files),
        }
    )


def _file(file: FileStatus) -> object:
    return record({"path": file.path, "standing": symbol(file.standing.value), "isStaged": file.is_staged})


def _log(git: GitObject, count: object) -> object:
    if type(count) is not int or count < 0:
        raise type_error("WorkspaceGit", "log:", "an Integer that is not negative")
    return beamtalk_list(
        record({"hash": c.short_hash, "author": c.author, "date": c.date, "subject": c.subject})
        for c in git.log(count)
    )


def _commit(git: GitObject, message: object) -> object:
    made = git.commit(text_argument(message, "WorkspaceGit", "commit:"))
    return record({"hash": made.short_hash, "files": beamtalk_list(made.files)})
