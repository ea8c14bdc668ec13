"""What the lint command alone reports: style, and what is probably not meant (language.md 5.5; types.md D-25l).

Comes in: a unit. Guarantees: every finding is of severity lint, and points at what would go away or
change; those that `fixes` can take away name what they are in their data. Leaves: applying fixes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from lang.ast import nodes as ast
from lang.ast.walk import walk
from lang.class_kind import ClassKind
from lang.diagnostics import Category, Diagnostic, Severity
from lang.semantics.check.subject import Sent, Subject, literal_block, literal_class
from lang.semantics.references import bare
from lang.source import Span

CARET: Final = "caret"
PARENTHESES: Final = "parentheses"
"""What a fix takes away, in the data of a finding under `selector` or `name`."""

_CASCADE: Final = 3
_TIMER_BLOCKS: Final = frozenset({"every:do:", "after:do:"})
_PURE_OPERATORS: Final = frozenset("+ - * / % ** ++ < > <= >= =:= =/= == /=".split())


def check_style(subject: Subject) -> Iterator[Diagnostic]:
    """All lints of one unit."""
    for sequence in subject.sequences():
        statements = [each for each in sequence if not isinstance(each, ast.Expect)]
        yield from _without_effect(statements, is_valued=not isinstance(subject.node, ast.Statements))
        yield from _cascades(statements)
    yield from _last_caret(subject)
    yield from _parentheses(subject)
    yield from _inspected(subject)
    yield from _timers_to_self(subject)


def _lint(span: Span, message: str, hint: str | None = None, **facts: str) -> Diagnostic:
    return Diagnostic(Severity.LINT, message, span, Category.LINT, hint, data=facts)


# ---------------------------------------------------------------- statements


def _without_effect(statements: Sequence[ast.Expression], *, is_valued: bool) -> Iterator[Diagnostic]:
    """Statements that only compute what nobody takes; the last one is the value of its sequence."""
    for each in statements[:-1] if is_valued else ():
        if _is_pure(each):
            yield _lint(each.span, "This statement has no effect, and its value is not used")


def _is_pure(node: ast.Expression) -> bool:
    match bare(node):
        case (
            ast.IntegerLiteral()
            | ast.FloatLiteral()
            | ast.StringLiteral()
            | ast.SymbolLiteral()
            | ast.CharacterLiteral()
            | ast.Constant()
            | ast.Variable()
            | ast.SelfRef()
            | ast.ClassRef()
            | ast.Block()
        ):
            return True
        case ast.Send(receiver=receiver, selector=selector, arguments=arguments):
            return selector.text in _PURE_OPERATORS and all(map(_is_pure, (receiver, *arguments)))
    return False


def _cascades(statements: Sequence[ast.Expression]) -> Iterator[Diagnostic]:
    for name, group in groupby(statements, key=_receiver_name):
        sends = list(group)
        if name is not None and len(sends) >= _CASCADE:
            message = f"{len(sends)} messages in a row go to `{name}`"
            yield _lint(sends[0].span, message, "Write them as one cascade, with `;`", name=name)


def _receiver_name(statement: ast.Expression) -> str | None:
    match statement:
        case ast.Send(receiver=ast.Variable(name=name)) | ast.Send(receiver=ast.ClassRef(name=name)):
            return name
    return None


# ---------------------------------------------------------------- signs


def _last_caret(subject: Subject) -> Iterator[Diagnostic]:
    if subject.method is None or not subject.method.body:
        return
    last = subject.method.body[-1]
    if isinstance(last, ast.Return):
        message = "Unnecessary `^`: a method answers its last statement"
        yield _lint(last.span, message, "Remove it", selector=CARET)


def _parentheses(subject: Subject) -> Iterator[Diagnostic]:
    whole = {id(each) for each in _whole_expressions(subject)}
    for node in subject.of(ast.Parenthesized):
        if id(node) in whole or _is_atom(node.inner):
            yield _lint(node.span, "Unnecessary parentheses", "Remove them", name=PARENTHESES)


def _whole_expressions(subject: Subject) -> Iterator[ast.Expression]:
    """Expressions that nothing else could be read into."""
    for sequence in subject.sequences():
        yield from sequence
    yield from (each.value for each in subject.of(ast.Return))
    yield from (each.value for each in subject.of(ast.Assignment))
    yield from (each.inner for each in subject.of(ast.Parenthesized))


def _is_atom(node: ast.Expression) -> bool:
    """Whether an expression is one word: parentheses around it part nothing."""
    return isinstance(node, ast.Variable | ast.SymbolLiteral | ast.StringLiteral | ast.SelfRef)


# ---------------------------------------------------------------- messages


def _inspected(subject: Subject) -> Iterator[Diagnostic]:
    for node in _used_as_text(subject):
        match bare(node):
            case ast.Send(selector=selector, span=span) if selector.text == "inspect":
                message = "`inspect` opens an inspector; as text it is `printString`"
                yield _lint(span, message, "Use `printString`", selector="inspect")
            case _:
                pass


def _used_as_text(subject: Subject) -> Iterator[ast.Expression]:
    for sent in subject.messages:
        if sent.text == "++":
            yield from (sent.receiver, *sent.arguments)
    for each in subject.of(ast.Interpolation):
        yield from (part for part in each.parts if not isinstance(part, ast.StringLiteral))


def _timers_to_self(subject: Subject) -> Iterator[Diagnostic]:
    """A timer's block runs elsewhere: a message to self that waits can wait for ever."""
    if subject.kind is not ClassKind.ACTOR:
        return
    for sent in subject.messages:
        receiver = literal_class(sent.receiver)
        if receiver is not None and receiver.name == "Timer" and sent.text in _TIMER_BLOCKS:
            yield from _waiting_sends(sent)


def _waiting_sends(sent: Sent) -> Iterator[Diagnostic]:
    block = literal_block(sent.arguments[-1])
    if block is None:
        return
    cast = {id(each.send) for each in walk(block) if isinstance(each, ast.Cast)}
    for each in walk(block):
        if isinstance(each, ast.Send) and isinstance(each.receiver, ast.SelfRef) and id(each) not in cast:
            selector = each.selector.text
            message = f"`self {selector}` in the block of a Timer waits for this actor, which may wait for it"
            yield _lint(each.span, message, f"Send it without waiting: `self {selector}!`", selector=selector)
