"""From a reduction of the grammar to a node of the tree: declarations, types and the table of actions.

Comes in: the values of one rule's right-hand side. Guarantees: nodes of
`lang/ast/nodes.py` with spans in the unit's text; `RefusedError` for what the
grammar takes and the language does not. No state. The names of the actions are
those of `grammar.lark`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from lang.ast import nodes as n
from lang.source import Span
from lang.syntax import build_expressions as ex
from lang.syntax import build_patterns as pt
from lang.syntax.lalr import Action, Token
from lang.syntax.messages import Message
from lang.syntax.problems import RefusedError

# ---------------------------------------------------------------- pieces between nodes


class _TypeArguments(NamedTuple):
    types: tuple[n.TypeExpr, ...]
    end: int


class _TypeParameters(NamedTuple):
    parameters: tuple[n.TypeParameter, ...]
    end: int


class _Pattern(NamedTuple):
    selector: n.Selector
    parameters: tuple[n.Parameter, ...]
    span: Span


class _ReturnType(NamedTuple):
    type: n.TypeExpr


class _Native(NamedTuple):
    name: n.Identifier


class _Scope(NamedTuple):
    symbol: n.SymbolLiteral
    keyword: Span


class _Extending(NamedTuple):
    ref: n.ClassRef


def _span_of(value: Any) -> Span:
    span: Span = value.span
    return span


def _between(first: Any, last: Any) -> Span:
    return Span(_span_of(first).start, _span_of(last).end)


# ---------------------------------------------------------------- types


def type_arguments(c: list[Any]) -> _TypeArguments:
    return _TypeArguments(tuple(c[1:-1]), c[-1].end)


def type_parameters(c: list[Any]) -> _TypeParameters:
    return _TypeParameters(tuple(c[1:-1]), c[-1].end)


def type_parameter(c: list[Any]) -> n.TypeParameter:
    name = c[0]
    bound = c[2] if len(c) > 1 else None
    return n.TypeParameter(_between(name, c[-1]), n.Identifier(name.span, name.name), bound)


def named_type(c: list[Any]) -> n.NamedType:
    ref = c[0]
    if len(c) == 1:
        return n.NamedType(ref.span, ref)
    return n.NamedType(Span(ref.span.start, c[1].end), ref, c[1].types)


def meta_type(c: list[Any]) -> n.MetaType:
    ref, word = c
    if word.text != "class":
        raise RefusedError(Message.TYPE, word.span, f"'{word.text}'")
    return n.MetaType(_between(ref, word), ref)


def singleton_type(c: list[Any]) -> n.SingletonType:
    symbol = ex.symbol(c)
    return n.SingletonType(symbol.span, symbol.name)


def parenthesized_type(c: list[Any]) -> n.TypeExpr:
    inner: n.TypeExpr = c[1]
    return inner


def union_type(c: list[Any]) -> n.UnionType:
    members: list[n.TypeExpr] = []
    for member in c[::2]:
        members.extend(member.members if isinstance(member, n.UnionType) else [member])
    return n.UnionType(_between(c[0], c[-1]), tuple(members))


def intersection_type(c: list[Any]) -> n.IntersectionType:
    return n.IntersectionType(_between(c[0], c[-1]), tuple(c[::2]))


def difference_type(c: list[Any]) -> n.TypeExpr:
    result: n.TypeExpr = c[0]
    for removed in c[2::2]:
        result = n.DifferenceType(_between(result, removed), result, removed)
    return result


# ---------------------------------------------------------------- signatures and methods


def parameter(c: list[Any]) -> n.Parameter:
    name = n.Identifier(c[0].span, c[0].text)
    if len(c) == 1:
        return n.Parameter(name.span, name)
    return n.Parameter(_between(name, c[2]), name, c[2])


def unary_pattern(c: list[Any]) -> _Pattern:
    span = c[0].span
    return _Pattern(n.Selector(c[0].text, (span,)), (), span)


def binary_pattern(c: list[Any]) -> _Pattern:
    return _Pattern(n.Selector(c[0].text, (c[0].span,)), (c[1],), _between(c[0], c[1]))


def keyword_pattern(c: list[Any]) -> _Pattern:
    return _Pattern(ex.keyword_selector(c[::2]), tuple(c[1::2]), _between(c[0], c[-1]))


def return_type(c: list[Any]) -> _ReturnType:
    return _ReturnType(c[1])


def signature(c: list[Any]) -> n.Signature:
    pattern = c[0]
    if len(c) == 1:
        return n.Signature(pattern.span, pattern.selector, pattern.parameters)
    returned = c[1].type
    return n.Signature(_between(pattern, returned), pattern.selector, pattern.parameters, returned)


def _on_class_side(s: n.Signature) -> n.Signature:
    return n.Signature(s.span, s.selector, s.parameters, s.return_type, is_class_side=True)


def method(c: list[Any]) -> n.MethodDef:
    return _method(c, c[0])


def _method(c: list[Any], first: Any) -> n.MethodDef:
    expects: list[n.Expect] = []
    modifiers: list[str] = []
    at = 0
    while isinstance(token := c[at], Token):
        if token.type == "MEXPECT":
            expects.append(ex.expect([token]))
        else:
            modifiers.append(token.text)
        at += 1
    sig = _on_class_side(c[at]) if "class" in modifiers else c[at]
    return n.MethodDef(
        _between(first, c[-1]),
        sig,
        tuple(c[at + 2 :]),
        "sealed" in modifiers,
        "internal" in modifiers,
        None,
        tuple(expects),
    )


def extension(c: list[Any]) -> n.ExtensionDef:
    at = next(i for i, child in enumerate(c) if isinstance(child, n.ClassRef))
    rest = c[at + 1 :]
    is_class_side = isinstance(rest[0], Token) and rest[0].type == "SIDE"
    body = rest[1:] if is_class_side else rest
    made = _method(c[:at] + body, body[0])
    if is_class_side:
        made = n.MethodDef(
            made.span,
            _on_class_side(made.signature),
            made.body,
            made.is_sealed,
            made.is_internal,
            None,
            made.expects,
        )
    return n.ExtensionDef(_between(c[0], c[-1]), c[at], made)


def data(c: list[Any]) -> n.DataDecl:
    at = next(i for i, token in enumerate(c) if token.type == "DATAKW")
    keyword, name = c[at], c[at + 1]
    rest = c[at + 2 :]
    annotation = default = None
    if rest and rest[0].type == "DCOLON":
        annotation, rest = rest[1], rest[2:]
    if rest:
        default = rest[1]
    return n.DataDecl(
        _between(c[0], c[-1]),
        keyword.text,
        n.Identifier(name.span, name.text),
        annotation,
        default,
        None,
        tuple(ex.expect([token]) for token in c[:at]),
    )


def data_unit(c: list[Any]) -> n.DataDecl | n.ErrorNode:
    declared: n.DataDecl | n.ErrorNode = c[0]
    return declared


# ---------------------------------------------------------------- classes, protocols, aliases


def class_ref(c: list[Any]) -> n.ClassRef:
    token = c[0]
    if "@" not in token.text:
        span = token.span
        return n.ClassRef(span, token.text, span)
    package, _, name = token.text.partition("@")
    return n.ClassRef(token.span, name, Span(token.end - len(name), token.end), package)


def native_clause(c: list[Any]) -> _Native:
    return _Native(n.Identifier(c[1].span, c[1].text))


def scope_clause(c: list[Any]) -> _Scope:
    return _Scope(ex.symbol([c[1]]), c[0].span)


def header(c: list[Any]) -> n.ClassHeader:
    expects = tuple(ex.expect([t]) for t in c if isinstance(t, Token) and t.type == "MEXPECT")
    modifiers = tuple(t.text for t in c if isinstance(t, Token) and t.type == "MOD")
    superclass, name = (child for child in c if isinstance(child, n.ClassRef))
    arguments: tuple[n.TypeExpr, ...] = ()
    parameters: tuple[n.TypeParameter, ...] = ()
    native = scope = None
    declared: list[n.DataDecl] = []
    for child in c:
        match child:
            case _TypeArguments():
                arguments = child.types
            case _TypeParameters():
                parameters = child.parameters
            case _Native():
                native = child.name
            case _Scope():
                scope = child.symbol
            case n.DataDecl():
                declared.append(child)
    return n.ClassHeader(
        Span(_span_of(c[0]).start, _end(c[-1])),
        name,
        None if superclass.name == "nil" else superclass,
        modifiers,
        arguments,
        parameters,
        native,
        scope,
        tuple(declared),
        None,
        expects,
    )


def _end(value: Any) -> int:
    match value:
        case _TypeParameters() | _TypeArguments():
            return value.end
        case _Native():
            return value.name.span.end
        case _Scope():
            return value.symbol.span.end
        case _Extending():
            return value.ref.span.end
        case _:
            return _span_of(value).end


def extending(c: list[Any]) -> _Extending:
    return _Extending(c[1])


def protocol_signature(c: list[Any]) -> n.Signature:
    return _on_class_side(c[2]) if len(c) == 3 else c[1]


def protocol(c: list[Any]) -> n.ProtocolDef:
    _, name = (child for child in c if isinstance(child, n.ClassRef))
    parameters = next((p.parameters for p in c if isinstance(p, _TypeParameters)), ())
    parent = next((p.ref for p in c if isinstance(p, _Extending)), None)
    signatures = tuple(s for s in c if isinstance(s, n.Signature))
    return n.ProtocolDef(Span(_span_of(c[0]).start, _end(c[-1])), name, parameters, parent, signatures)


def alias(c: list[Any]) -> n.TypeAlias:
    is_internal = c[0].type == "MOD"
    name, meaning = c[-3], c[-1]
    if len(name.name) == 1:
        raise RefusedError(Message.ONE_LETTER_ALIAS, name.span, name.name)
    return n.TypeAlias(_between(c[0], meaning), name, meaning, is_internal)


def statements(c: list[Any]) -> n.Statements:
    span = _between(c[0], c[-1]) if c else Span(0, 0)
    return n.Statements(span, tuple(c))


def broken(c: list[Any]) -> n.ErrorNode:
    return n.ErrorNode(c[0].span)


_OWN: tuple[Action, ...] = (
    type_arguments,
    type_parameters,
    type_parameter,
    named_type,
    meta_type,
    singleton_type,
    parenthesized_type,
    union_type,
    intersection_type,
    difference_type,
    parameter,
    unary_pattern,
    binary_pattern,
    keyword_pattern,
    return_type,
    signature,
    method,
    extension,
    data,
    data_unit,
    class_ref,
    native_clause,
    scope_clause,
    header,
    extending,
    protocol_signature,
    protocol,
    alias,
    statements,
    broken,
)

ACTIONS: dict[str, Action] = {
    **{action.__name__: action for action in _OWN},
    **ex.ACTIONS,
    **pt.ACTIONS,
}
"""Action by rule name."""
