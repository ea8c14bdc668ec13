"""Conditions as Python tests: CPython fuses a comparison with the jump that uses it."""

from __future__ import annotations

import ast as py
from typing import TYPE_CHECKING

from lang.ast import nodes as ast
from lang.codegen import arithmetic
from lang.codegen.inlining import bare, inlined_blocks

if TYPE_CHECKING:
    from lang.codegen.lowering import Lowering


def condition(lowering: Lowering, node: ast.Expression, selector: str) -> py.expr:
    """A Python test that holds when the node is true; a value that is no Boolean does not understand `selector`."""
    node = bare(node)
    lowering.locate(node.span)
    match node:
        case ast.Constant(value=bool(value)):
            return lowering.make.constant(value)
        case ast.Send(selector=ast.Selector(text=text)) if text in arithmetic.TESTS and not isinstance(
            bare(node.receiver), ast.SuperRef
        ):
            return arithmetic.test(lowering, node, selector)
        case ast.Send(selector=ast.Selector(text="and:" | "or:" as text)):
            blocks = inlined_blocks(node)
            if blocks is not None and (joined := _joined(lowering, node, blocks[0], text, selector)):
                return joined
        case _:
            pass
    return truth(lowering, lowering.value(node), selector)


def truth(lowering: Lowering, value: py.expr, selector: str) -> py.expr:
    """A Python test for a value that may be no Boolean."""
    make = lowering.make
    first, again = lowering.kept(lowering.unfolded(value))
    refused = make.helper("$not_boolean", again, make.constant(selector))
    wrong = make.all_of([make.compare(again, py.IsNot(), make.constant(False)), refused])
    return make.any_of([make.same(first, make.constant(True)), wrong])


def _joined(lowering: Lowering, node: ast.Send, block: ast.Block, text: str, selector: str) -> py.expr | None:
    """`a and: [b]` as a Python `and`, if `b` needs no statements."""
    if len(block.body) != 1 or isinstance(block.body[0], ast.Return):
        return None
    one = condition(lowering, node.receiver, text)
    result: list[py.expr] = []

    def second() -> None:
        lowering.variables.enter(lowering.variables.scope_of(block), lowering.function)
        result.append(condition(lowering, block.body[0], selector))
        lowering.variables.leave()

    statements = lowering.collect(second)
    two = result[0]
    if not isinstance(statements[0], py.Pass):
        # The statements belong to the second operand alone: run them under the first.
        name = lowering.temporary()
        make = lowering.make
        statements.append(make.assign(make.target(name), two))
        short = [make.assign(make.target(name), make.constant(text == "or:"))]
        bodies = (statements, short) if text == "and:" else (short, statements)
        lowering.emit(make.branch(one, *bodies))
        return make.same(make.name(name), make.constant(True))
    if text == "and:":
        return lowering.make.all_of([one, two])
    return lowering.make.any_of([one, two])
