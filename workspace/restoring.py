"""Doing a recorded change of an earlier session again (changes.md 2.3).

Comes in: an entry of an earlier epoch and a state loaded from disk. Guarantees: the change
is made only where disk still has the text that it was made on; what comes out is a new
entry of this epoch. Leaves: which entries, and in which order, to `history`.
"""

from __future__ import annotations

from changelog.entry import ChangeKind, Edit, Entry, NewEntry, UnitAddress
from changelog.indentation import same_text_but_indentation
from lang.syntax.units import UnitKind
from workspace import drafting
from workspace.change import Change, Operation, Refusal, RetiredSelector
from workspace.state import ImageState, StateBuilder, Unit


def restore_entry(entry: Entry) -> Operation:
    """The operation that makes the change of `entry` again; refused as `external_edit` when disk has moved on."""

    def plan(state: ImageState) -> Change | Refusal:
        return _Restoring(state, entry).change()

    return plan


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
