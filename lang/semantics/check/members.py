"""Checks that need all units of a class or file at once: what is declared twice.

Rules: language.md 4.2, 4.18, 5.2; types.md D-27. That a file declares one class the parser says.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lang.ast import nodes as ast
from lang.class_kind import ClassKind
from lang.diagnostics import Category, Diagnostic
from lang.semantics.check.slots import setter_of
from lang.semantics.check.subject import error, warning
from lang.semantics.hierarchy import ClassView, side_of
from lang.syntax.units import ParsedUnit, Side

Found = tuple[int, Diagnostic]


def check_members(units: Sequence[ParsedUnit], world: ClassView) -> Iterator[Found]:
    """What is wrong between the units of one file: (position of the unit, finding in its text)."""
    yield from _duplicate_methods(units)
    yield from _duplicate_extensions(units)
    yield from _shadowed_extensions(units, world)
    yield from _setter_clashes(units, world)


def _duplicate_methods(units: Sequence[ParsedUnit]) -> Iterator[Found]:
    seen: set[tuple[str, Side, str]] = set()
    for at, unit in enumerate(units):
        if isinstance(unit.node, ast.MethodDef):
            selector = unit.node.signature.selector
            side = side_of(unit.node)
            key = (unit.name.owner, side, selector.text)
            if key in seen:
                what = "class method" if side is Side.CLASS else "method"
                message = f"Duplicate {what} `{selector.text}`"
                yield at, error(selector.span, message, Category.TYPE, selector=selector.text)
            seen.add(key)


def _duplicate_extensions(units: Sequence[ParsedUnit]) -> Iterator[Found]:
    seen: set[str] = set()
    for at, unit in enumerate(units):
        if isinstance(unit.node, ast.ExtensionDef):
            key, selector = extension_key(unit.node)
            if key in seen:
                message = f"Duplicate extension `{key}`"
                yield (
                    at,
                    error(unit.node.span, message, Category.EXTENSION_CONFLICT, name=key, selector=selector),
                )
            seen.add(key)


def _shadowed_extensions(units: Sequence[ParsedUnit], world: ClassView) -> Iterator[Found]:
    for at, unit in enumerate(units):
        if isinstance(unit.node, ast.ExtensionDef):
            facts = world.facts(world.named(unit.node.target))
            method = unit.node.method
            own = None if facts is None else facts.method(side_of(method), method.signature.selector.text)
            if own is not None and not own.is_extension:
                key, selector = extension_key(unit.node)
                message = f"Extension `{key}` is shadowed: the class has a method of its own, which wins"
                yield (
                    at,
                    warning(
                        unit.node.span,
                        message,
                        Category.EXTENSION_CONFLICT,
                        name=key,
                        selector=selector,
                        class_name=unit.node.target.name,
                    ),
                )


def extension_key(node: ast.ExtensionDef) -> tuple[str, str]:
    """How an extension is named (`Counter class >> reset`), and its selector."""
    selector = node.method.signature.selector.text
    side = " class" if node.method.signature.is_class_side else ""
    return f"{node.target.name}{side} >> {selector}", selector


def _setter_clashes(units: Sequence[ParsedUnit], world: ClassView) -> Iterator[Found]:
    seen: dict[tuple[str, str], str] = {}
    for at, unit in enumerate(units):
        if world.kind_of(unit.name.owner) is not ClassKind.VALUE:
            continue
        for declaration in _fields(unit.node):
            name = declaration.name.name
            setter = setter_of(name)
            key = (unit.name.owner, setter)
            if key in seen:
                message = f"Fields `{seen[key]}` and `{name}` give one selector `{setter}`"
                yield at, error(declaration.span, message, Category.TYPE, name=name, selector=setter)
            seen.setdefault(key, name)


def _fields(node: ast.Declaration | None) -> Sequence[ast.DataDecl]:
    match node:
        case ast.ClassHeader():
            return [each for each in node.data if each.keyword == "field:"]
        case ast.DataDecl(keyword="field:"):
            return [node]
    return []
