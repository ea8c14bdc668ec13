"""printString and displayString of values (stdlib.md 2.3, language.md 4.13).

Comes in: any value. Guarantees: elements print by their own `printString`; a Value's
form is structural, within bounds; no C code recurses over user data. Leaves: which
method answers which text to the library classes.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import FunctionType
from typing import TYPE_CHECKING, Final

from lang.runtime.classes import ClassObject
from lang.runtime.collections.lists import BtList
from lang.runtime.collections.tuples import BtTuple
from lang.runtime.instances import ActorObject, ValueObject, fields_of
from lang.runtime.symbols import Symbol
from lang.runtime.text import quoted

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

MAX_DEPTH: Final = 5
MAX_FIELDS: Final = 50
MAX_BYTES: Final = 10_000
CUT: Final = "..."


def print_all(runtime: Runtime, elements: Iterable[object]) -> str:
    """The printStrings of elements, between commas."""
    pass_by = runtime.safe_points.pass_by
    parts: list[str] = []
    for element in elements:
        pass_by()
        parts.append(print_element(runtime, element))
    return ", ".join(parts)


def print_element(runtime: Runtime, value: object) -> str:
    """The text of a value inside a collection: its printString, but `Block/1` for a block."""
    kind = type(value)
    if kind is str:
        return quoted(str(value))
    if kind is int:
        return str(value)
    if isinstance(value, Symbol):
        return f"#{value.name}"
    if isinstance(value, FunctionType):
        return f"Block/{value.__code__.co_argcount}"
    return runtime.print_string(value)


def print_pairs(runtime: Runtime, pairs: Iterable[tuple[object, object]]) -> str:
    """`key => value` pairs sorted by their text, between commas."""
    parts: list[str] = []
    for key, value in pairs:
        runtime.safe_points.pass_by()
        parts.append(f"{print_element(runtime, key)} => {print_element(runtime, value)}")
    parts.sort()
    return ", ".join(parts)


def print_object(runtime: Runtime, value: object) -> str:
    """The default printString: the class name, or class and identity of an actor."""
    name = runtime.class_name_of(value)
    if isinstance(value, ActorObject):
        return f"{_actor_family(value.class_object)}({name}, {actor_id(value)})"
    return name


def actor_id(actor: ActorObject) -> str:
    """The identity of an actor's process, as `0.12.0`."""
    process = actor.process
    return str(process.pid) if process is not None else "0.0.0"


def _actor_family(class_object: ClassObject) -> str:
    for ancestor in class_object.chain():
        if ancestor.name in ("Supervisor", "DynamicSupervisor"):
            return ancestor.name
    return "Actor"


def print_structure(runtime: Runtime, value: ValueObject) -> str:
    """`C(field: value, …)`: fields sorted by name, nested Values expanded, within bounds."""
    return _Structure(runtime).text_of(value)


class _Structure:
    """One structural printing: how much text is left, and what is being printed."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._left = MAX_BYTES
        self._around: list[ValueObject] = []

    def text_of(self, value: ValueObject) -> str:
        name = value.class_object.name
        if len(self._around) >= MAX_DEPTH or self._left <= 0 or self._is_around(value):
            return CUT
        self._around.append(value)
        self._left -= len(name)
        fields = sorted(fields_of(value).items())
        parts = []
        for field, content in fields[:MAX_FIELDS]:
            parts.append(f"{field}: {self._part(content)}")
        if len(fields) > MAX_FIELDS:
            parts.append(CUT)
        self._around.pop()
        return f"{name}({', '.join(parts)})"

    def _part(self, content: object) -> str:
        if isinstance(content, ValueObject):
            return self.text_of(content)
        if self._left <= 0:
            return CUT
        text = print_element(self._runtime, content)
        if len(text) > self._left:
            text = text[: self._left] + CUT
        self._left -= len(text)
        return text

    def _is_around(self, value: ValueObject) -> bool:
        return any(value is other for other in self._around)


def transcript_text(runtime: Runtime, value: object) -> str:
    """What `Transcript show:` writes: a bare List or Tuple shows its Strings and Symbols plain (stdlib.md 3.23)."""
    if isinstance(value, BtList):
        return f"#({_plain_elements(runtime, value)})"
    if isinstance(value, BtTuple):
        return f"{{{_plain_elements(runtime, value)}}}"
    return runtime.display_string(value)


def _plain_elements(runtime: Runtime, elements: Iterable[object]) -> str:
    parts: list[str] = []
    for element in elements:
        plain = isinstance(element, str | Symbol)
        parts.append(runtime.display_string(element) if plain else print_element(runtime, element))
    return ", ".join(parts)
