"""Checks of sends to a class named literally that would make an instance, and of casts to values.

Rules: language.md 4.1, 4.14, 5.2, 5.3; types.md D-8, D-28, D-28b.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from lang.ast import nodes as ast
from lang.class_kind import ClassKind
from lang.diagnostics import Category, Diagnostic
from lang.semantics.check.subject import Sent, Subject, error, literal_class, warning
from lang.semantics.hierarchy import ClassFacts
from lang.semantics.nearest import nearest
from lang.semantics.references import bare
from lang.syntax.units import Side

NEW: Final = frozenset({"new", "new:"})
SPAWN: Final = frozenset({"spawn", "spawnWith:"})

# Classes whose instances are written as literals, and how (language.md 5.3).
PRIMITIVE: Final[Mapping[str, str]] = {
    "Integer": "42",
    "Float": "1.5",
    "String": '"text"',
    "Symbol": "#name",
    "True": "true",
    "False": "false",
    "UndefinedObject": "nil",
    "Block": "[ … ]",
    "CompiledMethod": "SomeClass >> #selector",
}


def check_creation(subject: Subject) -> Iterator[Diagnostic]:
    """All checks of this module."""
    yield from _casts_to_values(subject)
    for sent in subject.messages:
        receiver = literal_class(sent.receiver)
        facts = None if receiver is None else subject.world.facts(subject.world.named(receiver))
        if receiver is None or facts is None:
            continue
        refused = _refused(subject, sent, facts)
        if refused is not None:
            yield refused
        else:
            yield from _unknown_keys(subject, sent, facts)
            yield from _unknown_class_slot(subject, sent, facts)


def _refused(subject: Subject, sent: Sent, facts: ClassFacts) -> Diagnostic | None:
    """Why this message makes no instance: the first reason that applies."""
    name, selector = facts.name, sent.text
    if selector not in NEW | SPAWN:
        return None
    if facts.is_abstract:
        message = f"Cannot instantiate abstract class `{name}`"
        return error(sent.span, message, Category.TYPE, class_name=name, selector=selector, reason="abstract")
    if selector in SPAWN:
        return None
    if name in PRIMITIVE:
        message = f"Cannot instantiate primitive class `{name}`"
        hint = f"Write a literal: `{PRIMITIVE[name]}`"
        return error(sent.span, message, Category.TYPE, class_name=name, selector=selector, hint=hint)
    kind = subject.world.kind_of(name)
    if kind is ClassKind.ACTOR:
        return _must_spawn(sent, name)
    if kind is ClassKind.OBJECT and not _has_factory(subject, name, selector):
        return _not_instantiable(subject, sent, facts)
    return None


def _must_spawn(sent: Sent, name: str) -> Diagnostic:
    instead = "spawn" if sent.text == "new" else "spawnWith:"
    message = f"Actor `{name}` must use `{instead}`, not `{sent.text}`"
    return error(
        sent.span,
        message,
        Category.ACTOR_NEW,
        class_name=name,
        selector=sent.text,
        hint=f"Use {instead} instead",
    )


def _not_instantiable(subject: Subject, sent: Sent, facts: ClassFacts) -> Diagnostic:
    name = facts.name
    message = f"`{name}` cannot be instantiated with `{sent.text}`: it is an object class"
    hint = _constructors_hint(subject, name)
    return error(
        sent.span, message, Category.TYPE, class_name=name, selector=sent.text, reason="object", hint=hint
    )


def _constructors_hint(subject: Subject, name: str) -> str:
    if subject.world.inherits(name, "Exception"):
        return f'Raise it: `{name} signal: "…"`'
    found = sorted(
        selector
        for facts in subject.world.chain(name)
        if facts.name not in _ROOTS
        for side, selector in facts.methods
        if side is Side.CLASS
    )
    return (
        f"Send it one of its own messages: {', '.join(found[:5])}" if found else "Define a class-side factory"
    )


_ROOTS: Final = frozenset({"Object", "ProtoObject"})


def _has_factory(subject: Subject, name: str, selector: str) -> bool:
    """Whether the class, or one above it but the roots, defines the message on the class side."""
    found = subject.world.find_method(name, Side.CLASS, selector)
    return found is not None and found[0].name not in _ROOTS


# ---------------------------------------------------------------- literal arguments


def _unknown_keys(subject: Subject, sent: Sent, facts: ClassFacts) -> Iterator[Diagnostic]:
    """Symbol keys of a literal dictionary that name no slot (types.md D-8)."""
    kind = subject.world.kind_of(facts.name)
    wanted = {"new:": ClassKind.VALUE, "spawnWith:": ClassKind.ACTOR}.get(sent.text)
    slots = subject.world.slots_of(facts.name)
    is_closed = subject.world.is_complete(facts.name) and not facts.is_library
    if wanted is None or kind is not wanted or not slots or not is_closed:
        return
    literal = bare(sent.arguments[0])
    for key, _ in literal.pairs if isinstance(literal, ast.DictionaryLiteral) else ():
        symbol = bare(key)
        if isinstance(symbol, ast.SymbolLiteral) and symbol.name not in slots:
            yield _unknown_key(symbol, facts, slots)


def _unknown_key(symbol: ast.SymbolLiteral, facts: ClassFacts, slots: tuple[str, ...]) -> Diagnostic:
    near = nearest(symbol.name, slots)
    declared = ", ".join(slots)
    message = f"Unknown field `{symbol.name}` of `{facts.name}`; declared: {declared}"
    data = {"name": symbol.name, "class_name": facts.name}
    if near is not None:
        data |= {"suggestion": near, "hint": f"Did you mean `#{near}`?"}
    return warning(symbol.span, message, Category.TYPE, **data)


def _unknown_class_slot(subject: Subject, sent: Sent, facts: ClassFacts) -> Iterator[Diagnostic]:
    if sent.text not in {"classState:", "classState:put:"} or not subject.world.is_complete(facts.name):
        return
    symbol = bare(sent.arguments[0])
    declared = subject.world.class_slots_of(facts.name)
    if isinstance(symbol, ast.SymbolLiteral) and symbol.name not in declared:
        known = ", ".join(declared) or "none"
        message = f"Undefined class variable `{symbol.name}` of `{facts.name}`; declared: {known}"
        yield warning(symbol.span, message, Category.TYPE, name=symbol.name, class_name=facts.name)


# ---------------------------------------------------------------- casts


def _casts_to_values(subject: Subject) -> Iterator[Diagnostic]:
    for cast in subject.of(ast.Cast):
        receiver = literal_class(cast.send.receiver)
        if receiver is not None and subject.world.kind_of(subject.world.named(receiver)) is ClassKind.VALUE:
            message = f"Cannot cast (`!`) to a value type: `{receiver.name}` is no actor"
            hint = "Send the message without `!`"
            yield error(cast.span, message, Category.TYPE, class_name=receiver.name, hint=hint)
