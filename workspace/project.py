"""A project on disk: its root, its manifest, its source files (workspace.md 1.1).

Comes in: folders. Guarantees: paths of sources are relative to the root with `/`, in the
same order on every machine; what the rules skip is never listed. Leaves: reading the
sources, and dependencies. Reads only; nothing here writes.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from enum import Enum
from pathlib import Path

from lang.dataclass import dataclass
from lang.diagnostics import Diagnostic, Severity
from lang.source import SourceText, Span
from workspace.manifest import MANIFEST_NAME, Manifest, ManifestReading, read_manifest

SOURCE_SUFFIX = ".bt"
TRANSCRIPT_SUFFIX = ".btscript"


class SourceSet(Enum):
    """Which folders of a project are meant."""

    SOURCES = ("src",)
    TESTS = ("test",)
    ALL = ("src", "test")


@dataclass(frozen=True, slots=True)
class NoManifest:
    """There is no manifest where one is needed (kind `file_not_found`)."""

    folder: Path

    def reason(self) -> str:
        """The text of workspace.md 1.2."""
        return f"No {MANIFEST_NAME} found in: {self.folder}"


@dataclass(frozen=True, slots=True)
class BrokenManifest:
    """The manifest has errors: nothing loads (kind `manifest_error`)."""

    reading: ManifestReading

    def reason(self) -> str:
        """Every problem on its own line, as commands print them."""
        return "\n".join(self.reading.lines())


@dataclass(frozen=True, slots=True)
class Project:
    """A project whose manifest is right; `reading` holds warnings and errors of `[diagnostics]`."""

    root: Path
    manifest: Manifest
    reading: ManifestReading

    def sources(self, which: SourceSet = SourceSet.SOURCES) -> tuple[str, ...]:
        """The `.bt` files, relative to the root, in order of their paths."""
        return files_below(self.root, which, SOURCE_SUFFIX)

    def transcripts(self) -> tuple[str, ...]:
        """The `.btscript` files below `test/`, in order of their paths."""
        return files_below(self.root, SourceSet.TESTS, TRANSCRIPT_SUFFIX)


def find_root(start: Path) -> Path | None:
    """The nearest folder at or above `start` that has a manifest."""
    here = start.absolute()
    return next((each for each in (here, *here.parents) if (each / MANIFEST_NAME).is_file()), None)


def open_project(root: Path) -> Project | NoManifest | BrokenManifest:
    """The project in a folder. Raises `OSError` only when a manifest that is there cannot be read."""
    try:
        data = (root / MANIFEST_NAME).read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return NoManifest(root)
    reading = _decoded(data)
    if reading.manifest is None:
        return BrokenManifest(reading)
    return Project(root, reading.manifest, reading)


def _decoded(data: bytes) -> ManifestReading:
    try:
        return read_manifest(data.decode("utf-8-sig").replace("\r\n", "\n"))
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8", "replace")
        source = SourceText(before, MANIFEST_NAME)
        message = f"not UTF-8: invalid byte at offset {error.start}"
        return ManifestReading(
            source, None, (Diagnostic(Severity.ERROR, message, Span(len(before), len(before))),)
        )


def files_below(root: Path, which: SourceSet, suffix: str) -> tuple[str, ...]:
    """The files of a suffix in the named folders; order is by code points of the path."""
    true_root = root.resolve()
    found = [
        path
        for folder in which.value
        if (root / folder).is_dir()
        for path in _walk(root / folder, folder, suffix, true_root, frozenset())
    ]
    return tuple(sorted(found))


def _walk(folder: Path, name: str, suffix: str, root: Path, above: frozenset[Path]) -> Iterator[str]:
    """The files below one folder. `above` holds the true folders on the way down, so that links cannot turn in circles."""
    here = folder.resolve()
    if here in above or not here.is_relative_to(root):
        return
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith((".", "_")):
                continue
            path = f"{name}/{entry.name}"
            if _turns_in_a_circle(entry):
                continue
            if entry.is_dir():
                if not (folder / entry.name / MANIFEST_NAME).is_file():
                    yield from _walk(folder / entry.name, path, suffix, root, above | {here})
            elif entry.name.endswith(suffix) and entry.is_file() and _stays_inside(entry, root):
                yield path


def _turns_in_a_circle(entry: os.DirEntry[str]) -> bool:
    """Whether a link names itself: it leads nowhere, as one whose target is missing."""
    if not entry.is_symlink():
        return False
    try:
        entry.stat()
    except OSError as error:
        return error.errno == errno.ELOOP
    return False


def _stays_inside(entry: os.DirEntry[str], root: Path) -> bool:
    return not entry.is_symlink() or Path(entry.path).resolve().is_relative_to(root)
