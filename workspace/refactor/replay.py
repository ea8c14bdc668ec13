"""A recorded rename, done again on a text that is not the recorded one (changes.md 4.2, 9).

Comes in: an entry of a rename, and a unit's text as it is by now. Guarantees: where the
text is the recorded one the recorded outcome comes back, else the same kinds of places are
rewritten. An entry that renames nothing leaves every text alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from changelog.entry import ChangeKind, Edit, Evidence, NewEntry, SiteKind
from lang.ast.nodes import Declaration
from lang.semantics.references import ReceiverKind, references_of
from lang.source import Span
from lang.syntax import parse_unit
from lang.syntax.units import UnitKind, UnitName
from workspace.hierarchy import ClassTree
from workspace.refactor.rewrite import (
    definition_selector,
    denotes,
    sends_to,
    with_class_renamed,
    with_selector_renamed,
)


def forwards(entry: NewEntry, lineage: int, name: UnitName, text: str, column: int, tree: ClassTree) -> str:
    """The text with the entry's rename applied."""
    edit = _edit_of(entry, lineage)
    if edit is not None and edit.before == text and edit.after is not None:
        return edit.after
    return _renamed(_forward_rule(entry), entry, edit, name, text, column, tree)


def backwards(entry: NewEntry, lineage: int, name: UnitName, text: str, column: int, tree: ClassTree) -> str:
    """The text with the entry's rename taken back."""
    edit = _edit_of(entry, lineage)
    if edit is not None and edit.after == text and edit.before is not None:
        return edit.before
    return _renamed(_backward_rule(entry), entry, edit, name, text, column, tree)


def places_to_take_back(
    entry: NewEntry, lineage: int, name: UnitName, text: str, column: int, tree: ClassTree
) -> list[Span]:
    """Where `backwards` rewrites, in source order; of a selector the first part."""
    node = parse_unit(text, name.kind, column).node
    match _backward_rule(entry):
        case _ClassRule(old, _) if node is not None:
            return [m.span for m in references_of(node).classes if denotes(m, old, tree.package)]
        case _MethodRule(old, _):
            return sorted(_places(entry, _edit_of(entry, lineage), name, node, old, column, tree))
        case _:
            return []


@dataclass(frozen=True, slots=True)
class _ClassRule:
    """Every mention of a class gets another name."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class _MethodRule:
    """The definition and the certain sends of a selector get another one."""

    old: str
    new: str


_Rule = _ClassRule | _MethodRule | None


def _forward_rule(entry: NewEntry) -> _Rule:
    if entry.kind is ChangeKind.RENAME_CLASS and entry.old_class is not None:
        return _ClassRule(entry.old_class, entry.class_name)
    if entry.kind is ChangeKind.RENAME_METHOD and entry.old_selector and entry.selector:
        return _MethodRule(entry.old_selector, entry.selector)
    return None


def _backward_rule(entry: NewEntry) -> _Rule:
    match _forward_rule(entry):
        case _ClassRule(old, new):
            return _ClassRule(new, old)
        case _MethodRule(old, new):
            return _MethodRule(new, old)
        case None:
            return None


def _edit_of(entry: NewEntry, lineage: int) -> Edit | None:
    return next((edit for edit in entry.edits if edit.lineage == lineage), None)


def _renamed(
    rule: _Rule, entry: NewEntry, edit: Edit | None, name: UnitName, text: str, column: int, tree: ClassTree
) -> str:
    match rule:
        case None:
            return text
        case _ClassRule(old, new) if old in text:
            node = parse_unit(text, name.kind, column).node
            return with_class_renamed(text, node, old, new, tree.package)
        case _MethodRule(old, new) if old.split(":")[0] in text:
            node = parse_unit(text, name.kind, column).node
            places = _places(entry, edit, name, node, old, column, tree)
            return with_selector_renamed(text, node, old, new, places)
        case _:
            return text


def _places(
    entry: NewEntry,
    edit: Edit | None,
    name: UnitName,
    node: Declaration | None,
    selector: str,
    column: int,
    tree: ClassTree,
) -> list[Span]:
    """Where the unit has places that the rename's rules are sure of, or that it rewrote here by wish."""
    places: list[Span] = []
    owner = name.owner.rpartition("@")[2]
    defined = definition_selector(node)
    if (
        defined is not None
        and defined.text == selector
        and owner == entry.class_name
        and name.side is entry.side
        and name.kind in _METHODS
    ):
        places.append(defined.parts[0])
    kinds = set(_rewritten_receivers(entry, edit, column)) if edit is not None else set()
    if _is_sure_of_self(entry) and name.side is entry.side and owner in tree.below(entry.class_name):
        kinds.add(ReceiverKind.SELF)
        if owner != entry.class_name:
            kinds.add(ReceiverKind.SUPER)
    places.extend(sends_to(node, selector, frozenset(kinds)))
    return places


def _is_sure_of_self(entry: NewEntry) -> bool:
    """Whether the rename was one of the definition, and no override made its self sends candidates."""
    rewritten = [site for edit in entry.edits for site in edit.sites]
    return any(site.kind is SiteKind.DEFINITION for site in rewritten) and not any(
        site.evidence is Evidence.SHADOWED for site in (*rewritten, *entry.candidate_sites)
    )


_METHODS = frozenset({UnitKind.METHOD, UnitKind.EXTENSION})


def _rewritten_receivers(entry: NewEntry, edit: Edit, column: int) -> frozenset[ReceiverKind]:
    """The kinds of receivers whose sends the recorded edit rewrote."""
    if edit.before is None or edit.before_address is None:
        return frozenset()
    recorded = parse_unit(edit.before, edit.before_address.name.kind, column).node
    if recorded is None:
        return frozenset()
    spans = {site.span for site in edit.sites}
    return frozenset(
        send.receiver_kind
        for send in references_of(recorded).sends
        if send.selector.text == entry.old_selector and send.selector.parts[0] in spans
    )
