"""Internal methods of other packages, where only types tell that one is meant (types.md D-15).

Comes in: the facts of a unit, and its world. Guarantees: an error for a send, and for a protocol that is met by an
internal method only; what the checks without types say too is worded alike, so that it is told once. Leaves: classes
and signatures to those checks.
"""

from __future__ import annotations

from collections.abc import Iterator

from lang.diagnostics import Category, Diagnostic, Severity
from lang.semantics.types.facts import Facts, Sent
from lang.semantics.types.lattice import Intersection, Known, Type, members_of
from lang.semantics.types.methods import MethodType
from lang.semantics.types.world import World
from lang.source import Span
from lang.syntax.units import Side


def check_visibility(facts: Facts, world: World) -> Iterator[Diagnostic]:
    """What a unit uses that another package keeps to itself."""
    for sent in facts.sends:
        for answer in sent.answers:
            if answer.method is not None and _is_kept(answer.method, world):
                yield _not_usable(sent.span, answer.method, world)
        yield from _protocols(sent, world)


def _is_kept(method: MethodType, world: World) -> bool:
    facts = world.facts(method.owner)
    return method.is_internal and facts is not None and facts.package != world.view.package


def _not_usable(span: Span, method: MethodType, world: World) -> Diagnostic:
    facts = world.facts(method.owner)
    package = "" if facts is None else facts.package
    message = (
        f"Method `{method.selector}` is internal to package `{package}` and not usable "
        f"from `{world.view.package}`"
    )
    data = {"name": method.selector, "package": package}
    return Diagnostic(Severity.ERROR, message, span, Category.VISIBILITY, data=data)


def _protocols(sent: Sent, world: World) -> Iterator[Diagnostic]:
    """Arguments that are what a protocol asks for only by methods that the user must not send."""
    for answer in sent.answers:
        for node, expected, given in zip(sent.arguments, answer.parameters, sent.given, strict=False):
            for protocol in _protocols_in(expected, world):
                for member in members_of(given):
                    if isinstance(member, Known):
                        yield from _met_internally(node.span, member.name, protocol, world)


def _protocols_in(expected: Type | None, world: World) -> Iterator[str]:
    parts = expected.members if isinstance(expected, Intersection) else (expected,)
    for each in parts:
        if isinstance(each, Known) and world.is_protocol(each.name):
            yield each.name


def _met_internally(span: Span, name: str, protocol: str, world: World) -> Iterator[Diagnostic]:
    for selector in world.requirements(protocol).instance:
        found = world.find(name, Side.INSTANCE, selector)
        if found is not None and _is_kept(found, world):
            yield _not_usable(span, found, world)
