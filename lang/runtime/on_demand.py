"""Method dictionaries that are made when somebody first looks into them.

Comes in: a way to make them. Guarantees: made once, whichever threads ask; to those who look it was always there.
Leaves: what stands in them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from threading import Lock
from typing import Generic, TypeVar, overload

from lang.runtime.classes import Method

T = TypeVar("T")
D = TypeVar("D")


class Once(Generic[T]):
    """A value that is made when it is first asked for."""

    __slots__ = ("_lock", "_make", "_value")

    def __init__(self, make: Callable[[], T]) -> None:
        self._lock = Lock()
        self._make: Callable[[], T] | None = make
        self._value: list[T] = []

    def value(self) -> T:
        """The value. What makes it must not ask for it."""
        if not self._value:
            with self._lock:
                if self._make is not None:
                    self._value.append(self._make())
                    self._make = None
        return self._value[0]


class MethodsOnDemand(Mapping[str, Method]):
    """The methods of one side of a class."""

    __slots__ = ("_find", "_found")

    def __init__(self, find: Callable[[], Mapping[str, Method]]) -> None:
        self._find = find
        self._found: Mapping[str, Method] | None = None

    def _all(self) -> Mapping[str, Method]:
        found = self._found
        if found is None:
            found = self._found = self._find()
        return found

    @overload
    def get(self, selector: str, default: None = None, /) -> Method | None: ...
    @overload
    def get(self, selector: str, default: D, /) -> Method | D: ...
    def get(self, selector: str, default: object = None, /) -> object:
        """The method of a selector."""
        return self._all().get(selector, default)

    def __getitem__(self, selector: str) -> Method:
        return self._all()[selector]

    def __contains__(self, selector: object) -> bool:
        return selector in self._all()

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())
