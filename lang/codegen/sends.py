"""Sends: which table a send goes through, cascades, casts, block values (design, Evaluation)."""

from __future__ import annotations

import ast as py
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from lang.ast import nodes as ast
from lang.codegen import arithmetic
from lang.codegen import unit as names
from lang.codegen.destination import Sink
from lang.codegen.inlining import bare, inlined_blocks
from lang.codegen.variables import SELF
from lang.syntax.units import Side

if TYPE_CHECKING:
    from lang.codegen.lowering import Lowering

BLOCK_VALUES: Final = frozenset({"value", "value:", "value:value:", "value:value:value:"})
"""Selectors that evaluate a block; in line when the receiver is one of that arity."""


def send(lowering: Lowering, node: ast.Send) -> py.expr:
    """A message send."""
    if inlined_blocks(node) is not None:
        return lowering.through_temporary(node)
    receiver = bare(node.receiver)
    text = node.selector.text
    if text in arithmetic.OPERATORS and len(node.arguments) == 1 and not isinstance(receiver, ast.SuperRef):
        return arithmetic.operator(lowering, node)
    if isinstance(receiver, ast.SelfRef | ast.SuperRef):
        arguments = lowering.operands(node.arguments)
        lowering.locate(node.selector.span)
        return send_to_self(lowering, receiver, text, arguments)
    target, *arguments = lowering.operands([receiver, *node.arguments])
    lowering.locate(node.selector.span)
    return send_to(lowering, receiver, text, target, arguments)


def send_to(
    lowering: Lowering, receiver: ast.Expression, text: str, target: py.expr, arguments: Sequence[py.expr]
) -> py.expr:
    """A send to a lowered receiver; `receiver` tells what it was written as."""
    table = lowering.link(names.SEND, text)
    if is_character(receiver):
        if text == "class":
            return lowering.link(names.CLASS, "Character")
        return lowering.make.call(
            lowering.make.item(table, lowering.make.name("$Character")), [target, *arguments]
        )
    if text in BLOCK_VALUES:
        return block_value(lowering, text, target, arguments)
    first, again = lowering.kept(target)
    kind = lowering.make.helper("$type", first)
    return lowering.make.call(lowering.make.item(table, kind), [again, *arguments])


def send_to_self(
    lowering: Lowering, receiver: ast.SelfRef | ast.SuperRef, text: str, arguments: Sequence[py.expr]
) -> py.expr:
    """`self foo` or `super foo` (design, Evaluation)."""
    make = lowering.make
    me = make.name(SELF)
    if isinstance(receiver, ast.SuperRef):
        if lowering.in_class_method:
            key: py.expr = make.attribute(me, "metaclass")
        else:
            key = lowering.link(names.OWNER_KEY, None, names.OWNER_KEY)
        return make.call(make.item(lowering.link(names.SUPER, text), key), [me, *arguments])
    if not lowering.function.is_activation:
        # A real block may run in another process: the border decides.
        table: py.expr = lowering.link(names.SEND, text)
        if lowering.context.side is Side.CLASS and not lowering.in_class_method:
            # In the process of the class the send is direct (actors.md 10.2).
            own = lowering.link(names.OWN, text)
            table = make.choice(make.helper("$inside", me), own, table)
    elif lowering.context.is_host and lowering.context.side is Side.INSTANCE:
        table = lowering.link(names.OWN, text)
    else:
        lowering.link(names.ATTRIBUTE, text)
        return make.call(make.attribute(me, names.ATTRIBUTE + text), arguments)
    return make.call(make.item(table, make.helper("$type", me)), [me, *arguments])


def cascade(lowering: Lowering, node: ast.Cascade) -> py.expr:
    """`r m1; m2`: the receiver of the first message is evaluated once (language.md 4.7)."""
    first = node.first
    messages = list(node.messages)
    if isinstance(first, ast.Send):
        messages.insert(0, ast.Message(first.span, first.selector, first.arguments))
        first = first.receiver
    receiver = bare(first)
    target: py.expr = lowering.make.constant(None)
    if not isinstance(receiver, ast.SelfRef | ast.SuperRef):
        target = lowering.fixed(lowering.value(receiver))
    for message in messages[:-1]:
        lowering.put(message_to(lowering, receiver, target, message), Sink.EFFECT)
    return message_to(lowering, receiver, target, messages[-1])


def message_to(
    lowering: Lowering, receiver: ast.Expression, target: py.expr, message: ast.Message
) -> py.expr:
    """One message of a cascade to a receiver that was evaluated already."""
    text = message.selector.text
    arguments = lowering.operands(message.arguments)
    lowering.locate(message.selector.span)
    if isinstance(receiver, ast.SelfRef | ast.SuperRef):
        if text in arithmetic.OPERATORS and isinstance(receiver, ast.SelfRef):
            return arithmetic.computed(lowering, text, lowering.make.name(SELF), arguments[0])
        return send_to_self(lowering, receiver, text, arguments)
    if text in arithmetic.OPERATORS and len(arguments) == 1:
        return arithmetic.computed(lowering, text, target, arguments[0])
    return send_to(lowering, receiver, text, target, arguments)


def cast(lowering: Lowering, node: ast.Cast) -> py.expr:
    """`receiver message!`; its value is nil."""
    send = node.send
    target, *arguments = lowering.operands([send.receiver, *send.arguments])
    lowering.locate(send.selector.span)
    call = lowering.make.helper("$cast", target, lowering.make.constant(send.selector.text), *arguments)
    lowering.emit(lowering.make.effect(call))
    return lowering.make.constant(None)


def block_value(lowering: Lowering, text: str, target: py.expr, arguments: Sequence[py.expr]) -> py.expr:
    """`b value: x`: a call, when `b` is a block that takes so many arguments."""
    make = lowering.make
    target = lowering.unfolded(target)
    # Receiver and arguments stand in two places of the choice, so they have to be atoms.
    if all(lowering.is_atom(a) for a in arguments):
        first, again = lowering.kept(target)
        held = list(arguments)
    else:
        first = again = lowering.fixed(target)
        held = [lowering.fixed(a) for a in arguments]
    arity = make.attribute(make.attribute(again, "__code__"), "co_argcount")
    is_block = make.all_of(
        [make.is_type(first, "$Block"), make.compare(arity, py.Eq(), make.constant(len(arguments)))]
    )
    table = lowering.link(names.SEND, text)
    general = make.call(make.item(table, make.helper("$type", again)), [again, *held])
    return make.choice(is_block, make.call(again, held), general)


def is_character(node: ast.Expression) -> bool:
    """Whether sends to this go to Character (language.md 4.12)."""
    node = bare(node)
    match node:
        case ast.CharacterLiteral():
            return True
        case ast.Send(receiver=receiver, selector=ast.Selector(text="uppercase" | "lowercase")):
            return is_character(receiver)
        case ast.Send(receiver=ast.ClassRef(name="Character"), selector=ast.Selector(text="value:")):
            return True
        case _:
            return False
