"""Planning the move of a class's file (changes.md 8)."""

from __future__ import annotations

from changelog.entry import ChangeKind, FileMove, NewEntry
from workspace import drafting
from workspace.change import Change, Operation, Refusal
from workspace.footprint import footprint, path_key
from workspace.refactor import naming_refusals
from workspace.refactor.naming_refusals import PathExists
from workspace.state import ImageState, StateBuilder


def move_class(name: str, target: str, exists: PathExists) -> Operation:
    """The operation `Workspace moveClass:to:`; aliases and extensions in the file move with it."""

    def plan(state: ImageState) -> Change | Refusal:
        return (
            naming_refusals.unknown_class(state, name)
            or naming_refusals.protected_class(state, name, "move")
            or _without_file(state, name)
            or naming_refusals.bad_target(state, name, target, exists)
            or _planned(state, name, target)
        )

    return plan


def _without_file(state: ImageState, name: str) -> Refusal | None:
    if state.path_of(name) is not None:
        return None
    return Refusal("no_source_file", f"{name} has no source file; dynamic classes have no file to move")


def _planned(state: ImageState, name: str, target: str) -> Change | Refusal:
    path = state.path_of(name)
    assert path is not None
    if path == target:
        return Refusal("target_exists", f"A file is in the way: {target}")
    builder = StateBuilder(state)
    builder.move_file(path, target)
    entry = NewEntry(
        ChangeKind.MOVE_CLASS,
        name,
        old_path=path,
        new_path=target,
        files=(FileMove(path, target),),
        source_file=path,
    )
    moved = footprint(introduces=[path_key(target)], retires=[path_key(path)])
    return drafting.change(builder, entry, footprint=moved)
