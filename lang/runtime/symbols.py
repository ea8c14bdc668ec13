"""Symbols: interned names, apart from the strings of the same text (language.md 4.12).

The intern table only ever grows and holds immutable values, so images share it.
"""

from __future__ import annotations

from typing import Final


class Symbol:
    """A name; two symbols with one name are one object. Make them with `symbol`."""

    __slots__ = ("name",)

    name: str

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"#{self.name}"

    def __copy__(self) -> Symbol:
        return self

    def __deepcopy__(self, memo: object) -> Symbol:
        return self

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return symbol, (self.name,)


_interned: Final[dict[str, Symbol]] = {}


def symbol(name: str) -> Symbol:
    """The one symbol of that name."""
    found = _interned.get(name)
    if found is None:
        # setdefault is one step: two threads that race get the same object.
        found = _interned.setdefault(name, Symbol(name))
    return found
