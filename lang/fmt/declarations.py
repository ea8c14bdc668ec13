"""Units to documents: methods, headers with their data, protocols, aliases (workspace.md 6.8).

Comes in: a unit's node and its text. Guarantees: all of its tokens and comments are in the
document. Leaves: blank lines between units to `files.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from lang.ast import nodes as n
from lang.fmt.cursor import Cursor, OutOfStep
from lang.fmt.documents import EMPTY, INDENT, SPACE, Break, Document, Group, Nest, choice, concat, joined
from lang.fmt.expressions import BRACKETED, Expressions


def unit_document(node: n.Declaration, text: str) -> Document:
    """The document of one unit. Raises `OutOfStep` when tokens and tree do not agree: a defect."""
    printer = _Units(Cursor(text))
    document = printer.declaration(node)
    return concat(document, printer.rest())


class _Units:
    """Prints the declaration at a cursor."""

    def __init__(self, cursor: Cursor) -> None:
        self._cursor = cursor
        self._expressions = Expressions(cursor)

    def declaration(self, node: n.Declaration) -> Document:
        """The comments above it, and the declaration."""
        return concat(self._cursor.above(), self._bare(node))

    def _bare(self, node: n.Declaration) -> Document:
        match node:
            case n.MethodDef():
                return self._method(node)
            case n.ExtensionDef():
                return self._extension(node)
            case n.DataDecl():
                return self._data(node)
            case n.ClassHeader():
                return self._header(node)
            case n.ProtocolDef():
                return self._protocol(node)
            case n.TypeAlias():
                return Nest(self._cursor.flat(node.span.end))
            case n.Statements():
                return self._expressions.statements(node.body)
            case _:
                assert_never(node)

    def rest(self) -> Document:
        """Periods behind the declaration, and the comments at the end of the unit."""
        parts: list[Document] = []
        while not self._cursor.is_at_end:
            if self._cursor.kind != "p":
                raise OutOfStep(f"left over: {self._cursor.spelled!r}")
            parts.append(self._cursor.drop())
        return concat(*parts, self._cursor.above())

    # ------------------------------------------------------------ methods

    def _expects(self, expects: Sequence[n.Expect]) -> Document:
        """Annotations, each on a line of its own."""
        parts: list[Document] = []
        for each in expects:
            parts += [self._cursor.verbatim(each.span.end), Break.LINE, self._cursor.above()]
        return joined(parts)

    def _extension(self, node: n.ExtensionDef) -> Document:
        expects = self._expects(node.method.expects)
        target = self._cursor.take()
        parts = [target, SPACE]
        if self._cursor.spelled == "class":
            parts += [self._cursor.take(), SPACE]
        parts += [self._cursor.take(">>"), SPACE]
        return concat(expects, *parts, self._definition(node.method))

    def _method(self, node: n.MethodDef) -> Document:
        return concat(self._expects(node.expects), self._definition(node))

    def _definition(self, node: n.MethodDef) -> Document:
        """Modifiers, signature and body; a body of one statement stays on the line of its signature if it fits."""
        above = self._cursor.above()
        head = concat(Nest(self._signature(node.signature), 2 * INDENT), SPACE, self._cursor.take("=>"))
        if not node.body:
            return concat(above, head)
        if len(node.body) > 1:
            return concat(above, head, Nest(concat(Break.LINE, self._expressions.statements(node.body))))
        body, beside = self._expressions.ended(node.body[0])
        below = concat(head, Nest(concat(Break.LINE, body)))
        hugged = None
        if isinstance(body, Group) and isinstance(node.body[0], BRACKETED):
            hugged = concat(head, SPACE, Group(body.inner, is_forced=True))
        return concat(above, choice(concat(head, SPACE, body), hugged, below), beside)

    def _signature(self, node: n.Signature) -> Document:
        parts: list[Document] = []
        while self._cursor.start < node.selector.parts[0].start:
            parts += [self._cursor.take(), SPACE]
        if not node.parameters:
            parts.append(self._cursor.take())
        for at, parameter in enumerate(node.parameters):
            parts += [SPACE] if at else []
            parts += [self._cursor.take(), SPACE, self._cursor.flat(parameter.span.end)]
        if node.return_type is not None:
            parts += [SPACE, self._cursor.flat(node.span.end)]
        return joined(parts)

    # ------------------------------------------------------------ classes

    def _header(self, node: n.ClassHeader) -> Document:
        expects = self._expects(node.expects)
        first_data = min((_first(each) for each in node.data), default=node.span.end)
        line = self._cursor.flat(first_data)
        parts: list[Document] = []
        for each in node.data:
            parts.append(Break.BLANK if self._cursor.lines_before() > 1 else Break.LINE)
            parts.append(self._data(each))
            while self._cursor.kind == "p":
                parts.append(self._cursor.drop())
        return concat(expects, Nest(line), Nest(joined(parts)))

    def _data(self, node: n.DataDecl) -> Document:
        above = concat(self._cursor.above(), self._expects(node.expects))
        parts = [self._cursor.take(node.keyword), SPACE, self._cursor.take()]
        if node.annotation is not None:
            parts += [SPACE, self._cursor.flat(node.annotation.span.end)]
        if node.default is None:
            return concat(above, Nest(joined(parts)))
        parts += [SPACE, self._cursor.take("="), SPACE]
        return concat(above, Nest(joined(parts)), *self._expressions.ended(node.default))

    # ------------------------------------------------------------ protocols

    def _protocol(self, node: n.ProtocolDef) -> Document:
        parts: list[Document] = []
        while self._cursor.kind == "x":
            parts += [self._cursor.take(), Break.LINE, self._cursor.above()]
        parts.append(self._cursor.flat(self._cursor.start + 1))
        parts += [SPACE, self._named_clause()]
        if self._cursor.spelled == "extending:":
            parts += [SPACE, self._named_clause()]
        signatures: list[Document] = []
        for each in node.signatures:
            signatures.append(Break.BLANK if self._cursor.lines_before() > 1 else Break.LINE)
            signatures.append(self._signature(each))
        return concat(Nest(joined(parts)), Nest(joined(signatures)))

    def _named_clause(self) -> Document:
        """A keyword, the name behind it, and its types in parentheses."""
        keyword, name = self._cursor.take(), self._cursor.take()
        types = self._cursor.flat(self._cursor.start + 1) if self._cursor.kind == "(" else EMPTY
        return concat(keyword, SPACE, name, types)


def _first(node: n.DataDecl) -> int:
    return node.expects[0].span.start if node.expects else node.span.start
