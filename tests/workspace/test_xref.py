"""Index and navigation queries over a small project (types.md 5.3; cases Q1, Q2)."""

from __future__ import annotations

import re

from changelog.entry import UnitAddress
from lang.semantics.references import Access, ReferenceRole
from lang.syntax.parse import parse_unit
from lang.syntax.units import Side, UnitKind, UnitName
from workspace import navigation
from workspace.navigation import ClassSide, FfiSpec, MethodRecord, SentRecord, SiteRecord
from workspace.xref import Index, Provenance, UnitRows, unit_rows

HEADER, METHOD, EXTENSION = UnitKind.HEADER, UnitKind.METHOD, UnitKind.EXTENSION


def rows(lineage: int, kind: UnitKind, owner: str, text: str, column: int = 0) -> UnitRows:
    syntax = parse_unit(text, kind, column)
    assert syntax.node is not None
    assert not syntax.is_broken, syntax.diagnostics
    code = text[syntax.node.span.start :]
    is_class = "class " in code.partition("=>")[0] and kind is not HEADER
    member = "" if kind is HEADER else _selector(code)
    side = None if kind is HEADER else Side.CLASS if is_class else Side.INSTANCE
    address = UnitAddress(f"src/{owner}.bt", UnitName(kind, owner, side, member))
    return unit_rows(lineage, address, text, syntax.node)


def _selector(code: str) -> str:
    head = code.partition("=>")[0].partition(">>")[2] or code.partition("=>")[0]
    head = head.strip().removeprefix("class ").strip()
    return "".join(re.findall(r"\w+:", head)) or head


UNITS = (
    rows(1, HEADER, "Counter", "Actor subclass: Counter\n  state: value = 0"),
    rows(2, METHOD, "Counter", "/// Adds one.\nincrement => self.value := self.value + 1"),
    rows(3, METHOD, "Counter", "getValue => self.value"),
    rows(4, METHOD, "Counter", 'class label => "counter"'),
    rows(5, HEADER, "Pair", "Counter subclass: Pair"),
    rows(6, METHOD, "Pair", "both =>\n  self increment\n  self getValue; value\n  self nothingHere"),
    rows(7, METHOD, "Meter", 'class make: c :: Counter => "at {c getValue} {(Counter spawn) getValue}"'),
    rows(
        8,
        METHOD,
        "Meter",
        "class read: r =>\n  r match: [\n    Result ok: v -> v;\n    Result error: _ -> nil\n  ]",
    ),
    rows(9, EXTENSION, "Counter", "Counter >> reset => self.value := 0"),
    rows(10, METHOD, "Meter", "root => Python math sqrt: 16"),
)


def index() -> Index:
    return Index().updated({each.lineage: each for each in UNITS})


def site(class_name: str, selector: str | None, line: int = 1, *, on_class: bool = False) -> SiteRecord:
    return SiteRecord(ClassSide(class_name, on_class), selector, line)


def test_a_class_is_referred_to_from_headers_annotations_and_interpolation() -> None:
    assert navigation.references_to(index(), "Counter") == (
        site("Meter", "make:", on_class=True),
        site("Meter", "make:", on_class=True),
        site("Pair", None),
    )


def test_a_rename_also_finds_the_declaration_and_the_extension() -> None:
    roles = [row.mention.role for row in index().references_to("Counter")]
    assert ReferenceRole.DECLARATION in roles
    assert ReferenceRole.EXTENSION in roles
    assert len(roles) == 5


def test_a_class_named_only_in_patterns_is_found_with_the_lines_of_the_arms() -> None:
    assert navigation.references_to(index(), "Result") == (
        site("Meter", "read:", 3, on_class=True),
        site("Meter", "read:", 4, on_class=True),
    )


def test_senders_stand_in_order_with_lines_of_the_method() -> None:
    assert navigation.senders_of(index(), "getValue") == (
        site("Meter", "make:", on_class=True),
        site("Meter", "make:", on_class=True),
        site("Pair", "both", 3),
    )
    assert navigation.senders_of(index(), "noSuchSelector") == ()


def test_lines_count_from_the_header_and_not_from_the_doc_comment() -> None:
    (row,) = index().senders_of("+")[:1]
    assert (row.owner.selector, row.line) == ("increment", 1)


def test_after_a_patch_the_old_senders_are_gone() -> None:
    patched = index().put(rows(6, METHOD, "Pair", "both => self getValue"))
    assert navigation.senders_of(patched, "increment") == ()
    assert site("Pair", "both") in navigation.senders_of(patched, "getValue")
    assert site("Pair", "both", 2) in navigation.senders_of(index(), "increment")


def test_a_dropped_unit_leaves_nothing() -> None:
    gone = index()
    for unit in UNITS:
        gone = gone.drop(unit.lineage)
    assert gone == Index()


def test_implementors_and_defined_selectors() -> None:
    assert navigation.implementors_of(index(), "label") == (ClassSide("Counter", True),)
    assert index().defined_selectors("Counter", Side.INSTANCE) == ("getValue", "increment", "reset")
    assert index().defined_selectors("Counter", Side.CLASS) == ("label",)
    assert navigation.selectors_for_class(index(), "Counter") == ("getValue", "increment", "label", "reset")
    (definition,) = index().implementors_of("reset")
    assert definition.provenance is Provenance.EXTENSION


def test_subclasses_follow_the_headers() -> None:
    assert navigation.subclasses(index(), "Counter") == ("Pair",)
    assert navigation.all_subclasses(index(), "Actor") == ("Counter", "Pair")
    assert navigation.superclass(index(), "Pair") == "Counter"


def test_messages_sent_by_a_method_leave_the_host_out() -> None:
    assert navigation.messages_sent_by(index(), "Pair", Side.INSTANCE, "both") == (
        SentRecord("increment", 2),
        SentRecord("getValue", 3),
        SentRecord("value", 3),
        SentRecord("nothingHere", 4),
    )
    assert navigation.messages_sent_by(index(), "Meter", Side.INSTANCE, "root") == ()


def test_fields_are_read_and_written_in_the_class_and_below() -> None:
    below = index().put(rows(11, METHOD, "Pair", "peek => self.value"))
    assert navigation.field_readers_of(below, "value", "Counter") == (
        site("Counter", "getValue"),
        site("Counter", "increment"),
        site("Pair", "peek"),
    )
    assert navigation.field_writers_of(below, "value", "Counter") == (
        site("Counter", "increment"),
        site("Counter", "reset"),
    )
    assert index().slot_uses("Counter", "other", Access.READ) == ()


def test_unimplemented_selectors_are_those_that_nobody_provides() -> None:
    provided = {"+", "spawn", "value"}
    (only,) = navigation.unimplemented_selectors(index(), provided)
    assert only.selector == "nothingHere"
    assert only.sites == (site("Pair", "both", 4),)


def test_a_handler_above_excuses_self_sends() -> None:
    handled = index().put(rows(12, METHOD, "Counter", "doesNotUnderstand: s args: a => s"))
    assert navigation.unimplemented_selectors(handled, {"+", "spawn", "value"}) == ()
    assert navigation.dnu_handlers(handled) == (ClassSide("Counter", False),)


def test_unused_selectors_leave_out_extensions_and_what_the_runtime_calls() -> None:
    with_hook = index().put(rows(12, METHOD, "Counter", "initialize => self.value := 1"))
    found = navigation.unused_selectors(with_hook)
    assert MethodRecord(ClassSide("Counter", True), "label") in found
    assert MethodRecord(ClassSide("Counter", False), "reset") not in found
    assert MethodRecord(ClassSide("Counter", False), "initialize") not in found
    assert MethodRecord(ClassSide("Counter", False), "increment") not in found


def test_selectors_match_whatever_the_case() -> None:
    assert navigation.selectors_matching(index(), "GET") == ("getValue",)


def test_methods_match_by_source() -> None:
    matching = navigation.methods_matching(index(), lambda text: "Adds one" in text)
    assert matching == (MethodRecord(ClassSide("Counter", False), "increment"),)


def test_host_calls_are_found_by_module_function_and_arity() -> None:
    spec = FfiSpec.parsed("math:sqrt/1")
    assert spec == FfiSpec("math", "sqrt", 1)
    assert navigation.ffi_sites_for(index(), spec) == (site("Meter", "root"),)
    assert navigation.ffi_sites_for(index(), FfiSpec("math", "sqrt", 2)) == ()
    assert navigation.ffi_sites_for(index(), FfiSpec("math", "sqrt", None)) == (site("Meter", "root"),)
    assert navigation.callers_of_module(index(), "math") == (site("Meter", "root"),)
    assert FfiSpec.parsed("math") is None


def test_reading_an_index_sees_one_moment() -> None:
    before = index()
    senders = before.senders_of("getValue")
    before.drop(7)
    assert before.senders_of("getValue") is senders
