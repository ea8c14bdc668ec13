"""Primitives of Object (stdlib.md 3.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lang.runtime.blocks import call_with_at_most
from lang.runtime.classes import ClassObject, MetaclassObject
from lang.runtime.collections.lists import BtList, list_of
from lang.runtime.equality import hash_of, strict_equal
from lang.runtime.errors import BeamtalkError
from lang.runtime.instances import SLOT_PREFIX, ActorObject, ValueObject, fields_of
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.printing import print_object, transcript_text
from lang.runtime.symbols import Symbol, symbol
from lang.stdlib import arguments as expect
from lang.stdlib.performing import perform
from lang.stdlib.transcripts import log_of

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

OBJECT = PrimitiveTable("Object")


@OBJECT.runtime_primitive("class")
def class_of(runtime: Runtime, self: object) -> ClassObject | MetaclassObject:
    return runtime.class_of(self)


@OBJECT.primitive("isNil")
def is_nil(self: object) -> bool:
    return self is None


@OBJECT.primitive("notNil")
def not_nil(self: object) -> bool:
    return self is not None


@OBJECT.primitive("ifNil:")
def if_nil(self: object, _block: object) -> object:
    return self


@OBJECT.primitive("ifNotNil:")
def if_not_nil(self: object, block: object) -> object:
    return _with_receiver(self, block)


@OBJECT.primitive("ifNil:ifNotNil:")
def if_nil_if_not_nil(self: object, _nil_block: object, block: object) -> object:
    return _with_receiver(self, block)


@OBJECT.primitive("ifNotNil:ifNil:")
def if_not_nil_if_nil(self: object, block: object, _nil_block: object) -> object:
    return _with_receiver(self, block)


@OBJECT.runtime_primitive("printString")
def print_string(runtime: Runtime, self: object) -> str:
    return print_object(runtime, self)


@OBJECT.runtime_primitive("displayString")
def display_string(runtime: Runtime, self: object) -> str:
    return runtime.print_string(self)


@OBJECT.runtime_primitive(">>")
def method_at(runtime: Runtime, self: object, _selector: object) -> object:
    raise expect.type_error(runtime.class_name_of(self), ">>", "The receiver has to be a class")


@OBJECT.primitive("yourself")
def yourself(self: object) -> object:
    return self


@OBJECT.primitive("hash")
def hash_value(self: object) -> int:
    return abs(hash_of(self))


@OBJECT.primitive("equals:")
def equals(self: object, other: object) -> bool:
    return strict_equal(self, other)


@OBJECT.runtime_primitive("respondsTo:")
def responds_to(runtime: Runtime, self: object, selector: object) -> bool:
    return runtime.responds_to(self, expect.name(selector, runtime.class_name_of(self), "respondsTo:"))


@OBJECT.primitive("fieldNames")
def field_names(self: object) -> BtList:
    if isinstance(self, ValueObject | ActorObject):
        return list_of([symbol(name) for name in fields_of(self)])
    return list_of([])


@OBJECT.runtime_primitive("fieldAt:")
def field_at(runtime: Runtime, self: object, name: object) -> object:
    field = expect.name(name, runtime.class_name_of(self), "fieldAt:")
    if not isinstance(self, ValueObject | ActorObject):
        raise _immutable(runtime, self, "fieldAt:")
    return fields_of(self).get(field)


@OBJECT.runtime_primitive("fieldAt:put:")
def field_at_put(runtime: Runtime, self: object, name: object, value: object) -> object:
    if not isinstance(self, ActorObject):
        raise _immutable(runtime, self, "fieldAt:put:")
    field = expect.name(name, runtime.class_name_of(self), "fieldAt:put:")
    if field not in fields_of(self):
        raise BeamtalkError("not_found", class_name=runtime.class_name_of(self), selector="fieldAt:put:")
    attribute = SLOT_PREFIX + field
    state = vars(self)
    # The message may still fail: the slot's value before it is kept (actors.md 5).
    self._undo.setdefault(attribute, state[attribute])
    state[attribute] = value
    return value


@OBJECT.runtime_primitive("perform:")
def perform_unary(runtime: Runtime, self: object, selector: object) -> object:
    if type(selector) is Symbol:
        message = runtime.selector(selector.name)
        if not message.arity:
            return message.sel[type(self)](self)
    return perform(runtime, self, selector, list_of([]), "perform:")


@OBJECT.runtime_primitive("perform:withArguments:")
def perform_with(runtime: Runtime, self: object, selector: object, arguments: object) -> object:
    return perform(runtime, self, selector, arguments, "perform:withArguments:")


@OBJECT.runtime_primitive("show:")
def show(runtime: Runtime, self: object, value: object) -> object:
    log_of(runtime).write(transcript_text(runtime, value))
    return self


@OBJECT.runtime_primitive("showCr:")
def show_cr(runtime: Runtime, self: object, value: object) -> object:
    log_of(runtime).write(transcript_text(runtime, value))
    log_of(runtime).write("\n")
    return self


@OBJECT.runtime_primitive("isKindOf:")
def is_kind_of(runtime: Runtime, self: object, class_object: object) -> bool:
    if isinstance(class_object, MetaclassObject):
        return isinstance(self, ClassObject) and self.inherits_from(class_object.this_class)
    return isinstance(class_object, ClassObject) and runtime.is_kind_of(self, class_object)


@OBJECT.runtime_primitive("error:")
def error(runtime: Runtime, self: object, message: object) -> object:
    text = message if isinstance(message, str) else runtime.display_string(message)
    raise BeamtalkError("user_error", text, class_name=runtime.class_of(self).name, selector="error:")


def _with_receiver(receiver: object, block: object) -> object:
    return call_with_at_most(expect.any_block(block), receiver)


def _immutable(runtime: Runtime, value: object, selector: str) -> BeamtalkError:
    return BeamtalkError(
        "immutable_value",
        class_name=runtime.class_name_of(value),
        selector=selector,
        hint="Values never change: make a copy with a with… message instead.",
    )
