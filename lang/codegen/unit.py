"""What the compiler hands to the linker: plain data, fit for `marshal`.

A `CompiledUnit` names everything that it needs of an image by free names; its links
say what each stands for. Free names hold a sign that no identifier has, so that they
never meet a variable.
"""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType
from typing import Final, NamedTuple

from lang.dataclass import dataclass, replace

SEND: Final = "sel "
OWN: Final = "own "
SUPER: Final = "sup "
ATTRIBUTE: Final = "s_"
SYMBOL: Final = "# "
CLASS: Final = "C "
LITERAL: Final = "lit "
OWNER_KEY: Final = "<owner>"
UNIT: Final = "<unit>"
"""Prefixes of free names, and two whole ones: the key of `sup`, and the linked unit itself."""

Datum = int | float | str | bool | None | tuple["Datum", ...]


class Link(NamedTuple):
    """One free name: `kind` is one of the prefixes above, `what` a selector, name or literal."""

    kind: str
    name: str
    what: Datum


@dataclass(frozen=True, slots=True)
class CompiledUnit:
    """The code of one method, default expression or prompt input.

    `code` is the code of the function itself; its `co_filename` is the module name
    and its positions are relative to the unit's text.
    """

    selector: str
    arity: int
    code: CodeType
    links: tuple[Link, ...]

    def with_class_names(self, spelled: Callable[[str], str]) -> CompiledUnit:
        """The same code, bound to classes under other names: those that the image knows them by."""
        return replace(self, links=tuple(_respelled(link, spelled) for link in self.links))

    def as_data(self) -> tuple[object, ...]:
        """What `marshal` can write."""
        return (self.selector, self.arity, self.code, tuple(tuple(link) for link in self.links))


def _respelled(link: Link, spelled: Callable[[str], str]) -> Link:
    if link.kind != CLASS or not isinstance(link.what, str):
        return link
    return link._replace(what=spelled(link.what))


def unit_from_data(data: tuple[str, int, CodeType, tuple[tuple[str, str, Datum], ...]]) -> CompiledUnit:
    """The inverse of `CompiledUnit.as_data`."""
    selector, arity, code, links = data
    return CompiledUnit(selector, arity, code, tuple([Link(*link) for link in links]))
