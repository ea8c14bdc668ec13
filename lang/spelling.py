"""How classes and methods are named to people and in receivers: `Till class`, `Till class>>ring:`."""

from __future__ import annotations

from lang.syntax.units import Side


def class_side_name(name: str, side: Side | None) -> str:
    """`Till`, or `Till class` for the class side."""
    return f"{name} class" if side is Side.CLASS else name


def method_name(owner: str, side: Side | None, selector: str) -> str:
    """`Till>>ring:`, or `Till class>>opening` for the class side."""
    return f"{class_side_name(owner, side)}>>{selector}"
