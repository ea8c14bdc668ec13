"""How Python functions become primitives of standard-library classes.

A module under `lang/stdlib/primitives/` makes one `PrimitiveTable` a class and
decorates functions into it; the library loader asks the table for the function of
each method whose body is `@primitive`. A table is filled at import and only read
afterwards.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from lang.dataclass import dataclass

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class PrimitiveFunction:
    """One primitive: `needs_runtime` functions take the `Runtime` before the receiver."""

    function: Callable[..., Any]
    needs_runtime: bool


class PrimitiveTable:
    """The primitives of one class, by name and side."""

    def __init__(self, class_name: str) -> None:
        self.class_name = class_name
        self._entries: dict[tuple[str, bool], PrimitiveFunction] = {}

    def primitive(self, name: str, *, class_side: bool = False) -> Callable[[F], F]:
        """Register a function that needs nothing but its receiver and arguments."""
        return self._register(name, class_side=class_side, needs_runtime=False)

    def runtime_primitive(self, name: str, *, class_side: bool = False) -> Callable[[F], F]:
        """Register a function whose first parameter is the image's `Runtime`."""
        return self._register(name, class_side=class_side, needs_runtime=True)

    def find(self, name: str, *, class_side: bool = False) -> PrimitiveFunction | None:
        """The primitive of that name and side, if there is one."""
        return self._entries.get((name, class_side))

    def names(self) -> frozenset[tuple[str, bool]]:
        """Every (name, class side) pair registered."""
        return frozenset(self._entries)

    def _register(self, name: str, *, class_side: bool, needs_runtime: bool) -> Callable[[F], F]:
        def register(function: F) -> F:
            key = (name, class_side)
            if key in self._entries:
                raise ValueError(f"primitive {self.class_name}>>{name} is defined twice")
            self._entries[key] = PrimitiveFunction(function, needs_runtime)
            return function

        return register
