"""What is wrong with a method as a whole, and with the types that a unit writes (types.md D-6, D-10, D-14).

Comes in: a unit with its facts. Guarantees and leaves as `checks`.
"""

from __future__ import annotations

from collections.abc import Iterator

from lang.ast import nodes as ast
from lang.ast.walk import walk
from lang.diagnostics import Category, Diagnostic, Severity
from lang.semantics.hierarchy import side_of
from lang.semantics.types.annotations import resolved, substituted
from lang.semantics.types.checks import Judged, finding
from lang.semantics.types.compatibility import Verdict, compatible, fit
from lang.semantics.types.display import display, structure
from lang.semantics.types.facts import Matched
from lang.semantics.types.lattice import (
    Difference,
    Dynamic,
    Known,
    Meta,
    Never,
    Reason,
    Type,
    Union,
    is_nil,
    is_singleton,
    known,
    members_of,
)
from lang.semantics.types.world import World


def check_result(unit: Judged, method: ast.MethodDef) -> Iterator[Diagnostic]:
    """The type of the body against the declared one (D-6)."""
    written = method.signature.return_type
    if (
        written is None
        or any(isinstance(each, ast.Primitive) for each in method.body)
        or _is_delegated(method)
    ):
        return
    declared = _own(unit, unit.world.declared(written, unit.owner))
    body = unit.facts.body
    if isinstance(body, Dynamic):
        if unit.is_typed and body.reason in (Reason.AMBIGUOUS_CONTROL_FLOW, Reason.UNANNOTATED_RETURN):
            yield _misfit(unit, method, Severity.HINT, declared, body)
    elif isinstance(body, Union):
        if unit.is_typed and fit(body, declared, unit.world).verdict is not Verdict.FITS:
            yield _misfit(unit, method, Severity.WARNING, declared, body)
    elif not compatible(body, declared, unit.world):
        yield _misfit(unit, method, Severity.WARNING, declared, body)


def _is_delegated(method: ast.MethodDef) -> bool:
    match method.body:
        case (ast.Send(receiver=ast.SelfRef(), selector=selector),):
            return selector.text == "delegate"
    return False


def _own(unit: Judged, declared: Type) -> Type:
    """A declared type with `Self` as the class that is being read; its parameters stay as they are."""
    names = unit.world.type_parameters(unit.owner)
    parameters = unit.world.instance_type(unit.owner).arguments
    by_name: dict[str, Type] = dict(zip(names, parameters, strict=True))
    by_name |= {"Self": known(unit.owner), "Self class": Meta(unit.owner)}
    return substituted(declared, by_name, unit.world)


def _misfit(
    unit: Judged, method: ast.MethodDef, severity: Severity, declared: Type, body: Type
) -> Diagnostic:
    selector = method.signature.selector
    shown, got = display(declared), display(body)
    return finding(
        severity,
        Category.TYPE,
        selector.parts[0],
        f"`{selector.text}` of {unit.owner} is declared to answer {shown}, and answers {got}",
        selector=selector.text,
        class_name=unit.owner,
        expected=shown,
        actual=got,
        reason=body.reason.value if isinstance(body, Dynamic) else None,
    )


# What every object understands is often given another meaning, with other parameters.
_ROOTS = frozenset({"Object", "ProtoObject"})


def check_override(unit: Judged, method: ast.MethodDef) -> Iterator[Diagnostic]:
    """Parameters that take something else than those of the method that is overridden (D-14)."""
    side, world = side_of(method), unit.world
    facts = world.facts(unit.owner)
    above = None if facts is None else facts.superclass
    selector = method.signature.selector.text
    if above is None or not world.is_class(above):
        return
    found = world.find(above, side, selector)
    if found is None or found.side is not side or found.owner in _ROOTS:
        return
    bound = dict(world.bindings(world.instance_type(unit.owner), found.owner))
    for parameter, asked in zip(method.signature.parameters, found.parameters, strict=False):
        if parameter.annotation is not None and asked is not None:
            own = world.declared(parameter.annotation, unit.owner)
            expected = substituted(asked, bound, world)
            if not compatible(own, expected, world):
                shown, got = display(expected), display(own)
                message = f"`{selector}` of {found.owner} takes {shown}; this override takes {got}"
                data = {"selector": selector, "expected": shown, "actual": got, "class_name": found.owner}
                yield finding(Severity.WARNING, Category.TYPE, parameter.span, message, **data)


# ---------------------------------------------------------------- written types


def check_written_types(unit: Judged) -> Iterator[Diagnostic]:
    """Arguments for classes that take none, and arguments outside of their bounds (T-36)."""
    world = unit.world
    for node in walk(unit.node):
        if not isinstance(node, ast.NamedType) or not node.arguments:
            continue
        name = world.key_of(node.ref)
        header = world.trees.header(name)
        if name == "Block" or header is None or not world.is_class(name):
            continue
        if not header.type_parameters:
            message = f"`{name}` takes no type arguments"
            yield finding(Severity.WARNING, Category.TYPE, node.span, message, class_name=name)
        yield from _bounds(unit, node, header)


def _bounds(unit: Judged, node: ast.NamedType, header: ast.ClassHeader) -> Iterator[Diagnostic]:
    world = unit.world
    for parameter, written in zip(header.type_parameters, node.arguments, strict=False):
        if parameter.bound is None:
            continue
        bound = known(world.key_of(parameter.bound))
        given = resolved(written, world, world.type_parameters(unit.owner))
        if isinstance(given, Known | Union):
            found = fit(given, bound, world)
            if found.verdict is not Verdict.FITS and found.unfit is not None:
                severity = Severity.WARNING if found.verdict is Verdict.NOT else Severity.HINT
                actual, shown = display(found.unfit), display(bound)
                message = f"`{parameter.name.name}` of {header.name.name} must be {shown}, got {actual}"
                yield finding(severity, Category.TYPE, written.span, message, expected=shown, actual=actual)


# ---------------------------------------------------------------- matches


def check_matches(unit: Judged) -> Iterator[Diagnostic]:
    """Arms that leave part of a closed union unhandled (D-10, D-10e, D-R3)."""
    for matched in unit.facts.matched:
        if matched.node.arms:
            yield from _match(unit, matched)


def _match(unit: Judged, matched: Matched) -> Iterator[Diagnostic]:
    node = matched.node
    is_strict = node.selector.text == "matchExhaustive:"
    members = _closed_members(unit.world, matched.subject)
    if members is None or (not is_strict and not _is_judged(members, node)):
        if is_strict and not _names_variants(node):
            yield _cannot_verify(matched)
        return
    if isinstance(matched.residual, Never):
        return
    left = members_of(matched.residual)
    missing = [display(member) for member in members if any(_is_left(member, each) for each in left)]
    if missing:
        yield _uncovered(node, missing, display(matched.residual))


def _is_left(member: Type, left: Type) -> bool:
    return member == left or (isinstance(left, Difference) and left.base == member)


def _names_variants(node: ast.Match) -> bool:
    """Whether the arms are those of `Result`, which are judged by their constructors."""
    return any(isinstance(arm.pattern, ast.ConstructorPattern) for arm in node.arms)


def _uncovered(node: ast.Match, missing: list[str], residual: str) -> Diagnostic:
    message = f"Non-exhaustive match: {', '.join(missing)} not handled (left over: {residual})"
    is_strict = node.selector.text == "matchExhaustive:"
    severity = Severity.ERROR if is_strict else Severity.WARNING
    hint = f"Add an arm `{_arm_for(missing[0])} -> …`, or `_ -> …`"
    return finding(
        severity, Category.TYPE, node.span, message, missing=missing[0], actual=residual, hint=hint
    )


def _arm_for(member: str) -> str:
    if member.startswith("#"):
        return member
    return "nil" if member == "Nil" else f"x :: {member}"


def _cannot_verify(matched: Matched) -> Diagnostic:
    shown = structure(matched.subject)
    message = f"Cannot verify that the match is exhaustive: the type `{shown}` is no closed union"
    hint = "Annotate the value with a union of symbols, nil and classes without subclasses, or use `match:`"
    return finding(Severity.ERROR, Category.TYPE, matched.node.span, message, actual=shown, hint=hint)


# Kinds of host value with a type pattern of their own, Characters being Integers (language.md 4.15).
_HOST_LEAVES = frozenset({"Integer", "Float", "String", "List", "Dictionary", "Block", "True", "False"})


def _closed_members(world: World, subject: Type) -> list[Type] | None:
    """The members of a closed union; None when the type is none."""
    if not isinstance(subject, Union):
        return None
    found = list(subject.members)
    return found if all(_is_closed(world, member) for member in found) else None


def _is_closed(world: World, member: Type) -> bool:
    if not isinstance(member, Known):
        return False
    if is_nil(member) or is_singleton(member) or member.name in _HOST_LEAVES:
        return True
    return member.name != "Symbol" and world.is_leaf(member.name)


def _is_judged(members: list[Type], node: ast.Match) -> bool:
    """Whether an advisory `match:` is judged: singletons, or nil and classes by type or nil patterns.

    A union that mixes symbols with classes is not, nor is a single class (types.md D-10).
    """
    if len(members) < 2:
        return False
    are_singletons = [is_singleton(member) for member in members]
    if all(are_singletons):
        return True
    by_kind = any(isinstance(arm.pattern, ast.TypePattern) or _is_nil(arm.pattern) for arm in node.arms)
    return not any(are_singletons) and by_kind


def _is_nil(pattern: ast.Pattern) -> bool:
    return (
        isinstance(pattern, ast.LiteralPattern)
        and isinstance(pattern.literal, ast.Constant)
        and pattern.literal.value is None
    )
