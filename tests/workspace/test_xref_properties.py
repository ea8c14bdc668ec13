"""The index equals a walk over all units, whatever updates led to it (types.md 5.2)."""

from hypothesis import given, settings
from hypothesis import strategies as st

from changelog.entry import UnitAddress
from lang.ast import nodes as ast
from lang.semantics.references import (
    Access,
    ClassMention,
    ReceiverKind,
    ReferenceRole,
    SendSite,
    SlotAccess,
    SymbolMention,
    UnitReferences,
)
from lang.source import Span
from lang.syntax.units import Side, UnitKind, UnitName
from workspace.xref import Index, Owner, UnitRows, brute_force

NAMES = st.sampled_from(["Counter", "Meter", "Pier"])
SELECTORS = st.sampled_from(["foo", "at:put:", "+"])
SPANS = st.integers(0, 40).map(lambda start: Span(start, start + 3))
TEXT = "line\n" * 9


def _site(span: Span, selector: str) -> SendSite:
    return SendSite(span, ast.Selector(selector, (span,)), 0, ReceiverKind.OTHER)


CLASSES = st.builds(ClassMention, SPANS, NAMES, st.none(), st.sampled_from(ReferenceRole))
SENDS = st.builds(_site, SPANS, SELECTORS)
SLOTS = st.builds(SlotAccess, SPANS, st.sampled_from(["a", "b"]), st.sampled_from(Access))
SYMBOLS = st.builds(SymbolMention, SPANS, SELECTORS)


def _some(rows: st.SearchStrategy[object]) -> st.SearchStrategy[tuple[object, ...]]:
    return st.lists(rows, max_size=4).map(tuple)


REFERENCES = st.builds(UnitReferences, _some(CLASSES), _some(SENDS), _some(SLOTS), _some(SYMBOLS))
OWNERS = st.builds(
    lambda kind, owner, side, member: Owner.of(UnitAddress("src/a.bt", UnitName(kind, owner, side, member))),
    st.sampled_from([UnitKind.HEADER, UnitKind.METHOD, UnitKind.EXTENSION]),
    NAMES,
    st.sampled_from(Side),
    SELECTORS,
)
LINEAGES = st.integers(1, 6)
ROWS = st.builds(
    lambda lineage, owner, refs: UnitRows(lineage, owner, refs, TEXT), LINEAGES, OWNERS, REFERENCES
)
UPDATES = st.lists(
    st.dictionaries(LINEAGES, st.one_of(st.none(), ROWS), max_size=4).map(
        lambda changed: {at: _as(rows, at) for at, rows in changed.items()}
    ),
    max_size=8,
)


def _as(rows: UnitRows | None, lineage: int) -> UnitRows | None:
    return None if rows is None else UnitRows(lineage, rows.owner, rows.references, rows.text)


@settings(max_examples=60, deadline=None)
@given(UPDATES)
def test_an_updated_index_equals_one_made_from_nothing(
    updates: list[dict[int, UnitRows | None]],
) -> None:
    index = Index()
    model: dict[int, UnitRows] = {}
    for changed in updates:
        before = index
        kept = dict(model)
        index = index.updated(changed)
        model.update({at: rows for at, rows in changed.items() if rows is not None})
        for at in [at for at, rows in changed.items() if rows is None]:
            model.pop(at, None)
        assert before == brute_force(kept.values())
    assert index == brute_force(model.values())
    _queries_agree(index, list(model.values()))


def _queries_agree(index: Index, units: list[UnitRows]) -> None:
    for name in ("Counter", "Meter", "Pier"):
        _class_queries_agree(index, units, name)
    for selector in ("foo", "at:put:", "+"):
        _selector_queries_agree(index, units, selector)


def _class_queries_agree(index: Index, units: list[UnitRows], name: str) -> None:
    found = [(row.lineage, row.mention.span) for row in index.references_to(name)]
    assert sorted(found) == sorted(
        (rows.lineage, m.span) for rows in units for m in rows.references.classes if m.name == name
    )
    for side in Side:
        defined = {
            rows.owner.selector
            for rows in units
            if rows.owner.defines_method and rows.owner.class_name == name and rows.owner.side is side
        }
        assert set(index.defined_selectors(name, side)) == defined


def _selector_queries_agree(index: Index, units: list[UnitRows], selector: str) -> None:
    senders = index.senders_of(selector)
    assert sorted(row.lineage for row in senders) == sorted(
        rows.lineage for rows in units for site in rows.references.sends if site.selector.text == selector
    )
    places = [
        (r.owner.class_name, r.owner.side.value if r.owner.side else "", r.owner.selector or "", r.line)
        for r in senders
    ]
    assert places == sorted(places)
    defining = [rows for rows in units if rows.owner.defines_method and rows.owner.selector == selector]
    assert len(index.implementors_of(selector)) == len(defining)
    symbols = [m for rows in units for m in rows.references.symbols if m.name == selector]
    assert len(index.symbol_uses(selector)) == len(symbols)
