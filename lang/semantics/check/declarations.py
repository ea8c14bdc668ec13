"""Checks of headers and data declarations: sealing, reserved names, data that a kind may hold.

Rules: language.md 4.1, 4.2, 5.2; types.md D-29, D-30c.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from lang.ast import nodes as ast
from lang.class_kind import ClassKind
from lang.diagnostics import Category, Diagnostic
from lang.semantics.check.subject import Subject, error, warning

_KEYWORDS: Final[Mapping[ClassKind, str]] = {ClassKind.VALUE: "field:", ClassKind.ACTOR: "state:"}
_ARTICLES: Final[Mapping[ClassKind, str]] = {
    ClassKind.VALUE: "a value class",
    ClassKind.ACTOR: "an actor class",
    ClassKind.OBJECT: "an object class",
}


def check_declarations(subject: Subject) -> Iterator[Diagnostic]:
    """All checks of this module."""
    match subject.node:
        case ast.ClassHeader():
            yield from _header(subject, subject.node)
            yield from _data(subject, subject.node.data)
        case ast.DataDecl():
            yield from _data(subject, (subject.node,))
        case _:
            pass


def _header(subject: Subject, header: ast.ClassHeader) -> Iterator[Diagnostic]:
    if header.name.name == "Self":
        message = "A class cannot be named `Self`: the name is reserved for types"
        yield error(header.name.name_span, message, name="Self")
    if subject.is_project:
        yield from _project_header(subject, header)
    if header.handle_scope is not None and subject.kind in (ClassKind.VALUE, ClassKind.ACTOR):
        message = f"`handleScope:` has no effect on {_ARTICLES[subject.kind]}"
        yield warning(header.handle_scope.span, message, Category.SENDABILITY, name=subject.owner)


def _project_header(subject: Subject, header: ast.ClassHeader) -> Iterator[Diagnostic]:
    name = header.name.name
    if is_library_name(subject, name):
        message = f"Class `{name}` conflicts with the class of the standard library of that name"
        yield warning(header.name.name_span, message, Category.NONE, name=name)
    parent = header.superclass
    facts = None if parent is None else subject.world.facts(subject.world.named(parent))
    if parent is not None and facts is not None and facts.is_sealed:
        message = f"Cannot subclass sealed class `{parent.name}`"
        yield error(parent.span, message, Category.INHERITANCE, name=parent.name)
    cycle = subject.world.cycle_through(name)
    if parent is not None and cycle:
        message = f"Superclass cycle: {' -> '.join(cycle)}"
        yield error(parent.span, message, Category.INHERITANCE, name=parent.name)


def is_library_name(subject: Subject, name: str) -> bool:
    """Whether the standard library has a class of that name."""
    return name in subject.world.library_classes


# ---------------------------------------------------------------- data


def _data(subject: Subject, declarations: Iterable[ast.DataDecl]) -> Iterator[Diagnostic]:
    for declaration in declarations:
        if declaration.keyword != "classState:" and subject.is_project:
            yield from _wrong_keyword(subject, declaration)
            yield from _native_state(subject, declaration)


def _wrong_keyword(subject: Subject, declaration: ast.DataDecl) -> Iterator[Diagnostic]:
    kind, owner = subject.kind, subject.owner
    if kind is None or declaration.keyword == _KEYWORDS.get(kind):
        return
    right = _KEYWORDS.get(kind)
    if right is None:
        message = f"Object class `{owner}` holds no instance data: `{declaration.keyword}` is not allowed"
        hint = "Make it a subclass of Value (`field:`) or of Actor (`state:`)"
    else:
        message = f"`{owner}` is {_ARTICLES[kind]}: use `{right}`, not `{declaration.keyword}`"
        hint = f"Write `{right} {declaration.name.name}`"
    yield error(
        declaration.span, message, Category.TYPE, name=declaration.name.name, class_name=owner, hint=hint
    )


def _native_state(subject: Subject, declaration: ast.DataDecl) -> Iterator[Diagnostic]:
    if declaration.keyword == "state:" and subject.kind is ClassKind.ACTOR:
        facts = subject.facts
        if facts is not None and facts.is_native:
            message = (
                f"Native actor `{subject.owner}` cannot have `state:`: its state lives in the host module"
            )
            yield error(declaration.span, message, name=declaration.name.name, class_name=subject.owner)
