"""Beamtalk exceptions, and how host faults become them (stdlib.md 2.7, language.md 4.14).

Comes in: a kind with its facts, or any Python exception. Guarantees: what user code
sees is a `BeamtalkError`; its class follows from the class that signalled it or from
its kind. Leaves: who raises, and how an error is shown.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from lang.runtime.classes import ClassObject

RUNTIME_ERROR_KINDS: Final = frozenset(
    {
        "does_not_understand",
        "arity_mismatch",
        "immutable_value",
        "runtime_error",
        "index_out_of_bounds",
        "empty_collection",
        "empty_queue",
        "not_found",
        "class_not_found",
        "no_superclass",
        "class_already_exists",
        "selector_not_found",
        "dispatch_error",
        "callback_failed",
        "actor_dead",
        "future_not_awaited",
        "internal_error",
        "key_error",
        "argument_error",
        "resource_error",
        "process_not_found",
        "timeout_error",
    }
)

_CLASS_OF_KIND: Final = {
    "type_error": "TypeError",
    "instantiation_error": "InstantiationError",
    "erlang_exit": "ExitError",
    "erlang_throw": "ThrowError",
}

_MESSAGES: Final = {
    "does_not_understand": "{c} does not understand '{s}'",
    "immutable_value": "Cannot call '{s}' on {c} (immutable value)",
    "arity_mismatch": "Wrong number of arguments to '{s}' on {c}",
    "type_error": "Type error in '{s}' on {c}",
    "empty_collection": "'{s}': {c} is empty",
    "index_out_of_bounds": "'{s}': index out of bounds for {c}",
    "not_found": "'{s}': not found in {c}",
    "actor_dead": "Cannot send '{s}' to {c} (actor process has terminated)",
    "instantiation_error": "Cannot call '{s}' on {c}",
    "file_not_found": "{c} '{s}': file not found",
    "permission_denied": "{c} '{s}': permission denied",
    "io_error": "{c} '{s}': I/O error",
    "class_not_found": "Class '{c}' not found",
    "class_already_exists": "Class '{c}' already exists",
    "no_superclass": "{c} has no superclass (cannot resolve '{s}' via super)",
    "stdlib_shadowing": "Cannot redefine stdlib class '{c}'",
}

CLASS_NAME_PREFIX: Final = "C "
"""Free names of generated code that stand for classes begin so; no source name can."""


def exception_class_name(kind: str) -> str:
    """The name of the exception class that a kind belongs to (stdlib.md 2.7)."""
    if kind in RUNTIME_ERROR_KINDS:
        return "RuntimeError"
    return _CLASS_OF_KIND.get(kind, "Error")


def default_message(kind: str, class_name: str, selector: str) -> str:
    """The text generated from kind, class and selector (stdlib.md 2.7)."""
    template = _MESSAGES.get(kind)
    if template is None:
        return f"{kind} error in '{selector}' on {class_name}"
    return template.format(c=class_name, s=selector)


class BeamtalkError(Exception):
    """An exception object of the language; it is also the Python exception that is raised.

    `class_name` is what `errorClass` answers (the class whose operation failed) and
    `exception_class` the class that signalled it, None when the kind decides.
    `raw_kind` is the kind before a host fault was classified (`badarith`).
    """

    def __init__(
        self,
        kind: str,
        message: str | None = None,
        *,
        class_name: str | None = None,
        selector: str | None = None,
        hint: str | None = None,
        exception_class: ClassObject | None = None,
        raw_kind: str | None = None,
        details: object = None,
    ) -> None:
        if message is None:
            message = default_message(kind, class_name or "unknown", selector or "unknown")
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.class_name = class_name
        self.selector = selector
        self.hint = hint
        self.exception_class = exception_class
        self.raw_kind = raw_kind or kind
        self.details = details

    def __str__(self) -> str:
        return f"{self.message}\nHint: {self.hint}" if self.hint else self.message

    @property
    def exception_class_name(self) -> str:
        """The name of the class that `class` answers."""
        if self.exception_class is not None:
            return self.exception_class.name
        return exception_class_name(self.kind)


def bad_arithmetic(class_name: str | None = None, selector: str | None = None) -> BeamtalkError:
    """The classified `badarith` (stdlib.md 2.7)."""
    where = f"{class_name}>>{selector}: " if class_name and selector else ""
    return BeamtalkError(
        "type_error",
        f"{where}bad arithmetic operation",
        class_name=class_name,
        selector=selector,
        hint="Arithmetic requires numbers; check for a non-numeric operand or division by zero.",
        raw_kind="badarith",
    )


def bad_argument(class_name: str | None = None, selector: str | None = None) -> BeamtalkError:
    """The classified `badarg` (stdlib.md 2.7)."""
    where = f"{class_name}>>{selector}: " if class_name and selector else ""
    return BeamtalkError(
        "argument_error",
        f"{where}invalid argument",
        class_name=class_name,
        selector=selector,
        raw_kind="badarg",
    )


def class_not_found(name: str) -> BeamtalkError:
    """A reference to a class that does not exist (language.md 4.8)."""
    return BeamtalkError(
        "class_not_found",
        class_name=name,
        hint=f"Define {name} with: Object subclass: {name}",
    )


def block_arity_mismatch(expected: int, given: int) -> BeamtalkError:
    """A block called with the wrong number of arguments (language.md 4.5)."""
    return BeamtalkError(
        "arity_mismatch",
        f"Wrong number of arguments: block expects {expected} but was called with {given}",
        class_name="Block",
    )


_ARITY_TEXT: Final = re.compile(r"takes (\d+) positional arguments? but (\d+) (?:was|were) given")


def as_beamtalk_error(fault: Exception) -> BeamtalkError:
    """The Beamtalk exception for anything that Python code raised (stdlib.md 2.7).

    A `BeamtalkError` is itself. The fault becomes the `__cause__`, and its traceback
    is kept, so that frames can still be told.
    """
    if isinstance(fault, BeamtalkError):
        return fault
    error = _classified(fault)
    error.__cause__ = fault
    return error.with_traceback(fault.__traceback__)


def _classified(fault: Exception) -> BeamtalkError:
    match fault:
        case NameError(name=str(name)) if name.startswith(CLASS_NAME_PREFIX):
            return class_not_found(name.removeprefix(CLASS_NAME_PREFIX))
        case RecursionError():
            return BeamtalkError(
                "resource_error", "system limit reached: recursion too deep", raw_kind="system_limit"
            )
        case MemoryError():
            return BeamtalkError(
                "resource_error", "system limit reached: out of memory", raw_kind="system_limit"
            )
        case ZeroDivisionError() | OverflowError() | FloatingPointError():
            return bad_arithmetic()
        case ValueError() | UnicodeError():
            return bad_argument()
        case TypeError() if found := _ARITY_TEXT.search(str(fault)):
            return block_arity_mismatch(int(found[1]), int(found[2]))
        case _:
            text = f"internal error ({type(fault).__name__}: {fault})"
            return BeamtalkError("internal_error", text, raw_kind="error")
