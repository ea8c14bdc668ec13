"""Who makes changes: git's user where there is one, else the login (changes.md 2.1, 10).

Comes in: a project folder. Guarantees: asked once; never fails. git is loaded in a thread of
its own (it takes 80 ms), so that neither the start nor the first change waits for it longer
than it takes. Leaves: what kind of author it is to the session.
"""

from __future__ import annotations

import getpass
import os
import threading
from pathlib import Path


class Authorship:
    """The author of changes made in one workspace."""

    def __init__(self, root: Path | None) -> None:
        self._root = root
        self._name = ""
        self._thread: threading.Thread | None = None

    def prefetch(self) -> None:
        """Begin to find out, without waiting."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._find, name="beamtalk-author", daemon=True)
            self._thread.start()

    def __call__(self) -> str:
        """The author as `Name <address>`, or the login name."""
        self.prefetch()
        assert self._thread is not None
        self._thread.join()
        return self._name

    def _find(self) -> None:
        self._name = git_author(self._root) or login_name()


def git_author(root: Path | None) -> str | None:
    """Git's user of the repository around a folder, or of the person; None without git or user."""
    os.environ.setdefault("GIT_PYTHON_REFRESH", "quiet")
    import git  # noqa: PLC0415 - 80 ms that a start must not wait for

    try:
        reader = git.Repo(root, search_parent_directories=True).config_reader()
    except (git.exc.GitError, OSError, ValueError):
        return _user_in_global_configuration()
    try:
        return _author(str(reader.get_value("user", "name", "")), str(reader.get_value("user", "email", "")))
    except (git.exc.GitError, OSError, ValueError):
        return None


def _user_in_global_configuration() -> str | None:
    from git.config import GitConfigParser  # noqa: PLC0415 - see above

    path = Path.home() / ".gitconfig"
    if not path.is_file():
        return None
    reader = GitConfigParser(str(path), read_only=True)
    try:
        return _author(str(reader.get_value("user", "name", "")), str(reader.get_value("user", "email", "")))
    except (OSError, ValueError):
        return None


def _author(name: str, address: str) -> str | None:
    if not name and not address:
        return None
    return f"{name} <{address}>" if address else name


def login_name() -> str:
    """The login of the process's user; `unknown` where the system does not say."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "unknown"
