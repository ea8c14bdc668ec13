"""Precedence, layout and statements (language.md 2, 3)."""

from __future__ import annotations

import pytest

from lang.ast import nodes as n
from lang.syntax import parse_method_source
from tests.lang.syntax.parsing import errors, parsed_file, parsed_input, sent, shape, statement, statements


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("2 + 3 * 4", "(2 + (3 * 4))"),
        ("2 ** 3 ** 2", "(2 ** (3 ** 2))"),
        ("-2 ** 2", "(-2 ** 2)"),
        ("a - b - c", "((a - b) - c)"),
        ("a b + c d", "((a b) + (c d))"),
        ("x foo: a + b bar: c size", "(x foo:bar: (a + b), (c size))"),
        ("a < b == c >> d -> e", "((((a < b) == c) >> d) -> e)"),
        ("a -> b -> c", "((a -> b) -> c)"),
        ("x := y := 3", "x := y := 3"),
        ("a foo: 1; bar; + 2", "(a foo: 1); bar; + 2"),
        ("x match: y", "(x match: y)"),
        ("x foo: 1 match: [2]", "(x foo:match: 1, [2])"),
        ("x; match: [3]", "x; match: [3]"),
        ("(a + b) * c", "((a + b) * c)"),
        ("[. 1]"[:1] + "a. b]", "[a. b]"),
        ("x\n  max: 3\n  + 4", "(x max: (3 + 4))"),
        ("x\n  ; foo\n  ; bar", "x; foo; bar"),
        ("x\n  := 4", "x := 4"),
        ("(a\n + b\n)", "(a + b)"),
    ],
)
def test_what_binds_to_what(text: str, tree: str) -> None:
    assert sent(statement(text)) == tree


@pytest.mark.parametrize(
    ("text", "trees"),
    [
        ("x -1", ["x", "-1"]),
        ("x foo. y", ["(x foo)", "y"]),
        ("3 4", ["3", "4"]),
        ("x\n-4", ["x", "-4"]),
        ("x\ny", ["x", "y"]),
        ("x foo.y bar", ["(x foo)", "(y bar)"]),
        ("x foo (3)", ["(x foo)", "3"]),
        ("1. 2.", ["1", "2"]),
        ("x foo! y", ["Cast", "y"]),
        ("x\nfoo: 3", ["(x foo: 3)"]),
    ],
)
def test_statements_of_an_input(text: str, trees: list[str]) -> None:
    assert [sent(s) for s in statements(text)] == trees


def test_only_a_dot_without_blanks_reads_a_field() -> None:
    assert isinstance(statement("self.x"), n.FieldAccess)
    assert [type(s) for s in statements("self. x")] == [n.SelfRef, n.Variable]
    assert isinstance(statement("a.b.c"), n.FieldAccess)


def test_a_keyword_left_of_the_continuation_column_ends_the_message() -> None:
    source = "Object subclass: A\n  one =>\n    x foo: 1\n        bar: 2\n      baz: 3\n"
    assert errors(parsed_file(source)) == ["expected expression, found 'baz:'"]
    assert errors(parsed_file(source.replace("      baz", "         baz"))) == []


def test_the_newline_example_of_the_specification() -> None:
    parsed = parsed_file(
        "Object subclass: A\n  cont: x =>\n    y := x\n      max: 3        // continues\n    z := y\n      + 10\n    -4\n    z\n"
    )
    assert errors(parsed) == []
    method = parsed.units[1].node
    assert isinstance(method, n.MethodDef)
    assert [sent(s) for s in method.body] == ["y := (x max: 3)", "z := (y + 10)", "-4", "z"]


@pytest.mark.parametrize("indent", ["", "  ", "\t", "        "])
def test_a_method_given_as_text_may_stand_at_any_indentation(indent: str) -> None:
    text = f"{indent}/// Doc.\n{indent}class at: i put: v =>\n{indent}  self.x := v\n{indent}  v"
    unit = parse_method_source(text)
    assert unit.diagnostics == ()
    node = unit.node
    assert isinstance(node, n.MethodDef)
    assert (node.doc, node.signature.selector.text, node.signature.is_class_side) == ("Doc.", "at:put:", True)
    assert len(node.body) == 2


def test_what_follows_a_method_given_as_text_is_an_error() -> None:
    assert parse_method_source("one => 1\ntwo => 2").diagnostics
    assert parse_method_source("").diagnostics
    assert parse_method_source("x + 3").diagnostics
    assert (
        parse_method_source("watts => self.watts +").diagnostics[0].message.startswith("expected expression")
    )


@pytest.mark.parametrize(
    "text", ["class => 1", "internal => 1", "class class => 1", "sealed internal class foo => 1"]
)
def test_modifiers_that_are_method_names(text: str) -> None:
    node = parse_method_source(text).node
    assert isinstance(node, n.MethodDef)
    assert node.signature.selector.text == text.removesuffix(" => 1").rsplit(" ", 1)[-1]


def test_declarations_and_statements_mix_in_an_input() -> None:
    parsed = parsed_input("A >> one => 1\nx := 2\ny := 3\nValue subclass: B\n  two => 2\ntype Tee = A")
    assert errors(parsed) == []
    assert [unit.name.kind.value for unit in parsed.units] == [
        "extension",
        "statements",
        "header",
        "method",
        "alias",
    ]


def test_a_first_method_may_stand_on_the_line_of_the_header() -> None:
    parsed = parsed_input("Value subclass: B two => 2")
    assert errors(parsed) == []
    assert [unit.name.member for unit in parsed.units] == ["", "two"]


def test_binary_pattern_segments() -> None:
    tree = statement("x match: [<<a:8/integer-signed, _:n, rest/binary>> -> a]")
    assert "BinarySegment(name='a', size=8, specifiers=('integer' 'signed'))" in shape(tree)
    assert "BinarySegment(name='_', size='n', specifiers=())" in shape(tree)


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("{a, _} := x", n.TuplePattern),
        ("#(a, ...r) := x", n.ListPattern),
        ("#[a, 1, ..._] := x", n.ArrayPattern),
        ('#{#k => v, "s" => _} := x', n.MapPattern),
    ],
)
def test_destructuring(text: str, pattern: type) -> None:
    tree = statement(text)
    assert isinstance(tree, n.Destructuring)
    assert isinstance(tree.pattern, pattern)


def test_class_header_parts() -> None:
    (unit,) = parsed_file(
        "/// Doc.\nsealed typed Box(Integer) subclass: Crate(E :: Printable, F)\n"
        "  native: crate handleScope: #process\n  /// Slot.\n  state: n :: Integer | Nil = 3\n"
    ).units
    header = unit.node
    assert isinstance(header, n.ClassHeader)
    assert header.doc == "Doc."
    assert header.modifiers == ("sealed", "typed")
    assert header.native is not None
    assert header.native.name == "crate"
    assert header.handle_scope is not None
    assert header.data[0].doc == "Slot."
    assert [p.name.name for p in header.type_parameters] == ["E", "F"]


def test_the_superclass_nil_is_none() -> None:
    header = parsed_file("nil subclass: Root\n").units[0].node
    assert isinstance(header, n.ClassHeader)
    assert header.superclass is None


def test_a_long_chain_is_parsed_without_recursion() -> None:
    assert errors(parsed_input("a" + " + a" * 20000)) == []


@pytest.mark.parametrize("opening", ["(", "[", "#(", "#{#a => ", "x := ", '"{', "x match: ["])
def test_nesting_has_a_limit_and_no_crash(opening: str) -> None:
    assert "nesting is too deep: the maximum is 64 levels" in errors(parsed_input(opening * 20000))


def test_sixty_levels_are_fine() -> None:
    assert errors(parsed_input("(" * 60 + "1" + ")" * 60)) == []
