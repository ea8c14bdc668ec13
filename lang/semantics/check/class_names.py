"""Checks of class names: unknown, nearly an alias in an annotation, or not clearly one package's.

Rules: language.md 5.2; types.md D-14, D-19, D-33, M-9, M-11. Patterns are judged with the other rules for them.
"""

from __future__ import annotations

from collections.abc import Iterator

from lang.ast import nodes as ast
from lang.ast.walk import walk
from lang.diagnostics import Category, Diagnostic
from lang.semantics.check.subject import Subject, warning
from lang.semantics.hierarchy import BorrowedTransitively, ExportedTwice
from lang.semantics.nearest import nearest
from lang.semantics.references import ClassMention, ReferenceRole

_JUDGED = frozenset({ReferenceRole.EXPRESSION, ReferenceRole.SUPERCLASS})


def check_class_names(subject: Subject) -> Iterator[Diagnostic]:
    """All checks of this module."""
    own_parameters = _type_parameters(subject)
    for mention in subject.references.classes:
        if mention.package is not None:
            yield from _unresolved_in_package(subject, mention, mention.package)
            continue
        if mention.role is not ReferenceRole.DECLARATION:
            yield from _borrowed(subject, mention)
        if _is_extended_protocol(subject, mention):
            continue
        if mention.role in _JUDGED and not subject.world.is_known_class(mention.name):
            if mention.name not in own_parameters:
                yield _unresolved(subject, mention)
        elif mention.role is ReferenceRole.ANNOTATION and mention.name not in own_parameters:
            yield from _near_alias(subject, mention)


def _is_extended_protocol(subject: Subject, mention: ClassMention) -> bool:
    return isinstance(subject.node, ast.ProtocolDef) and mention.role is ReferenceRole.SUPERCLASS


def _type_parameters(subject: Subject) -> frozenset[str]:
    facts = subject.facts
    known = facts.type_parameters if facts is not None else ()
    written = (n.name.name for n in walk(subject.node) if isinstance(n, ast.TypeParameter))
    return frozenset((*known, *written))


def _unresolved(subject: Subject, mention: ClassMention) -> Diagnostic:
    message = f"Unresolved class: {mention.name}"
    suggestion = nearest(mention.name, subject.world.classes)
    data = {"name": mention.name}
    if suggestion is not None:
        data |= {"suggestion": suggestion, "hint": f"Did you mean `{suggestion}`?"}
    return warning(mention.span, message, Category.UNRESOLVED_CLASS, **data)


def _unresolved_in_package(subject: Subject, mention: ClassMention, package: str) -> Iterator[Diagnostic]:
    """A qualified name is that package's or nobody's (M-11); an unknown package is told elsewhere."""
    world = subject.world
    is_told = world.packages is None or (package != world.package and package not in world.packages)
    if not is_told and not world.is_known_type(world.spelling(mention.name, package)):
        name = f"{package}@{mention.name}"
        yield warning(mention.span, f"Unresolved class: {name}", Category.UNRESOLVED_CLASS, name=mention.name)


def _borrowed(subject: Subject, mention: ClassMention) -> Iterator[Diagnostic]:
    """A bare name that several dependencies export, or that only a dependency's dependency has."""
    name = mention.name
    match subject.world.borrowed.get(name):
        case ExportedTwice(spellings=spellings, severity=severity):
            message = f"Class name '{name}' is exported by multiple dependencies"
            hint = f"use qualified name: {' or '.join(spellings)}"
            yield Diagnostic(severity, message, mention.span, Category.NONE, hint, data={"name": name})
        case BorrowedTransitively(package=package, via=via, severity=severity):
            message = f"Class '{name}' is from transitive dependency '{package}' (via '{via}')"
            hint = f"Add '{package}' to the dependencies in beamtalk.toml"
            data = {"name": name, "package": package}
            yield Diagnostic(severity, message, mention.span, Category.TYPE, hint, data=data)
        case None:
            pass


def _near_alias(subject: Subject, mention: ClassMention) -> Iterator[Diagnostic]:
    if subject.world.is_known_type(mention.name):
        return
    suggestion = nearest(mention.name, subject.world.aliases)
    if suggestion is not None:
        yield warning(
            mention.span,
            f"Unresolved type: {mention.name}; did you mean `{suggestion}`?",
            Category.UNRESOLVED_CLASS,
            name=mention.name,
            suggestion=suggestion,
            hint=f"Did you mean `{suggestion}`?",
        )
