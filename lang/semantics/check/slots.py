"""Checks of slots: whose they are, who may write them, and from which blocks.

Rules: language.md 4.2, 4.3, 4.5, 4.8, 5.2.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from lang.ast import nodes as ast
from lang.ast.walk import walk
from lang.class_kind import ClassKind
from lang.diagnostics import Category, Diagnostic
from lang.semantics.check.subject import Subject, error, field_assignments, literal_block, warning
from lang.semantics.scopes import Scope
from lang.syntax.units import Side

# Messages that run the blocks they are given at once, whatever the library says of itself.
CONTROL: Final = frozenset(
    """
    ifTrue: ifFalse: ifTrue:ifFalse: ifFalse:ifTrue: and: or: ifNil: ifNotNil: ifNil:ifNotNil:
    ifNotNil:ifNil: whileTrue: whileFalse: timesRepeat: to:do: to:by:do: do: collect: select:
    reject: detect: detect:ifNone: inject:into: anySatisfy: allSatisfy: groupBy: partition:
    takeWhile: dropWhile: count: flatMap: eachWithIndex: keysAndValuesDo: do:separatedBy: sort:
    sortWith: on:do: ensure: at:ifAbsent:
    """.split()
)


def check_slots(subject: Subject) -> Iterator[Diagnostic]:
    """All checks of this module."""
    yield from _foreign_slots(subject)
    if subject.method is None or not subject.is_project:
        return
    if subject.side is Side.CLASS:
        yield from _instance_slots_on_class_side(subject)
        return
    if subject.kind is ClassKind.VALUE and not subject.is_test_case():
        yield from _value_mutation(subject)
    elif subject.kind is ClassKind.OBJECT:
        yield from _object_mutation(subject)
    else:
        yield from _stored_closures(subject)
    if subject.kind is ClassKind.ACTOR:
        yield from _closures_to_strangers(subject)
        yield from _bypassed_setters(subject, subject.method.signature.selector.text)
    if subject.scope is not None:
        yield from _field_stored_closures(subject, subject.scope)


def setter_of(slot: str) -> str:
    """The selector that answers a copy with another value in a slot (language.md 4.2)."""
    return f"with{slot[:1].upper()}{slot[1:]}:"


# ---------------------------------------------------------------- whose slot


def _foreign_slots(subject: Subject) -> Iterator[Diagnostic]:
    targets = {id(each.target) for each in subject.of(ast.Assignment)}
    for access in subject.of(ast.FieldAccess):
        if isinstance(access.receiver, ast.SelfRef):
            continue
        name = access.field.name
        if id(access) in targets:
            message = f"Cannot assign to `{name}` of another object: objects cannot mutate others' state"
            setter = setter_of(name)
            hint = f"Make a changed copy: `{setter}`"
            yield warning(access.span, message, Category.TYPE, name=name, suggestion=setter, hint=hint)
        else:
            message = f"Cannot read field `{name}` of another object: use a getter, a message like `{name}`"
            yield error(access.span, message, name=name)


def _instance_slots_on_class_side(subject: Subject) -> Iterator[Diagnostic]:
    world = subject.world
    if not world.is_complete(subject.owner):
        return
    declared = world.class_slots_of(subject.owner)
    for access in subject.of(ast.FieldAccess):
        name = access.field.name
        if isinstance(access.receiver, ast.SelfRef) and name not in declared:
            message = f"Cannot access instance field `{name}` in a class method"
            hint = f"Declare `classState: {name}`, or send a message to an instance"
            yield error(access.span, message, name=name, hint=hint)


# ---------------------------------------------------------------- writing


def _value_mutation(subject: Subject) -> Iterator[Diagnostic]:
    for assignment, name in field_assignments(subject.of(ast.Assignment)):
        setter = setter_of(name)
        message = f"Cannot assign to slot `{name}` of a value; use `{setter}` to make a changed copy"
        yield error(assignment.span, message, Category.TYPE, name=name, suggestion=setter)


def _object_mutation(subject: Subject) -> Iterator[Diagnostic]:
    """Object classes hold no data (language.md 4.1); their class variables are written by class methods."""
    for assignment, name in field_assignments(subject.of(ast.Assignment)):
        message = f"Cannot assign to `{name}`: object class `{subject.owner}` holds no instance data"
        is_shared = name in subject.world.class_slots_of(subject.owner)
        hint = "Write a class variable in a class method" if is_shared else "Make it a Value or an Actor"
        yield error(assignment.span, message, Category.TYPE, name=name, class_name=subject.owner, hint=hint)


def _bypassed_setters(subject: Subject, own: str) -> Iterator[Diagnostic]:
    for assignment, name in field_assignments(subject.of(ast.Assignment)):
        setter = setter_of(name)
        if setter != own and subject.world.find_method(subject.owner, Side.INSTANCE, setter) is not None:
            message = f"Assignment to `self.{name}` bypasses `{setter}`"
            yield warning(assignment.span, message, Category.TYPE, name=name, selector=setter)


# ---------------------------------------------------------------- blocks that carry writes away


def _stored_closures(subject: Subject) -> Iterator[Diagnostic]:
    for assignment in subject.of(ast.Assignment):
        block = literal_block(assignment.value)
        if block is None or not isinstance(assignment.target, ast.Variable):
            continue
        for write, name in field_assignments(walk(block)):
            message = f"Cannot assign to field `{name}` in a stored closure"
            hint = "Send a message to self in the block instead, or pass the block where it is run"
            yield error(write.span, message, name=name, hint=hint)


def _field_stored_closures(subject: Subject, scope: Scope) -> Iterator[Diagnostic]:
    scopes = None
    for assignment, _ in field_assignments(subject.of(ast.Assignment)):
        block = literal_block(assignment.value)
        if block is None:
            continue
        scopes = scopes or scope.by_node()
        for name in sorted(_captured_writes(scopes[id(block)])):
            message = f"Cannot mutate captured variable `{name}` in a field-stored closure"
            yield error(assignment.span, message, name=name)


def _captured_writes(scope: Scope) -> frozenset[str]:
    """Variables of the surroundings that a block or what it contains assigns."""
    inner = frozenset[str]().union(*(_captured_writes(child) for child in scope.children))
    return (scope.assigned | inner) - scope.declared


def _closures_to_strangers(subject: Subject) -> Iterator[Diagnostic]:
    known = subject.world.library_selectors
    for sent in subject.messages:
        if (
            isinstance(sent.receiver, ast.SelfRef | ast.SuperRef)
            or sent.text in CONTROL
            or sent.text in known
        ):
            continue
        blocks = [block for block in map(literal_block, sent.arguments) if block is not None]
        for write, name in field_assignments(node for block in blocks for node in walk(block)):
            message = (
                f"Cannot mutate actor state inside a closure: `{sent.text}` may run the block "
                f"that assigns `{name}` elsewhere"
            )
            yield error(write.span, message, Category.TYPE, name=name, selector=sent.text)
