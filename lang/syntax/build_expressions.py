"""From a reduction of the grammar to a node: literals, sends, blocks, assignments.

Levels of binary operators (language.md 3) are made here, out of the flat list
that the grammar gives.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from lang.ast import nodes as n
from lang.source import Span
from lang.syntax.lalr import Action, Token
from lang.syntax.messages import Message
from lang.syntax.problems import RefusedError

# ---------------------------------------------------------------- literals

_LEAST, _GREATEST = -(2**63), 2**63 - 1


def integer(c: list[Any]) -> n.IntegerLiteral:
    token: Token = c[0]
    text = token.text
    value = _radix(token) if "r" in text else _decimal(token)
    if not _LEAST <= value <= _GREATEST:
        raise RefusedError(Message.INVALID_INTEGER, token.span, text, "it does not fit 64 bits")
    return n.IntegerLiteral(token.span, value)


def _decimal(token: Token) -> int:
    # Longer ones do not fit anyway, and the host refuses to read thousands of digits.
    return int(token.text) if len(token.text) < 30 else _GREATEST + 1


def _radix(token: Token) -> int:
    base_text, _, digits = token.text.partition("r")
    base = int(base_text) if len(base_text) < 4 else 0
    if not 2 <= base <= 36:
        raise RefusedError(Message.INVALID_INTEGER, token.span, token.text, "the base is 2 to 36")
    if not digits:
        raise RefusedError(Message.INVALID_INTEGER, token.span, token.text, "digits are missing")
    for digit in digits:
        if digit == "_" or int(digit, 36) >= base:
            raise RefusedError(
                Message.INVALID_INTEGER, token.span, token.text, f"'{digit}' is no digit in base {base}"
            )
    return int(digits, base) if len(digits) <= 64 else _GREATEST + 1


def float_number(c: list[Any]) -> n.FloatLiteral:
    token: Token = c[0]
    try:
        value = float(token.text)
    except ValueError:
        raise RefusedError(Message.INVALID_FLOAT, token.span, token.text) from None
    if value in (float("inf"), float("-inf")):
        raise RefusedError(Message.FLOAT_RANGE, token.span, token.text)
    return n.FloatLiteral(token.span, value)


_ESCAPES = re.compile(r'""|\\([\s\S])')


def _decoded(raw: str) -> str:
    """The value of a string part (language.md 1.4): other backslashes stay."""
    if '"' not in raw and "\\" not in raw:
        return raw
    return _ESCAPES.sub(_unescape, raw)


def _unescape(found: re.Match[str]) -> str:
    match found.group(1):
        case None:
            return '"'
        case "{" | "}" as brace:
            return brace
        case _:
            return found.group()


def string(c: list[Any]) -> n.StringLiteral:
    token: Token = c[0]
    return n.StringLiteral(token.span, _decoded(token.text[1:-1]))


def interpolation(c: list[Any]) -> n.Interpolation:
    parts: list[n.Expression] = []
    for child in c:
        if not isinstance(child, Token):
            parts.append(child)
        elif len(child.text) > 2:
            parts.append(n.StringLiteral(Span(child.start + 1, child.end - 1), _decoded(child.text[1:-1])))
    return n.Interpolation(Span(c[0].start, c[-1].end), tuple(parts))


_CHARACTERS = {"n": "\n", "t": "\t", "r": "\r"}


def character(c: list[Any]) -> n.CharacterLiteral:
    token: Token = c[0]
    last = token.text[-1]
    return n.CharacterLiteral(token.span, ord(_CHARACTERS.get(last, last) if len(token.text) == 3 else last))


def symbol(c: list[Any]) -> n.SymbolLiteral:
    token: Token = c[0]
    text = token.text
    return n.SymbolLiteral(token.span, text[2:-1].replace("''", "'") if text.startswith("#'") else text[1:])


# ---------------------------------------------------------------- names


def variable(c: list[Any]) -> n.Expression:
    token: Token = c[0]
    match token.text:
        case "self":
            return n.SelfRef(token.span)
        case "super":
            return n.SuperRef(token.span)
        case "nil":
            return n.Constant(token.span, None)
        case "true":
            return n.Constant(token.span, True)
        case "false":
            return n.Constant(token.span, False)
        case name:
            return n.Variable(token.span, name)


def field_access(c: list[Any]) -> n.Expression:
    receiver = class_or_variable(c[0])
    for name in c[1:]:
        receiver = n.FieldAccess(
            Span(receiver.span.start, name.end), receiver, n.Identifier(name.span, name.text)
        )
    return receiver


def class_or_variable(token: Token) -> n.Expression:
    if token.type != "CNAME":
        return variable([token])
    package, at, name = token.text.rpartition("@")
    return n.ClassRef(token.span, name, Span(token.end - len(name), token.end), package if at else None)


_EXPECT = re.compile(r'@expect[ \t]+(\w+)(?:[ \t]+"((?:[^"\\\n]|\\.|"")*)")?')


def expect(c: list[Any]) -> n.Expect:
    token: Token = c[0]
    found = _EXPECT.match(token.text)
    assert found is not None
    reason = found.group(2)
    category = Span(token.start + found.start(1), token.start + found.end(1))
    return n.Expect(token.span, found.group(1), category, None if reason is None else _decoded(reason))


def primitive(c: list[Any]) -> n.Primitive:
    token: Token = c[0]
    word, _, name = token.text.partition(" ") if "\t" not in token.text else token.text.partition("\t")
    name = name.strip()
    is_intrinsic = word == "@intrinsic"
    if is_intrinsic and not name:
        raise RefusedError(Message.INTRINSIC_NAME, token.span)
    decoded = _decoded(name[1:-1]) if name.startswith('"') else name
    return n.Primitive(token.span, is_intrinsic, decoded or None)


# ---------------------------------------------------------------- sends


def keyword_selector(parts: Sequence[Token]) -> n.Selector:
    return n.Selector("".join([part.text for part in parts]), tuple([part.span for part in parts]))


def unary_chain(c: list[Any]) -> n.Expression:
    receiver: n.Expression = c[0]
    start = receiver.span.start
    for name in c[1:]:
        receiver = n.Send(Span(start, name.end), receiver, n.Selector(name.text, (name.span,)))
    return receiver


# Tightest first; `**` is right associative (language.md 3).
_LEVELS = {
    "**": 9,
    "*": 8,
    "/": 8,
    "%": 8,
    "+": 7,
    "-": 7,
    "++": 7,
    "<": 6,
    ">": 6,
    "<=": 6,
    ">=": 6,
    "==": 5,
    "/=": 5,
    "=:=": 5,
    "=/=": 5,
    ">>": 4,
    "->": 3,
}


def binary_chain(c: list[Any]) -> n.Expression:
    """Operator precedence with two stacks: linear, and without recursion for long chains."""
    if len(c) == 3:
        return _binary(c[0], c[1], c[2])
    operands: list[n.Expression] = [c[0]]
    operators: list[Token] = []
    for at in range(1, len(c), 2):
        operator = c[at]
        level = _LEVELS[operator.text]
        while operators and _binds_first(operators[-1], level):
            _reduce(operands, operators)
        operators.append(operator)
        operands.append(c[at + 1])
    while operators:
        _reduce(operands, operators)
    return operands[0]


def _binds_first(earlier: Token, level: int) -> bool:
    return _LEVELS[earlier.text] > level or (_LEVELS[earlier.text] == level and earlier.text != "**")


def _reduce(operands: list[n.Expression], operators: list[Token]) -> None:
    argument = operands.pop()
    operands[-1] = _binary(operands[-1], operators.pop(), argument)


def _binary(receiver: n.Expression, operator: Token, argument: n.Expression) -> n.Send:
    return n.Send(
        Span(receiver.span.start, argument.span.end),
        receiver,
        n.Selector(operator.text, (operator.span,)),
        (argument,),
    )


def keyword_send(c: list[Any]) -> n.Send:
    return n.Send(Span(c[0].span.start, c[-1].span.end), c[0], keyword_selector(c[1::2]), tuple(c[2::2]))


def unary_message(c: list[Any]) -> n.Message:
    span = c[0].span
    return n.Message(span, n.Selector(c[0].text, (span,)))


def binary_message(c: list[Any]) -> n.Message:
    return n.Message(Span(c[0].start, c[1].span.end), n.Selector(c[0].text, (c[0].span,)), (c[1],))


def keyword_message(c: list[Any]) -> n.Message:
    return n.Message(Span(c[0].start, c[-1].span.end), keyword_selector(c[::2]), tuple(c[1::2]))


def cascade(c: list[Any]) -> n.Cascade:
    return n.Cascade(Span(c[0].span.start, c[-1].span.end), c[0], tuple(c[1:]))


def cast(c: list[Any]) -> n.Cast:
    send, bang = c
    if not isinstance(send, n.Send):
        raise RefusedError(Message.CAST, bang.span)
    return n.Cast(Span(send.span.start, bang.end), send)


def return_statement(c: list[Any]) -> n.Return:
    return n.Return(Span(c[0].start, c[1].span.end), c[1])


# ---------------------------------------------------------------- groups


def parenthesized(c: list[Any]) -> n.Parenthesized:
    return n.Parenthesized(Span(c[0].start, c[2].end), c[1])


def block(c: list[Any]) -> n.Block:
    return n.Block(Span(c[0].start, c[-1].end), (), tuple(c[1:-1]))


def block_with_parameters(c: list[Any]) -> n.Block:
    bar = next(i for i, child in enumerate(c) if isinstance(child, Token) and child.type == "PIPE")
    return n.Block(Span(c[0].start, c[-1].end), tuple(c[1:bar]), tuple(c[bar + 1 : -1]))


def block_parameter(c: list[Any]) -> n.BlockParameter:
    name = n.Identifier(c[1].span, c[1].text)
    annotation = c[3] if len(c) > 2 else None
    return n.BlockParameter(Span(c[0].start, c[-1].span.end), name, annotation)


def list_literal(c: list[Any]) -> n.ListLiteral:
    return n.ListLiteral(Span(c[0].start, c[-1].end), tuple(c[1:-1]))


def cons_literal(c: list[Any]) -> n.ListLiteral:
    return n.ListLiteral(Span(c[0].start, c[-1].end), tuple(c[1:-3]), c[-2])


def array_literal(c: list[Any]) -> n.ArrayLiteral:
    return n.ArrayLiteral(Span(c[0].start, c[-1].end), tuple(c[1:-1]))


def pair(c: list[Any]) -> tuple[n.Expression, n.Expression]:
    key, _, value = c
    if isinstance(key, n.Variable | n.Constant | n.SelfRef | n.SuperRef):
        raise RefusedError(Message.BARE_KEY, key.span, _word(key))
    return key, value


def _word(key: n.Variable | n.Constant | n.SelfRef | n.SuperRef) -> str:
    match key:
        case n.Variable():
            return key.name
        case n.SelfRef():
            return "self"
        case n.SuperRef():
            return "super"
        case n.Constant():
            return "nil" if key.value is None else str(key.value).lower()


def dictionary_literal(c: list[Any]) -> n.DictionaryLiteral:
    return n.DictionaryLiteral(Span(c[0].start, c[-1].end), tuple(c[1:-1]))


_ALL: tuple[Action, ...] = (
    integer,
    float_number,
    string,
    interpolation,
    character,
    symbol,
    variable,
    field_access,
    expect,
    primitive,
    unary_chain,
    binary_chain,
    keyword_send,
    unary_message,
    binary_message,
    keyword_message,
    cascade,
    cast,
    return_statement,
    parenthesized,
    block,
    block_with_parameters,
    block_parameter,
    list_literal,
    cons_literal,
    array_literal,
    pair,
    dictionary_literal,
)

ACTIONS: dict[str, Action] = {action.__name__: action for action in _ALL}
