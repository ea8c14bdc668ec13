"""Change entries and sites as Beamtalk objects (changes.md 2.2, 12)."""

from __future__ import annotations

from collections.abc import Callable

from changelog.active import ActiveView
from changelog.entry import AuthorKind, ChangeKind, Entry, Evidence, Intent, NewEntry, Site
from lang.dataclass import dataclass
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.symbols import symbol
from lang.spelling import method_name
from workspace.facade.values import beamtalk_list, optional_symbol


@dataclass(frozen=True, slots=True)
class SiteObject:
    """A site that Beamtalk code holds."""

    site: Site


def site_table() -> PrimitiveTable:
    """The primitives of ChangeSite."""
    table = PrimitiveTable("ChangeSite")
    answers: dict[str, Callable[[Site], object]] = {
        "file": lambda s: s.unit.path,
        "line": lambda s: s.line,
        "className": lambda s: symbol(s.class_name),
        "selector": lambda s: optional_symbol(s.selector),
        "side": lambda s: None if s.side is None else symbol(s.side.value),
        "kind": lambda s: symbol(s.kind.value),
        "evidence": lambda s: None if s.evidence is None else symbol(s.evidence.value),
        "isTyped": lambda s: s.evidence is Evidence.TYPED,
        "isReflective": lambda s: s.is_reflective,
        "printString": site_text,
    }
    for name, answer in answers.items():
        table.primitive(name)(_of_site(answer))
    return table


def _of_site(answer: Callable[[Site], object]) -> Callable[[SiteObject], object]:
    def primitive(self: SiteObject) -> object:
        return answer(self.site)

    return primitive


def site_text(site: Site) -> str:
    """`src/Bank.bt:12: send`, with the evidence of a candidate."""
    evidence = f" ({site.evidence.value})" if site.evidence is not None else ""
    return f"{site.unit.path or 'no file'}:{site.line}: {site.kind.value}{evidence}"


@dataclass(frozen=True, slots=True)
class EntryObject:
    """An entry that Beamtalk code holds; how it stands is asked anew each time."""

    entry: Entry

    @property
    def seq(self) -> int:
        """Its number."""
        return self.entry.seq


Standing = Callable[[], ActiveView]
"""Asks for the active view of this moment."""


def entry_facts() -> dict[str, Callable[[Entry], object]]:
    """What an entry answers from itself alone."""
    return {
        "seq": lambda e: e.seq,
        "kind": lambda e: symbol(e.kind.value),
        "className": lambda e: symbol(e.class_name),
        "selector": lambda e: optional_symbol(e.selector),
        "side": lambda e: None if e.side is None else symbol(e.side.value),
        "oldClassName": lambda e: optional_symbol(e.old_class),
        "oldSelector": lambda e: optional_symbol(e.old_selector),
        "intent": lambda e: symbol(e.intent.value),
        "authorKind": lambda e: symbol(e.author_kind.value),
        "author": lambda e: e.author,
        "sourceFile": lambda e: e.source_file,
        "files": lambda e: beamtalk_list(files_of(e)),
        "sites": lambda e: beamtalk_list(SiteObject(s) for edit in e.edits for s in edit.sites),
        "candidateSites": lambda e: beamtalk_list(map(SiteObject, e.candidate_sites)),
        "excludedSites": lambda e: beamtalk_list(map(SiteObject, e.excluded_sites)),
        "proseSites": lambda e: beamtalk_list(map(SiteObject, e.prose_sites)),
        "isDurable": lambda e: e.intent is Intent.DURABLE,
        "isEphemeral": lambda e: e.intent is Intent.EPHEMERAL,
        "isFlushable": lambda e: e.is_flushable,
        "isDestructive": lambda e: e.is_destructive,
        "isNewClass": lambda e: e.kind is ChangeKind.NEW_CLASS,
        "isRemoveMethod": lambda e: e.kind is ChangeKind.REMOVE_METHOD,
        "isRemoveClass": lambda e: e.kind is ChangeKind.REMOVE_CLASS,
        "isRename": lambda e: e.kind in (ChangeKind.RENAME_CLASS, ChangeKind.RENAME_METHOD),
        "isMove": lambda e: e.kind is ChangeKind.MOVE_CLASS,
        "isHuman": lambda e: e.author_kind is AuthorKind.HUMAN,
        "isAgent": lambda e: e.author_kind is AuthorKind.AGENT,
        "printString": entry_text,
    }


def standing_facts(view: Standing, epoch: int) -> dict[str, Callable[[Entry], object]]:
    """What an entry answers by how it stands in the log."""
    return {
        "isActive": lambda e: view().is_active(e.seq),
        "isShadowed": lambda e: e.seq in view().shadowed,
        "isClean": lambda e: e.seq in view().clean,
        "isOrphan": lambda e: e.seq in view().orphans,
        "isPriorEpoch": lambda e: e.epoch != epoch,
    }


def files_of(entry: NewEntry) -> list[str]:
    """The files that a flush of it touches; one that moves counts once, under its present path."""
    moved = {move.old: move.new for move in entry.files if move.old is not None and move.new is not None}
    found: list[str] = []
    for edit in entry.edits:
        address = edit.after_address or edit.before_address
        if address is not None and address.path is not None:
            found.append(moved.get(address.path) or address.path)
    found += [move.new or move.old or "" for move in entry.files]
    return sorted(set(found))


def entry_text(entry: Entry) -> str:
    """The one line of changes.md 2.2."""
    match entry.kind:
        case ChangeKind.RENAME_CLASS:
            return f"{entry.old_class} -> {entry.class_name} (rename-class, {_extent(entry)})"
        case ChangeKind.RENAME_METHOD:
            old = method_name(entry.class_name, entry.side, entry.old_selector or "")
            return f"{old} -> {entry.selector} (rename-method, {_extent(entry)})"
        case ChangeKind.MOVE_CLASS:
            return f"{entry.class_name} -> {entry.new_path} (move)"
        case ChangeKind.NEW_CLASS | ChangeKind.CLASS_DEF | ChangeKind.REMOVE_CLASS:
            return f"{entry.class_name} ({entry.kind.value})"
        case _:
            return method_name(entry.class_name, entry.side, entry.selector or "")


def _extent(entry: Entry) -> str:
    sites = sum(len(edit.sites) for edit in entry.edits)
    files = len(files_of(entry))
    return f"{sites} {'site' if sites == 1 else 'sites'} in {files} {'file' if files == 1 else 'files'}"
