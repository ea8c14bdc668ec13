"""Whether two texts mean the same: trees equal but for positions, comments equal and in order.

The formatter asks before it answers a text; tests ask of every source there is.
"""

from __future__ import annotations

from collections.abc import Iterator

from lang.ast.nodes import Statements
from lang.fmt.cursor import comments_in
from lang.source import Span
from lang.syntax.tokens import tokenize
from lang.syntax.units import ParsedFile


def same_trees(one: ParsedFile, other: ParsedFile) -> bool:
    """Whether both have the same units, with equal nodes but for their spans."""
    return _same(tuple(_nodes(one)), tuple(_nodes(other)))


def _nodes(parsed: ParsedFile) -> Iterator[object]:
    """The nodes of the units; module-level statements each, whichever of them share a line."""
    for unit in parsed.units:
        yield from unit.node.body if isinstance(unit.node, Statements) else (unit.node,)


def _same(one: object, other: object) -> bool:
    """Without recursion: chains of sends are as deep as they are long."""
    stack = [(one, other)]
    while stack:
        a, b = stack.pop()
        if type(a) is not type(b):
            return False
        if isinstance(a, Span):
            continue
        if isinstance(a, tuple):
            assert isinstance(b, tuple)
            if len(a) != len(b):
                return False
            stack.extend(zip(a, b, strict=True))
        elif (names := _fields(a)) is not None:
            stack.extend((getattr(a, name), getattr(b, name)) for name in names)
        elif a != b and not (a != a and b != b):  # noqa: PLR0124 - not a number is equal to itself here
            return False
    return True


def _fields(value: object) -> tuple[str, ...] | None:
    """The fields of a node, None for a plain value."""
    fields: tuple[str, ...] | None = getattr(type(value), "__match_args__", None)
    return fields


def same_comments(one: str, other: str) -> bool:
    """Whether both texts have the same comments in the same order."""
    return list(_comments(one)) == list(_comments(other))


def _comments(text: str) -> Iterator[str]:
    tokens = tokenize(text)
    behind = 0
    for start, end in zip(tokens.starts, tokens.ends, strict=True):
        yield from (comment.text.replace("\r", "") for comment in comments_in(text, behind, start)[0])
        behind = end
