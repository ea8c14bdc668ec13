"""Checks that arms cover a closed union, where the scrutinee's type is written down.

Rules: language.md 5.3; types.md D-10, D-10e, D-R3. A scrutinee whose type only inference could tell is left to
the type checker; a parameter without an annotation, never assigned, has no type at all.
"""

from __future__ import annotations

from collections.abc import Iterator

from lang.ast import nodes as ast
from lang.diagnostics import Category, Diagnostic
from lang.semantics.check.patterns import is_catch_all
from lang.semantics.check.subject import Subject, error, warning
from lang.semantics.hierarchy import ClassView
from lang.semantics.references import KEYWORD_TYPES, bare


def check_exhaustive(subject: Subject) -> Iterator[Diagnostic]:
    """All checks of this module."""
    declared = _declared_types(subject)
    for match in subject.of(ast.Match):
        scrutinee = bare(match.subject)
        if isinstance(scrutinee, ast.Variable) and scrutinee.name in declared and match.arms:
            yield from _match(subject, match, declared[scrutinee.name])


def _declared_types(subject: Subject) -> dict[str, ast.TypeExpr | None]:
    """The annotations of parameters that are never assigned, and of names that a block does not bind again."""
    if subject.method is None or subject.scope is None:
        return {}
    rebound = {name for scope in subject.scope.walk() for name in scope.assigned}
    for child in subject.scope.children:
        rebound |= {name for scope in child.walk() for name in scope.declared}
    parameters = subject.method.signature.parameters
    return {p.name.name: p.annotation for p in parameters if p.name.name not in rebound}


def _match(subject: Subject, match: ast.Match, declared: ast.TypeExpr | None) -> Iterator[Diagnostic]:
    is_strict = match.selector.text == "matchExhaustive:"
    members = _closed_members(subject.world, declared)
    patterns = [arm.pattern for arm in match.arms if arm.guard is None]
    if members is None or (not is_strict and not _is_judged(members, match)):
        if is_strict and not _names_variants(match):
            yield _cannot_verify(match, declared)
        return
    if any(is_catch_all(pattern) for pattern in patterns):
        return
    covered = {name for pattern in patterns for name in _covered(pattern)}
    missing = [member for member in members if member not in covered]
    if missing:
        yield _uncovered(match, missing)


def _names_variants(match: ast.Match) -> bool:
    """Whether the arms are those of `Result`, which are judged by their constructors."""
    return any(isinstance(arm.pattern, ast.ConstructorPattern) for arm in match.arms)


def _uncovered(match: ast.Match, missing: list[str]) -> Diagnostic:
    residual = " | ".join(missing)
    message = f"Non-exhaustive match: {', '.join(missing)} not handled (left over: {residual})"
    facts = {"missing": missing[0], "hint": f"Add an arm `{_arm_for(missing[0])} -> …`, or `_ -> …`"}
    if match.selector.text == "matchExhaustive:":
        return error(match.span, message, Category.TYPE, **facts)
    return warning(match.span, message, Category.TYPE, **facts)


def _arm_for(member: str) -> str:
    if member.startswith("#"):
        return member
    return "nil" if member == "Nil" else f"x :: {member}"


def _cannot_verify(match: ast.Match, declared: ast.TypeExpr | None) -> Diagnostic:
    shown = "Dynamic" if declared is None else shown_type(declared)
    message = f"Cannot verify that the match is exhaustive: the type `{shown}` is no closed union"
    hint = "Annotate the value with a union of symbols, nil and classes without subclasses, or use `match:`"
    return error(match.span, message, Category.TYPE, actual=shown, hint=hint)


# ---------------------------------------------------------------- closed unions


def _closed_members(world: ClassView, declared: ast.TypeExpr | None) -> list[str] | None:
    """The members of a closed union as displayed; None when the type is none."""
    members: list[str] = []
    for part in _union_parts(world, declared, ()):
        member = _closed_member(world, part)
        if member is None:
            return None
        members.append(member)
    return members or None


def _union_parts(
    world: ClassView, declared: ast.TypeExpr | None, opened: tuple[str, ...]
) -> Iterator[ast.TypeExpr | None]:
    match declared:
        case ast.UnionType(members=members):
            for member in members:
                yield from _union_parts(world, member, opened)
        case ast.NamedType(ref=ref, arguments=()) if ref.name in world.aliases and ref.name not in opened:
            yield from _union_parts(world, world.aliases[ref.name], (*opened, ref.name))
        case other:
            yield other


def _closed_member(world: ClassView, part: ast.TypeExpr | None) -> str | None:
    match part:
        case ast.SingletonType(name=name):
            return f"#{name}"
        case ast.NamedType(ref=ref, arguments=()):
            name = "Nil" if ref.name == "UndefinedObject" else KEYWORD_TYPES.get(ref.name, ref.name)
            return name if name == "Nil" or _is_leaf(world, name) else None
    return None


# Kinds of host value with a type pattern of their own, Characters being Integers (language.md 4.15).
_HOST_LEAVES = frozenset({"Integer", "Float", "String", "List", "Dictionary", "Block", "True", "False"})


def _is_leaf(world: ClassView, name: str) -> bool:
    facts = world.facts(name)
    if name in _HOST_LEAVES:
        return True
    return facts is not None and not facts.is_abstract and name not in world.parents and name != "Symbol"


def _is_judged(members: list[str], match: ast.Match) -> bool:
    """Whether an advisory `match:` is judged: singletons, or nil and classes by type or nil patterns.

    A union that mixes symbols with classes is not, nor is a single class (types.md D-10).
    """
    are_singletons = [member.startswith("#") for member in members]
    if all(are_singletons):
        return len(members) > 1
    by_kind = any(isinstance(arm.pattern, ast.TypePattern) or _is_nil(arm.pattern) for arm in match.arms)
    return not any(are_singletons) and len(members) > 1 and by_kind


def _is_nil(pattern: ast.Pattern) -> bool:
    return (
        isinstance(pattern, ast.LiteralPattern)
        and isinstance(pattern.literal, ast.Constant)
        and pattern.literal.value is None
    )


def _covered(pattern: ast.Pattern) -> tuple[str, ...]:
    """The members that an unguarded arm handles."""
    match pattern:
        case ast.LiteralPattern(literal=ast.SymbolLiteral(name=name)):
            return (f"#{name}",)
        case ast.LiteralPattern() if _is_nil(pattern):
            return ("Nil",)
        case ast.TypePattern(ref=ref):
            return ("Nil" if ref.name == "UndefinedObject" else ref.name,)
    return ()


def shown_type(node: ast.TypeExpr) -> str:
    """A type as it is written."""
    match node:
        case ast.SingletonType(name=name):
            return f"#{name}"
        case ast.MetaType(ref=ref):
            return f"{ref.name} class"
        case ast.NamedType(ref=ref, arguments=arguments):
            inner = ", ".join(shown_type(each) for each in arguments)
            return f"{ref.name}({inner})" if inner else ref.name
        case ast.UnionType(members=members):
            return " | ".join(shown_type(each) for each in members)
        case ast.IntersectionType(members=members):
            return " & ".join(shown_type(each) for each in members)
        case ast.DifferenceType(base=base, removed=removed):
            return f"{shown_type(base)} \\ {shown_type(removed)}"
