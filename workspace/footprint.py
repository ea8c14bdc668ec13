"""Which names a change introduces, retires and uses (changes.md 1.1, 4.2).

Names are keyed by what they denote: the lineage of the class meant, or of the class
that owns the member. A send uses a method only with confirmed evidence: `self`, `super`,
or a class named literally.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from changelog.entry import Footprint, NameKey, NameKind
from lang.semantics.references import ReceiverKind, SendSite, UnitReferences
from lang.syntax.units import Side, UnitKind
from workspace.hierarchy import defining_class, superclass_of
from workspace.state import ImageState, Unit

_NAME_KINDS = {
    UnitKind.HEADER: NameKind.CLASS,
    UnitKind.PROTOCOL: NameKind.PROTOCOL,
    UnitKind.ALIAS: NameKind.ALIAS,
}


def path_key(path: str) -> NameKey:
    """The key of a file's path."""
    return NameKey(NameKind.PATH, 0, path)


def class_key(state: ImageState, name: str) -> NameKey | None:
    """The key of what bears a class, protocol or alias name; None for an unknown name."""
    for names, kind in (
        (state.classes, NameKind.CLASS),
        (state.protocols, NameKind.PROTOCOL),
        (state.aliases, NameKind.ALIAS),
    ):
        lineage = names.get(name)
        if lineage is not None:
            return NameKey(kind, lineage, name)
    return None


def method_key(state: ImageState, owner: str, side: Side, selector: str) -> NameKey:
    """The key of a method that a class of the state owns."""
    return NameKey(NameKind.METHOD, state.classes.get(owner, 0), selector, side)


def declared_by(state: ImageState, unit: Unit) -> Iterator[NameKey]:
    """The names that a unit declares."""
    kind = _NAME_KINDS.get(unit.kind)
    if kind is not None:
        yield NameKey(kind, unit.lineage, unit.owner)
    elif unit.is_method and unit.name.side is not None:
        yield method_key(state, unit.owner, unit.name.side, unit.name.member)
    elif unit.kind is UnitKind.DATA:
        yield NameKey(NameKind.SLOT, state.classes.get(unit.owner, 0), unit.name.member)


def used_by(state: ImageState, unit: Unit, found: UnitReferences) -> Iterator[NameKey]:
    """The names that a unit's text uses, as the state denotes them."""
    for mention in found.classes:
        key = class_key(state, mention.name)
        if key is not None and key.denotes != unit.lineage:
            yield key
    for send in found.sends:
        key = _method_sent(state, unit, send)
        if key is not None:
            yield key


def _method_sent(state: ImageState, unit: Unit, send: SendSite) -> NameKey | None:
    side = unit.name.side or Side.INSTANCE
    match send.receiver_kind:
        case ReceiverKind.SELF:
            start: str | None = unit.owner
        case ReceiverKind.SUPER:
            start = superclass_of(state, unit.owner)
        case _ if send.receiver_class is not None:
            start, side = send.receiver_class, Side.CLASS
        case _:
            return None
    owner = defining_class(state, start, side, send.selector.text)
    return None if owner is None else method_key(state, owner, side, send.selector.text)


def footprint(
    introduces: Iterable[NameKey] = (), retires: Iterable[NameKey] = (), uses: Iterable[NameKey] = ()
) -> Footprint:
    """A footprint of the given keys."""
    return Footprint(frozenset(introduces), frozenset(retires), frozenset(uses))
