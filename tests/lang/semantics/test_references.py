"""Every mention and send of a unit, wherever it stands (types.md X-5, X-6)."""

import pytest

from lang.semantics.references import (
    Access,
    ClassReceiver,
    ReceiverKind,
    ReferenceRole,
    SendSite,
    UnitReferences,
    references_of,
)
from lang.syntax.parse import parse_unit
from lang.syntax.units import Side, UnitKind


def references(text: str, rule: UnitKind = UnitKind.METHOD) -> UnitReferences:
    syntax = parse_unit(text, rule, 0)
    assert not syntax.is_broken, syntax.diagnostics
    assert syntax.node is not None
    found = references_of(syntax.node)
    for mention in found.classes:
        assert text[mention.span.start : mention.span.end] == mention.name
    for send in found.sends:
        assert "".join(text[part.start : part.end] for part in send.selector.parts) == send.selector.text
    for slot in found.slots:
        assert text[slot.span.start : slot.span.end] == slot.slot
    return found


def classes(text: str, rule: UnitKind = UnitKind.METHOD) -> list[tuple[str, ReferenceRole]]:
    return [(mention.name, mention.role) for mention in references(text, rule).classes]


def selectors(text: str) -> list[str]:
    return [send.selector.text for send in references(text).sends]


def only_send(text: str, selector: str) -> SendSite:
    (found,) = [send for send in references(text).sends if send.selector.text == selector]
    return found


EXPRESSION, ANNOTATION = ReferenceRole.EXPRESSION, ReferenceRole.ANNOTATION
PATTERN, SUPERCLASS = ReferenceRole.PATTERN, ReferenceRole.SUPERCLASS
DECLARATION, EXTENSION = ReferenceRole.DECLARATION, ReferenceRole.EXTENSION


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("m => A new", [("A", EXPRESSION)]),
        ("m => #(A, #{#k => B}, [C])", [("A", EXPRESSION), ("B", EXPRESSION), ("C", EXPRESSION)]),
        ("m: x :: A -> B => x", [("A", ANNOTATION), ("B", ANNOTATION)]),
        ("m: x :: List(A | B) => x", [("List", ANNOTATION), ("A", ANNOTATION), ("B", ANNOTATION)]),
        ("m: x :: A class => x", [("A", ANNOTATION)]),
        ("m: x :: A \\ B => x", [("A", ANNOTATION), ("B", ANNOTATION)]),
        ("m =>\n  x :: A := 1\n  x", [("A", ANNOTATION)]),
        ("m: r => r match: [Result ok: v -> v; _ -> nil]", [("Result", PATTERN)]),
        ("m: r => r match: [x :: A -> x; _ -> B]", [("A", PATTERN), ("B", EXPRESSION)]),
        ('m => "text A {A new} and {[B]}"', [("A", EXPRESSION), ("B", EXPRESSION)]),
        ("m => json@A new", [("A", EXPRESSION)]),
        ("m => A foo; bar: B", [("A", EXPRESSION), ("B", EXPRESSION)]),
    ],
)
def test_classes_are_mentioned_in_a_method(text: str, expected: list[tuple[str, ReferenceRole]]) -> None:
    assert classes(text) == expected


@pytest.mark.parametrize(
    ("rule", "text", "expected"),
    [
        (
            UnitKind.HEADER,
            "A subclass: B\n  state: x :: C = D new",
            [("A", SUPERCLASS), ("B", DECLARATION), ("C", ANNOTATION), ("D", EXPRESSION)],
        ),
        (UnitKind.EXTENSION, "A class >> m => B", [("A", EXTENSION), ("B", EXPRESSION)]),
        (UnitKind.EXTENSION, "pkg@A >> m => 1", [("A", EXTENSION)]),
        (UnitKind.ALIAS, "type Aa = B | #c", [("Aa", DECLARATION), ("B", ANNOTATION)]),
        (
            UnitKind.PROTOCOL,
            "Protocol define: A\n  extending: B\n  m -> C",
            [("A", DECLARATION), ("B", SUPERCLASS), ("C", ANNOTATION)],
        ),
        (UnitKind.STATEMENTS, "A new. B new", [("A", EXPRESSION), ("B", EXPRESSION)]),
    ],
)
def test_classes_are_mentioned_in_other_units(
    rule: UnitKind, text: str, expected: list[tuple[str, ReferenceRole]]
) -> None:
    assert classes(text, rule) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("m: x => x a; b: 1 c: 2; + 3", ["a", "b:c:", "+"]),
        ("m: x => x foo!", ["foo"]),
        ("m: x => [x foo] value", ["foo", "value"]),
        ('m: x => "{x foo} {x at: 1}"', ["foo", "at:"]),
        ("m: x => x match: [y when: [y > 3] -> y foo; _ -> nil]", [">", "foo"]),
        ("m: x =>\n  x foo: 1\n      bar: 2", ["foo:bar:"]),
        ("m: x => x perform: #foo", ["perform:"]),
        ("m: x => #{(x foo) => x bar}", ["foo", "bar"]),
    ],
)
def test_every_send_counts(text: str, expected: list[str]) -> None:
    assert selectors(text) == expected


def test_a_cast_is_told_from_a_send() -> None:
    assert only_send("m: x => x foo!", "foo").is_cast
    assert not only_send("m: x => x foo", "foo").is_cast


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("m => self foo", ReceiverKind.SELF),
        ("m => (self) foo", ReceiverKind.SELF),
        ("m => super foo", ReceiverKind.SUPER),
        ("m => self bar; foo", ReceiverKind.SELF),
        ("m => self bar foo", ReceiverKind.OTHER),
        ("m => Python foo", ReceiverKind.FFI),
        ("m => Python math foo", ReceiverKind.FFI),
        ("m => self.x foo", ReceiverKind.OTHER),
    ],
)
def test_the_form_of_the_receiver_decides_its_kind(text: str, kind: ReceiverKind) -> None:
    assert only_send(text, "foo").receiver_kind is kind


def test_a_host_call_knows_its_module() -> None:
    send = only_send("m => Python math pow: 2 with: 8", "pow:with:")
    assert (send.module, send.argument_count) == ("math", 2)


def test_a_literal_class_tells_the_side_that_answers() -> None:
    assert only_send("m => (Counter) foo", "foo").receiver == ClassReceiver("Counter", None, Side.CLASS)
    assert only_send("m => Counter foo", "foo").receiver_class == "Counter"
    assert only_send("m => Counter class foo", "foo").receiver == ClassReceiver("Counter", None, None)
    assert only_send("m => Counter class foo", "foo").receiver_class is None
    assert only_send("m => Counter new foo", "foo").receiver is None


def test_method_references_name_their_side() -> None:
    (own,) = references("m => Counter >> #foo").symbols
    (meta,) = references("m => Counter class >> #foo").symbols
    assert own.method_of == ClassReceiver("Counter", None, Side.INSTANCE)
    assert meta.method_of == ClassReceiver("Counter", None, Side.CLASS)
    assert own.looked_up_by == ">>"


@pytest.mark.parametrize(
    ("text", "reflective"),
    [
        ("m: x => x perform: #foo", True),
        ("m: x => x respondsTo: (#foo)", True),
        ("m => Beamtalk classNamed: #foo", True),
        ("m: x => x at: #foo", False),
        ("m => #foo", False),
        ("m: x => x match: [#foo -> 1; _ -> 2]", False),
        ("m: x :: #foo => x", False),
    ],
)
def test_symbols_that_name_something_at_run_time_are_reflective(text: str, reflective: bool) -> None:
    (mention,) = references(text).symbols
    assert mention.name == "foo"
    assert mention.is_reflective is reflective
    assert text[mention.span.start : mention.span.end] == "#foo"


def test_slots_are_read_and_written() -> None:
    found = references("m: x => self.a := self.b + [self.a := x.c] value").slots
    assert [(use.slot, use.access) for use in found] == [
        ("a", Access.WRITE),
        ("b", Access.READ),
        ("a", Access.WRITE),
    ]


def test_a_long_chain_of_sends_is_no_deep_recursion() -> None:
    assert len(references("m: x => x" + " + x" * 5_000).sends) == 5_000
