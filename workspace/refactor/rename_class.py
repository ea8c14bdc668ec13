"""Planning the rename of a class (changes.md 6).

Comes in: a state in which every source of the project is indexed, loaded or not.
Guarantees: the change rewrites exactly the mentions that the index knows, in their
units as memory has them, and touches nothing else. Leaves: compiling and carrying out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator

from changelog.entry import ChangeKind, FileMove, Footprint, NewEntry, Site
from lang.dataclass import replace
from lang.source import apply_edits
from workspace import drafting
from workspace.change import Change, Operation, Refusal
from workspace.footprint import class_key, footprint, path_key
from workspace.operations import flushability
from workspace.refactor import naming_refusals, sites
from workspace.refactor.names import renamed_path
from workspace.refactor.naming_refusals import PathExists
from workspace.refactor.rewrite import class_edits, denotes
from workspace.state import ImageState, StateBuilder
from workspace.xref import Reference

ReadTranscripts = Callable[[], Iterable[tuple[str, str]]]
"""The project's transcripts by path: text that no image holds, but in which people name classes."""


def rename_class(
    old: str, new: str, exists: PathExists, transcripts: ReadTranscripts = lambda: ()
) -> Operation:
    """The operation `renameTo:`."""

    def plan(state: ImageState) -> Change | Refusal:
        return _refusal(state, old, new, exists) or _planned(state, old, new, transcripts)

    return plan


def _refusal(state: ImageState, old: str, new: str, exists: PathExists) -> Refusal | None:
    path = state.path_of(old)
    return (
        naming_refusals.unknown_class(state, old)
        or naming_refusals.protected_class(state, old, "rename")
        or naming_refusals.bad_class_name(new)
        or naming_refusals.name_taken(state, new)
        or (
            naming_refusals.file_in_the_way(state, path, renamed_path(path, old, new), exists)
            if path
            else None
        )
    )


def _planned(state: ImageState, old: str, new: str, transcripts: ReadTranscripts) -> Change | Refusal:
    builder = StateBuilder(state)
    rows = by_unit(mentions_of(state, old))
    for lineage, found in rows.items():
        unit = state.units[lineage]
        text = apply_edits(unit.text, class_edits((row.mention for row in found), new))
        builder.put(replace(unit, text=text))
    builder.rename_class(old, new)
    moves = _moved_file(builder, state, old, new)
    entry = NewEntry(
        kind=ChangeKind.RENAME_CLASS,
        class_name=new,
        old_class=old,
        old_path=moves[0].old if moves else None,
        new_path=moves[0].new if moves else None,
        edits=drafting.edits_between(builder, _sites(state, rows)),
        files=moves,
        prose_sites=_left_alone(state, old, transcripts()),
        source_file=state.path_of(old),
        not_flushable_reason=flushability.reason_for_class(state, old),
    )
    return drafting.change(builder, entry, footprint=_footprint(state, old, new, moves))


def _left_alone(state: ImageState, old: str, transcripts: Iterable[tuple[str, str]]) -> tuple[Site, ...]:
    """All that speaks of the class and is not rewritten (changes.md 6)."""
    texts = tuple(transcripts)
    return (
        *sites.prose_sites(state, old),
        *(site for path, text in texts for site in sites.transcript_sites(path, text, old)),
        *sites.file_name_sites(state, (*state.disk, *(path for path, _text in texts)), old),
    )


def mentions_of(state: ImageState, name: str) -> Iterator[Reference]:
    """Every mention of the project's class `name`, in whatever source of the image."""
    return (row for row in state.index.references_to(name) if denotes(row.mention, name, state.package))


def by_unit(rows: Iterable[Reference]) -> dict[int, list[Reference]]:
    """Rows gathered by the lineage of their unit."""
    gathered: dict[int, list[Reference]] = defaultdict(list)
    for row in rows:
        gathered[row.lineage].append(row)
    return dict(gathered)


def _sites(state: ImageState, rows: dict[int, list[Reference]]) -> dict[int, tuple[Site, ...]]:
    return {
        lineage: tuple(sites.mention_site(state, row) for row in found) for lineage, found in rows.items()
    }


def _moved_file(builder: StateBuilder, state: ImageState, old: str, new: str) -> tuple[FileMove, ...]:
    path = state.path_of(old)
    target = renamed_path(path, old, new) if path is not None else None
    if path is None or target is None or target == path:
        return ()
    builder.move_file(path, target)
    return (FileMove(path, target),)


def _footprint(state: ImageState, old: str, new: str, moves: tuple[FileMove, ...]) -> Footprint:
    key = class_key(state, old)
    assert key is not None
    renamed = replace(key, spelling=new)
    gone = [path_key(move.old) for move in moves if move.old is not None]
    come = [path_key(move.new) for move in moves if move.new is not None]
    return footprint(introduces=[renamed, *come], retires=[key, *gone])
