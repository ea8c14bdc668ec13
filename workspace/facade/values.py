"""Between Python values of the workspace and Beamtalk values (changes.md 12).

Comes in: enums, strings and records. Guarantees: kinds and names become Symbols, sequences
Lists, records Dictionaries with Symbol keys. Refusals become errors.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lang.runtime.classes import ClassObject, MetaclassObject
from lang.runtime.collections.lists import list_from
from lang.runtime.collections.mappings import dictionary_of
from lang.runtime.errors import BeamtalkError
from lang.runtime.symbols import Symbol, symbol
from lang.syntax.units import Side
from workspace.change import Refusal


def beamtalk_list(elements: Iterable[object]) -> object:
    """A List."""
    return list_from(elements)


def record(fields: Mapping[str, object]) -> object:
    """A Dictionary with Symbol keys."""
    return dictionary_of((symbol(name), value) for name, value in fields.items())


def optional_symbol(name: str | None) -> Symbol | None:
    """A Symbol, nil for None."""
    return None if name is None else symbol(name)


def raised(refusal: Refusal, *, class_name: str, selector: str) -> BeamtalkError:
    """The error that a refusal becomes (changes.md 12)."""
    return BeamtalkError(
        refusal.kind,
        refusal.message,
        class_name=class_name,
        selector=selector,
        hint=refusal.hint,
        details=refusal.findings or None,
    )


def type_error(class_name: str, selector: str, expected: str) -> BeamtalkError:
    """An argument of the wrong kind."""
    message = f"{selector} expects {expected}"
    return BeamtalkError("type_error", message, class_name=class_name, selector=selector)


def name_argument(value: object, class_name: str, selector: str) -> str:
    """The text of a Symbol argument. Raises `type_error` otherwise."""
    if isinstance(value, Symbol):
        return value.name
    raise type_error(class_name, selector, "a Symbol")


def text_argument(value: object, class_name: str, selector: str, expected: str = "a String") -> str:
    """A String argument. Raises `type_error` otherwise."""
    if type(value) is str:
        return value
    raise type_error(class_name, selector, expected)


def class_and_side(receiver: object) -> tuple[ClassObject, Side]:
    """The class and side that a class or metaclass receiver means."""
    match receiver:
        case ClassObject():
            return receiver, Side.INSTANCE
        case MetaclassObject(this_class=this_class):
            return this_class, Side.CLASS
        case _:
            raise type_error("Behaviour", "class", "a class")
