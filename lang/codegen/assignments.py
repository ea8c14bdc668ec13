"""Variables and slots: reading and assigning them (language.md 4.4, actors.md 5)."""

from __future__ import annotations

import ast as py
from typing import TYPE_CHECKING

from lang.ast import nodes as ast
from lang.codegen import sends
from lang.codegen.context import SlotWrites
from lang.codegen.destination import Uncompilable
from lang.codegen.inlining import bare
from lang.codegen.variables import SELF, Local, SessionVariable
from lang.syntax.units import Side

if TYPE_CHECKING:
    from lang.codegen.lowering import Lowering


def variable(lowering: Lowering, node: ast.Variable) -> py.expr:
    """Read a variable."""
    lowering.locate(node.span)
    return lowering.read(lowering.place_of(node.name))


def assignment(lowering: Lowering, node: ast.Assignment) -> py.expr:
    """`x := e` or `lowering.f := e`; the value is that of `e`."""
    if isinstance(node.target, ast.FieldAccess):
        return slot_write(lowering, node.target, node.value)
    place = lowering.place_of(node.target.name)
    if isinstance(place, Local) and append_in_place(lowering, place, node.value):
        return lowering.read(place)
    value = lowering.value(node.value)
    lowering.locate(node.span)
    if isinstance(place, SessionVariable):
        value = lowering.fixed(value)
        lowering.emit(lowering.make.assign(lowering.target(place), value))
        return value
    lowering.emit(lowering.make.assign(lowering.target(place), value))
    return lowering.read(place)


def slot_read(lowering: Lowering, node: ast.FieldAccess) -> py.expr:
    """`lowering.x`."""
    receiver = lowering.value(node.receiver)
    lowering.locate(node.field.span)
    return lowering.make.attribute(receiver, slot_attribute(lowering, node.field.name))


def _foreign_write(lowering: Lowering, target: ast.FieldAccess, node: ast.Expression) -> py.expr:
    """`other.x := e`: the checks warn, and when it runs it fails (language.md 5.2)."""
    receiver, value = map(lowering.fixed, lowering.operands([target.receiver, node]))
    lowering.locate(target.span)
    make = lowering.make
    lowering.emit(make.effect(make.helper("$foreign", receiver, make.constant(target.field.name))))
    return value


def slot_attribute(lowering: Lowering, name: str) -> str:
    """The attribute that holds a slot or class variable."""
    on_class = lowering.in_class_method or lowering.context.side is Side.CLASS
    return ("v_" if on_class else "f_") + name


def slot_write(lowering: Lowering, target: ast.FieldAccess, node: ast.Expression) -> py.expr:
    """`lowering.x := e`: an actor keeps the value before the message (actors.md 5)."""
    if not isinstance(bare(target.receiver), ast.SelfRef):
        return _foreign_write(lowering, target, node)
    value = lowering.fixed(lowering.value(node))
    lowering.locate(target.span)
    make, attribute = lowering.make, slot_attribute(lowering, target.field.name)
    match SlotWrites.CLASS_VARIABLE if lowering.in_class_method else lowering.context.writes:
        case SlotWrites.NONE:
            raise Uncompilable(f"there is no slot {target.field.name} to assign")
        case SlotWrites.JOURNALED:
            key = make.constant(attribute)
            journal = make.attribute(make.name(SELF), "_undo")
            before = make.attribute(make.name(SELF), attribute)
            save = make.assign(make.item_target(journal, key), before)
            lowering.emit(make.branch(make.compare(key, py.NotIn(), journal), [save]))
        case SlotWrites.IN_PLACE | SlotWrites.CLASS_VARIABLE:
            pass
    lowering.emit(make.assign(make.attribute_target(make.name(SELF), attribute), value))
    return value


def append_in_place(lowering: Lowering, place: Local, node: ast.Expression) -> bool:
    """`s := s ++ e` for a local `s`: CPython then grows the string in place, so that building is linear."""
    node = bare(node)
    match node:
        case ast.Send(
            receiver=ast.Variable(name=name), selector=ast.Selector(text="++"), arguments=(addition,)
        ) if lowering.variables.place(name) is place and place.owner is lowering.function:
            pass
        case _:
            return False
    mark = lowering.mark()
    tail = lowering.atom(lowering.value(addition))
    if mark[1] != lowering.mark()[1] or place.is_volatile:
        # The operand assigns the variable itself: keep to the general order.
        value = sends.send_to(lowering, node.receiver, "++", lowering.read(place), [tail])
        lowering.emit(lowering.make.assign(lowering.target(place), value))
        return True
    make = lowering.make
    lowering.locate(node.selector.span)
    own = lowering.read(place)
    joined = make.assign(lowering.target(place), make.binary(own, py.Add(), tail))
    general = make.assign(lowering.target(place), sends.send_to(lowering, node.receiver, "++", own, [tail]))
    both = make.all_of([make.is_type(own, "$str"), make.is_type(tail, "$str")])
    lowering.emit(make.branch(both, [joined], [general]))
    return True
