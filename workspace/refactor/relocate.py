"""Following a file that somebody moved outside the workspace (changes.md 2.2, `relocate:to:`).

Comes in: a pending entry, and the path at which its file stands by now. Guarantees: memory takes the file's units
to the new path and changes nothing else, no text and no entry; what was edited in the file meanwhile is for the
next sync or flush to find. Leaves: the mark in the log to `history`.
"""

from __future__ import annotations

from changelog.entry import Entry
from lang.dataclass import replace
from lang.syntax.units import UnitKind
from workspace import drafting
from workspace.change import Change, Operation, Refusal
from workspace.refactor.names import matches_basename
from workspace.refactor.naming_refusals import PathExists, path_outside
from workspace.state import ImageState, StateBuilder


def relocate(entry: Entry, target: str, exists: PathExists) -> Operation:
    """The operation that lets the file of `entry` stand at `target`; it is not logged as a change."""

    def plan(state: ImageState) -> Change | Refusal:
        present = file_of(state, entry)
        if present is None:
            return Refusal("no_source_file", f"#{entry.seq} is about no file that was loaded")
        return _refusal(state, present, target, exists) or _planned(state, present, target)

    return plan


def file_of(state: ImageState, entry: Entry) -> str | None:
    """The path on disk of the file that an entry is about, as memory knows it."""
    lineages = {edit.lineage for edit in entry.edits}
    paths = [
        path for path, file in state.disk.items() if any(unit.lineage in lineages for unit in file.units)
    ]
    return entry.source_file if entry.source_file in paths else min(paths, default=None)


def _refusal(state: ImageState, present: str, target: str, exists: PathExists) -> Refusal | None:
    if path_outside(target):
        return Refusal("target_outside_project", f"target is outside the project source tree: {target}")
    if not exists(target):
        return Refusal("file_not_found", f"File not found: {target}")
    if target in state.files or target in state.disk:
        return Refusal("target_exists", f"A file is in the way: {target}")
    if exists(present):
        hint = "Workspace moveClass:to: moves a file."
        return Refusal("runtime_error", f"{present} is still there", hint)
    if present not in state.files:
        return Refusal("runtime_error", f"a pending change moves {present}; flush or revert it first")
    for lineage in state.files[present].lineages:
        unit = state.units[lineage]
        if unit.kind is UnitKind.HEADER and not matches_basename(target, unit.owner):
            text = f"class {unit.owner} does not match the basename of {target}"
            return Refusal("class_name_mismatch", text)
    return None


def _planned(state: ImageState, present: str, target: str) -> Change | Refusal:
    builder = StateBuilder(state)
    builder.move_file(present, target)
    builder.disk = builder.disk.delete(present).set(target, replace(state.disk[present], path=target))
    finished = drafting.finished(builder)
    if isinstance(finished, Refusal):
        return finished
    return Change(state, finished, frozenset(builder.touched))
