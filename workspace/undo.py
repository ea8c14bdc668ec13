"""Taking a change back (changes.md 9).

Comes in: an entry, the entries logged after it, and a state. Guarantees: the planned
change restores every text of the entry from its own record, with later renames applied;
it is refused, naming them, while later changes build on the entry. Leaves: which
entry is undone next, and the log, to the workspace.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from changelog.entry import (
    ChangeKind,
    Edit,
    Entry,
    FileMove,
    NameKind,
    NewEntry,
    Site,
    SiteKind,
    UnitAddress,
)
from changelog.indentation import same_text_but_indentation
from lang.spelling import method_name
from lang.syntax.units import UnitKind, UnitName
from workspace import drafting
from workspace.change import Change, Operation, Refusal, RetiredSelector
from workspace.hierarchy import class_tree
from workspace.refactor import replay, sites
from workspace.state import ImageState, SourceFile, StateBuilder, Unit

_RENAMES = frozenset({ChangeKind.RENAME_CLASS, ChangeKind.RENAME_METHOD, ChangeKind.MOVE_CLASS})


@dataclass(frozen=True, slots=True)
class LaterHistory:
    """The entries after the one to revert that still hold, oldest first."""

    entries: tuple[Entry, ...]

    @property
    def renames(self) -> tuple[Entry, ...]:
        """Those that only rename or move."""
        return tuple(entry for entry in self.entries if entry.kind in _RENAMES)


def dependants(entry: Entry, later: LaterHistory) -> tuple[Entry, ...]:
    """The later entries that build on `entry`, transitively, oldest first."""
    found: list[Entry] = []
    for each in later.entries:
        if any(_builds_on(each, base) for base in (entry, *found)):
            found.append(each)
    return tuple(found)


def _builds_on(later: Entry, entry: Entry) -> bool:
    if later.seq <= entry.seq:
        return False
    if entry.seq in later.depends_on:
        return True
    return (
        (later.kind not in _RENAMES and _shares_unit(later, entry))
        or bool(later.footprint.uses & entry.footprint.introduces)
        or _owned_by_introduced(later, entry)
        or _takes_again(later, entry)
    )


def _shares_unit(later: Entry, entry: Entry) -> bool:
    lineages = {edit.lineage for edit in entry.edits}
    return any(edit.lineage in lineages for edit in later.edits)


def _owned_by_introduced(later: Entry, entry: Entry) -> bool:
    introduced = {
        key.spelling for key in entry.footprint.introduces if key.kind in (NameKind.CLASS, NameKind.PROTOCOL)
    }
    return any(_owner(edit) in introduced for edit in later.edits if later.kind not in _RENAMES)


def _owner(edit: Edit) -> str:
    address = edit.after_address or edit.before_address
    return "" if address is None else address.name.owner.rpartition("@")[2]


def _takes_again(later: Entry, entry: Entry) -> bool:
    retired = {(key.kind, key.spelling, key.side) for key in entry.footprint.retires}
    return any((key.kind, key.spelling, key.side) in retired for key in later.footprint.introduces)


def refusal_of_dependants(found: Sequence[Entry], title: str) -> Refusal:
    """The refusal that names what must be reverted first (kind of changes.md 12)."""
    names = ", ".join(f"#{each.seq} {describe(each)}" for each in found)
    message = f"cannot revert {title}: later changes build on it: {names}"
    return Refusal("runtime_error", message, "revert:cascade: true reverts them too, newest first.")


def describe(entry: Entry) -> str:
    """A method as `Counter>>increment`, a class by its name."""
    if entry.selector is None:
        return entry.class_name
    return method_name(entry.class_name, entry.side, entry.selector)


# ---------------------------------------------------------------- the inverse


def revert_entry(entry: Entry, later: LaterHistory, earlier_users: frozenset[int] = frozenset()) -> Operation:
    """The operation that takes `entry` back; its dependants must be gone.

    `earlier_users` are the units that used the entry's name before the entry gave it a meaning.
    """

    def plan(state: ImageState) -> Change | Refusal:
        return (
            _uses_without_entry(state, entry, earlier_users)
            or _overtaken(state, entry, later)
            or _inverse(state, entry, later)
        )

    return plan


def _uses_without_entry(state: ImageState, entry: Entry, earlier_users: frozenset[int]) -> Refusal | None:
    """Uses of a name that would be retired and that no entry knows: they came by load or sync."""
    if entry.kind not in (ChangeKind.RENAME_CLASS, ChangeKind.NEW_CLASS):
        return None
    own = {edit.lineage for edit in entry.edits} | earlier_users
    foreign = [
        row
        for row in state.index.references_to(entry.class_name)
        if row.lineage not in own and row.owner.class_name != entry.class_name
    ]
    if not foreign:
        return None
    places = ", ".join(sorted({row.owner.address.path or row.owner.class_name for row in foreign}))
    return Refusal("runtime_error", f"cannot revert: {entry.class_name} is used in {places} by now")


def _overtaken(state: ImageState, entry: Entry, later: LaterHistory) -> Refusal | None:
    """A unit that no longer reads as the entry left it, or has come anew: a load or sync has seen to that.

    Renames are taken back in whatever text stands there.
    """
    if entry.kind in _RENAMES:
        return None
    for edit in entry.edits:
        if not _stands_as_left(state, edit, later):
            where = edit.after_address or edit.before_address
            path = "" if where is None or where.path is None else f" in {where.path}"
            message = f"cannot revert {describe(entry)}: it was changed outside the workspace since{path}"
            return Refusal("runtime_error", message, "git has the earlier version of the file.")
    return None


def _stands_as_left(state: ImageState, edit: Edit, later: LaterHistory) -> bool:
    present = state.units.get(edit.lineage)
    if edit.after is None:
        address = edit.before_address
        return present is None and (address is None or not _is_taken(state, address, later))
    if present is None:
        return False
    expected = _with_renames(state, edit.lineage, present.name, edit.after, present.column, later)
    return same_text_but_indentation(present.text, expected)


def _is_taken(state: ImageState, then: UnitAddress, later: LaterHistory) -> bool:
    address = address_after(then, later.renames)
    owner = address.name.owner.rpartition("@")[2]
    return any(unit.address == address for unit in state.units_of(owner))


def _with_renames(
    state: ImageState, lineage: int, name: UnitName, text: str, column: int, later: LaterHistory
) -> str:
    """A recorded text as later renames have left it."""
    for rename in later.renames:
        text = replay.forwards(rename, lineage, name, text, column, class_tree(state))
    return text


def _inverse(state: ImageState, entry: Entry, later: LaterHistory) -> Change | Refusal:
    builder = StateBuilder(state)
    old_name = _present_class_name(entry, later)
    if entry.kind is ChangeKind.RENAME_CLASS and entry.old_class is not None:
        builder.rename_class(old_name, entry.old_class)
    moves = _moved_back(builder, entry, later)
    for edit in entry.edits:
        _take_back(builder, entry, edit, later)
    if entry.kind is ChangeKind.RENAME_METHOD and entry.old_selector is not None:
        _rename_definition_back(builder, entry)
    return drafting.change(
        builder, _inverse_entry(entry, builder, moves), retired=_retired_by_inverse(state, entry)
    )


def _present_class_name(entry: Entry, later: LaterHistory) -> str:
    name = entry.class_name
    for each in later.renames:
        if each.kind is ChangeKind.RENAME_CLASS and each.old_class == name:
            name = each.class_name
    return name


def _take_back(builder: StateBuilder, entry: Entry, edit: Edit, later: LaterHistory) -> None:
    present = builder.unit(edit.lineage)
    if edit.before is None:
        builder.drop(edit.lineage)
    elif entry.kind in _RENAMES and present is not None:
        text = replay.backwards(
            entry, edit.lineage, present.name, present.text, present.column, class_tree(builder.base)
        )
        builder.put(replace(present, text=text))
    elif edit.before_address is not None:
        _restore(builder, edit, edit.before_address, present, later)


def _restore(
    builder: StateBuilder, edit: Edit, address: UnitAddress, present: Unit | None, later: LaterHistory
) -> None:
    address = address_after(address, later.renames)
    column = present.column if present is not None else _column_of(address.name)
    text = _with_renames(builder.base, edit.lineage, address.name, edit.before or "", column, later)
    builder.put(Unit(edit.lineage, address if present is None else present.address, text, column))


def _column_of(name: UnitName) -> int:
    return 2 if name.kind in (UnitKind.METHOD, UnitKind.DATA) else 0


def address_after(address: UnitAddress, renames: Iterable[Entry]) -> UnitAddress:
    """An address as later renames and moves have left it."""
    for each in renames:
        if each.kind is ChangeKind.RENAME_CLASS and each.old_class == address.name.owner:
            address = replace(address, name=replace(address.name, owner=each.class_name))
        for move in each.files:
            if move.old is not None and move.old == address.path:
                address = replace(address, path=move.new)
    return address


def _moved_back(builder: StateBuilder, entry: Entry, later: LaterHistory) -> tuple[FileMove, ...]:
    made = []
    for move in entry.files:
        here = _present_path(move.new, later)
        if move.old is not None and here is not None and builder.file(here) is not None:
            builder.move_file(here, move.old)
            made.append(FileMove(here, move.old))
        elif move.old is None and here is not None:
            made.append(FileMove(here, None, move.text))
        elif move.old is not None and move.new is None:
            builder.put_file(SourceFile(move.old, (), is_loaded=True))
            made.append(FileMove(None, move.old, move.text))
    return tuple(made)


def _present_path(path: str | None, later: LaterHistory) -> str | None:
    for each in later.renames:
        for move in each.files:
            if move.old == path:
                path = move.new
    return path


def _rename_definition_back(builder: StateBuilder, entry: Entry) -> None:
    for edit in entry.edits:
        unit = builder.unit(edit.lineage)
        before, after = edit.before_address, edit.after_address
        if unit is None or before is None or after is None:
            continue
        if before.name.member != after.name.member:
            name = replace(unit.name, member=before.name.member)
            builder.put(replace(unit, address=replace(unit.address, name=name)))


def _retired_by_inverse(state: ImageState, entry: Entry) -> tuple[RetiredSelector, ...]:
    if entry.kind is not ChangeKind.RENAME_METHOD or entry.side is None:
        return ()
    lineage = state.classes.get(entry.class_name)
    if lineage is None or entry.selector is None or entry.old_selector is None:
        return ()
    return (RetiredSelector(lineage, entry.side, entry.selector, entry.old_selector),)


def _sites(state: ImageState, entry: Entry) -> dict[int, tuple[Site, ...]]:
    """The sites of the inverse of a rename: where the new name stands by now, as what the old one stood there."""
    found: dict[int, tuple[Site, ...]] = {}
    tree = class_tree(state)
    for edit in entry.edits if entry.kind in _RENAMES else ():
        unit = state.units.get(edit.lineage)
        if unit is None:
            continue
        spans = replay.places_to_take_back(entry, edit.lineage, unit.name, unit.text, unit.column, tree)
        kinds = [site.kind for site in sorted(edit.sites, key=lambda site: site.span)]
        kinds += [SiteKind.REFERENCE] * (len(spans) - len(kinds))
        found[edit.lineage] = tuple(
            sites.site(state, unit, span, kind) for span, kind in zip(spans, kinds, strict=False)
        )
    return found


_INVERSE_KIND = {
    ChangeKind.NEW_CLASS: ChangeKind.REMOVE_CLASS,
    ChangeKind.REMOVE_CLASS: ChangeKind.NEW_CLASS,
}


def _inverse_entry(entry: Entry, builder: StateBuilder, moves: tuple[FileMove, ...]) -> NewEntry:
    first = moves[0] if moves else None
    is_rename = entry.kind is ChangeKind.RENAME_CLASS
    return NewEntry(
        kind=_inverse_kind(entry),
        class_name=(entry.old_class or entry.class_name) if is_rename else entry.class_name,
        selector=entry.old_selector if entry.kind is ChangeKind.RENAME_METHOD else entry.selector,
        side=entry.side,
        old_class=entry.class_name if is_rename else None,
        old_selector=entry.selector if entry.kind is ChangeKind.RENAME_METHOD else None,
        old_path=first.old if first else None,
        new_path=first.new if first else None,
        edits=drafting.edits_between(builder, _sites(builder.base, entry)),
        files=moves,
        candidate_sites=entry.candidate_sites,
        source_file=entry.source_file,
        intent=entry.intent,
        not_flushable_reason=entry.not_flushable_reason,
        reverts=entry.seq,
    )


def _inverse_kind(entry: Entry) -> ChangeKind:
    if entry.kind in _INVERSE_KIND:
        return _INVERSE_KIND[entry.kind]
    if len(entry.edits) == 1 and entry.selector is not None and entry.kind not in _RENAMES:
        edit = entry.edits[0]
        if edit.before is None:
            return ChangeKind.REMOVE_METHOD
        if edit.after is None and edit.before_address is not None:
            return _patch_kind(edit.before_address.name)
    return entry.kind


def _patch_kind(name: UnitName) -> ChangeKind:
    if name.kind is UnitKind.EXTENSION:
        return ChangeKind.EXTENSION
    is_class_side = name.side is not None and name.side.value == "class"
    return ChangeKind.CLASS if is_class_side else ChangeKind.INSTANCE
