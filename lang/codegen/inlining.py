"""Which sends are compiled in place of being sent, and which of their blocks with them.

A send is inlined when its blocks are written as literals of the right arity. The
semantics stay those of the library's methods; a receiver of another kind than assumed
gets the ordinary send (language.md 4.9). What is inlined is fixed by the language, so
redefining these methods on their own classes would have no effect and is refused
(`COMPUTED`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from lang.ast import nodes as ast
from lang.ast.walk import walk

CONDITIONALS: Final = frozenset({"ifTrue:", "ifFalse:", "ifTrue:ifFalse:"})
NIL_TESTS: Final = frozenset({"ifNil:", "ifNotNil:", "ifNil:ifNotNil:", "ifNotNil:ifNil:"})

_OPERATORS: Final = ("+", "-", "*", "/", "%", "**", "<", "<=", ">", ">=", "==", "/=", "=:=", "=/=")
_CONDITIONAL_NAMES: Final = (*sorted(CONDITIONALS), "and:", "or:")

COMPUTED: Final[Mapping[str, frozenset[str]]] = {
    "Integer": frozenset({*_OPERATORS, "to:do:", "to:by:do:", "timesRepeat:"}),
    "Number": frozenset({*_OPERATORS, "to:do:", "to:by:do:"}),
    "Float": frozenset(_OPERATORS),
    "Boolean": frozenset(_CONDITIONAL_NAMES),
    "True": frozenset(_CONDITIONAL_NAMES),
    "False": frozenset(_CONDITIONAL_NAMES),
    "UndefinedObject": frozenset(NIL_TESTS),
    "Object": frozenset(NIL_TESTS),
    "Block": frozenset(
        {"value", "value:", "value:value:", "value:value:value:", "whileTrue:", "whileFalse:", "repeat"}
        | {"on:do:", "ensure:"}
    ),
}
"""Methods whose meaning is compiled in, by class: a change of them is refused."""


def bare(node: ast.Expression) -> ast.Expression:
    """The expression within parentheses."""
    while isinstance(node, ast.Parenthesized):
        node = node.inner
    return node


def literal_block(node: ast.Expression, *arities: int) -> ast.Block | None:
    """The block, if the expression is one written in place with one of these numbers of parameters."""
    node = bare(node)
    if isinstance(node, ast.Block) and len(node.parameters) in arities:
        return node
    return None


def inlined_blocks(send: ast.Send) -> tuple[ast.Block, ...] | None:
    """The blocks compiled in place with a send; None when it is an ordinary send."""
    rule = _RULES.get(send.selector.text)
    if rule is None:
        return None
    blocks = tuple(rule(send))
    return None if None in blocks else tuple(b for b in blocks if b is not None)


def all_inlined(node: ast.Node) -> frozenset[int]:
    """The `id` of every block below a node that is compiled in place."""
    found: set[int] = set()
    for at in walk(node):
        if isinstance(at, ast.Send):
            found.update(id(block) for block in inlined_blocks(at) or ())
    return frozenset(found)


_Blocks = Iterable[ast.Block | None]


def _arguments(send: ast.Send) -> _Blocks:
    return [literal_block(argument, 0) for argument in send.arguments]


def _nil_tests(send: ast.Send) -> _Blocks:
    names = send.selector.text.split(":")
    return [
        literal_block(argument, 0) if name == "ifNil" else literal_block(argument, 0, 1)
        for name, argument in zip(names, send.arguments, strict=False)
    ]


def _receiver(send: ast.Send) -> _Blocks:
    return [literal_block(send.receiver, 0)]


def _receiver_and_argument(send: ast.Send) -> _Blocks:
    return [literal_block(send.receiver, 0), literal_block(send.arguments[0], 0)]


def _last(send: ast.Send) -> _Blocks:
    return [literal_block(send.arguments[-1], 1)]


def _on_do(send: ast.Send) -> _Blocks:
    handler = bare(send.arguments[1])
    body = literal_block(send.receiver, 0)
    return [body, literal_block(handler, 0, 1)] if isinstance(handler, ast.Block) else [body]


_RULES: Final[Mapping[str, Callable[[ast.Send], _Blocks]]] = {
    **dict.fromkeys(CONDITIONALS, _arguments),
    **dict.fromkeys(NIL_TESTS, _nil_tests),
    "and:": _arguments,
    "or:": _arguments,
    "whileTrue:": _receiver_and_argument,
    "whileFalse:": _receiver_and_argument,
    "ensure:": _receiver_and_argument,
    "repeat": _receiver,
    "value": _receiver,
    "timesRepeat:": _arguments,
    "to:do:": _last,
    "to:by:do:": _last,
    "on:do:": _on_do,
}
