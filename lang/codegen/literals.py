"""Literals: constants are built once by the linker, the rest where it stands (language.md 1.4, 1.7)."""

from __future__ import annotations

import ast as py
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lang.ast import nodes as ast
from lang.codegen import sends
from lang.codegen import unit as names
from lang.codegen.inlining import bare
from lang.codegen.sends import is_character
from lang.codegen.unit import Datum

if TYPE_CHECKING:
    from lang.codegen.lowering import Lowering


def constant(lowering: Lowering, node: Any) -> py.expr:
    """A number, String, character, truth value or nil."""
    lowering.locate(node.span)
    return lowering.make.constant(node.value)


def symbol(lowering: Lowering, node: ast.SymbolLiteral) -> py.expr:
    """`#name`, bound by the linker."""
    lowering.locate(node.span)
    return lowering.link(names.SYMBOL, node.name)


def class_reference(lowering: Lowering, node: ast.ClassRef) -> py.expr:
    """A class by name; unbound until it exists."""
    lowering.locate(node.span)
    return lowering.link(names.CLASS, f"{node.package}@{node.name}" if node.package else node.name)


def interpolation(lowering: Lowering, node: ast.Interpolation) -> py.expr:
    """Each part by `displayString` (language.md 1.4)."""
    parts: list[py.expr] = []
    for part in node.parts:
        at, mark = len(lowering.statements), lowering.mark()
        value = lowering.value(part)
        lowering.settle(parts, at, mark)
        if not isinstance(part, ast.StringLiteral):
            value = _displayed(lowering, part, value)
        parts.append(value)
    return lowering.make.helper("$join", lowering.make.sequence(parts))


def _displayed(lowering: Lowering, part: ast.Expression, value: py.expr) -> py.expr:
    if is_character(part):
        return sends.send_to(lowering, bare(part), "displayString", value, ())
    return lowering.make.helper("$display", value)


def list_literal(lowering: Lowering, node: ast.ListLiteral) -> py.expr:
    """`#(a, b)`, `#(a | t)`."""
    if node.tail is None:
        return _sequence(lowering, node, node.elements, "list")
    *elements, tail = lowering.operands([*node.elements, node.tail])
    return lowering.make.helper("$cons", lowering.make.sequence(elements), tail)


def array_literal(lowering: Lowering, node: ast.ArrayLiteral) -> py.expr:
    """`#[a, b]`."""
    return _sequence(lowering, node, node.elements, "array")


def _sequence(
    lowering: Lowering, node: ast.Expression, elements: Sequence[ast.Expression], tag: str
) -> py.expr:
    datum = constant_datum(node)
    if datum is not None:
        return _literal(lowering, datum)
    return lowering.make.helper(f"${tag}", lowering.make.sequence(lowering.operands(elements)))


def _literal(lowering: Lowering, datum: Datum) -> py.expr:
    return lowering.link(names.LITERAL, datum, f"{names.LITERAL}{len(lowering.links)}")


def dictionary_literal(lowering: Lowering, node: ast.DictionaryLiteral) -> py.expr:
    """`#{k => v}`."""
    datum = constant_datum(node)
    if datum is not None:
        return _literal(lowering, datum)
    flat = lowering.operands([part for pair in node.pairs for part in pair])
    pairs = [lowering.make.tuple(pair) for pair in zip(flat[::2], flat[1::2], strict=True)]
    return lowering.make.helper("$dictionary", lowering.make.sequence(pairs))


def constant_datum(node: ast.Expression) -> Datum:
    """The literal as data if it is made of constants alone, else None; nil itself never needs one."""
    match node:
        case ast.ListLiteral(tail=None):
            return _constant_group("list", node.elements)
        case ast.ArrayLiteral():
            return _constant_group("array", node.elements)
        case ast.DictionaryLiteral():
            return _constant_group("dictionary", [part for pair in node.pairs for part in pair])
        case ast.SymbolLiteral():
            return ("symbol", node.name)
        case ast.IntegerLiteral() | ast.FloatLiteral() | ast.StringLiteral() | ast.CharacterLiteral():
            return node.value
        case _:
            return None


def _constant_group(tag: str, elements: Sequence[ast.Expression]) -> Datum:
    data = [constant_datum(bare(e)) for e in elements]
    return None if None in data else (tag, tuple(data))
