"""How classes and methods are spelled: `Till class`, `Till class>>ring:`, `withCoins:`."""

from __future__ import annotations

from lang.syntax.units import Side


def class_side_name(name: str, side: Side | None) -> str:
    """`Till`, or `Till class` for the class side."""
    return f"{name} class" if side is Side.CLASS else name


def method_name(owner: str, side: Side | None, selector: str) -> str:
    """`Till>>ring:`, or `Till class>>opening` for the class side."""
    return f"{class_side_name(owner, side)}>>{selector}"


def copy_setter(field: str) -> str:
    """The selector that answers a copy of a value with another value of the field (language.md 4.2)."""
    return f"with{field[:1].upper()}{field[1:]}:"
