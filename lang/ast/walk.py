"""Traversal of trees: the children of a node, and all nodes below one.

Guarantees: children come in source order (a keyword send gives its selector
between receiver and arguments); no recursion, so deep trees are walked too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lang.ast import nodes as n
from lang.ast.nodes import Node

# The fields that hold nodes, by node type, in source order; types that are missing are leaves.
_FIELDS: dict[type, tuple[str, ...]] = {
    n.NamedType: ("ref", "arguments"),
    n.MetaType: ("ref",),
    n.UnionType: ("members",),
    n.IntersectionType: ("members",),
    n.DifferenceType: ("base", "removed"),
    n.Interpolation: ("parts",),
    n.FieldAccess: ("receiver", "field"),
    n.Send: ("receiver", "selector", "arguments"),
    n.Message: ("selector", "arguments"),
    n.Cascade: ("first", "messages"),
    n.Cast: ("send",),
    n.Assignment: ("target", "annotation", "value"),
    n.Destructuring: ("pattern", "value"),
    n.Return: ("value",),
    n.BlockParameter: ("name", "annotation"),
    n.Block: ("parameters", "body"),
    n.Parenthesized: ("inner",),
    n.ListLiteral: ("elements", "tail"),
    n.ArrayLiteral: ("elements",),
    n.DictionaryLiteral: ("pairs",),
    n.MatchArm: ("pattern", "guard", "body"),
    n.Match: ("subject", "selector", "arms"),
    n.LiteralPattern: ("literal",),
    n.TypePattern: ("name", "ref"),
    n.TuplePattern: ("elements",),
    n.ArrayPattern: ("elements",),
    n.ListPattern: ("elements",),
    n.MapPattern: ("pairs",),
    n.ConstructorPattern: ("ref", "selector", "bindings"),
    n.BinaryPattern: ("segments",),
    n.Parameter: ("name", "annotation"),
    n.TypeParameter: ("name", "bound"),
    n.Signature: ("selector", "parameters", "return_type"),
    n.MethodDef: ("expects", "signature", "body"),
    n.ExtensionDef: ("target", "method"),
    n.DataDecl: ("expects", "name", "annotation", "default"),
    n.ClassHeader: (
        "expects",
        "superclass",
        "superclass_arguments",
        "name",
        "type_parameters",
        "native",
        "handle_scope",
        "data",
    ),
    n.ProtocolDef: ("name", "type_parameters", "extending", "signatures"),
    n.TypeAlias: ("name", "type"),
    n.Statements: ("body",),
}
_NONE: tuple[str, ...] = ()


def children(node: Node) -> list[Node]:
    """The nodes directly below `node`, in source order."""
    found: list[Node] = []
    for field in _FIELDS.get(type(node), _NONE):
        value = getattr(node, field)
        if type(value) is not tuple:
            if value is not None:
                found.append(value)
        elif field == "pairs":
            for pair in value:
                found.extend(pair)
        else:
            found.extend(value)
    return found


def walk(node: Node, enter: Callable[[Node], bool] | None = None) -> Iterator[Node]:
    """`node` and every node below it, each before its children; what `enter` refuses is met, but not entered."""
    stack = [node]
    pop, extend = stack.pop, stack.extend
    while stack:
        current = pop()
        yield current
        if type(current) in _FIELDS and (enter is None or enter(current)):
            extend(reversed(children(current)))
