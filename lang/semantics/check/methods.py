"""Checks of method definitions: what may be overridden, what must be answered, what is reserved.

Rules: language.md 5.2; types.md D-29.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from lang.ast import nodes as ast
from lang.ast.walk import walk
from lang.class_kind import ClassKind
from lang.diagnostics import Category, Diagnostic
from lang.semantics.check.subject import Subject, error, literal_class, warning
from lang.semantics.references import bare
from lang.syntax.units import Side

COMPUTED: Final = frozenset({"=:=", "=/=", "==", "/="})
POLICIES: Final = ("permanent", "transient", "temporary")


def check_methods(subject: Subject) -> Iterator[Diagnostic]:
    """All checks of this module."""
    if not subject.is_project:
        return
    method = subject.method
    if method is None:
        return
    yield from _primitives(subject)
    yield from _sealed_override(subject, method)
    yield from _equality_override(method)
    if subject.side is Side.INSTANCE:
        yield from _answers_nothing(subject, method)
    else:
        yield from _supervision_policy(subject, method)
        yield from _children_policies(subject, method)


def _primitives(subject: Subject) -> Iterator[Diagnostic]:
    for primitive in subject.of(ast.Primitive):
        word = "@intrinsic" if primitive.is_intrinsic else "@primitive"
        yield error(primitive.span, f"`{word}` can only be used in the standard library", name=word)


def _sealed_override(subject: Subject, method: ast.MethodDef) -> Iterator[Diagnostic]:
    facts, side = subject.facts, subject.side
    if facts is None or side is None or isinstance(subject.node, ast.ExtensionDef):
        return
    selector = method.signature.selector
    for ancestor in subject.world.chain(facts.superclass):
        found = ancestor.method(side, selector.text)
        if found is not None and found.is_sealed:
            message = f"Cannot override sealed method `{selector.text}` from class `{ancestor.name}`"
            yield error(
                selector.span,
                message,
                Category.INHERITANCE,
                name=selector.text,
                selector=selector.text,
                class_name=ancestor.name,
            )
            return


def _equality_override(method: ast.MethodDef) -> Iterator[Diagnostic]:
    selector = method.signature.selector
    if selector.text in COMPUTED:
        message = f"`{selector.text}` cannot be overridden; use `equals:` for an equality of your own"
        yield error(selector.span, message, selector=selector.text)


# ---------------------------------------------------------------- what a method answers


def _answers_nothing(subject: Subject, method: ast.MethodDef) -> Iterator[Diagnostic]:
    if not _is_nil_type(method.signature.return_type) or subject.kind is not ClassKind.VALUE:
        return
    if subject.is_test_case() or _takes_block(method) or _is_abstract(subject):
        return
    selector = method.signature.selector
    message = f"Value method `{selector.text}` must return a value, not nothing"
    yield error(selector.span, message, Category.TYPE, selector=selector.text, class_name=subject.owner)


def _is_nil_type(annotation: ast.TypeExpr | None) -> bool:
    return isinstance(annotation, ast.NamedType) and annotation.ref.name in ("Nil", "nil")


def _takes_block(method: ast.MethodDef) -> bool:
    annotations = (p.annotation for p in method.signature.parameters if p.annotation is not None)
    return any(
        isinstance(node, ast.ClassRef) and node.name == "Block" for a in annotations for node in walk(a)
    )


def _is_abstract(subject: Subject) -> bool:
    return any(sent.text == "subclassResponsibility" for sent in subject.messages)


# ---------------------------------------------------------------- supervision


def _supervision_policy(subject: Subject, method: ast.MethodDef) -> Iterator[Diagnostic]:
    if method.signature.selector.text != "supervisionPolicy" or not _is_supervised(subject):
        return
    for answer in _answers(subject, method):
        symbol = bare(answer)
        if isinstance(symbol, ast.SymbolLiteral) and symbol.name not in POLICIES:
            allowed = ", ".join(f"#{each}" for each in POLICIES)
            message = f"Supervision policy must be one of {allowed}, not #{symbol.name}"
            yield error(symbol.span, message, actual=f"#{symbol.name}")


def _is_supervised(subject: Subject) -> bool:
    """Whether instances of the owner can be children of a supervisor."""
    above = subject.world.chain(subject.owner)
    return any(facts.name in {"Actor", "Supervisor", "DynamicSupervisor"} for facts in above)


def _answers(subject: Subject, method: ast.MethodDef) -> Iterator[ast.Expression]:
    yield from (each.value for each in subject.of(ast.Return))
    if method.body and not isinstance(method.body[-1], ast.Return):
        yield method.body[-1]


def _children_policies(subject: Subject, method: ast.MethodDef) -> Iterator[Diagnostic]:
    if method.signature.selector.text != "children" or not subject.world.inherits(
        subject.owner, "Supervisor"
    ):
        return
    for answer in _answers(subject, method):
        literal = bare(answer)
        elements = literal.elements if isinstance(literal, ast.ListLiteral | ast.ArrayLiteral) else ()
        for element in elements:
            child = literal_class(element)
            if child is not None and not _has_policy(subject, subject.world.named(child)):
                message = f"Child `{child.name}` has no supervision policy: the default is #temporary"
                hint = f"Define `class supervisionPolicy -> Symbol => #permanent` in {child.name}"
                yield warning(child.span, message, Category.TYPE, name=child.name, hint=hint)


def _has_policy(subject: Subject, child: str) -> bool:
    """Whether a class below Actor answers its own policy; what is no known actor has nothing to say."""
    if subject.world.kind_of(child) is not ClassKind.ACTOR:
        return True
    found = subject.world.find_method(child, Side.CLASS, "supervisionPolicy")
    return found is not None and found[0].name != "Actor"
