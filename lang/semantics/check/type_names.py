"""Checks of types as they are declared: aliases, protocols, and where `Self` may stand.

Rules: language.md 2.7, 5.2, 5.4; types.md T-23, T-31, T-39, D-16. What types mean together is the type
checker's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from lang.ast import nodes as ast
from lang.ast.walk import walk
from lang.diagnostics import Category, Diagnostic
from lang.semantics.check.subject import Subject, error
from lang.semantics.hierarchy import ClassView
from lang.syntax.units import ParsedUnit

Found = tuple[int, Diagnostic]


def check_type_names(subject: Subject) -> Iterator[Diagnostic]:
    """What is wrong with the types of one unit on its own."""
    if subject.method is not None:
        yield from _self_parameters(subject.method)
    match subject.node:
        case ast.ProtocolDef(extending=ast.ClassRef() as parent):
            if parent.package is None and parent.name not in subject.world.protocols:
                message = f"Unknown protocol `{parent.name}` after `extending:`"
                yield error(subject.node.name.span, message, Category.TYPE, name=parent.name)
        case ast.TypeAlias():
            yield from _unbound_parameters(subject, subject.node)
        case _:
            pass


def _self_parameters(method: ast.MethodDef) -> Iterator[Diagnostic]:
    for parameter in method.signature.parameters:
        if parameter.annotation is not None and _names_self(parameter.annotation):
            message = "`Self` cannot be the type of a parameter: it is for results only"
            yield error(parameter.annotation.span, message, Category.TYPE, name="Self")


def _names_self(annotation: ast.TypeExpr) -> bool:
    return any(isinstance(node, ast.ClassRef) and node.name == "Self" for node in walk(annotation))


def _unbound_parameters(subject: Subject, alias: ast.TypeAlias) -> Iterator[Diagnostic]:
    for node in walk(alias.type):
        is_parameter = isinstance(node, ast.ClassRef) and len(node.name) == 1
        if isinstance(node, ast.ClassRef) and is_parameter and not subject.world.is_known_type(node.name):
            message = f"Unknown type parameter `{node.name}`: an alias takes none"
            yield error(node.span, message, Category.TYPE, name=node.name)


# ---------------------------------------------------------------- between units


def check_declared_names(units: Sequence[ParsedUnit], around: ClassView, known: ClassView) -> Iterator[Found]:
    """Names taken twice, and aliases that lead back to themselves.

    `around` is the view without this file, `known` the view with it.
    """
    yield from _clashes(units, around)
    yield from _cycles(units, known.aliases)


def _clashes(units: Sequence[ParsedUnit], around: ClassView) -> Iterator[Found]:
    seen: dict[str, str] = {}
    for at, unit in enumerate(units):
        kind = _declared_kind(unit.node)
        match unit.node:
            case ast.ClassHeader(name=name) | ast.ProtocolDef(name=name) | ast.TypeAlias(name=name):
                taken = seen.get(name.name) or _kind_around(around, name.name, kind)
                if taken is not None:
                    message = f"The name `{name.name}` of this {kind} is already taken by a {taken}"
                    yield at, error(name.span, message, Category.TYPE, name=name.name)
                seen[name.name] = kind
            case _:
                pass


def _declared_kind(node: ast.Declaration | None) -> str:
    match node:
        case ast.ProtocolDef():
            return "protocol"
        case ast.TypeAlias():
            return "type alias"
    return "class"


def _kind_around(around: ClassView, name: str, kind: str) -> str | None:
    """What else bears the name: another kind of thing, for the same kind may be this file's earlier self."""
    if name in around.classes and kind != "class":
        return "class"
    if name in around.protocols and kind != "protocol":
        return "protocol"
    return "type alias" if name in around.aliases and kind != "type alias" else None


def _cycles(units: Sequence[ParsedUnit], aliases: Mapping[str, ast.TypeExpr]) -> Iterator[Found]:
    told: set[str] = set()
    for at, unit in enumerate(units):
        if isinstance(unit.node, ast.TypeAlias) and unit.node.name.name not in told:
            path = _path_back(unit.node.name.name, aliases)
            if path:
                told.update(path)
                shown = " -> ".join((*path, path[0]))
                message = f"Type alias cycle: {shown}"
                name = unit.node.name
                yield at, error(name.span, message, Category.TYPE, name=name.name, cycle=shown)


def _path_back(start: str, aliases: Mapping[str, ast.TypeExpr]) -> tuple[str, ...]:
    """The names on a way from an alias back to itself; empty when there is none."""
    waiting: list[tuple[str, ...]] = [(start,)]
    seen: set[str] = set()
    while waiting:
        path = waiting.pop()
        for name in _aliases_named(path[-1], aliases):
            if name == start:
                return path
            if name not in seen:
                seen.add(name)
                waiting.append((*path, name))
    return ()


def _aliases_named(alias: str, aliases: Mapping[str, ast.TypeExpr]) -> Iterator[str]:
    for node in walk(aliases[alias]):
        if isinstance(node, ast.ClassRef) and node.package is None and node.name in aliases:
            yield node.name
