"""Walking meets every node once."""

from lang.ast import nodes as ast
from lang.ast.walk import children, walk
from lang.source import Span

AT = Span(0, 0)
ONE = ast.IntegerLiteral(AT, 1)
KEY = ast.SymbolLiteral(AT, "k")
SEND = ast.Send(AT, ast.Variable(AT, "x"), ast.Selector("foo:", (AT,)), (ONE,))


def test_children_are_met_in_order_and_plain_values_are_not() -> None:
    assert list(children(SEND)) == [SEND.receiver, SEND.selector, ONE]


def test_pairs_are_looked_into() -> None:
    assert list(children(ast.DictionaryLiteral(AT, ((KEY, SEND),)))) == [KEY, SEND]


def test_walk_goes_down_parents_first() -> None:
    body = ast.Statements(AT, (SEND, ONE))
    assert list(walk(body)) == [body, SEND, SEND.receiver, SEND.selector, ONE, ONE]
