"""Expressions and statements to documents (workspace.md 6.8).

Comes in: a node and the cursor at its first token. Guarantees: the cursor stands behind the
node; line ends are put only where they mean nothing (language.md 2.3). Leaves: declarations.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from lang.ast import nodes as n
from lang.fmt.cursor import Cursor, OutOfStep
from lang.fmt.documents import (
    EMPTY,
    SPACE,
    Break,
    Document,
    Group,
    Nest,
    choice,
    concat,
    group,
    joined,
    opened,
)

_SIMPLE = (n.IntegerLiteral, n.FloatLiteral, n.CharacterLiteral, n.SymbolLiteral, n.Constant)
BRACKETED = (n.Block, n.ListLiteral, n.ArrayLiteral, n.DictionaryLiteral)
_Receiving = n.Send | n.Message


class Expressions:
    """Prints what stands at a cursor."""

    def __init__(self, cursor: Cursor) -> None:
        self._cursor = cursor

    # ------------------------------------------------------------ statements

    def statements(self, body: Sequence[n.Expression]) -> Document:
        """One a line; a blank line between two of them stays."""
        parts: list[Document] = []
        for at, statement in enumerate(body):
            if at:
                parts.append(Break.BLANK if self._cursor.lines_before() > 1 else Break.LINE)
            parts += self.ended(statement)
        return joined(parts)

    def ended(self, node: n.Expression) -> tuple[Document, Document]:
        """A statement, and the comments and periods beside its end: they do not break it."""
        above = self._cursor.above()
        outer, self._cursor.ending = self._cursor.ending, node.span.end
        printed = self.expression(node)
        if above is not EMPTY:
            printed = concat(above, printed)
        self._cursor.ending = outer
        return printed, concat(self._cursor.beside(), self._periods())

    def _periods(self) -> Document:
        """What stands beside periods: line ends separate statements, so periods do not have to."""
        parts: list[Document] = []
        while self._cursor.kind == "p":
            parts.append(self._cursor.drop())
        return joined(parts)

    def expression(self, node: n.Expression) -> Document:
        """Any expression."""
        match node:
            case n.Return():
                return concat(self._cursor.take("^"), self.expression(node.value))
            case n.Assignment():
                return self._assignment(node)
            case n.Destructuring():
                target = self._cursor.flat(node.pattern.span.end)
                return self._assigned(target, node.value)
            case n.Cast():
                return concat(self.expression(node.send), self._cursor.take("!"))
            case n.Cascade():
                return self._cascade(node)
            case n.Send():
                return self._send(node)
            case n.Match():
                return self._match(node)
            case n.Block():
                return self._block(node)
            case n.Parenthesized():
                return concat(
                    self._cursor.take("("),
                    self.expression(node.inner),
                    self._cursor.above(),
                    self._cursor.take(")"),
                )
            case n.ListLiteral() | n.ArrayLiteral():
                return self._collection(node.elements, node.tail if isinstance(node, n.ListLiteral) else None)
            case n.DictionaryLiteral():
                return self._dictionary(node)
            case (
                n.IntegerLiteral()
                | n.FloatLiteral()
                | n.StringLiteral()
                | n.CharacterLiteral()
                | n.SymbolLiteral()
                | n.Interpolation()
                | n.Constant()
                | n.Variable()
                | n.SelfRef()
                | n.SuperRef()
                | n.ClassRef()
                | n.FieldAccess()
                | n.Primitive()
                | n.Expect()
            ):
                return self._cursor.verbatim(node.span.end)
            case n.ErrorNode():
                raise OutOfStep("a broken statement")
            case _:
                assert_never(node)

    def _assignment(self, node: n.Assignment) -> Document:
        target = self.expression(node.target)
        if node.annotation is not None:
            operator = self._cursor.take("::")
            target = concat(target, SPACE, operator, SPACE, self._cursor.flat(node.annotation.span.end))
        return self._assigned(target, node.value)

    def _assigned(self, target: Document, value: n.Expression) -> Document:
        operator = self._cursor.take(":=")
        return concat(target, SPACE, operator, SPACE, self.expression(value))

    # ------------------------------------------------------------ sends

    def _send(self, node: n.Send) -> Document:
        if not node.arguments:
            return self._unary(node)
        if _is_binary(node):
            return self._binary(node)
        receiver = self.expression(node.receiver)
        return _keyword_layout(node.receiver, receiver, self._parts(node))

    def _unary(self, node: n.Send) -> Document:
        """A chain of unary messages; a loop, for it may be thousands long."""
        names: list[n.Send] = []
        base: n.Expression = node
        while isinstance(base, n.Send) and not base.arguments:
            names.append(base)
            base = base.receiver
        parts = [self.expression(base)]
        for each in reversed(names):
            parts += [SPACE, self._cursor.take(each.selector.text)]
        return joined(parts)

    def _binary(self, node: n.Send) -> Document:
        """A chain of operators of one level breaks before each of them, or before none."""
        level = _level(node)
        operands: list[n.Expression] = []
        stack: list[n.Expression] = [node]
        while stack:
            each = stack.pop()
            if isinstance(each, n.Send) and _is_binary(each) and _level(each) == level:
                stack += [each.arguments[0], each.receiver]
            else:
                operands.append(each)
        first, rest = self.expression(operands[0]), []
        for operand in operands[1:]:
            operator = self._cursor.take()
            rest.append(concat(Break.SPACE, operator, SPACE, self.expression(operand)))
        return group(first, Nest(joined(rest)))

    def _parts(self, node: _Receiving) -> list[_Part]:
        """The keywords of a message, each with its argument."""
        parts = []
        for argument in node.arguments:
            keyword = self._cursor.take()
            parts.append(_Part(keyword, argument, self.expression(argument)))
        return parts

    def _message(self, message: n.Message) -> Document:
        if not message.arguments:
            return self._cursor.take(message.selector.text)
        if not message.selector.text.endswith(":"):
            operator = self._cursor.take(message.selector.text)
            return concat(operator, SPACE, self.expression(message.arguments[0]))
        return _parts_layout(self._parts(message))

    def _cascade(self, node: n.Cascade) -> Document:
        """All on one line, or each `;` ends one."""
        first = node.first
        if isinstance(first, n.Send) and first.selector.text.endswith(":"):
            receiver = self.expression(first.receiver)
            head = concat(receiver, Nest(concat(Break.SPACE, _parts_layout(self._parts(first)))))
        else:
            head = self.expression(first)
        rest: list[Document] = []
        for message in node.messages:
            semicolon = self._cursor.take(";")
            rest += [semicolon, Break.SPACE, self._message(message)]
        return group(head, Nest(joined(rest)))

    # ------------------------------------------------------------ brackets

    def _block(self, node: n.Block) -> Document:
        head = [self._cursor.take("[")]
        for parameter in node.parameters:
            head.append(self._cursor.flat(parameter.span.end))
            head.append(SPACE)
        if node.parameters:
            head.append(self._cursor.take("|"))
        if not node.body:
            return self._bracketed(joined(head), [], is_broken=False)
        before = Break.SPACE if node.parameters else Break.NOTHING
        body = self.statements(node.body)
        inner = Nest(concat(before, body, self._closing_comments()))
        made = opened if len(node.body) > 1 else group
        return made(*head, inner, Break.NOTHING, self._cursor.take("]"))

    def _closing_comments(self) -> Document:
        """Comments on lines of their own before a closing bracket belong to what it closes."""
        above = self._cursor.above()
        return concat(Break.LINE, above) if above.is_forced else above

    def _match(self, node: n.Match) -> Document:
        subject = self.expression(node.subject)
        keyword = self._cursor.take(node.selector.text)
        is_broken = False
        bracket = self._cursor.take("[")
        arms: list[Document] = []
        for at, arm in enumerate(node.arms):
            if at:
                arms.append(Break.BLANK if self._cursor.lines_before() > 1 else Break.SPACE)
            arms.append(self._arm(arm))
            is_last = at + 1 == len(node.arms)
            # A period that ends an arm is gone by now.
            has_semicolon = self._cursor.kind == ";"
            while self._cursor.kind in ";p":
                arms.append(self._cursor.take() if has_semicolon and not is_last else self._cursor.drop())
            # What has no semicolon behind it is ended by its line.
            is_broken = is_broken or not (has_semicolon or is_last)
        inner = Nest(concat(Break.NOTHING, joined(arms), self._closing_comments()))
        made = opened if is_broken else group
        return concat(
            subject, SPACE, keyword, SPACE, made(bracket, inner, Break.NOTHING, self._cursor.take("]"))
        )

    def _arm(self, node: n.MatchArm) -> Document:
        parts = [self._cursor.flat(node.pattern.span.end), SPACE]
        if node.guard is not None:
            parts += [self._cursor.take("when:"), SPACE, self._cursor.take("[")]
            parts += [self.expression(node.guard), self._cursor.take("]"), SPACE]
        parts += [self._cursor.take("->"), SPACE, *self.ended(node.body)]
        return joined(parts)

    def _collection(self, elements: Sequence[n.Expression], tail: n.Expression | None) -> Document:
        bracket = self._cursor.take()
        printed: list[Document] = []
        has_comma = False
        for element in elements:
            shown = self.expression(element)
            has_comma = self._cursor.kind == ","
            printed.append(concat(shown, self._cursor.comma()) if has_comma else shown)
        is_broken = has_comma
        is_filled = not is_broken and all(isinstance(each, _SIMPLE) for each in elements)
        parts: list[Document] = []
        for at, shown in enumerate(printed):
            before = Break.SPACE if at else EMPTY
            parts.append(group(before, shown) if is_filled else concat(before, shown))
        if tail is not None:
            parts += [Break.SPACE, self._cursor.take("|"), SPACE, self.expression(tail)]
        return self._bracketed(bracket, parts, is_broken=is_broken)

    def _dictionary(self, node: n.DictionaryLiteral) -> Document:
        bracket = self._cursor.take("#{")
        parts: list[Document] = []
        has_comma = False
        for at, (key, value) in enumerate(node.pairs):
            parts.append(Break.SPACE if at else EMPTY)
            parts += [self.expression(key), SPACE, self._cursor.take("=>"), SPACE, self.expression(value)]
            has_comma = self._cursor.kind == ","
            parts.append(self._cursor.comma() if has_comma else EMPTY)
        return self._bracketed(bracket, parts, is_broken=has_comma)

    def _bracketed(self, bracket: Document, parts: list[Document], *, is_broken: bool) -> Document:
        """Elements between brackets, on one line or each on its own: a comma behind the last asks for that."""
        below = self._closing_comments()
        if not parts and not below.is_forced:
            return concat(bracket, below, self._cursor.take())
        inner = Nest(concat(Break.NOTHING, joined(parts), below))
        made = opened if is_broken else group
        return made(bracket, inner, Break.NOTHING, self._cursor.take())


# ---------------------------------------------------------------- layout of messages


class _Part:
    """A keyword and its argument; the argument's node tells what it may hug."""

    __slots__ = ("argument", "keyword", "node")

    def __init__(self, keyword: Document, node: n.Expression, argument: Document) -> None:
        self.keyword, self.node, self.argument = keyword, node, argument

    @property
    def document(self) -> Document:
        return concat(self.keyword, SPACE, self.argument)


def _keyword_layout(node: n.Expression, receiver: Document, parts: list[_Part]) -> Document:
    """On one line; with the last block open; or one part a line."""
    documents = [part.document for part in parts]
    lines = Nest(joined([concat(Break.LINE, each) for each in documents]))
    if not receiver.is_forced:
        line = concat(receiver, SPACE, _on_one_line(documents))
        return choice(line, _hugged(concat(receiver, SPACE), parts), concat(receiver, lines))
    if not isinstance(node, BRACKETED):
        return concat(receiver, lines)
    # The message goes on behind the closing bracket of its receiver.
    return concat(receiver, choice(concat(SPACE, _on_one_line(documents)), _hugged(SPACE, parts), lines))


def _hugged(before: Document, parts: list[_Part]) -> Document | None:
    """The message on one line up to its last argument, whose brackets are open; None where that reads badly."""
    *earlier, last = parts
    if not isinstance(last.argument, Group) or any(part.document.is_forced for part in earlier):
        return None
    if not isinstance(last.node, BRACKETED):
        return None
    if earlier and not last.argument.is_forced:
        return None
    end = concat(last.keyword, SPACE, Group(last.argument.inner, is_forced=True))
    return concat(before, _on_one_line([*(part.document for part in earlier), end]))


def _parts_layout(parts: list[_Part]) -> Document:
    """A keyword message of a cascade."""
    documents = [part.document for part in parts]
    return choice(
        _on_one_line(documents),
        _hugged(EMPTY, parts),
        concat(documents[0], *(Nest(concat(Break.LINE, each)) for each in documents[1:])),
    )


def _on_one_line(documents: Sequence[Document]) -> Document:
    spaced: list[Document] = []
    for each in documents:
        spaced += [SPACE, each] if spaced else [each]
    return joined(spaced)


def _is_binary(node: n.Send) -> bool:
    return len(node.arguments) == 1 and not node.selector.text.endswith(":")


# Operators of one level break together (language.md 3).
_LEVELS = {"*": 1, "/": 1, "%": 1, "+": 2, "-": 2, "++": 2, "<": 3, ">": 3, "<=": 3, ">=": 3}
_EQUALITIES = dict.fromkeys(("==", "/=", "=:=", "=/="), 4)


def _level(node: n.Send) -> int | str:
    operator = node.selector.text
    return _LEVELS.get(operator) or _EQUALITIES.get(operator) or operator
