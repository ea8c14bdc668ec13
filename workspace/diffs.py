"""Unified diffs of single changes, against what disk holds (changes.md 2.2, 6 "Preview").

Comes in: a state before the change, and its entry. Guarantees: hunks come from the spans of
the edits, never from comparing whole files. Leaves: diffs of a flush to its plan.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from changelog.entry import Edit, FileMove, NewEntry
from lang.source import Span, TextEdit
from workspace.flush.diff import created_diff, deleted_diff, unified_diff
from workspace.flush.file_text import decoded
from workspace.flush.view import DiskFile
from workspace.manifest_source import cut_bytes


def entry_diff(disk: Mapping[str, DiskFile], entry: NewEntry) -> str:
    """The difference that an entry makes to the files of `disk`; empty when it makes none there."""
    moved = {move.old: move.new for move in entry.files if move.old is not None}
    pieces = [_file_operation(disk, move) for move in entry.files]
    for path, edits in sorted(_by_file(disk, entry.edits).items()):
        if moved.get(path, path) is None:
            continue
        text = decoded(disk[path].data).text
        pieces.append(unified_diff(path, moved.get(path, path), text, edits))
    return "".join(pieces)


def _file_operation(disk: Mapping[str, DiskFile], move: FileMove) -> str:
    if move.old is None and move.new is not None:
        return created_diff(move.new, move.text or "")
    if move.new is None and move.old is not None and move.old in disk:
        return deleted_diff(move.old, decoded(disk[move.old].data).text)
    return ""


def _by_file(disk: Mapping[str, DiskFile], edits: Iterable[Edit]) -> dict[str, list[TextEdit]]:
    by_lineage = {edit.lineage: edit for edit in edits}
    found: dict[str, list[TextEdit]] = defaultdict(list)
    for path, file in disk.items():
        if not any(unit.lineage in by_lineage for unit in file.units):
            continue
        cuts = cut_bytes(path, file.data)
        for unit, cut in zip(file.units, cuts, strict=False):
            edit = by_lineage.pop(unit.lineage, None)
            if edit is not None:
                found[path].append(TextEdit(cut.span, edit.after or ""))
    for edit in by_lineage.values():
        _add_new(disk, found, edit)
    return found


def _add_new(disk: Mapping[str, DiskFile], found: dict[str, list[TextEdit]], edit: Edit) -> None:
    """A unit that is not on disk yet, shown at the end of its file."""
    address = edit.after_address
    if address is None or address.path is None or address.path not in disk or edit.after is None:
        return
    end = len(decoded(disk[address.path].data).text)
    found[address.path].append(TextEdit(Span(end, end), f"\n{' ' * (edit.column or 0)}{edit.after}\n"))
