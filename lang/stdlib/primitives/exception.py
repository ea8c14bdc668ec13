"""Primitives of Exception (stdlib.md 3.20)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lang.runtime.classes import ClassObject
from lang.runtime.collections.lists import BtList, list_from
from lang.runtime.errors import BeamtalkError, default_message
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.reflection import frames_of
from lang.runtime.symbols import Symbol, symbol
from lang.stdlib import arguments as expect
from lang.stdlib.services import services_of

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

EXCEPTION = PrimitiveTable("Exception")

_KIND_OF_CLASS: Final = {"TypeError": "type_error", "InstantiationError": "instantiation_error"}


@EXCEPTION.primitive("signal", class_side=True)
def class_signal(self: ClassObject) -> object:
    raise _signalled(self, self.name)


@EXCEPTION.runtime_primitive("signal:", class_side=True)
def class_signal_text(runtime: Runtime, self: ClassObject, message: object) -> object:
    raise _signalled(self, _text(runtime, message))


@EXCEPTION.primitive("signalKind:class:selector:hint:", class_side=True)
def signal_kind(
    _self: ClassObject, kind: object, class_name: object, selector: object, hint: object
) -> object:
    asked = "signalKind:class:selector:hint:"
    failed_class = expect.name(class_name, "Exception", asked)
    failed_selector = expect.name(selector, "Exception", asked)
    kind_name = expect.name(kind, "Exception", asked)
    raise BeamtalkError(
        kind_name,
        default_message(kind_name, failed_class, failed_selector),
        class_name=failed_class,
        selector=failed_selector,
        hint=None if hint is None else expect.text(hint, "Exception", asked),
    )


@EXCEPTION.primitive("message")
def message(self: BeamtalkError) -> str:
    return self.message


@EXCEPTION.primitive("hint")
def hint(self: BeamtalkError) -> str | None:
    return self.hint


@EXCEPTION.primitive("kind")
def kind(self: BeamtalkError) -> Symbol:
    return symbol(self.kind)


@EXCEPTION.primitive("selector")
def selector(self: BeamtalkError) -> Symbol | None:
    return symbol(self.selector) if self.selector is not None else None


@EXCEPTION.primitive("errorClass")
def error_class(self: BeamtalkError) -> Symbol | None:
    return symbol(self.class_name) if self.class_name is not None else None


@EXCEPTION.primitive("printString")
def print_string(self: BeamtalkError) -> str:
    return str(self)


@EXCEPTION.runtime_primitive("stackTrace")
def stack_trace(runtime: Runtime, self: BeamtalkError) -> BtList:
    return list_from(frames_of(self.__traceback__, services_of(runtime).place_of))


@EXCEPTION.primitive("signal")
def signal(self: BeamtalkError) -> object:
    raise self


@EXCEPTION.runtime_primitive("signal:")
def signal_text(runtime: Runtime, self: BeamtalkError, message: object) -> object:
    raise BeamtalkError(
        self.kind,
        _text(runtime, message),
        class_name=self.class_name,
        selector=self.selector,
        hint=self.hint,
        exception_class=self.exception_class,
    )


def _signalled(exception_class: ClassObject, text: str) -> BeamtalkError:
    return BeamtalkError(
        _KIND_OF_CLASS.get(exception_class.name, "signal"),
        text,
        class_name=exception_class.name,
        exception_class=exception_class,
    )


def _text(runtime: Runtime, message: object) -> str:
    return message if isinstance(message, str) else runtime.display_string(message)
