"""Parsing for tests: every parse is checked for the laws of trees."""

from __future__ import annotations

from lang.ast import nodes as n
from lang.ast.walk import children, walk
from lang.diagnostics import Severity
from lang.source import SourceText, Span
from lang.syntax import cut_file, parse_file, parse_input, unparse
from lang.syntax.units import ParsedFile


def parsed_file(text: str, name: str = "test.bt") -> ParsedFile:
    parsed = parse_file(SourceText(text, name))
    assert_laws(parsed)
    if not errors(parsed):
        assert tuple(unit.cut for unit in parsed.units) == cut_file(parsed.source)
    return parsed


def parsed_input(text: str) -> ParsedFile:
    parsed = parse_input(text)
    assert_laws(parsed)
    return parsed


def statement(text: str) -> n.Expression:
    """The one statement of a sound input."""
    (only,) = statements(text)
    return only


def statements(text: str) -> tuple[n.Expression, ...]:
    parsed = parsed_input(text)
    assert errors(parsed) == []
    (unit,) = parsed.units
    assert isinstance(unit.node, n.Statements)
    return unit.node.body


def errors(parsed: ParsedFile) -> list[str]:
    return [d.message for d in parsed.all_diagnostics() if d.severity is Severity.ERROR]


def assert_laws(parsed: ParsedFile) -> None:
    """The text comes back byte for byte, units do not overlap, and spans nest."""
    text = parsed.source.text
    assert unparse(parsed) == text
    at = 0
    for unit in parsed.units:
        assert at <= unit.cut.span.start <= unit.cut.span.end <= len(text)
        assert unit.cut.span.covers(unit.cut.core)
        assert unit.text == parsed.source.slice(unit.cut.span)
        at = unit.cut.span.end
        whole = Span(0, len(unit.text))
        assert all(whole.covers(d.span) for d in unit.diagnostics)
        if unit.node is not None:
            _assert_nesting(unit.node, whole)
    names = [unit.name for unit in parsed.units]
    assert len(names) == len(set(names))


def _assert_nesting(node: n.Node, whole: Span) -> None:
    assert whole.covers(node.span)
    for outer in walk(node):
        for inner in children(outer):
            assert outer.span.covers(inner.span), (outer, inner)


def shape(node: object) -> str:
    """A tree without spans, to compare."""
    if isinstance(node, tuple) and not isinstance(node, Span):
        return "(" + " ".join(shape(item) for item in node) + ")"
    if type(node).__module__ != n.__name__:
        return repr(node)
    inner = [
        f"{name}={shape(getattr(node, name))}"
        for name in node.__slots__  # type: ignore[attr-defined]
        if "span" not in name and name != "parts"
    ]
    if isinstance(node, n.Interpolation):
        inner = [shape(node.parts)]
    return f"{type(node).__name__}({', '.join(inner)})"


def sent(node: object) -> str:
    """An expression with every send in parentheses: what binds to what."""
    match node:
        case n.Send(receiver=receiver, selector=selector, arguments=()):
            return f"({sent(receiver)} {selector.text})"
        case n.Send(receiver=receiver, selector=selector, arguments=arguments):
            return f"({sent(receiver)} {selector.text} {', '.join(map(sent, arguments))})"
        case n.Variable(name=name):
            return name
        case n.IntegerLiteral(value=value):
            return str(value)
        case n.Parenthesized(inner=inner):
            return sent(inner)
        case n.Assignment(target=target, value=value):
            return f"{sent(target)} := {sent(value)}"
        case n.Cascade(first=first, messages=messages):
            return "; ".join(
                [
                    sent(first),
                    *(f"{m.selector.text} {', '.join(map(sent, m.arguments))}".strip() for m in messages),
                ]
            )
        case n.Block(body=body):
            return f"[{'. '.join(map(sent, body))}]"
        case _:
            return type(node).__name__
