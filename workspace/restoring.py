"""Doing a recorded change of an earlier session again (changes.md 2.3).

Comes in: an entry of an earlier epoch and a state loaded from disk. Guarantees: the change
is made only where disk still has the text that it was made on; what comes out is a new
entry of this epoch. Leaves: which entries, and in which order, to `history`.
"""

from __future__ import annotations

from collections.abc import Sequence

from changelog.entry import ChangeKind, Edit, Entry, NewEntry, UnitAddress
from changelog.indentation import same_text_but_indentation
from lang.dataclass import replace
from lang.syntax.units import UnitKind
from workspace import drafting
from workspace.change import Change, Operation, Refusal, RetiredSelector
from workspace.hierarchy import ClassTree, class_tree
from workspace.refactor.replay import forwards
from workspace.state import ImageState, StateBuilder, Unit
from workspace.undo import address_after


def restore_entry(entry: Entry, flushed_later: Sequence[Entry] = ()) -> Operation:
    """The operation that makes the change of `entry` again; refused as `external_edit` when disk has moved on.

    `flushed_later` are renames and moves logged after it that have reached the disk: the change is made with them applied.
    """

    def plan(state: ImageState) -> Change | Refusal:
        tree = class_tree(state)
        moved_on = entry
        for rename in flushed_later:
            moved_on = _after_rename(moved_on, rename, tree)
        return _Restoring(state, moved_on).change()

    return plan


def _after_rename(entry: Entry, rename: Entry, tree: ClassTree) -> Entry:
    """The entry as it would have been logged had the rename come before it."""
    paths = {move.old: move.new for move in rename.files if move.old is not None and move.new is not None}
    is_of_class = rename.kind is ChangeKind.RENAME_CLASS and rename.old_class == entry.class_name
    return replace(
        entry,
        class_name=rename.class_name if is_of_class else entry.class_name,
        edits=tuple(_edit_after(edit, rename, tree) for edit in entry.edits),
        files=tuple(replace(move, old=paths.get(move.old or "", move.old)) for move in entry.files),
        source_file=paths.get(entry.source_file or "", entry.source_file),
    )


def _edit_after(edit: Edit, rename: Entry, tree: ClassTree) -> Edit:
    return replace(
        edit,
        before_address=_address(edit.before_address, rename),
        after_address=_address(edit.after_address, rename),
        before=_text(edit, edit.before_address, edit.before, rename, tree),
        after=_text(edit, edit.after_address, edit.after, rename, tree),
    )


def _address(address: UnitAddress | None, rename: Entry) -> UnitAddress | None:
    if address is None:
        return None
    new = address_after(address, (rename,))
    is_renamed_method = rename.kind is ChangeKind.RENAME_METHOD and (
        (address.name.owner, address.name.side, address.name.member)
        == (rename.class_name, rename.side, rename.old_selector)
    )
    return replace(new, name=replace(new.name, member=rename.selector or "")) if is_renamed_method else new


def _text(
    edit: Edit, address: UnitAddress | None, text: str | None, rename: Entry, tree: ClassTree
) -> str | None:
    if address is None or text is None:
        return text
    column = edit.column if edit.column is not None else _column(address)
    return forwards(rename, edit.lineage, address.name, text, column, tree)


class _Moved(Exception):
    """The state no longer has what the entry was made on."""


class _Restoring:
    """One entry being made again; lineages of the earlier session are matched by address."""

    def __init__(self, state: ImageState, entry: Entry) -> None:
        self._state = state
        self._entry = entry
        self._builder = StateBuilder(state)

    def change(self) -> Change | Refusal:
        """The change, or why it cannot be."""
        entry = self._entry
        try:
            pairs = [(edit, self._unit_of(edit)) for edit in entry.edits]
            self._rename_class()
            self._move_files()
            edits = tuple(self._made_again(edit, unit) for edit, unit in pairs)
        except _Moved as moved:
            return Refusal("runtime_error", str(moved))
        self._drop_emptied_files()
        return drafting.change(self._builder, self._new_entry(edits), retired=self._retired())

    def _unit_of(self, edit: Edit) -> Unit | None:
        """The unit of this session that the edit was made on; None for a unit that it adds."""
        if edit.before_address is None or edit.before is None:
            if edit.after_address is not None and self._at(edit.after_address) is not None:
                raise _Moved("external_edit")
            return None
        unit = self._at(edit.before_address)
        if unit is None or not same_text_but_indentation(unit.text, edit.before):
            raise _Moved("external_edit")
        return unit

    def _at(self, address: UnitAddress) -> Unit | None:
        owner = address.name.owner.rpartition("@")[2]
        for unit in self._state.units_of(owner):
            if unit.name == address.name and unit.path == address.path:
                return unit
        return None

    def _rename_class(self) -> None:
        entry = self._entry
        if entry.kind is ChangeKind.RENAME_CLASS and entry.old_class is not None:
            if entry.old_class not in self._state.classes or entry.class_name in self._state.classes:
                raise _Moved("external_edit")
            self._builder.rename_class(entry.old_class, entry.class_name)

    def _move_files(self) -> None:
        for move in self._entry.files:
            if move.new is not None and self._builder.file(move.new) is not None:
                raise _Moved("target_exists")
            if move.old is not None and self._builder.file(move.old) is None:
                raise _Moved("relocated_or_deleted")
            if move.old is not None and move.new is not None:
                self._builder.move_file(move.old, move.new)

    def _made_again(self, edit: Edit, unit: Unit | None) -> Edit:
        if edit.after is None or edit.after_address is None:
            assert unit is not None
            self._builder.drop(unit.lineage)
            return drafting.edit_of(unit, None)
        lineage = unit.lineage if unit is not None else self._builder.new_lineage()
        column = edit.column if edit.column is not None else _column(edit.after_address)
        new = Unit(lineage, edit.after_address, edit.after, column)
        self._builder.put(new)
        return drafting.edit_of(unit, new, edit.sites)

    def _drop_emptied_files(self) -> None:
        for move in self._entry.files:
            file = self._builder.file(move.old) if move.old is not None and move.new is None else None
            if file is not None and not file.lineages:
                self._builder.drop_file(file.path)

    def _retired(self) -> tuple[RetiredSelector, ...]:
        entry = self._entry
        if entry.kind is not ChangeKind.RENAME_METHOD or entry.side is None:
            return ()
        lineage = self._state.classes.get(entry.class_name)
        if lineage is None or entry.old_selector is None or entry.selector is None:
            return ()
        return (RetiredSelector(lineage, entry.side, entry.old_selector, entry.selector),)

    def _new_entry(self, edits: tuple[Edit, ...]) -> NewEntry:
        entry = self._entry
        return NewEntry(
            kind=entry.kind,
            class_name=entry.class_name,
            selector=entry.selector,
            side=entry.side,
            old_class=entry.old_class,
            old_selector=entry.old_selector,
            old_path=entry.old_path,
            new_path=entry.new_path,
            edits=edits,
            files=entry.files,
            candidate_sites=entry.candidate_sites,
            excluded_sites=entry.excluded_sites,
            prose_sites=entry.prose_sites,
            source_file=entry.source_file,
            intent=entry.intent,
            author_kind=entry.author_kind,
        )


def _column(address: UnitAddress) -> int:
    return 2 if address.name.kind in (UnitKind.METHOD, UnitKind.DATA) else 0
