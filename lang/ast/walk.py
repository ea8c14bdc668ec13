"""Walking trees: the nodes directly inside a node, and all nodes below it.

Comes in: any node. Guarantees: every node below is met exactly once, parents before
children; order among siblings is that of the node's fields, nearly that of the text.
Leaves: what the nodes mean.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Iterator
from dataclasses import fields
from functools import cache
from typing import Final

from lang.ast import nodes as ast

_NODE_TYPES: Final = frozenset(
    member for member in vars(ast).values() if isinstance(member, type) and "span" in dir(member)
)


def children(node: ast.Node) -> Iterator[ast.Node]:
    """The nodes directly inside `node`. `Identifier`s and `Selector`s are nodes too."""
    node_type: type = type(node)
    for name in _node_fields(node_type):
        yield from _nodes_in(getattr(node, name))


def walk(node: ast.Node, enter: Callable[[ast.Node], bool] = lambda _node: True) -> Iterator[ast.Node]:
    """`node` and all below it, parents first; what `enter` refuses is met, but not what is in it."""
    pending: list[ast.Node] = [node]
    while pending:
        at = pending.pop()
        yield at
        if enter(at):
            pending.extend(reversed(list(children(at))))


def _nodes_in(value: object) -> Iterator[ast.Node]:
    if type(value) in _NODE_TYPES:
        yield typing.cast("ast.Node", value)
    elif type(value) is tuple:
        for item in value:
            yield from _nodes_in(item)


def _may_hold_nodes(annotation: object) -> bool:
    if isinstance(annotation, types.GenericAlias) or typing.get_origin(annotation) is not None:
        return any(_may_hold_nodes(argument) for argument in typing.get_args(annotation))
    return annotation in _NODE_TYPES


@cache  # when first met, for it costs 4 ms for all types
def _node_fields(node_type: type) -> tuple[str, ...]:
    hints = typing.get_type_hints(node_type, vars(ast))
    return tuple(f.name for f in fields(node_type) if _may_hold_nodes(hints[f.name]))
