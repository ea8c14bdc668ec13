"""Checks of patterns and guards in the arms of `match:` and `matchExhaustive:`.

Rules: language.md 4.15, 5.2, 5.3; types.md D-11, D-33. Which shapes a pattern may have the parser says
(2.9). Destructuring may bind a name twice (4.16).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from lang.ast import nodes as ast
from lang.ast.walk import walk
from lang.diagnostics import Category, Diagnostic
from lang.semantics.check.subject import Subject, error, warning
from lang.semantics.references import bare
from lang.semantics.scopes import pattern_names

CONSTRUCTORS: Final = frozenset({"ok:", "error:"})
COMPARISONS: Final = frozenset({">", "<", ">=", "<=", "=:=", "=/=", "/="})
ARITHMETIC: Final = frozenset({"+", "-", "*", "/"})

# Classes of type patterns that test a kind of host value, whatever stands below them (language.md 4.15).
TESTABLE: Final = frozenset(
    """
    String Integer Float List Dictionary Boolean True False Symbol Nil UndefinedObject Block Pid
    Reference Port Array Tuple Set
    """.split()
)


def check_patterns(subject: Subject) -> Iterator[Diagnostic]:
    """All checks of this module."""
    for match in subject.of(ast.Match):
        for arm in match.arms:
            yield from _arm(subject, arm)
        yield from _missing_variants(match)


def _arm(subject: Subject, arm: ast.MatchArm) -> Iterator[Diagnostic]:
    yield from _bound_twice(arm.pattern)
    for node in walk(arm.pattern):
        if isinstance(node, ast.TypePattern):
            yield from _type_pattern(subject, node)
    if arm.guard is not None:
        yield from _guard(arm.guard)


def _bound_twice(pattern: ast.Pattern) -> Iterator[Diagnostic]:
    if isinstance(pattern, ast.ArrayPattern):
        return
    names = pattern_names(pattern)
    counts = Counter(name for name, _ in names)
    reported: set[str] = set()
    for name, span in reversed(names):
        if counts[name] > 1 and name not in reported:
            reported.add(name)
            message = f"Variable `{name}` is bound multiple times in one pattern"
            yield error(span, message, name=name, hint="Bind two names and compare them in a guard")


# ---------------------------------------------------------------- classes


def _type_pattern(subject: Subject, pattern: ast.TypePattern) -> Iterator[Diagnostic]:
    span, world = pattern.ref.span, subject.world
    name = world.named(pattern.ref)
    facts = world.facts(name)
    if name == "Character":
        message = "A type pattern cannot name `Character`: characters are integers; use `Integer`"
        yield error(span, message, Category.TYPE, class_name=name)
    elif name in TESTABLE:
        return
    elif facts is None:
        if not world.is_known_type(name):
            message = f"Unresolved class: {name}"
            yield warning(span, message, Category.UNRESOLVED_CLASS, name=name)
    elif facts.is_abstract:
        message = f"A type pattern cannot name the abstract class `{name}`: use a concrete class"
        yield error(span, message, Category.TYPE, class_name=name, reason="abstract")
    elif name in world.parents:
        message = (
            f"A type pattern cannot name `{name}`: it has subclasses, and the test is for the exact class"
        )
        yield error(span, message, Category.TYPE, class_name=name, reason="has subclasses")


# ---------------------------------------------------------------- guards


def _guard(guard: ast.Expression) -> Iterator[Diagnostic]:
    wrong = _complex_part(guard)
    if wrong is None:
        return
    hint = "Compare and calculate with literals and variables only"
    if isinstance(wrong, ast.Send) and wrong.selector.text == "==":
        hint = "Use `=:=` instead of `==`"
    yield error(wrong.span, "Complex guard: only comparisons and arithmetic are supported", hint=hint)


def _complex_part(node: ast.Expression) -> ast.Expression | None:
    """The first part of a guard that is not allowed there."""
    match bare(node):
        case ast.Send(receiver=left, selector=selector, arguments=(right,)) if (
            selector.text in COMPARISONS | ARITHMETIC
        ):
            return _complex_part(left) or _complex_part(right)
        case (
            ast.Variable()
            | ast.SelfRef()
            | ast.IntegerLiteral()
            | ast.FloatLiteral()
            | ast.StringLiteral()
            | ast.SymbolLiteral()
            | ast.CharacterLiteral()
            | ast.Constant()
        ):
            return None
        case other:
            return other


# ---------------------------------------------------------------- sealed variants


def _missing_variants(match: ast.Match) -> Iterator[Diagnostic]:
    """`Result` has two variants; an arm for one needs an arm for the other, or for anything."""
    patterns = [arm.pattern for arm in match.arms if arm.guard is None]
    if any(is_catch_all(pattern) for pattern in patterns):
        return
    named = [arm.pattern for arm in match.arms if isinstance(arm.pattern, ast.ConstructorPattern)]
    if not named or any(p.ref.name != "Result" or p.selector.text not in CONSTRUCTORS for p in named):
        return
    covered = {p.selector.text for p in patterns if isinstance(p, ast.ConstructorPattern)}
    for missing in sorted(CONSTRUCTORS - covered, reverse=True):
        message = f"Non-exhaustive match: missing arm for `Result {missing}`"
        hint = f"Add an arm `Result {missing} _ -> …`, or `_ -> …`"
        yield error(match.span, message, missing=missing, hint=hint)


def is_catch_all(pattern: ast.Pattern) -> bool:
    """Whether a pattern matches everything."""
    return isinstance(pattern, ast.WildcardPattern | ast.VariablePattern)
