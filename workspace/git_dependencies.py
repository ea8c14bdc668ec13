"""The git dependencies of a project, brought to the commits of its lock (workspace.md 1.3, 6.12).

Comes in: a project. Guarantees: every git dependency that the project reaches is checked out at the commit
that the lock names, and the lock names exactly those; what the manifest now asks for in another way is
resolved again, alone, and told. Without need nothing is fetched. Leaves: what is loaded to `dependencies`.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from workspace.checkouts import Git, GitFailed, changed_files, check_out, commit_of, refused_source
from workspace.dependencies import GIT_CHECKOUTS
from workspace.lock_file import LOCK_NAME, BrokenLock, Pin, lock_text, read_lock
from workspace.manifest import Dependency, GitSource, PathSource
from workspace.project import Project, open_project

_MOST_LOCK_BYTES = 1 << 20


class CannotFetch(Exception):
    """A git dependency cannot be had; the text is for people."""


@dataclass(slots=True)
class Fetched:
    """What was done: the pins that now hold, and what a person should know."""

    pins: dict[str, Pin]
    notes: list[str] = field(default_factory=list)


def read_pins(root: Path) -> dict[str, Pin]:
    """The pins of a project's lock; none when there is no lock. Raises `CannotFetch` when it cannot be read."""
    path = root / LOCK_NAME
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return {}
    if len(data) > _MOST_LOCK_BYTES:
        raise CannotFetch(f"{LOCK_NAME} is larger than {_MOST_LOCK_BYTES} bytes")
    pins = read_lock(data.decode("utf-8", "replace"))
    if isinstance(pins, BrokenLock):
        raise CannotFetch(pins.reason())
    return {pin.name: pin for pin in pins}


def write_pins(root: Path, pins: Mapping[str, Pin]) -> None:
    """Put the pins in the lock; without any there is no lock. Raises `OSError`."""
    path = root / LOCK_NAME
    if not pins:
        path.unlink(missing_ok=True)
        return
    text = lock_text(pins.values())
    if path.is_file() and path.read_text("utf-8") == text:
        return
    handle, draft = tempfile.mkstemp(dir=root, prefix=f".{LOCK_NAME}-")
    with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)
    Path(draft).chmod(0o644)
    Path(draft).replace(path)


def has_git_dependencies(project: Project) -> bool:
    """Whether git may be needed at all: the project or a dependency that is there asks for a repository."""
    found: list[Dependency] = []
    _walk(project, lambda _owner, dependency: found.append(dependency))
    return any(isinstance(each.source, GitSource) for each in found)


def fetch(project: Project, git: Git, *, moving: frozenset[str] = frozenset()) -> Fetched:
    """Check out what is missing or elsewhere. `moving` are resolved again whatever the lock says.

    Raises `CannotFetch`; then the lock, which this does not write, is as it was.
    """
    return _Fetch(project, git, moving, read_pins(project.root)).run()


@dataclass(slots=True)
class _Fetch:
    """One walk over the dependencies: what is checked out may ask for more."""

    project: Project
    git: Git
    moving: frozenset[str]
    locked: dict[str, Pin]

    def run(self) -> Fetched:
        done = Fetched({})

        def bring(owner: Project, dependency: Dependency) -> None:
            if isinstance(dependency.source, GitSource) and dependency.name not in done.pins:
                done.pins[dependency.name] = self._pinned(owner, dependency.name, dependency.source, done)

        _walk(self.project, bring)
        return done

    def _pinned(self, owner: Project, name: str, source: GitSource, done: Fetched) -> Pin:
        problem = refused_source(source)
        if problem is not None:
            raise CannotFetch(f"Dependency '{name}': {problem}")
        pin = self.locked.get(name)
        agrees = pin is not None and (pin.url, pin.reference) == (source.url, source.reference)
        if pin is not None and not agrees:
            done.notes.append(
                f"beamtalk.lock does not agree with the manifest on '{name}': resolving it again"
            )
        wanted = pin.sha if pin is not None and agrees and name not in self.moving else None
        checkout = self.project.root / GIT_CHECKOUTS / name
        if wanted is None or commit_of(self.git, checkout) != wanted:
            try:
                wanted = check_out(self.git, _located(owner.root, source), checkout, wanted)
            except GitFailed as failed:
                raise CannotFetch(f"Dependency '{name}' cannot be fetched: {failed}") from failed
        return Pin(name, source.url, source.reference, wanted)


def _located(root: Path, source: GitSource) -> GitSource:
    """A repository in a folder is named from the manifest that asks for it."""
    if "://" in source.url or not (root / source.url).is_dir():
        return source
    return replace(source, url=str((root / source.url).resolve()))


def _walk(project: Project, visit: Callable[[Project, Dependency], None]) -> None:
    """Every dependency, in manifest order, before what it asks for in turn; `visit` may put its folder there."""
    waiting, known = [project], {project.manifest.name}
    while waiting:
        owner = waiting.pop(0)
        for each in owner.manifest.dependencies:
            visit(owner, each)
            if each.name not in known:
                known.add(each.name)
                found = open_project(folder_of(project.root, owner, each))
                waiting += [found] if isinstance(found, Project) else []


def folder_of(root: Path, owner: Project, dependency: Dependency) -> Path:
    """Where a dependency is, or will be; `root` is that of the project as a whole."""
    match dependency.source:
        case PathSource(path=path):
            return (owner.root / path).resolve()
        case GitSource():
            return root / GIT_CHECKOUTS / dependency.name


def verify(project: Project, git: Git) -> Iterator[str]:
    """What of the checkouts is not as the lock has it, one line each. Raises `CannotFetch` for a broken lock."""
    pins = read_pins(project.root)
    wanted: dict[str, GitSource] = {}

    def note(_owner: Project, dependency: Dependency) -> None:
        if isinstance(dependency.source, GitSource):
            wanted.setdefault(dependency.name, dependency.source)

    _walk(project, note)
    for name, source in wanted.items():
        yield from _differences(name, source, pins.get(name), project.root / GIT_CHECKOUTS / name, git)
    for name in pins.keys() - wanted.keys():
        yield f"{name} is in {LOCK_NAME}, and nothing asks for it"


def _differences(name: str, source: GitSource, pin: Pin | None, checkout: Path, git: Git) -> Iterator[str]:
    if pin is None:
        yield f"{name} is not in {LOCK_NAME}"
        return
    if (pin.url, pin.reference) != (source.url, source.reference):
        yield f"{name} is locked as {pin.url} @ {pin.reference}, the manifest asks for {source.url} @ {source.reference}"
    present = commit_of(git, checkout)
    if present is None:
        yield f"{name} is not checked out"
    elif present != pin.sha:
        yield f"{name} is checked out at {present[:7]}, locked at {pin.short}"
    else:
        for path in changed_files(git, checkout):
            yield f"{name}: {path} is not as it was committed"
