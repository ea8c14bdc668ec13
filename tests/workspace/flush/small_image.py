"""A small image for tests of the flush: units by lineage, operations that log, a disk of bytes.

It knows units and names, no language: a rename replaces whole words outside strings.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from changelog.active import ActiveView, PlacedText, active_view
from changelog.entry import (
    ChangeKind,
    Edit,
    Entry,
    FileMove,
    Footprint,
    Intent,
    NameKey,
    NameKind,
    NewEntry,
    Snapshot,
    UnitAddress,
)
from changelog.log import ChangeLog
from changelog.store import MemoryStore
from lang.source import SourceText
from lang.syntax import cut_file
from lang.syntax.units import Side, UnitKind, UnitName
from tests.changelog.making import fixed_clock
from workspace.flush.file_text import decoded
from workspace.flush.plan import DiskFile, DiskUnit, FlushPlan, FlushRequest, World, marks_of, plan
from workspace.flush.rows import ABSENT, Content, sha256_of
from workspace.flush.selection import EVERYTHING, Filter, Gesture

MEMBER_KINDS = (UnitKind.METHOD, UnitKind.DATA)


def words_replaced(text: str, old: str, new: str) -> str:
    """The text with a word replaced, not in strings and comments."""
    pattern = rf'"[^"]*"|//[^\n]*|#\w+|(?<![\w@]){re.escape(old)}(?!\w)'
    return re.sub(pattern, lambda m: new if m.group() == old else m.group(), text)


def mentions(text: str, word: str) -> bool:
    return words_replaced(text, word, "\0") != text


@dataclass
class Unit:
    lineage: int
    address: UnitAddress
    text: str


def cuts_of(data: bytes, path: str) -> list[tuple[UnitName, str]]:
    text = decoded(data).text
    return [(c.name, text[c.span.start : c.span.end]) for c in cut_file(SourceText(text, path))]


@dataclass
class SmallImage:
    """Memory, log and disk. `files` are the bytes on disk by path."""

    files: dict[str, bytes]
    units: dict[int, Unit] = field(default_factory=dict)
    disk: dict[str, DiskFile] = field(default_factory=dict)
    log: ChangeLog = field(default_factory=lambda: ChangeLog(MemoryStore(), 1, fixed_clock))
    flushes: int = 0
    lineages: int = 0
    owners: dict[int, int] = field(default_factory=dict)
    new_references: dict[str, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for path, data in self.files.items():
            found = []
            for name, text in cuts_of(data, path):
                unit = self.new_unit(UnitAddress(path, name), text)
                found.append(DiskUnit(unit.lineage, name, text))
            self.disk[path] = DiskFile(path, Snapshot(0, len(data), sha256_of(data)), data, tuple(found))

    # ------------------------------------------------------------ look

    def new_unit(self, address: UnitAddress, text: str) -> Unit:
        self.lineages += 1
        unit = Unit(self.lineages, address, text)
        self.units[unit.lineage] = unit
        header = self.header(address.name.owner)
        self.owners[unit.lineage] = unit.lineage if header is None else header.lineage
        return unit

    def unit_at(self, owner: str, member: str, side: Side = Side.INSTANCE) -> Unit | None:
        return next(
            (
                u
                for u in self.units.values()
                if (u.address.name.owner, u.address.name.member) == (owner, member)
                and u.address.name.side in (side, None)
                and u.address.name.kind in (UnitKind.METHOD, UnitKind.EXTENSION)
            ),
            None,
        )

    def header(self, owner: str) -> Unit | None:
        return next(
            (u for u in self.units.values() if u.address.name == UnitName(UnitKind.HEADER, owner)), None
        )

    def classes(self) -> list[str]:
        return sorted(
            u.address.name.owner for u in self.units.values() if u.address.name.kind is UnitKind.HEADER
        )

    def view(self) -> ActiveView:
        placed = {
            unit.lineage: PlacedText(UnitAddress(path, unit.name), unit.text)
            for path, file in self.disk.items()
            for unit in file.units
        }

        def memory(lineage: int) -> PlacedText | None:
            unit = self.units.get(lineage)
            return None if unit is None else PlacedText(unit.address, unit.text)

        return active_view(self.log.entries, self.log.marks, self.log.epoch, placed.get, memory)

    def active(self) -> list[int]:
        return [entry.seq for entry in self.view().active]

    def class_keys(self, text: str, without: str | None = None) -> frozenset[NameKey]:
        found = set()
        for name in self.classes():
            header = self.header(name)
            if header is not None and name != without and mentions(text, name):
                found.add(NameKey(NameKind.CLASS, header.lineage, name))
        return frozenset(found)

    def method_key(self, owner: str, member: str, side: Side | None) -> NameKey:
        header = self.header(owner)
        return NameKey(NameKind.METHOD, header.lineage if header else 0, member, side)

    # ------------------------------------------------------------ operations

    def patch(
        self,
        owner: str,
        member: str,
        text: str,
        side: Side = Side.INSTANCE,
        intent: Intent = Intent.DURABLE,
        column: int | None = None,
    ) -> Entry:
        unit = self.unit_at(owner, member, side)
        header = self.header(owner)
        path = header.address.path if header is not None else None
        name = UnitName(UnitKind.METHOD, owner, side, member)
        introduces: frozenset[NameKey] = frozenset()
        if unit is None:
            address = UnitAddress(path, name)
            lineage = self.gone_lineage(address) or self.new_unit(address, "").lineage
            self.units[lineage] = Unit(lineage, address, text)
            edit = Edit(lineage, None, address, None, text, column=column)
            introduces = frozenset({self.method_key(owner, member, side)})
        else:
            edit = Edit(unit.lineage, unit.address, unit.address, unit.text, text, column=column)
            unit.text = text
        kind = ChangeKind.INSTANCE if side is Side.INSTANCE else ChangeKind.CLASS
        footprint = Footprint(introduces, frozenset(), self.class_keys(text))
        return self.log.append(
            NewEntry(kind, owner, member, side, edits=(edit,), intent=intent, footprint=footprint)
        )

    def gone_lineage(self, address: UnitAddress) -> int | None:
        """A unit of disk that memory removed, and that comes back under its name."""
        header = self.header(address.name.owner)
        for file in self.disk.values():
            if header is None or all(unit.lineage != header.lineage for unit in file.units):
                continue
            for unit in file.units:
                if unit.lineage not in self.units and UnitAddress(file.path, unit.name) == address:
                    return unit.lineage
        return None

    def remove(self, owner: str, member: str, side: Side = Side.INSTANCE) -> Entry:
        unit = self.unit_at(owner, member, side)
        assert unit is not None
        del self.units[unit.lineage]
        edit = Edit(unit.lineage, unit.address, None, unit.text, None)
        footprint = Footprint(frozenset(), frozenset({self.method_key(owner, member, side)}))
        return self.log.append(
            NewEntry(ChangeKind.REMOVE_METHOD, owner, member, side, edits=(edit,), footprint=footprint)
        )

    def rename_class(self, old: str, new: str) -> Entry:
        header = self.header(old)
        assert header is not None
        edits = []
        path = header.address.path
        target = path and path.replace(f"{old}.bt", f"{new}.bt")
        for unit in sorted(self.units.values(), key=lambda u: u.lineage != header.lineage):
            text = words_replaced(unit.text, old, new)
            name = unit.address.name
            address = unit.address
            if name.owner == old:
                address = replace(address, name=replace(name, owner=new))
            if address.path == path:
                address = replace(address, path=target)
            if text != unit.text:
                edits.append(Edit(unit.lineage, unit.address, address, unit.text, text))
            unit.text, unit.address = text, address
        key = NameKey(NameKind.CLASS, header.lineage, new)
        moves = () if path is None or path == target else (FileMove(path, target),)
        return self.log.append(
            NewEntry(
                ChangeKind.RENAME_CLASS,
                new,
                old_class=old,
                old_path=path,
                new_path=target,
                edits=tuple(edits),
                files=moves,
                footprint=Footprint(frozenset({key}), frozenset({replace(key, spelling=old)})),
            )
        )

    def rename_method(self, owner: str, old: str, new: str) -> Entry:
        unit = self.unit_at(owner, old)
        assert unit is not None
        edits = []
        own = (u for u in self.units.values() if u.address.name.owner == owner)
        for each in sorted(own, key=lambda u: u is not unit):
            text = words_replaced(each.text, old, new)
            address = each.address
            if each is unit:
                address = replace(address, name=replace(address.name, member=new))
            if text != each.text:
                edits.append(Edit(each.lineage, each.address, address, each.text, text))
            each.text, each.address = text, address
        key = self.method_key(owner, new, Side.INSTANCE)
        footprint = Footprint(frozenset({key}), frozenset({replace(key, spelling=old)}))
        return self.log.append(
            NewEntry(
                ChangeKind.RENAME_METHOD,
                owner,
                new,
                Side.INSTANCE,
                old_selector=old,
                edits=tuple(edits),
                footprint=footprint,
            )
        )

    def new_class(self, path: str, text: str) -> Entry:
        edits = []
        keys: set[NameKey] = set()
        owner = ""
        for name, unit_text in cuts_of(text.encode(), path):
            unit = self.new_unit(UnitAddress(path, name), unit_text)
            edits.append(Edit(unit.lineage, None, unit.address, None, unit_text))
            if name.kind is UnitKind.HEADER:
                owner = name.owner
                keys.add(NameKey(NameKind.CLASS, unit.lineage, owner))
        return self.log.append(
            NewEntry(
                ChangeKind.NEW_CLASS,
                owner,
                edits=tuple(edits),
                files=(FileMove(None, path, text),),
                footprint=Footprint(frozenset(keys), frozenset(), self.class_keys(text, owner)),
            )
        )

    def remove_class(self, owner: str) -> Entry:
        header = self.header(owner)
        assert header is not None
        gone = [u for u in self.units.values() if u.address.name.owner == owner]
        edits = tuple(
            Edit(u.lineage, u.address, None, u.text, None)
            for u in sorted(gone, key=lambda u: u.lineage != header.lineage)
        )
        for unit in gone:
            del self.units[unit.lineage]
        path = header.address.path
        is_alone = path is not None and all(u.address.path != path for u in self.units.values())
        known = self.disk.get(path or "")
        moves = (FileMove(path, None, None if known is None else known.data.decode()),) if is_alone else ()
        key = NameKey(NameKind.CLASS, header.lineage, owner)
        return self.log.append(
            NewEntry(
                ChangeKind.REMOVE_CLASS,
                owner,
                edits=edits,
                files=moves,
                footprint=Footprint(frozenset(), frozenset({key})),
            )
        )

    def move(self, owner: str, target: str) -> Entry:
        header = self.header(owner)
        assert header is not None
        path = header.address.path
        edits = []
        for unit in self.units.values():
            if unit.address.path == path:
                address = replace(unit.address, path=target)
                edits.append(Edit(unit.lineage, unit.address, address, unit.text, unit.text))
                unit.address = address
        edits.sort(key=lambda e: e.lineage != header.lineage)
        return self.log.append(
            NewEntry(
                ChangeKind.MOVE_CLASS,
                owner,
                old_class=owner,
                old_path=path,
                new_path=target,
                edits=tuple(edits),
                files=(FileMove(path, target),),
            )
        )

    def undo(self, seq: int) -> Entry:
        """Revert an entry on which nothing later builds."""
        entry = self.log.by_seq(seq)
        assert entry is not None
        kind, files = entry.kind, tuple(move.inverse() for move in entry.files)
        if kind is ChangeKind.RENAME_CLASS:
            for unit in self.units.values():
                self._take_back_names(unit, entry)
        edits = []
        for edit in entry.edits:
            inverse = edit.inverse()
            if inverse.after is None or inverse.after_address is None:
                self.units.pop(edit.lineage, None)
            else:
                self.units[edit.lineage] = Unit(edit.lineage, inverse.after_address, inverse.after)
            edits.append(inverse)
        kinds = {
            ChangeKind.NEW_CLASS: ChangeKind.REMOVE_CLASS,
            ChangeKind.REMOVE_CLASS: ChangeKind.NEW_CLASS,
            ChangeKind.REMOVE_METHOD: ChangeKind.INSTANCE,
        }
        if kind is ChangeKind.INSTANCE and entry.edits[0].before is None:
            kinds[kind] = ChangeKind.REMOVE_METHOD
        return self.log.append(
            NewEntry(
                kinds.get(kind, kind),
                entry.old_class or entry.class_name,
                entry.old_selector or entry.selector,
                entry.side,
                old_class=entry.class_name if entry.old_class else None,
                old_selector=entry.selector if entry.old_selector else None,
                edits=tuple(edits),
                files=files,
                footprint=Footprint(entry.footprint.retires, entry.footprint.introduces),
                reverts=seq,
            )
        )

    def _take_back_names(self, unit: Unit, entry: Entry) -> None:
        address = unit.address
        if address.name.owner == entry.class_name:
            address = replace(address, name=replace(address.name, owner=entry.old_class or ""))
        for move in entry.files:
            if address.path == move.new:
                address = replace(address, path=move.old)
        unit.address = address

    # ------------------------------------------------------------ flush

    def world(self) -> World:
        return World(
            self.log.entries,
            self.log.marks,
            self.view(),
            self.disk,
            self.files.get,
            self.rewrite,
            disk_uses=self._disk_uses,
            new_references=lambda name: self.new_references.get(name, ()),
        )

    def rewrite(self, entry: Entry, lineage: int, name: UnitName, text: str, column: int) -> str:
        match entry.kind:
            case ChangeKind.RENAME_CLASS:
                return words_replaced(text, entry.old_class or "", entry.class_name)
            case ChangeKind.RENAME_METHOD if self.owners.get(lineage) in {
                key.denotes for key in entry.footprint.introduces
            }:
                return words_replaced(text, entry.old_selector or "", entry.selector or "")
            case _:
                return text

    def _disk_uses(self, lineage: int) -> frozenset[NameKey]:
        headers = {
            u.name.owner: u.lineage
            for f in self.disk.values()
            for u in f.units
            if u.name.kind is UnitKind.HEADER
        }
        for file in self.disk.values():
            for unit in file.units:
                if unit.lineage == lineage:
                    return frozenset(
                        NameKey(NameKind.CLASS, header, name)
                        for name, header in headers.items()
                        if header != lineage and mentions(unit.text, name)
                    )
        return frozenset()

    def plan(self, chosen: Filter = EVERYTHING, gesture: Gesture = Gesture.PLAIN) -> FlushPlan:
        return plan(FlushRequest(chosen, gesture), self.world())

    def flush(self, chosen: Filter = EVERYTHING, gesture: Gesture = Gesture.PLAIN) -> FlushPlan:
        made = self.plan(chosen, gesture)
        if not made.conflicts:
            self.write(made)
        return made

    def flush_all(self) -> FlushPlan:
        return self.flush(EVERYTHING, Gesture.DESTRUCTIVE)

    def write(self, made: FlushPlan) -> None:
        for row in made.rows:
            assert self.files.get(row.path) == (row.before.data if isinstance(row.before, Content) else None)
        for row in made.rows:
            if row.after == ABSENT:
                self.files.pop(row.path, None)
            elif isinstance(row.after, Content):
                self.files[row.path] = row.after.data
        self.flushes += 1
        self.log.mark(*marks_of(f"f{self.flushes}", made.payload))
        for path, known in made.files_after.items():
            if known is None:
                self.disk.pop(path, None)
        for path, known in made.files_after.items():
            if known is not None:
                self.disk[path] = known


def memory_texts(image: SmallImage) -> dict[tuple[str | None, UnitName], str]:
    return {(u.address.path, u.address.name): u.text for u in image.units.values()}


def disk_texts(image: SmallImage) -> dict[tuple[str | None, UnitName], str]:
    return {(path, name): text for path, data in image.files.items() for name, text in cuts_of(data, path)}
