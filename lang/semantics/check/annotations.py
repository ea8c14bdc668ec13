"""Checks that a `typed` class says the types of its parameters, results and slots.

Rules: types.md D-17. What a type means, and whether code keeps it, is the type checker's.
"""

from __future__ import annotations

from collections.abc import Iterator

from lang.ast import nodes as ast
from lang.diagnostics import Category, Diagnostic
from lang.semantics.check.subject import Subject, warning
from lang.source import Span


def check_annotations(subject: Subject) -> Iterator[Diagnostic]:
    """All checks of this module. An extension is no part of the class that chose to be typed."""
    if not any(facts.is_typed for facts in subject.world.chain(subject.owner)):
        return
    match subject.node:
        case ast.MethodDef():
            yield from _method(subject, subject.node)
        case ast.ClassHeader():
            yield from _slots(subject, subject.node.data)
        case ast.DataDecl():
            yield from _slots(subject, (subject.node,))
        case _:
            pass


def _method(subject: Subject, method: ast.MethodDef) -> Iterator[Diagnostic]:
    selector = method.signature.selector
    for parameter in method.signature.parameters:
        if parameter.annotation is None:
            name = parameter.name
            message = (
                f"Parameter `{name.name}` of `{selector.text}` has no type in typed class `{subject.owner}`"
            )
            yield _missing(subject, parameter.span, message, name=name.name, selector=selector.text)
    is_primitive = any(isinstance(each, ast.Primitive) for each in method.body)
    if method.signature.return_type is None and not is_primitive:
        message = f"Method `{selector.text}` of typed class `{subject.owner}` has no return type"
        yield _missing(subject, selector.parts[0], message, selector=selector.text)


def _slots(subject: Subject, declarations: tuple[ast.DataDecl, ...]) -> Iterator[Diagnostic]:
    for declaration in declarations:
        if declaration.annotation is None:
            name = declaration.name.name
            message = f"Slot `{name}` of typed class `{subject.owner}` has no type"
            yield _missing(subject, declaration.name.span, message, name=name)


def _missing(subject: Subject, span: Span, message: str, **facts: str) -> Diagnostic:
    return warning(span, message, Category.TYPE_ANNOTATION, class_name=subject.owner, **facts)
