"""Planning the rename of a method (changes.md 7).

Comes in: a state in which every source of the project is indexed. Guarantees: the
definition, every confirmed send and the candidates that `accepting` takes are rewritten
part by part, arguments untouched; every other candidate is reported, none dropped.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable

from changelog.entry import ChangeKind, Evidence, NewEntry, Site, SiteKind
from lang.dataclass import dataclass, field, replace
from lang.source import Span, TextEdit, apply_edits
from lang.spelling import class_side_name, method_name
from lang.syntax.units import Side
from workspace import drafting
from workspace.change import Change, Operation, Refusal, RetiredSelector
from workspace.footprint import footprint, method_key
from workspace.hierarchy import defines, defining_class, subclass_tree, superclass_of
from workspace.operations import flushability
from workspace.refactor import names, sites
from workspace.refactor.evidence import Sure, Verdict, judge_send, judge_symbol, target
from workspace.refactor.rewrite import definition_selector, is_grouped_alike, selector_edits
from workspace.state import ImageState, StateBuilder, Unit

Accepting = Callable[[Site], bool]


def take_none(_site: Site) -> bool:
    """The rule of a rename that promotes no candidate."""
    return False


@dataclass(frozen=True, slots=True)
class MethodRename:
    """The wish to call a method of a class otherwise."""

    class_name: str
    side: Side
    old: str
    new: str
    accepting: Accepting = take_none
    shadowing: bool = False


def rename_method(wish: MethodRename) -> Operation:
    """The operation `renameSelector:to:`."""

    def plan(state: ImageState) -> Change | Refusal:
        return _refusal(state, wish) or _planned(state, wish)

    return plan


# ---------------------------------------------------------------- refusals


def _refusal(state: ImageState, wish: MethodRename) -> Refusal | None:
    if wish.class_name not in state.classes:
        return Refusal("class_not_found", f"Class '{wish.class_name}' not found")
    return _bad_selector(wish) or _absent(state, wish) or _collision(state, wish)


def _bad_selector(wish: MethodRename) -> Refusal | None:
    if not names.is_selector(wish.new):
        return Refusal("invalid_argument", f"'{wish.new}' is not a selector")
    if names.shape(wish.old) != names.shape(wish.new):
        return Refusal(
            "invalid_argument",
            f"#{wish.old} and #{wish.new} take different numbers of arguments or differ in form",
        )
    return None


def _absent(state: ImageState, wish: MethodRename) -> Refusal | None:
    if state.method_unit(wish.class_name, wish.side, wish.old) is not None:
        return None
    above = defining_class(state, superclass_of(state, wish.class_name), wish.side, wish.old)
    hint = f"it is inherited from {above}" if above is not None else None
    message = f"{_shown(wish)} does not define #{wish.old} locally (or as an extension)"
    return Refusal("selector_not_found", message, hint)


def _collision(state: ImageState, wish: MethodRename) -> Refusal | None:
    if defines(state, wish.class_name, wish.side, wish.new):
        return Refusal("name_conflict", f"{_shown(wish)} already defines #{wish.new}")
    if wish.shadowing:
        return None
    above = defining_class(state, superclass_of(state, wish.class_name), wish.side, wish.new)
    if above is not None:
        return Refusal(
            "name_conflict",
            f"{_shown(wish)} inherits #{wish.new} from {above}",
            "renameSelector:to:shadowing: true overrides it.",
        )
    for below in subclass_tree(state, wish.class_name):
        if defines(state, below, wish.side, wish.new):
            return Refusal("name_conflict", f"the subclass {below} defines #{wish.new} already")
    return None


def _shown(wish: MethodRename) -> str:
    return class_side_name(wish.class_name, wish.side)


# ---------------------------------------------------------------- the plan


@dataclass(slots=True)
class _Sorted:
    """Sites by verdict, and the edits of those to rewrite, by lineage."""

    sites: dict[int, list[Site]] = field(default_factory=lambda: defaultdict(list))
    edits: dict[int, list[TextEdit]] = field(default_factory=lambda: defaultdict(list))
    candidates: list[Site] = field(default_factory=list)
    excluded: list[Site] = field(default_factory=list)

    def take(self, lineage: int, site: Site, edits: Iterable[TextEdit]) -> None:
        self.sites[lineage].append(site)
        self.edits[lineage].extend(edits)


def _planned(state: ImageState, wish: MethodRename) -> Change | Refusal:
    unit = state.method_unit(wish.class_name, wish.side, wish.old)
    assert unit is not None
    found = sorted_sites(state, wish, unit)
    builder = StateBuilder(state)
    for lineage, edits in found.edits.items():
        before = state.units[lineage]
        builder.put(replace(before, text=apply_edits(before.text, edits)))
    if (regrouped := regrouped_unit(builder, found.edits)) is not None:
        return regrouping(regrouped, wish.old, wish.new)
    _rename_unit(builder, unit.lineage, wish.new)
    entry = NewEntry(
        kind=ChangeKind.RENAME_METHOD,
        class_name=wish.class_name,
        selector=wish.new,
        old_selector=wish.old,
        side=wish.side,
        edits=definition_first(
            drafting.edits_between(builder, {k: tuple(v) for k, v in found.sites.items()}), unit.lineage
        ),
        candidate_sites=tuple(found.candidates),
        excluded_sites=tuple(found.excluded),
        source_file=unit.path,
        not_flushable_reason=_reason(state, found),
    )
    return drafting.change(
        builder,
        entry,
        footprint=footprint(
            introduces=[method_key(state, wish.class_name, wish.side, wish.new)],
            retires=[method_key(state, wish.class_name, wish.side, wish.old)],
        ),
        retired=(RetiredSelector(state.classes[wish.class_name], wish.side, wish.old, wish.new),),
    )


def definition_first(edits: tuple, lineage: int) -> tuple:  # type: ignore[type-arg]
    """The edits with that of the definition in front."""
    return tuple(sorted(edits, key=lambda edit: edit.lineage != lineage))


def regrouped_unit(builder: StateBuilder, lineages: Iterable[int]) -> Unit | None:
    """A rewritten unit in which the new selector takes other operands than the old one did."""
    for lineage in lineages:
        after = builder.unit(lineage)
        assert after is not None
        nodes = drafting.parsed(builder.base.units[lineage]).node, drafting.parsed(after).node
        # A text that does not parse is refused as such, with its place.
        if nodes[0] is not None and nodes[1] is not None and not is_grouped_alike(nodes[0], nodes[1]):
            return after
    return None


def regrouping(unit: Unit, old: str, new: str) -> Refusal:
    """Why an operator may not become one of another precedence there."""
    where = method_name(unit.owner, unit.name.side, unit.name.member)
    return Refusal(
        "invalid_argument",
        f"#{new} binds its operands otherwise than #{old} in {where}",
        "Put parentheses around the send first.",
    )


def _rename_unit(builder: StateBuilder, lineage: int, selector: str) -> None:
    unit = builder.unit(lineage)
    assert unit is not None
    name = replace(unit.name, member=selector)
    builder.put(replace(unit, address=replace(unit.address, name=name)))


def sorted_sites(state: ImageState, wish: MethodRename, unit: Unit) -> _Sorted:
    """Every use of the selector, sorted by what the rename does with it."""
    found = _Sorted()
    _take_definition(state, found, unit, wish.new)
    of = target(state, wish.class_name, wish.side, wish.old)
    for row in state.index.senders_of(wish.old):
        verdict = judge_send(state, of, row)
        site = sites.send_site(state, row, _evidence(verdict))
        _place(found, wish, row.lineage, site, verdict, selector_edits(row.site.selector, wish.new))
    for use in state.index.symbol_uses(wish.old):
        verdict = judge_symbol(of, use)
        site = sites.symbol_site(state, use, _evidence(verdict))
        _place(found, wish, use.lineage, site, verdict, [_symbol_edit(use.mention.span, wish.new)])
    return found


def _take_definition(state: ImageState, found: _Sorted, unit: Unit, new: str) -> None:
    defined = definition_selector(drafting.parsed(unit).node)
    assert defined is not None
    site = sites.site(state, unit, defined.parts[0], SiteKind.DEFINITION)
    found.take(unit.lineage, site, selector_edits(defined, new))


def _symbol_edit(span: Span, new: str) -> TextEdit:
    return TextEdit(span, names.symbol_text(new))


def _evidence(verdict: Verdict) -> Evidence | None:
    return verdict if isinstance(verdict, Evidence) else None


def _place(
    found: _Sorted, wish: MethodRename, lineage: int, site: Site, verdict: Verdict, edits: list[TextEdit]
) -> None:
    if verdict is Sure.CONFIRMED or (verdict is not Sure.EXCLUDED and wish.accepting(site)):
        found.take(lineage, site, edits)
    elif verdict is Sure.EXCLUDED:
        found.excluded.append(site)
    else:
        found.candidates.append(site)


def _reason(state: ImageState, found: _Sorted) -> str | None:
    """A rename is flushable iff all that it rewrites is (changes.md 3.1)."""
    for lineage in found.edits:
        reason = flushability.reason_for_unit(state, state.units[lineage])
        if reason is not None:
            return reason
    return None
