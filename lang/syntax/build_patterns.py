"""From a reduction of the grammar to a node: match arms, patterns, assignments and destructuring.

The grammar takes one broad form of pattern; which ones may stand where is
language.md 2.9 and is checked here.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from lang.ast import nodes as n
from lang.source import Span
from lang.syntax.lalr import Action, Token
from lang.syntax.messages import Message
from lang.syntax.problems import RefusedError

_Literal = n.IntegerLiteral | n.FloatLiteral | n.StringLiteral | n.SymbolLiteral | n.CharacterLiteral


class _Guard(NamedTuple):
    condition: n.Expression


class _TupleShape(NamedTuple):
    """`{a, b}` before `:=`."""

    elements: tuple[n.Expression | n.RestPattern, ...]
    span: Span


# ---------------------------------------------------------------- match


def match(c: list[Any]) -> n.Match:
    subject, keyword, *arms, closer = c
    del arms[0]
    if not arms:
        raise RefusedError(Message.NO_ARMS, keyword.span, keyword.text)
    selector = n.Selector(keyword.text, (keyword.span,))
    return n.Match(Span(subject.span.start, closer.end), subject, selector, tuple(arms))


def guard(c: list[Any]) -> _Guard:
    return _Guard(c[2])


def arm(c: list[Any]) -> n.MatchArm:
    pattern, body = _settled(c[0]), c[-1]
    condition = c[1].condition if isinstance(c[1], _Guard) else None
    return n.MatchArm(Span(pattern.span.start, body.span.end), pattern, condition, body)


def _settled(pattern: Any) -> n.Pattern:
    """A pattern outside a map: `nil` is a literal, `true` and `false` are refused, `#( )` is no pattern."""
    match pattern:
        case n.VariablePattern(name="nil"):
            return n.LiteralPattern(pattern.span, n.Constant(pattern.span, None))
        case n.VariablePattern(name="true" | "false" as name):
            raise RefusedError(Message.BOOLEAN_PATTERN, pattern.span, name, f"_ :: {name.capitalize()}")
        case n.ListPattern():
            raise RefusedError(Message.LIST_PATTERN, pattern.span)
        case n.RestPattern():
            raise RefusedError(Message.REST_OUTSIDE, pattern.span)
        case _:
            return _literal_or(pattern)


def _literal_or(pattern: Any) -> n.Pattern:
    if isinstance(pattern, _Literal):
        return n.LiteralPattern(pattern.span, pattern)
    settled: n.Pattern = pattern
    return settled


def name_pattern(c: list[Any]) -> n.Pattern:
    token: Token = c[0]
    return n.WildcardPattern(token.span) if token.text == "_" else n.VariablePattern(token.span, token.text)


def bare_class_pattern(c: list[Any]) -> n.Pattern:
    raise RefusedError(Message.CLASS_PATTERN, c[0].span, c[0].text)


def type_pattern(c: list[Any]) -> n.Pattern:
    name, _, named = c
    if name.text == "nil":
        raise RefusedError(Message.NIL_TYPE_PATTERN, name.span)
    if not isinstance(named, n.NamedType):
        raise RefusedError(Message.TYPE_PATTERN_CLASS, named.span, "another type")
    if named.arguments:
        raise RefusedError(Message.TYPE_ARGUMENTS_PATTERN, named.span, f"{name.text} :: {named.ref.name}")
    return n.TypePattern(Span(name.start, named.span.end), n.Identifier(name.span, name.text), named.ref)


_CONSTRUCTORS = frozenset({("Result", "ok:"), ("Result", "error:")})


def constructor_pattern(c: list[Any]) -> n.Pattern:
    name, *rest = c
    text = "".join(part.text for part in rest[::2])
    if (name.text, text) not in _CONSTRUCTORS:
        raise RefusedError(
            Message.CONSTRUCTOR_PATTERN, Span(name.start, rest[-1].span.end), f"{name.text} {text}"
        )
    return n.ConstructorPattern(
        Span(name.start, rest[-1].span.end),
        n.ClassRef(name.span, name.text, name.span),
        n.Selector(text, tuple(part.span for part in rest[::2])),
        tuple(_settled(binding) for binding in rest[1::2]),
    )


def tuple_pattern(c: list[Any]) -> n.Pattern:
    return n.TuplePattern(
        Span(c[0].start, c[-1].end), tuple(_nested(element, "a tuple") for element in c[1:-1])
    )


def _nested(pattern: Any, inside: str) -> n.Pattern:
    match pattern:
        case n.TypePattern():
            raise RefusedError(Message.NESTED_PATTERN, pattern.span, "a type", inside)
        case n.ArrayPattern():
            raise RefusedError(Message.NESTED_PATTERN, pattern.span, "an array", inside)
        case _:
            return _settled(pattern)


def array_pattern(c: list[Any]) -> n.Pattern:
    for element in c[1:-1]:
        if isinstance(element, n.RestPattern):
            raise RefusedError(Message.REST_OUTSIDE, element.span)
        if not isinstance(element, n.VariablePattern | n.WildcardPattern | n.ArrayPattern):
            raise RefusedError(Message.ARRAY_ELEMENT, element.span)
    return n.ArrayPattern(Span(c[0].start, c[-1].end), tuple(_settled(element) for element in c[1:-1]))


def list_pattern(c: list[Any]) -> n.Pattern:
    return n.ListPattern(Span(c[0].start, c[-1].end), tuple(_literal_or(element) for element in c[1:-1]))


def pattern_pair(c: list[Any]) -> tuple[n.Expression, n.Pattern]:
    key, _, value = c
    if not isinstance(value, n.VariablePattern | n.WildcardPattern | _Literal):
        raise RefusedError(Message.MAP_VALUE, value.span)
    return key, _literal_or(value)


def map_pattern(c: list[Any]) -> n.Pattern:
    return n.MapPattern(Span(c[0].start, c[-1].end), tuple(c[1:-1]))


# ---------------------------------------------------------------- binary patterns

_SPECIFIERS = {
    **dict.fromkeys(("integer", "float", "binary", "bytes", "utf8"), "type"),
    **dict.fromkeys(("signed", "unsigned"), "sign"),
    **dict.fromkeys(("big", "little", "native"), "order"),
}


def segment(c: list[Any]) -> n.BinarySegment:
    name: Token = c[0]
    size: int | str | None = None
    rest = c[1:]
    if name.type == "KEYWORD":
        size, rest = _size(c[1]), c[2:]
    specifiers = _specifiers(rest)
    return n.BinarySegment(Span(name.start, c[-1].end), name.text.rstrip(":"), size, specifiers)


def _size(token: Token) -> int | str:
    if token.type != "INT":
        return token.text
    if not token.text.isdigit() or int(token.text[:12]) == 0:
        raise RefusedError(Message.SEGMENT_SIZE, token.span, f"'{token.text}'")
    return int(token.text[:12])


def _specifiers(tokens: list[Token]) -> tuple[str, ...]:
    seen: set[str] = set()
    wanted = "/"
    for operator, word in zip(tokens[::2], tokens[1::2], strict=True):
        if operator.text != wanted:
            raise RefusedError(Message.SEGMENT, operator.span, f"'{operator.text}'")
        wanted = "-"
        kind = _SPECIFIERS.get(word.text)
        if kind is None:
            raise RefusedError(Message.SEGMENT_SPECIFIER, word.span, word.text)
        if kind in seen:
            raise RefusedError(Message.SEGMENT_DUPLICATE, word.span, word.text)
        seen.add(kind)
    return tuple(word.text for word in tokens[1::2])


def binary_pattern_match(c: list[Any]) -> n.Pattern:
    return n.BinaryPattern(Span(c[0].start, c[-1].end), tuple(c[1:-1]))


# ---------------------------------------------------------------- assignment


def tuple_shape(c: list[Any]) -> _TupleShape:
    return _TupleShape(tuple(c[1:-1]), Span(c[0].start, c[-1].end))


def rest(c: list[Any]) -> n.RestPattern:
    return n.RestPattern(Span(c[0].start, c[1].end), c[1].text)


def assign(c: list[Any]) -> n.Expression:
    target, _, value = c
    span = Span(target.span.start, value.span.end)
    match target:
        case n.Variable() | n.FieldAccess():
            return n.Assignment(span, target, value)
        case n.ListLiteral() | n.ArrayLiteral() | n.DictionaryLiteral() | _TupleShape():
            return n.Destructuring(span, _target(target), value)
        case _:
            raise RefusedError(Message.ASSIGNMENT_TARGET, target.span)


def typed_assign(c: list[Any]) -> n.Assignment:
    target, _, annotation, _, value = c
    match target:
        case n.Variable():
            return n.Assignment(Span(target.span.start, value.span.end), target, value, annotation)
        case n.ListLiteral() | n.ArrayLiteral() | n.DictionaryLiteral():
            raise RefusedError(Message.ANNOTATED_DESTRUCTURING, Span(target.span.start, annotation.span.end))
        case _:
            raise RefusedError(Message.ASSIGNMENT_TARGET, target.span)


_Shape = n.ListLiteral | n.ArrayLiteral | n.DictionaryLiteral | _TupleShape


def _target(target: _Shape) -> n.Pattern:
    match target:
        case n.DictionaryLiteral():
            return n.MapPattern(target.span, tuple(_target_pair(key, value) for key, value in target.pairs))
        case n.ListLiteral(tail=tail) if tail is not None:
            raise RefusedError(Message.DESTRUCTURING_CONS, tail.span)
        case n.ListLiteral():
            return n.ListPattern(target.span, _elements(target.elements))
        case n.ArrayLiteral():
            return n.ArrayPattern(target.span, _elements(target.elements))
        case _TupleShape():
            return n.TuplePattern(target.span, _elements(target.elements))


def _elements(elements: tuple[Any, ...]) -> tuple[n.Pattern, ...]:
    for element in elements[:-1]:
        if isinstance(element, n.RestPattern):
            raise RefusedError(Message.REST_NOT_LAST, element.span, element.name)
    return tuple(_element(element) for element in elements)


def _element(element: Any) -> n.Pattern:
    match element:
        case n.RestPattern():
            return element
        case n.Variable():
            return _name(element)
        case n.Constant():
            return n.LiteralPattern(element.span, element)
        case _ if isinstance(element, _Literal):
            return n.LiteralPattern(element.span, element)
        case _:
            raise RefusedError(Message.DESTRUCTURING_ELEMENT, element.span)


def _name(variable: n.Variable) -> n.Pattern:
    if variable.name == "_":
        return n.WildcardPattern(variable.span)
    return n.VariablePattern(variable.span, variable.name)


def _target_pair(
    key: n.Expression, value: n.Expression
) -> tuple[n.SymbolLiteral | n.StringLiteral, n.Pattern]:
    if not isinstance(key, n.SymbolLiteral | n.StringLiteral):
        raise RefusedError(Message.DESTRUCTURING_KEY, key.span)
    if not isinstance(value, n.Variable):
        raise RefusedError(Message.DESTRUCTURING_VALUE, value.span)
    return key, _name(value)


_ALL: tuple[Action, ...] = (
    match,
    guard,
    arm,
    name_pattern,
    bare_class_pattern,
    type_pattern,
    constructor_pattern,
    tuple_pattern,
    array_pattern,
    list_pattern,
    pattern_pair,
    map_pattern,
    segment,
    binary_pattern_match,
    tuple_shape,
    rest,
    assign,
    typed_assign,
)

ACTIONS: dict[str, Action] = {action.__name__: action for action in _ALL}
