"""The types of what a session has bound, by the values (types.md I-1).

Comes in: the runtime, the names that all see, those of the session. Guarantees: a value is looked at when its name
is asked for; nil says nothing, for a variable that holds it now may hold something else soon.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lang.runtime.classes import ClassObject
from lang.runtime.runtime import Runtime
from lang.semantics.types.lattice import UNKNOWN, Meta, Type, known

_WIDER = {"True": "Boolean", "False": "Boolean", "UndefinedObject": ""}


class BoundTypes(Mapping[str, Type]):
    """The types of bound names; those of the session hide those that all see."""

    def __init__(self, runtime: Runtime, shared: Mapping[str, object], own: Mapping[str, object]) -> None:
        self._runtime = runtime
        self._shared = shared
        self._own = own

    def __getitem__(self, name: str) -> Type:
        value = self._own[name] if name in self._own else self._shared[name]
        if isinstance(value, ClassObject):
            return Meta(value.name)
        found = self._runtime.class_of(value)
        if not isinstance(found, ClassObject):
            return UNKNOWN
        name = _WIDER.get(found.name, found.name)
        return known(name) if name else UNKNOWN

    def __iter__(self) -> Iterator[str]:
        yield from self._own
        yield from (name for name in self._shared if name not in self._own)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, name: object) -> bool:
        return name in self._own or name in self._shared
