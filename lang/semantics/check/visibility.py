"""Checks of `internal`: who uses what another package keeps to itself, and what a signature gives away.

Rules: language.md 5.2; types.md D-15, D-15w. A receiver is known here when it is self, super, a class, a new
instance of one, or a parameter with a class as its annotation; other receivers are the type checker's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lang.ast import nodes as ast
from lang.ast.walk import walk
from lang.diagnostics import Category, Diagnostic
from lang.semantics.check.creation import NEW, SPAWN
from lang.semantics.check.subject import Sent, Subject, error, literal_class, warning
from lang.semantics.hierarchy import ClassFacts
from lang.semantics.references import ReferenceRole, bare
from lang.source import Span
from lang.syntax.units import Side


def check_visibility(subject: Subject) -> Iterator[Diagnostic]:
    """All checks of this module."""
    yield from _foreign_classes(subject)
    yield from _foreign_methods(subject)
    yield from _given_away(subject)
    if subject.method is not None:
        yield from _shadowed_internal(subject, subject.method)


def _is_foreign(subject: Subject, facts: ClassFacts) -> bool:
    return facts.package != subject.world.package


# ---------------------------------------------------------------- use from elsewhere


def _foreign_classes(subject: Subject) -> Iterator[Diagnostic]:
    world = subject.world
    for mention in subject.references.classes:
        if mention.package is not None and not _is_package(subject, mention.package):
            message = f"Unknown package `{mention.package}`: add it to the dependencies"
            yield error(mention.span, message, name=mention.package)
            continue
        facts = world.facts(world.spelling(mention.name, mention.package))
        is_use = mention.role is not ReferenceRole.DECLARATION
        if is_use and facts is not None and facts.is_internal and _is_foreign(subject, facts):
            yield _not_usable(subject, mention.span, f"Class `{mention.name}`", facts, mention.name)


def _is_package(subject: Subject, name: str) -> bool:
    known = subject.world.packages
    return known is None or name == subject.world.package or name in known


def _not_usable(subject: Subject, span: Span, what: str, facts: ClassFacts, name: str) -> Diagnostic:
    user = subject.world.package
    message = f"{what} is internal to package `{facts.package}` and not usable from `{user}`"
    return error(span, message, Category.VISIBILITY, name=name, package=facts.package)


def _foreign_methods(subject: Subject) -> Iterator[Diagnostic]:
    annotated = _annotated_parameters(subject)
    for sent in subject.messages:
        receiver = _known_receiver(subject, sent, annotated)
        if receiver is None:
            continue
        found = subject.world.find_method(receiver[0], receiver[1], sent.text)
        if found is not None and found[1].is_internal and _is_foreign(subject, found[0]):
            yield _not_usable(subject, sent.span, f"Method `{sent.text}`", found[0], sent.text)


def _known_receiver(
    subject: Subject, sent: Sent, annotated: dict[str, str]
) -> tuple[str | None, Side] | None:
    """The class at which the look-up starts, and its side."""
    match bare(sent.receiver):
        case ast.SelfRef() if subject.side is not None:
            return subject.owner, subject.side
        case ast.SuperRef() if subject.side is not None and subject.facts is not None:
            return subject.facts.superclass, subject.side
        case ast.ClassRef() as ref:
            return subject.world.named(ref), Side.CLASS
        case ast.Send(receiver=inner, selector=selector) if selector.text in NEW | SPAWN:
            made = literal_class(inner)
            return None if made is None else (subject.world.named(made), Side.INSTANCE)
        case ast.Variable(name=name) if name in annotated:
            return annotated[name], Side.INSTANCE
    return None


def _annotated_parameters(subject: Subject) -> dict[str, str]:
    """Parameters that are never assigned, with the class that their annotation names."""
    if subject.method is None or subject.scope is None:
        return {}
    assigned = {name for scope in subject.scope.walk() for name in scope.assigned}
    return {
        parameter.name.name: parameter.annotation.ref.name
        for parameter in subject.method.signature.parameters
        if isinstance(parameter.annotation, ast.NamedType) and parameter.name.name not in assigned
    }


# ---------------------------------------------------------------- what is given away


def _given_away(subject: Subject) -> Iterator[Diagnostic]:
    """Internal types in public signatures and public aliases of the same package."""
    match subject.node:
        case ast.TypeAlias(is_internal=False, type=type_, name=name):
            yield from _internal_types(subject, (type_,), f"public alias `{name.name}`")
        case ast.MethodDef() | ast.ExtensionDef() if subject.method is not None:
            facts = subject.facts
            is_public = not subject.method.is_internal and not (facts is not None and facts.is_internal)
            signature = subject.method.signature
            if is_public:
                where = f"public signature of `{signature.selector.text}`"
                yield from _internal_types(subject, _types_of(signature), where)
        case _:
            pass


def _types_of(signature: ast.Signature) -> Iterator[ast.TypeExpr]:
    for parameter in signature.parameters:
        if parameter.annotation is not None:
            yield parameter.annotation
    if signature.return_type is not None:
        yield signature.return_type


def _internal_types(subject: Subject, types: Iterable[ast.TypeExpr], where: str) -> Iterator[Diagnostic]:
    for type_ in types:
        for node in walk(type_):
            if isinstance(node, ast.ClassRef) and _is_own_internal(subject, node.name):
                message = f"Internal type `{node.name}` appears in the {where}"
                yield error(node.name_span, message, Category.VISIBILITY, name=node.name)


def _is_own_internal(subject: Subject, name: str) -> bool:
    facts = subject.world.facts(name)
    if facts is not None:
        return facts.is_internal and not _is_foreign(subject, facts)
    return name in subject.world.internal_aliases


# ---------------------------------------------------------------- what is hidden


def _shadowed_internal(subject: Subject, method: ast.MethodDef) -> Iterator[Diagnostic]:
    facts, side, selector = subject.facts, subject.side, method.signature.selector
    if facts is None or side is None or isinstance(subject.node, ast.ExtensionDef):
        return
    found = subject.world.find_method(facts.superclass, side, selector.text)
    if found is not None and found[1].is_internal and _is_foreign(subject, found[0]):
        message = (
            f"`{selector.text}` shadows an internal method of `{found[0].name}` in package "
            f"`{found[0].package}`, which may misbehave"
        )
        yield warning(
            selector.span, message, Category.VISIBILITY, name=selector.text, class_name=found[0].name
        )
