"""Checks of the flow within a unit: what never runs, never matters, or is not there.

Rules: language.md 5.2, types.md D-24, D-25, D-26.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from lang.ast import nodes as ast
from lang.class_kind import ClassKind
from lang.diagnostics import Category, Diagnostic
from lang.semantics.check.subject import Subject, error, warning
from lang.semantics.references import bare
from lang.syntax.units import Side

CONDITIONALS = frozenset({"ifTrue:", "ifFalse:", "ifTrue:ifFalse:", "ifFalse:ifTrue:"})


def check_flow(subject: Subject) -> Iterator[Diagnostic]:
    """All checks of this module."""
    yield from _empty_body(subject)
    yield from _unreachable(subject)
    yield from _constant_conditions(subject)
    yield from _dead_arms(subject)
    yield from _super_initialize(subject)


def _empty_body(subject: Subject) -> Iterator[Diagnostic]:
    method = subject.method
    if method is not None and all(isinstance(each, ast.Expect) for each in method.body):
        selector = method.signature.selector
        message = f"Method `{selector.text}` has an empty body"
        yield error(selector.span, message, Category.EMPTY_BODY, selector=selector.text)


def _unreachable(subject: Subject) -> Iterator[Diagnostic]:
    for sequence in subject.sequences():
        statements = [each for each in sequence if not isinstance(each, ast.Expect)]
        for before, after in pairwise(statements):
            if isinstance(before, ast.Return):
                yield warning(after.span, "Unreachable statement after `^`", Category.LINT)
                break


def _constant_conditions(subject: Subject) -> Iterator[Diagnostic]:
    for sent in subject.messages:
        condition = bare(sent.receiver)
        if sent.text in CONDITIONALS and isinstance(condition, ast.Constant) and condition.value is not None:
            always = "true" if condition.value else "false"
            yield warning(sent.span, f"This condition is always {always}", Category.LINT, selector=sent.text)


def _dead_arms(subject: Subject) -> Iterator[Diagnostic]:
    for match in subject.of(ast.Match):
        for arm in match.arms:
            if isinstance(arm.body, ast.Assignment):
                yield _dead_assignment(arm.body)


def _dead_assignment(assignment: ast.Assignment) -> Diagnostic:
    target = assignment.target
    name = target.name if isinstance(target, ast.Variable) else f"self.{target.field.name}"
    return warning(
        assignment.span,
        f"Assignment to `{name}` in a match arm has no effect after the match",
        Category.DEAD_ASSIGNMENT,
        name=name,
        hint="Assign the value of the whole match, or put the assignment into a block: `[…] value`",
    )


def _super_initialize(subject: Subject) -> Iterator[Diagnostic]:
    method = subject.method
    if method is None or method.signature.selector.text != "initialize" or subject.side is Side.CLASS:
        return
    if subject.kind is not ClassKind.ACTOR:
        return
    for sent in subject.messages:
        if sent.text == "initialize" and isinstance(sent.receiver, ast.SuperRef):
            message = "`super initialize` is redundant: the inherited one runs automatically"
            yield warning(sent.span, message, Category.LINT, selector="initialize")
