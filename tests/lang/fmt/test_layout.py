"""Canonical layout, rule by rule (workspace.md 6.8)."""

from __future__ import annotations

import pytest

from lang.fmt.files import Unparsable, format_source
from lang.source import SourceText
from tests.lang.fmt.laws import formatted, longest_line

LONG = "aVeryLongNameIndeed"

# What comes in, what comes out; each stands in the body of a method unless it declares something.
RULES = [
    ("x:=1", "x := 1"),
    ("x::Integer:=1", "x :: Integer := 1"),
    ("^  self  foo", "^self foo"),
    ("a+b   *c", "a + b * c"),
    ("a foo:1\n      bar:2", "a foo: 1 bar: 2"),
    ("a foo;bar;baz:2", "a foo; bar; baz: 2"),
    ("[:x|x]value:1", "[:x | x] value: 1"),
    ("[:x :: Integer|]", "[:x :: Integer |]"),
    ("[\n      a foo\n    ] value", "[a foo] value"),
    ("[a foo. b bar] value", "[\n      a foo\n      b bar\n    ] value"),
    ("list do: [:e |\n a foo: e.\n b bar]", "list do: [:e |\n      a foo: e\n      b bar\n    ]"),
    ("#( 1,2 , 3 )", "#(1, 2, 3)"),
    ("#(1,\n 2,)", "#(\n      1,\n      2,\n    )"),
    ("#(1|rest)", "#(1 | rest)"),
    ("#{#a=>1,#b=>2}", "#{#a => 1, #b => 2}"),
    ("#(#+ , 1)", "#(#+ , 1)"),
    ("#[a,...r]:=b", "#[a, ...r] := b"),
    ("{a,_}:=b", "{a, _} := b"),
    ("b foo!", "b foo!"),
    ("n match:[1->2;_->3]", "n match: [1 -> 2; _ -> 3]"),
    (
        "n match: [\n 1 -> 2\n x when:[x>3] -> 4\n]",
        "n match: [\n      1 -> 2\n      x when: [x > 3] -> 4\n    ]",
    ),
    ("n match: [<<a:8,rest/binary>> -> a]", "n match: [<<a:8, rest/binary>> -> a]"),
    ("n match: [Result ok:v -> v; #{#k=>x} -> x; y::Integer -> y]", None),
    ('"{a   foo}  kept"', '"{a   foo}  kept"'),
    ("16rFF + 1.50 + 2e3", "16rFF + 1.50 + 2e3"),
    ("a // beside", "a // beside"),
    ("a foo: 1 // beside\n    b", "a foo: 1 // beside\n    b"),
    ("a foo: 1 // beside\n      bar: 2", "a\n      foo: 1 // beside\n      bar: 2"),
    ("a.\n\n\n\n    b.", "a\n\n    b"),
    ("/* before */ a foo: 1", "/* before */ a foo: 1"),
    ("/* over\n two lines */ #{#a => 1}", "/* over\n two lines */\n    #{#a => 1}"),
    ("a /* within */ foo", "a /* within */ foo"),
    ("[:x | // head\n x]", "[:x | // head\n      x\n    ]"),
    ("[\n x\n // last\n]", "[\n      x\n      // last\n    ]"),
    ("@expect dnu\n     a foo", "@expect dnu\n    a foo"),
]


@pytest.mark.parametrize(("written", "canonical"), RULES)
def test_a_statement_is_laid_out(written: str, canonical: str | None) -> None:
    text = f"Object subclass: A\n\n  go =>\n    0\n    {written}\n"
    result = formatted(text)
    assert result is not None
    if canonical is not None:
        assert result == f"Object subclass: A\n\n  go =>\n    0\n    {canonical}\n"


def test_a_keyword_message_that_is_too_long_is_broken_one_part_a_line() -> None:
    parts = [f"{LONG}{n}: {LONG}" for n in range(4)]
    result = formatted(f"x foo\nx {' '.join(parts)}\n")
    assert result == "x foo\nx\n" + "".join(f"  {part}\n" for part in parts)


def test_a_cascade_that_is_too_long_is_broken_one_message_a_line() -> None:
    parts = [f"{LONG}{n}: {LONG}" for n in range(4)]
    result = formatted(f"x {'; '.join(parts)}\n")
    assert result == "x\n" + "".join(f"  {part};\n" for part in parts[:-1]) + f"  {parts[-1]}\n"


def test_operators_of_one_level_break_together() -> None:
    names = [f"{LONG}{n} * 2" for n in range(5)]
    assert formatted(f"x := {' + '.join(names)}\n") == f"x := {names[0]}\n" + "".join(
        f"  + {name}\n" for name in names[1:]
    )


def test_a_block_too_long_for_its_line_opens() -> None:
    condition = f"({LONG} includes: {LONG})"
    result = formatted(f"{condition} ifTrue: [{LONG} foo: {LONG} bar: {LONG} baz: 1]\n")
    assert result == f"{condition} ifTrue: [\n  {LONG} foo: {LONG} bar: {LONG} baz: 1\n]\n"


def test_a_method_of_one_statement_stays_on_the_line_of_its_signature_when_it_fits() -> None:
    assert formatted("Object subclass: A\n  a =>\n    1\n") == "Object subclass: A\n  a => 1\n"
    long = f"{LONG} foo: {LONG} bar: {LONG} baz: {LONG}"
    result = formatted(f"Object subclass: A\n  a => {long}\n")
    assert result == f"Object subclass: A\n  a =>\n    {long}\n"


def test_members_stand_two_columns_in_with_a_blank_line_between_methods() -> None:
    written = (
        "Actor subclass:A\n state:x::Integer=0\n state: y\n\n\n a=>1\n class  b:c::List( E )  ->List(E)=>c\n"
    )
    assert formatted(written) == (
        "Actor subclass: A\n  state: x :: Integer = 0\n  state: y\n\n"
        "  a => 1\n\n  class b: c :: List(E) -> List(E) => c\n"
    )


def test_headers_protocols_aliases_and_extensions() -> None:
    assert formatted("sealed   typed Collection( E )subclass:  Bag( E::Printable )\n") == (
        "sealed typed Collection(E) subclass: Bag(E :: Printable)\n"
    )
    assert formatted("Protocol define:P( E )extending:Q\n  class  a: x::E->Integer\n  + other\n") == (
        "Protocol define: P(E) extending: Q\n  class a: x :: E -> Integer\n  + other\n"
    )
    assert formatted("internal  type Shade=#dark|#light\n") == "internal type Shade = #dark | #light\n"
    assert formatted("A class>>b: (C|D) => 1\n") is None
    assert (
        formatted("A  class>>b:c::(C|D)=>1\nA>>+ d=>2\n")
        == "A class >> b: c :: (C | D) => 1\n\nA >> + d => 2\n"
    )


def test_comments_stay_beside_what_they_stand_beside() -> None:
    text = (
        "// of the file\n\n"
        "/// of the class\n//  plain\nObject subclass: A // beside\n"
        "  // of x\n  field: x = 1 // one\n\n"
        "  /// of a\n  a =>\n    // first\n    1\n    // last\n\n"
        "  // -- a part --\n\n"
        "  b => 2 // two\n"
        "// the end\n"
    )
    result = formatted(text.replace("field:", "state:").replace("Object", "Actor"))
    assert result == text.replace("field:", "state:").replace("Object", "Actor")


def test_line_ends_and_the_byte_order_mark_stay() -> None:
    text = '\ufeffObject subclass: A\r\n  a   => "x\r\ny"\r\n\r\n\r\n  b => 2'
    assert formatted(text) == '\ufeffObject subclass: A\r\n  a => "x\r\ny"\r\n\r\n  b => 2\r\n'
    assert formatted('a\nb\r\nc := "\r\n"\n') == 'a\nb\nc := "\r\n"\n'
    assert formatted("a  \n// b  \n") == "a\n// b\n"
    assert formatted("") == ""


def test_a_file_with_mistakes_is_left_alone() -> None:
    outcome = format_source(SourceText("Object subclass: A\n  a => (1\n\n  b => 2\n"))
    assert isinstance(outcome, Unparsable)
    assert [problem.span.start for problem in outcome.problems] == [26]


def test_long_chains_are_formatted_without_recursion() -> None:
    for chain in ("a" + " foo" * 5000, "a" + " + b" * 5000, "a" + " ** b" * 5000):
        assert formatted(f"{chain}\n") is not None


def test_long_lines_are_those_that_cannot_be_broken() -> None:
    result = formatted(f"x foo: {LONG * 3} bar: {LONG * 3}\n{LONG * 7}\n")
    assert result is not None
    assert longest_line(result) == len(LONG) * 7 - 100
