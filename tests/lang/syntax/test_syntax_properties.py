"""Any text parses to something that gives it back; generated programs are sound."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from lang.syntax import parse_method_source
from lang.syntax.generate import module_text
from lang.syntax.tables import TABLES
from tests.lang.syntax.parsing import errors, parsed_file, parsed_input, sent, statement

SIGNS = (
    "a b foo: at: A Integer self nil class sealed subclass: state: => -> := :: : | ( ) [ ] { } #( #[ #{ #x "
    "\" ' $a 1 2.5 16rF + - * ** >> << , ; . ... ! ^ = =:= & \\ @expect @primitive match: when: type Protocol define: "
    "// /* */ ///"
).split()
TEXT = st.lists(st.sampled_from([*SIGNS, " ", "\n", "\n  ", "\n    ", "é", "\r\n", "\t"]), max_size=40).map(
    " ".join
)


@settings(max_examples=300, deadline=None)
@given(TEXT)
def test_any_text_comes_back(text: str) -> None:
    parsed_file(text)
    parsed_input(text)
    parse_method_source(text)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60))
def test_any_characters_come_back(text: str) -> None:
    parsed_file(text)


names = st.sampled_from(["a", "b", "count"])
atoms = st.one_of(names, st.integers(0, 99).map(str))
operators = st.sampled_from(["+", "-", "*", "/", "**", "++", "<", "==", "=:=", ">>", "->"])


def _expressions(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    group = inner.map(lambda e: f"({e})")
    return st.one_of(
        st.builds("{} size".format, group),
        st.builds("{} {} {}".format, group, operators, group),
        st.builds("{} at: {} put: {}".format, group, group, group),
    )


@settings(max_examples=100, deadline=None)
@given(st.recursive(atoms, _expressions, max_leaves=12))
def test_a_fully_parenthesized_expression_is_what_it_says(text: str) -> None:
    """Parsing what `sent` prints gives the same tree."""
    assert errors(parsed_input(text)) == []
    tree = sent(statement(text)).replace(" at:put: ", " at: ").replace(", ", " put: ")
    assert sent(statement(tree)) == sent(statement(text))


@settings(max_examples=50, deadline=None)
@given(st.lists(st.recursive(atoms, _expressions, max_leaves=6), min_size=1, max_size=6))
def test_a_generated_class_is_sound(bodies: list[str]) -> None:
    methods = "".join(f"  m{i} =>\n    {body}\n\n" for i, body in enumerate(bodies))
    parsed = parsed_file(f"Object subclass: A\n\n{methods}")
    assert errors(parsed) == []
    assert [u.name.member for u in parsed.units[1:]] == [f"m{i}" for i in range(len(bodies))]


def test_the_tables_are_those_of_the_grammar() -> None:
    written = module_text()
    namespace: dict[str, str] = {}
    exec(written, namespace)
    assert namespace["TABLES"] == TABLES
