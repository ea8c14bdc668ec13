"""The arms of a match: what each sees, and what none handles (types.md 2.6).

Comes in: a match and its environment. Guarantees: unguarded arms shrink what later arms see (I-35). Leaves:
whether the rest must be handled to the checks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lang.ast import nodes as ast
from lang.semantics.scopes import pattern_names
from lang.semantics.types.facts import Matched
from lang.semantics.types.lattice import (
    AMBIGUOUS,
    NEVER,
    NIL,
    UNKNOWN,
    Intersection,
    Known,
    Type,
    known,
    singleton,
    union,
)
from lang.semantics.types.narrowing import variable_key
from lang.semantics.types.operations import difference, intersect

if TYPE_CHECKING:
    from lang.semantics.types.infer import Env, Inference


def match_type(inference: Inference, node: ast.Match, env: Env) -> Type:
    """The union of the types of the arms."""
    subject = inference.infer(node.subject, env)
    key = variable_key(node.subject)
    if key is not None and key in inference.setting.mutated:
        key = None
    residual = subject
    found: list[Type] = []
    for arm in node.arms:
        seen = _seen_by(inference, arm.pattern, residual)
        inner = _bound(arm.pattern, seen, env)
        if key is not None:
            inner[key] = seen
        if arm.guard is not None:
            inference.infer(arm.guard, inner)
        found.append(inference.infer(arm.body, inner))
        if arm.guard is None:
            residual = _left_by(inference, arm.pattern, residual)
    inference.facts.matched.append(Matched(node, subject, residual))
    return union(found) if found else AMBIGUOUS


def _seen_by(inference: Inference, pattern: ast.Pattern, residual: Type) -> Type:
    """The type of the scrutinee inside of an arm."""
    match pattern:
        case ast.LiteralPattern(literal=ast.Constant(value=None)):
            return NIL
        case ast.TypePattern(ref=ref):
            tested = known(_class_of(inference, ref))
            found = intersect(residual, tested, inference.world)
            return tested if isinstance(found, Intersection) else found
    return residual


def _class_of(inference: Inference, ref: ast.ClassRef) -> str:
    return "UndefinedObject" if ref.name == "Nil" else inference.world.key_of(ref)


def _left_by(inference: Inference, pattern: ast.Pattern, residual: Type) -> Type:
    """What is left behind an unguarded arm."""
    world = inference.world
    match pattern:
        case ast.LiteralPattern(literal=ast.Constant(value=None)):
            return difference(residual, NIL, world)
        case ast.LiteralPattern(literal=ast.SymbolLiteral(name=name)):
            return difference(residual, singleton(name), world)
        case ast.TypePattern(ref=ref):
            return difference(residual, known(_class_of(inference, ref)), world)
        case ast.WildcardPattern() | ast.VariablePattern():
            return NEVER
    return residual


def _bound(pattern: ast.Pattern, seen: Type, env: Env) -> Env:
    inner = dict(env)
    for name, _span in pattern_names(pattern):
        inner[name] = UNKNOWN
    match pattern:
        case ast.VariablePattern(name=name) | ast.TypePattern(name=ast.Identifier(name=name)):
            inner[name] = seen
        case ast.ConstructorPattern(selector=selector, bindings=(ast.VariablePattern(name=name),)):
            inner[name] = _variant(seen, selector.text)
        case _:
            pass
    return inner


def _variant(seen: Type, selector: str) -> Type:
    """What `Result ok:` and `Result error:` hold."""
    if isinstance(seen, Known) and seen.name == "Result" and len(seen.arguments) == 2:
        return seen.arguments[0 if selector == "ok:" else 1]
    return UNKNOWN
