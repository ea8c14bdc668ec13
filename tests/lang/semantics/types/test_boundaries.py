"""Where values cross to another process, beside what the conformance corpus asks (types.md 4.4)."""

from __future__ import annotations

import pytest

from lang.ast import nodes as ast
from lang.diagnostics import Category
from lang.semantics.types.analysis import analyse
from lang.source import SourceText
from lang.syntax import parse_file
from tests.lang.semantics.types.test_sendability import WORLD


def told(method: str) -> list[str]:
    """The names of what is told to cross, in a method of `Plain`."""
    unit = parse_file(SourceText(f"Object subclass: Plain\n  {method}\n")).units[1]
    assert isinstance(unit.node, ast.MethodDef)
    found = analyse(unit.node, "Plain", WORLD).diagnostics
    return [each.data["name"] for each in found if each.category is Category.SENDABILITY]


@pytest.mark.parametrize(
    ("method", "names"),
    [
        ("m: p :: Port to: d :: Diver => d take: [p isNil. p isNil]", ["p"]),
        ("m: p :: Port to: d :: Diver => d take: [:p | p isNil]", []),
        ("m: d :: Diver => d take: [q :: Port := nil. q isNil]", []),
        ("m: p :: Port to: d :: Diver => d take: [q := p. q isNil]", ["p"]),
        ("m: p :: Port to: d :: Diver => d take: p and: p", ["p", "p"]),
        ("m: p :: Port => self take: p", []),
        ("m: p :: Port => Diver spawnWith: #{#line => p}", ["p"]),
        ("m: p :: Port => Diver spawnWith: #{#line => [p isNil]}", ["p"]),
        ("m: s :: Spool to: d :: Diver => d take: s", ["s"]),
        ("m: d :: Diver => d take: (Spool new)", ["Spool"]),
        ("m: p :: Port to: d :: Diver => d take: Cable", []),
    ],
)
def test_what_crosses(method: str, names: list[str]) -> None:
    assert told(method) == names
