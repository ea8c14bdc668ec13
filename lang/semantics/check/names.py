"""Checks of variables: undefined, reserved, unused, hidden; `self` and `super` in their places.

Rules: language.md 5.2, types.md D-23 and D-25.
"""

from __future__ import annotations

from collections.abc import Iterator

from lang.ast import nodes as ast
from lang.ast.walk import children
from lang.diagnostics import Category, Diagnostic
from lang.semantics.check.subject import Subject, error, warning
from lang.semantics.nearest import nearest
from lang.semantics.references import bare
from lang.semantics.scopes import Binding, BindingKind, Scope, resolve
from lang.source import Span

RESERVED_PREFIX = "__"


def check_names(subject: Subject) -> Iterator[Diagnostic]:
    """All checks of this module."""
    yield from _misplaced_self(subject)
    yield from _lone_super(subject)
    yield from _reserved(subject)
    for scope in _scopes(subject):
        yield from _undefined(subject, scope, ())
        yield from _unused(subject, scope)
        yield from _hidden(scope)
    yield from _self_assigned(subject)


def _scopes(subject: Subject) -> Iterator[Scope]:
    """The scope of the unit; in a header each default has one of its own."""
    if subject.scope is not None:
        yield subject.scope
    elif isinstance(subject.node, ast.ClassHeader):
        yield from (resolve(declaration) for declaration in subject.node.data)


# ---------------------------------------------------------------- undefined


def _undefined(subject: Subject, scope: Scope, outer: tuple[str, ...]) -> Iterator[Diagnostic]:
    in_sight = (*(b.name for b in scope.bindings), *outer)
    for read in scope.unresolved:
        if not _is_bound_outside(subject, read.name):
            yield _undefined_variable(subject, read, in_sight)
    for child in scope.children:
        yield from _undefined(subject, child, in_sight)


def _is_bound_outside(subject: Subject, name: str) -> bool:
    world = subject.world
    is_module_level = isinstance(subject.node, ast.Statements)
    return name in world.globals or (is_module_level and name in world.names)


def _undefined_variable(subject: Subject, read: ast.Variable, in_sight: tuple[str, ...]) -> Diagnostic:
    message = f"Undefined variable: {read.name}"
    slots = (*subject.world.slots_of(subject.owner), *subject.world.class_slots_of(subject.owner))
    suggestion = f"self.{read.name}" if read.name in slots else _near_name(read.name, in_sight, slots)
    if suggestion is None:
        hint = f"Check the spelling of `{read.name}`, or assign it with `:=` before use"
        return error(read.span, message, name=read.name, hint=hint)
    hint = f"Did you mean `{suggestion}`?"
    return error(read.span, message, name=read.name, suggestion=suggestion, hint=hint)


def _near_name(name: str, in_sight: tuple[str, ...], slots: tuple[str, ...]) -> str | None:
    """A variable, or else a slot, that was probably meant."""
    slot = nearest(name, slots)
    return nearest(name, in_sight) or (None if slot is None else f"self.{slot}")


# ---------------------------------------------------------------- self and super


def _misplaced_self(subject: Subject) -> Iterator[Diagnostic]:
    if not isinstance(subject.node, ast.Statements | ast.DataDecl | ast.ClassHeader):
        return
    for node in _outside_builder_blocks(subject.node):
        if isinstance(node, ast.SelfRef | ast.SuperRef):
            name = "self" if isinstance(node, ast.SelfRef) else "super"
            yield error(node.span, f"'{name}' can only be used inside a method body", name=name)


def _outside_builder_blocks(node: ast.Node) -> Iterator[ast.Node]:
    waiting = [node]
    while waiting:
        each = waiting.pop()
        yield each
        if not _is_builder_block(each):
            waiting.extend(reversed(children(each)))


def _is_builder_block(node: ast.Node) -> bool:
    """Whether a block's parameter is called `self`: a class-side method for ClassBuilder (language.md 4.18)."""
    return isinstance(node, ast.Block) and any(p.name.name == "self" for p in node.parameters)


def _lone_super(subject: Subject) -> Iterator[Diagnostic]:
    if isinstance(subject.node, ast.Statements | ast.DataDecl | ast.ClassHeader):
        return
    receivers = {id(bare(sent.receiver)) for sent in subject.messages}
    for node in subject.of(ast.SuperRef):
        if id(node) not in receivers:
            yield error(node.span, "'super' must be the receiver of a message send", name="super")


# ---------------------------------------------------------------- declared names


def _reserved(subject: Subject) -> Iterator[Diagnostic]:
    for name, span in _declared(subject):
        if name.startswith(RESERVED_PREFIX):
            message = f"Names that start with `__` are reserved: {name}"
            yield error(span, message, name=name, hint="Choose a name without the prefix `__`")


def _declared(subject: Subject) -> Iterator[tuple[str, Span]]:
    for scope in subject.scope.walk() if subject.scope is not None else ():
        for binding in scope.bindings:
            yield binding.name, binding.span
    for assignment in subject.of(ast.Assignment):
        target = assignment.target
        if isinstance(target, ast.Variable) and not _is_declared(subject, target.name):
            yield target.name, target.span
    for declaration in subject.of(ast.DataDecl):
        yield declaration.name.name, declaration.name.span


def _is_declared(subject: Subject, name: str) -> bool:
    return subject.scope is not None and any(name in scope.declared for scope in subject.scope.walk())


def _unused(subject: Subject, scope: Scope) -> Iterator[Diagnostic]:
    is_top = isinstance(scope.node, ast.Statements)
    for binding in scope.bindings:
        if not binding.is_read and not binding.name.startswith("_"):
            if binding.kind is BindingKind.LOCAL and not is_top:
                yield _unused_name("variable", binding)
            elif binding.kind is BindingKind.PARAMETER and _must_read_parameters(subject):
                yield _unused_name("parameter", binding)
    for child in scope.children:
        yield from _unused(subject, child)


def _unused_name(what: str, binding: Binding) -> Diagnostic:
    return warning(
        binding.span,
        f"Unused {what}: {binding.name}",
        Category.UNUSED,
        name=binding.name,
        hint=f"Prefix it with an underscore if that is intended: `_{binding.name}`",
    )


def _must_read_parameters(subject: Subject) -> bool:
    """Not in primitives, in methods that hand on to the host, or in bodies that are reported as empty."""
    method = subject.method
    if method is None or not method.body:
        return False
    return not any(_hands_on(statement) for statement in method.body)


def _hands_on(statement: ast.Expression) -> bool:
    if isinstance(statement, ast.Primitive | ast.ErrorNode):
        return True
    sent = bare(statement)
    return (
        isinstance(sent, ast.Send)
        and isinstance(sent.receiver, ast.SelfRef)
        and sent.selector.text == "delegate"
    )


def _hidden(scope: Scope) -> Iterator[Diagnostic]:
    for inner in scope.walk():
        for binding in inner.bindings:
            if binding.kind is BindingKind.BLOCK_PARAMETER and binding.hides:
                message = f"Block parameter `{binding.name}` shadows an outer variable"
                yield warning(binding.span, message, Category.LINT, name=binding.name)


def _self_assigned(subject: Subject) -> Iterator[Diagnostic]:
    for assignment in subject.of(ast.Assignment):
        target, value = assignment.target, bare(assignment.value)
        if isinstance(target, ast.Variable) and isinstance(value, ast.Variable) and target.name == value.name:
            message = f"Redundant assignment of `{target.name}` to itself"
            yield warning(assignment.span, message, Category.LINT, name=target.name)
