"""Checks of class names: unknown in code, or nearly an alias in an annotation.

Rules: language.md 5.2; types.md D-19. Patterns are judged with the other rules for them.
"""

from __future__ import annotations

from collections.abc import Iterator

from lang.ast import nodes as ast
from lang.ast.walk import walk
from lang.diagnostics import Category, Diagnostic
from lang.semantics.check.subject import Subject, warning
from lang.semantics.nearest import nearest
from lang.semantics.references import ClassMention, ReferenceRole

_JUDGED = frozenset({ReferenceRole.EXPRESSION, ReferenceRole.SUPERCLASS})


def check_class_names(subject: Subject) -> Iterator[Diagnostic]:
    """All checks of this module."""
    own_parameters = _type_parameters(subject)
    for mention in subject.references.classes:
        if mention.package is not None or _is_extended_protocol(subject, mention):
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
