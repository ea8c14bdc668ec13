"""Where do the rows of a flush lie on this disk (changes.md 5.2).

Comes in: rows as (path, before, after). Guarantees of `resolve_rows`: no symlink on the way to a
path; a file with two names is one row; a linked source that is renamed has its link renamed and its
target edited. Guarantees of `arrange`: absolute paths; two paths that are one directory entry
(names equal but for case or Unicode normalisation) are one row; rows that change nothing are gone.
Leaves: whether the disk is as the rows expect, to `validate`.
"""

from __future__ import annotations

import errno
import os
import posixpath
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from workspace.flush.disk import Disk, EntryKind
from workspace.flush.rows import ABSENT, Content, FileState, LinkTo, Row, UnitEdit

_MOST_LINKS = 40


@dataclass(frozen=True, slots=True)
class Arranged:
    """One row on this disk: `before` stands at `path`, `after` goes to `target` (both absolute).

    The two differ only in spelling, and only where both spell one directory entry. `name` is the
    path as the plan says it.
    """

    name: str
    path: str
    target: str
    before: FileState
    after: FileState
    mode_from: str | None
    edits: tuple[UnitEdit, ...]

    @property
    def is_respelled(self) -> bool:
        """Whether only the spelling of the entry's name changes (and perhaps its bytes)."""
        return self.path != self.target


def arrange(disk: Disk, root: str, rows: Sequence[Row]) -> tuple[Arranged, ...]:
    """Rows by real, absolute path, case-only renames joined (changes.md 5.2, 5.5)."""
    placed = [
        _placed(root, name, row) for name, row in _resolved(disk, root, rows) if row.before != row.after
    ]
    return tuple(_join_spellings(disk, placed))


def _placed(root: str, name: str, row: Row) -> Arranged:
    path = posixpath.join(root, row.path)
    mode_from = None if row.mode_from is None else posixpath.join(root, row.mode_from)
    return Arranged(name, path, path, row.before, row.after, mode_from, row.edits)


def _join_spellings(disk: Disk, placed: list[Arranged]) -> list[Arranged]:
    leaving = [row for row in placed if row.after == ABSENT]
    joined: dict[str, Arranged] = {}
    for row in placed:
        if row.before == ABSENT and leaving:
            source = next((old for old in leaving if _is_one_entry(disk, old.path, row.path)), None)
            if source is not None:
                joined[row.path] = _respelled(disk, source, row)
                joined[source.path] = joined[row.path]
    rest = [joined.get(row.path, row) for row in placed]
    return list(dict.fromkeys(rest)) if joined else rest


def _respelled(disk: Disk, old: Arranged, new: Arranged) -> Arranged:
    folder, name = posixpath.split(old.path)
    in_force = next((n for n in disk.listdir(folder) if fold(n) == fold(name)), name)
    return Arranged(
        new.name, posixpath.join(folder, in_force), posixpath.join(folder, posixpath.basename(new.path)),
        old.before, new.after, new.mode_from, new.edits,
    )  # fmt: skip


def fold(name: str) -> str:
    """A file name without case and Unicode composition, as such file systems compare it."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def _is_one_entry(disk: Disk, old: str, new: str) -> bool:
    if fold(posixpath.basename(old)) != fold(posixpath.basename(new)):
        return False
    here, there = disk.lstat(old), disk.lstat(new)
    if here is None or there is None or not here.is_same_file(there):
        return False
    # Two hard links look the same so far; but then the folder lists both spellings.
    old_folder, new_folder = posixpath.dirname(old), posixpath.dirname(new)
    return len([n for n in disk.listdir(old_folder) if fold(n) == fold(posixpath.basename(old))]) == 1 and (
        _is_same_folder(disk, old_folder, new_folder)
    )


def _is_same_folder(disk: Disk, one: str, other: str) -> bool:
    here, there = disk.lstat(one), disk.lstat(other)
    return here is not None and there is not None and here.is_same_file(there)


# ---------------------------------------------------------------------------- symlinks


_Named = tuple[str, Row]
"""A row on real paths, with the path by which the plan knows it."""


def resolve_rows(disk: Disk, root: str, rows: Sequence[Row]) -> tuple[Row, ...]:
    """The same flush on real paths (changes.md 5.2); rows that are so already stay.

    A row of a linked source goes to the file behind the link. When that source is removed, the link
    goes too; when it moves (a created row with its path as `mode_from`), the link moves and the
    file behind it is edited. Raises `ValueError` when two names of one file want different bytes.
    """
    return tuple(row for _, row in _resolved(disk, root, rows))


def _resolved(disk: Disk, root: str, rows: Sequence[Row]) -> list[_Named]:
    resolver = _Resolver(disk, root)
    sources = [row.path for row in rows if isinstance(row.before, Content)]
    links = {path: link for path in sources if (link := resolver.link_at(path)) is not None}
    moved = {row.mode_from or "" for row in rows if row.before == ABSENT and row.mode_from in links}
    found: list[_Named] = []
    for row in rows:
        if row.path in links:
            real = _rows_of_linked(resolver, row, links[row.path], moved)
        elif row.mode_from in moved and row.before == ABSENT:
            real = _rows_of_moved_link(resolver, rows, row, links[row.mode_from or ""])
        else:
            real = [_with_real_folder(resolver, row)]
        found += [(row.path, each) for each in real]
    return _merged(found)


def _rows_of_linked(resolver: _Resolver, row: Row, link: LinkTo, moved: set[str]) -> list[Row]:
    real = resolver.real_path(row.path)
    if row.after != ABSENT:
        return [replace(row, path=real, mode_from=real)]
    entry = Row(resolver.entry_path(row.path), link, ABSENT)
    if row.path in moved:
        return [entry]
    return [entry, Row(real, row.before, ABSENT)]


def _rows_of_moved_link(resolver: _Resolver, rows: Sequence[Row], row: Row, link: LinkTo) -> list[Row]:
    old = next(other for other in rows if other.path == row.mode_from)
    real = resolver.real_path(old.path)
    entry, before = resolver.entry_path(row.path), resolver.entry_path(old.path)
    text = _moved_text(link.text, posixpath.dirname(before), posixpath.dirname(entry))
    linked = Row(entry, ABSENT, LinkTo(text))
    if old.before == row.after:
        return [linked]
    return [linked, Row(real, old.before, row.after, real, row.edits)]


def _moved_text(text: str, old_folder: str, new_folder: str) -> str:
    """The text of a link that moves between folders and must go on pointing to one file."""
    if posixpath.isabs(text) or old_folder == new_folder:
        return text
    return posixpath.relpath(posixpath.join("/", old_folder, text), posixpath.join("/", new_folder))


def _with_real_folder(resolver: _Resolver, row: Row) -> Row:
    path = resolver.entry_path(row.path)
    if row.mode_from is None or row.mode_from == row.path:
        return row if path == row.path else replace(row, path=path, mode_from=row.mode_from and path)
    return replace(row, path=path, mode_from=resolver.real_path(row.mode_from))


def _merged(rows: Iterable[_Named]) -> list[_Named]:
    """One row a path; the edits of two names of a file are joined."""
    found: dict[str, _Named] = {}
    for name, row in rows:
        if row.path not in found:
            found[row.path] = (name, row)
            continue
        first, other = found[row.path]
        if (other.before, other.after) != (row.before, row.after):
            raise ValueError(f"two names of {row.path} are to hold different text")
        found[row.path] = (first, replace(other, edits=tuple(dict.fromkeys(other.edits + row.edits))))
    return list(found.values())


class _Resolver:
    """Real paths of one flush; a folder is walked once."""

    def __init__(self, disk: Disk, root: str) -> None:
        self._disk = disk
        self._root = root
        self._folders: dict[str, str] = {}
        self._real_root = self._real(root)

    def link_at(self, path: str) -> LinkTo | None:
        """The symbolic link at a row's path, if one stands there."""
        absolute = posixpath.join(self._root, path)
        found = self._disk.lstat(absolute)
        if found is None or found.kind is not EntryKind.LINK:
            return None
        return LinkTo(self._disk.readlink(absolute))

    def entry_path(self, path: str) -> str:
        """The path with the symlinks of its folder resolved, not that of its last name."""
        folder, name = posixpath.split(posixpath.join(self._root, path))
        if folder not in self._folders:
            self._folders[folder] = self._real(folder)
        return self._relative(posixpath.join(self._folders[folder], name))

    def real_path(self, path: str) -> str:
        """The path with all symlinks resolved."""
        return self._relative(self._real(posixpath.join(self._root, path)))

    def _relative(self, path: str) -> str:
        inside = self._real_root.rstrip("/") + "/"
        return path.removeprefix(inside)

    def _real(self, path: str) -> str:
        at, names, links = "", path.split("/")[::-1], 0
        while names:
            name = names.pop()
            if name in ("", "."):
                continue
            if name == "..":
                at = at.rpartition("/")[0]
                continue
            entry = f"{at}/{name}"
            found = self._disk.lstat(entry)
            if found is None or found.kind is not EntryKind.LINK:
                at = entry
                continue
            links += 1
            if links > _MOST_LINKS:
                raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)
            text = self._disk.readlink(entry)
            at = "" if text.startswith("/") else at
            names += text.split("/")[::-1]
        return at or "/"
