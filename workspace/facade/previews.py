"""Previews of renames and moves as Beamtalk objects (changes.md 6, 12)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from changelog.entry import ChangeKind, NewEntry
from lang.dataclass import dataclass, field
from lang.runtime.primitive import PrimitiveTable
from workspace.change import Change, Refusal
from workspace.diffs import entry_diff
from workspace.facade.entries import SiteObject, files_of
from workspace.facade.values import beamtalk_list
from workspace.flush.view import DiskFile


@dataclass(frozen=True, slots=True)
class PreviewObject:
    """What a rename or move would do; `change` is None when it is refused."""

    old: str
    new: str
    change: Change | None
    refusals: tuple[Refusal, ...] = field(default=())

    @property
    def entry(self) -> NewEntry | None:
        """What would be logged."""
        return None if self.change is None else self.change.entry

    @property
    def disk(self) -> Mapping[str, DiskFile]:
        """The files as they were when it was planned."""
        return {} if self.change is None else self.change.base.disk

    def says_as(self, other: PreviewObject) -> bool:
        """Whether a person who has read the other has read this one: the image may have moved on elsewhere."""
        mine, theirs = self.entry, other.entry
        if mine is None or theirs is None:
            return mine is theirs and self.refusals == other.refusals
        return _shown(mine) == _shown(theirs)


def preview_of(planned: Change | Refusal, old: str, new: str) -> PreviewObject:
    """The preview of a planned change or of its refusal."""
    if isinstance(planned, Refusal):
        return PreviewObject(old, new, None, (planned,))
    return PreviewObject(old, new, planned)


def _shown(entry: NewEntry) -> tuple[object, ...]:
    """All of an entry that its preview shows."""
    return (entry.edits, entry.files, entry.candidate_sites, entry.excluded_sites, entry.prose_sites)


def preview_table() -> PrimitiveTable:
    """The primitives of RenamePreview."""
    table = PrimitiveTable("RenamePreview")
    answers: dict[str, Callable[[PreviewObject], object]] = {
        "sites": lambda p: beamtalk_list(SiteObject(s) for e in _entry(p).edits for s in e.sites),
        "candidateSites": lambda p: beamtalk_list(map(SiteObject, _entry(p).candidate_sites)),
        "excludedSites": lambda p: beamtalk_list(map(SiteObject, _entry(p).excluded_sites)),
        "proseSites": lambda p: beamtalk_list(map(SiteObject, _entry(p).prose_sites)),
        "files": lambda p: beamtalk_list(preview_files(p)),
        "refusals": lambda p: beamtalk_list(refusal.message for refusal in p.refusals),
        "isRefused": lambda p: bool(p.refusals),
        "diff": preview_diff,
        "printString": preview_text,
    }
    for name, answer in answers.items():
        table.primitive(name)(answer)
    return table


def _entry(preview: PreviewObject) -> NewEntry:
    return preview.entry or NewEntry(ChangeKind.RENAME_CLASS, preview.old)


def preview_files(preview: PreviewObject) -> list[str]:
    """The files that it would touch, under their paths after it."""
    return [] if preview.entry is None else files_of(preview.entry)


def preview_diff(preview: PreviewObject) -> str:
    """The unified diff of its edits."""
    return "" if preview.entry is None else entry_diff(preview.disk, preview.entry)


def preview_text(preview: PreviewObject) -> str:
    """`Till -> Register: 5 sites in 3 files; file src/Till.bt -> src/Register.bt`."""
    if preview.entry is None:
        return f"{preview.old} -> {preview.new}: refused: {preview.refusals[0].message}"
    sites = sum(len(edit.sites) for edit in preview.entry.edits)
    files = len(preview_files(preview))
    moved = "".join(f"; file {move.old} -> {move.new}" for move in preview.entry.files)
    counted = f"{sites} {'site' if sites == 1 else 'sites'} in {files} {'file' if files == 1 else 'files'}"
    return f"{preview.old} -> {preview.new}: {counted}{moved}"
