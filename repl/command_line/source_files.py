"""Which source files a command is about, when it is given files and folders (workspace.md 1.1, 6.8).

Comes in: paths as typed. Guarantees: files in order of their paths, each once; in a folder what
the rules of projects skip is left out, and links that lead out of it; a folder outside of any project may hold several.
Leaves: reading them.
"""

from __future__ import annotations

import enum
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from repl.command_line.opening import CannotOpen
from workspace.manifest import MANIFEST_NAME
from workspace.project import find_root


def source_files(paths: Sequence[Path], suffixes: tuple[str, ...]) -> tuple[Path, ...]:
    """The files of the suffixes at or below the paths. Raises `CannotOpen` for a path that is missing."""
    found: dict[Path, None] = {}
    for path in paths:
        if path.is_dir():
            others = _Projects.MANY if find_root(path.resolve()) is None else _Projects.ONE
            found.update(dict.fromkeys(sorted(_below(path, path.resolve(), suffixes, others))))
        elif not path.exists():
            raise CannotOpen(f"error: {path}: no such file or folder")
        elif path.name.endswith(suffixes):
            found[path] = None
        else:
            raise CannotOpen(f"error: {path}: not a {' or '.join(suffixes)} file")
    return tuple(found)


class _Projects(enum.Enum):
    """Whether folders with a manifest of their own belong to what is meant."""

    ONE = "one"
    MANY = "many"


def _below(folder: Path, root: Path, suffixes: tuple[str, ...], projects: _Projects) -> Iterator[Path]:
    for entry in os.scandir(folder):
        path = folder / entry.name
        if entry.name.startswith((".", "_")) or not path.resolve().is_relative_to(root):
            continue
        if entry.is_dir(follow_symlinks=False):
            if projects is _Projects.MANY or not (path / MANIFEST_NAME).is_file():
                yield from _below(path, root, suffixes, projects)
        elif entry.name.endswith(suffixes) and path.is_file():
            yield path
