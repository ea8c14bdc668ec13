"""Planning the promotion of candidate sites of a method rename (changes.md 7)."""

from __future__ import annotations

from collections import defaultdict

from changelog.entry import ChangeKind, Entry, NewEntry, Site, SiteKind
from lang.dataclass import replace
from lang.semantics.references import references_of
from lang.source import TextEdit, apply_edits
from workspace import drafting
from workspace.change import Change, Operation, Refusal
from workspace.footprint import footprint, method_key
from workspace.operations import flushability
from workspace.refactor.names import symbol_text
from workspace.refactor.rename_method import regrouped_unit, regrouping
from workspace.refactor.rewrite import selector_edits
from workspace.state import ImageState, StateBuilder, Unit


def accept_sites(entry: Entry, sites: tuple[Site, ...]) -> Operation:
    """The operation that rewrites candidate sites; it depends on the rename."""

    def plan(state: ImageState) -> Change | Refusal:
        if entry.kind is not ChangeKind.RENAME_METHOD or entry.selector is None or entry.side is None:
            return Refusal("invalid_argument", f"#{entry.seq} is no method rename")
        return _planned(state, entry, sites, entry.selector)

    return plan


def _planned(state: ImageState, entry: Entry, sites: tuple[Site, ...], new: str) -> Change | Refusal:
    builder = StateBuilder(state)
    taken: dict[int, list[Site]] = defaultdict(list)
    for unit, found in _by_unit(state, sites):
        edits = [edit for site in found for edit in _edits(unit, site, entry.old_selector or "", new)]
        if edits:
            builder.put(replace(unit, text=apply_edits(unit.text, edits)))
            taken[unit.lineage] = found
    if (unit_apart := regrouped_unit(builder, taken)) is not None:
        return regrouping(unit_apart, entry.old_selector or "", new)
    assert entry.side is not None
    follow_up = NewEntry(
        kind=ChangeKind.RENAME_METHOD,
        class_name=entry.class_name,
        selector=new,
        old_selector=entry.old_selector,
        side=entry.side,
        edits=drafting.edits_between(builder, {k: tuple(v) for k, v in taken.items()}),
        source_file=entry.source_file,
        not_flushable_reason=_reason(state, taken),
        depends_on=(entry.seq,),
    )
    uses = footprint(uses=[method_key(state, entry.class_name, entry.side, new)])
    return drafting.change(builder, follow_up, footprint=uses)


def _reason(state: ImageState, taken: dict[int, list[Site]]) -> str | None:
    reasons = (flushability.reason_for_unit(state, state.units[lineage]) for lineage in taken)
    return next((reason for reason in reasons if reason is not None), None)


def _by_unit(state: ImageState, sites: tuple[Site, ...]) -> list[tuple[Unit, list[Site]]]:
    gathered: dict[int, list[Site]] = defaultdict(list)
    for site in sites:
        for unit in state.units_of(site.class_name):
            if unit.name == site.unit.name and unit.path == site.unit.path:
                gathered[unit.lineage].append(site)
    return [(state.units[lineage], found) for lineage, found in gathered.items()]


def _edits(unit: Unit, site: Site, old: str, new: str) -> list[TextEdit]:
    """The edits of one site, if the text still has it there."""
    node = drafting.parsed(unit).node
    if node is None:
        return []
    references = references_of(node)
    if site.kind is SiteKind.SEND:
        for send in references.sends:
            if send.selector.text == old and send.selector.parts[0] == site.span:
                return selector_edits(send.selector, new)
    for symbol in references.symbols:
        if symbol.name == old and symbol.span == site.span:
            return [TextEdit(symbol.span, symbol_text(new))]
    return []
