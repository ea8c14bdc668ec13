"""`@expect`: what it takes away, and when it is stale (types.md 3.5).

Comes in: all findings of a unit. Guarantees: those that a directive expects are gone,
whatever their severity; a directive of a judged category that took nothing away is
reported, as is an unknown category. Leaves: categories that nobody judged alone, for
a directive may wait for a finding that only the type checker makes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from lang.ast import nodes as ast
from lang.ast.walk import walk
from lang.diagnostics import Category, Diagnostic, Severity
from lang.semantics.check.subject import error
from lang.source import Span

# What `@expect` may name (D-E2); `all` is not a category of findings.
EXPECTABLE: Final = {
    c.value: c
    for c in Category
    if c not in (Category.NONE, Category.EMPTY_BODY, Category.LINT, Category.EXTENSION_CONFLICT)
}
ALL: Final = "all"

# The categories whose findings are all made without types.
JUDGED_WITHOUT_TYPES: Final = frozenset(
    {
        Category.UNUSED,
        Category.DEAD_ASSIGNMENT,
        Category.ACTOR_NEW,
        Category.INHERITANCE,
        Category.UNRESOLVED_CLASS,
        Category.ARITY_MISMATCH,
    }
)

# The categories that are judged as a whole once types have had their say.
JUDGED_WITH_TYPES: Final = frozenset(
    {Category.DNU, Category.TYPE, Category.TYPE_ANNOTATION, Category.VISIBILITY}
)


def apply_expects(
    node: ast.Declaration, found: Iterable[Diagnostic], judged: frozenset[Category]
) -> tuple[Diagnostic, ...]:
    """The findings that are left, with those about the directives themselves."""
    left = list(found)
    said: list[Diagnostic] = []
    for expect, target in _directives(node):
        if expect.category != ALL and expect.category not in EXPECTABLE:
            said.append(_unknown(expect))
            continue
        kept = [each for each in left if target is None or not _expected(expect, target, each)]
        if len(kept) == len(left) and _is_judged(expect, target, judged):
            said.append(_stale(expect))
        left = kept
    return (*left, *said)


def _directives(node: ast.Declaration) -> Iterator[tuple[ast.Expect, Span | None]]:
    """Every directive with the span of its target, None for one without a target."""
    for each in walk(node):
        match each:
            case ast.MethodDef() | ast.DataDecl() | ast.ClassHeader():
                target = node.span if isinstance(node, ast.ExtensionDef) else each.span
                yield from ((expect, target) for expect in each.expects)
            case _:
                pass
        match each:
            case ast.MethodDef(body=body) | ast.Statements(body=body) | ast.Block(body=body):
                yield from _in_sequence(body)
            case _:
                pass


def _in_sequence(body: tuple[ast.Expression, ...]) -> Iterator[tuple[ast.Expect, Span | None]]:
    """Directives before one statement all speak of it."""
    waiting: list[ast.Expect] = []
    for statement in body:
        if isinstance(statement, ast.Expect):
            waiting.append(statement)
        else:
            yield from ((expect, statement.span) for expect in waiting)
            waiting = []
    yield from ((expect, None) for expect in waiting)


def _expected(expect: ast.Expect, target: Span, found: Diagnostic) -> bool:
    if not target.covers(found.span):
        return False
    if expect.category == ALL:
        return found.category is not Category.NONE or found.severity is not Severity.ERROR
    wanted = EXPECTABLE[expect.category]
    if wanted is Category.TYPE:
        return found.category in (Category.TYPE, Category.DNU, Category.TYPE_ANNOTATION)
    return found.category is wanted


def _is_judged(expect: ast.Expect, target: Span | None, judged: frozenset[Category]) -> bool:
    return target is None or (expect.category != ALL and EXPECTABLE[expect.category] in judged)


def _stale(expect: ast.Expect) -> Diagnostic:
    reason = f" ({expect.reason})" if expect.reason else ""
    return Diagnostic(
        Severity.WARNING,
        f"Stale @expect {expect.category}{reason}: it suppresses nothing",
        expect.span,
        hint="Remove it",
        data={"name": expect.category},
    )


def _unknown(expect: ast.Expect) -> Diagnostic:
    valid = ", ".join([*EXPECTABLE, ALL])
    message = f"Unknown @expect category `{expect.category}`; valid are {valid}"
    return error(expect.category_span, message, name=expect.category)
