"""What an editor asks of types: what stands at a place, what can be sent, how a message is written.

Comes in: the facts of a unit, a position in its text, or the type of a receiver. Guarantees: nothing is evaluated; an
unknown receiver has no candidates. Leaves: prefixes, order on the screen and rendering to the editor.
"""

from __future__ import annotations

from collections.abc import Iterator

from lang.dataclass import dataclass
from lang.semantics.types.display import display
from lang.semantics.types.facts import Facts, Sent
from lang.semantics.types.lattice import (
    SYMBOL_CLASS,
    Difference,
    Dynamic,
    Intersection,
    Known,
    Meta,
    Type,
    Union,
    is_nil,
    members_of,
)
from lang.semantics.types.methods import MethodType
from lang.semantics.types.sends import find_for
from lang.semantics.types.world import World
from lang.source import Span
from lang.syntax.units import Side


@dataclass(frozen=True, slots=True)
class Candidate:
    """A message that a receiver understands: how it is written, what it answers, what its comment says."""

    selector: str
    owner: str
    signature: str
    doc: str | None


def type_at(facts: Facts, offset: int) -> tuple[Span, Type] | None:
    """The innermost expression at a place, with its type."""
    covering = [span for span in facts.types if span.start <= offset < span.end]
    if not covering:
        return None
    span = min(covering, key=lambda each: each.end - each.start)
    return span, facts.types[span]


def message_at(facts: Facts, offset: int) -> Sent | None:
    """The message of which a part of the selector stands at a place."""
    for sent in facts.sends:
        if any(part.start <= offset <= part.end for part in sent.selector.parts):
            return sent
    return None


def candidates(receiver: Type, world: World) -> tuple[Candidate, ...]:
    """What a receiver understands, nearest class first; of a union, what every member but nil understands."""
    members = _members(receiver)
    if not members:
        return ()
    first, *others = members
    found = dict.fromkeys(_selectors(first, world))
    return tuple(
        candidate
        for selector in found
        if all(find_for(member, selector, world) is not None for member in others)
        and (candidate := _candidate(first, selector, world)) is not None
    )


def documentation(sent: Sent) -> str | None:
    """The signature of the method that answers a message, and its comment; None when nobody is known to."""
    for answer in sent.answers:
        if answer.method is not None:
            method = answer.method
            doc = "" if method.tree is None or not method.tree.doc else f"\n{method.tree.doc}"
            return f"{method.owner} >> {signature(method)}{doc}"
    return None


def signature(method: MethodType) -> str:
    """A method as its header shows it, with the types that are known."""
    names = _parameter_names(method)
    typed = [
        name if declared is None else f"{name} :: {display(declared)}"
        for name, declared in zip(names, method.parameters, strict=True)
    ]
    head = method.selector
    if typed and method.selector.endswith(":"):
        keywords = [f"{each}:" for each in method.selector.split(":") if each]
        head = " ".join(f"{keyword} {name}" for keyword, name in zip(keywords, typed, strict=True))
    elif typed:
        head = f"{method.selector} {typed[0]}"
    return head if method.returns is None else f"{head} -> {display(method.returns)}"


def _parameter_names(method: MethodType) -> list[str]:
    if method.tree is not None:
        return [each.name.name for each in method.tree.signature.parameters]
    return [f"argument{at}" for at in range(1, len(method.parameters) + 1)]


def _members(receiver: Type) -> list[Known | Meta]:
    parts = receiver.members if isinstance(receiver, Intersection) else members_of(receiver)
    bases = [part.base if isinstance(part, Difference) else part for part in parts]
    if any(isinstance(each, Dynamic) for each in bases):
        return []
    known = [each for each in bases if isinstance(each, Known | Meta)]
    left = [each for each in known if not is_nil(each)] if isinstance(receiver, Union) else known
    return left or known


def _selectors(member: Known | Meta, world: World) -> Iterator[str]:
    if isinstance(member, Meta):
        return world.selectors(member.name, Side.CLASS)
    if world.is_protocol(member.name):
        return iter((*world.requirements(member.name).instance, *world.selectors("Object", Side.INSTANCE)))
    return world.selectors(SYMBOL_CLASS if member.is_singleton else member.name, Side.INSTANCE)


def _candidate(member: Known | Meta, selector: str, world: World) -> Candidate | None:
    method = find_for(member, selector, world)
    if method is None:
        return None
    doc = None if method.tree is None else method.tree.doc
    return Candidate(selector, method.owner, signature(method), doc)
