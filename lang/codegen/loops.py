"""Loops in line (language.md 4.9).

A loop whose body has variables that a real block captures becomes a nested function,
called each turn: fresh cells each time (language.md 4.4).
"""

from __future__ import annotations

import ast as py
from collections.abc import Sequence
from typing import TYPE_CHECKING

from lang.ast import nodes as ast
from lang.codegen import arithmetic, sends
from lang.codegen.conditions import condition
from lang.codegen.destination import Destination, Sink
from lang.codegen.inlining import bare
from lang.codegen.variables import Local, PythonFunction, is_reassigned
from lang.semantics.scopes import Scope

if TYPE_CHECKING:
    from lang.codegen.lowering import Lowering

Blocks = tuple[ast.Block, ...]


def while_(lowering: Lowering, node: ast.Send, blocks: Blocks, sink: Destination) -> None:
    """`whileTrue:`, `whileFalse:`."""
    make, text = lowering.make, node.selector.text
    test_block, body_block = blocks
    body = _turn(lowering, body_block)
    tests: list[py.expr] = []

    def build() -> None:
        lowering.variables.enter(lowering.variables.scope_of(test_block), lowering.function)
        lowering.body(test_block.body[:-1], Sink.EFFECT)
        last = test_block.body[-1] if test_block.body else ast.Constant(test_block.span, None)
        tests.append(condition(lowering, last, text))
        lowering.variables.leave()

    before = lowering.collect(build)
    if isinstance(before[0], py.Pass):
        before = []
    stop = _stop_unless(lowering, tests[0], is_wanted=text == "whileTrue:")
    # `while True` ends in the jump that makes CPython specialize the loop; `while test` does not.
    lowering.emit(make.loop(make.constant(True), [*before, stop, *body]))
    lowering.put_constant(None, sink)


def _stop_unless(lowering: Lowering, test: py.expr, *, is_wanted: bool) -> py.stmt:
    """Leave the loop unless a test has the wanted outcome; the fast case of a comparison has its own `if`."""
    make = lowering.make

    def leave_on(part: py.expr) -> py.If:
        return make.branch(make.negation(part) if is_wanted else part, [make.leave()])

    if isinstance(test, py.IfExp):
        return make.branch(test.test, [leave_on(test.body)], [leave_on(test.orelse)])
    return leave_on(test)


def repeat(lowering: Lowering, node: ast.Send, blocks: Blocks, sink: Destination) -> None:
    """`repeat`: until an exception or `^`."""
    del node
    body = _turn(lowering, blocks[0])
    lowering.emit(lowering.make.loop(lowering.make.constant(True), body))
    lowering.put_constant(None, sink)


def times_repeat(lowering: Lowering, node: ast.Send, blocks: Blocks, sink: Destination) -> None:
    """`n timesRepeat:`."""
    make = lowering.make
    count = lowering.fixed(lowering.value(node.receiver))
    lowering.locate(node.selector.span)
    body = _turn(lowering, blocks[0])
    loop = make.each(make.target(lowering.temporary()), make.helper("$range", count), body)
    _emit_guarded(lowering, node, loop, [count], [count])
    lowering.put_constant(None, sink)


def to_do(lowering: Lowering, node: ast.Send, blocks: Blocks, sink: Destination) -> None:
    """`to:do:`, `to:by:do:`."""
    make = lowering.make
    values = [lowering.fixed(v) for v in lowering.operands([node.receiver, *node.arguments[:-1]])]
    lowering.locate(node.selector.span)
    start, stop, step = values if len(values) == 3 else (*values, make.constant(1))
    is_literal = isinstance(step, py.Constant) and type(step.value) is int and step.value != 0
    if is_literal and arithmetic.is_integer(lowering, start):
        # The receiver is an Integer for sure: a limit of another kind needs no real block.
        limit = stop if arithmetic.is_integer(lowering, stop) else make.helper("$limit", stop, step)
        guards: list[py.expr] = []
    else:
        limit, guards = stop, [start, stop, step]
    numbers = _range(lowering, start, limit, step) if is_literal else make.helper("$steps", start, stop, step)
    variable, body = _counted_turn(lowering, blocks[0])
    loop = make.each(make.target(variable), numbers, body)
    _emit_guarded(lowering, node, loop, values, guards)
    lowering.put_constant(None, sink)


def _range(lowering: Lowering, start: py.expr, stop: py.expr, step: py.expr) -> py.expr:
    make = lowering.make
    size = step.value if isinstance(step, py.Constant) and isinstance(step.value, int) else 1
    end = make.binary(stop, py.Add() if size > 0 else py.Sub(), make.constant(1))
    return make.helper("$range", *([start, end] if size == 1 else [start, end, step]))


def _emit_guarded(
    lowering: Lowering,
    node: ast.Send,
    loop: py.stmt,
    values: Sequence[py.expr],
    guards: Sequence[py.expr],
) -> None:
    """The loop if what it assumes to be Integers are, else the ordinary send with a real block.

    `values` are the receiver and the arguments before the block.
    """
    make = lowering.make
    unknown = [v for v in guards if not arithmetic.is_integer(lowering, v)]
    if not unknown:
        lowering.emit(loop)
        return
    guard = make.all_of([arithmetic.integer_test(lowering, v) for v in unknown])

    def general() -> None:
        block = lowering.value(bare(node.arguments[-1]))
        send = sends.send_to(lowering, node.receiver, node.selector.text, values[0], [*values[1:], block])
        lowering.put(send, Sink.EFFECT)

    lowering.emit(make.branch(guard, [loop], lowering.collect(general)))


def _turn(lowering: Lowering, block: ast.Block) -> list[py.stmt]:
    """The statements of one turn of a loop, ending in the safe point."""
    if _needs_cells(lowering, block):
        body: list[py.stmt] = [_call_of_turn(lowering, block, [])]
    else:
        body = lowering.collect(lambda: lowering.in_place(block, Sink.EFFECT))
    return [*body, lowering.safe_point()]


def _counted_turn(lowering: Lowering, block: ast.Block) -> tuple[str, list[py.stmt]]:
    """The same for a block of one parameter, and the Python variable that counts."""
    name = block.parameters[0].name.name
    if _needs_cells(lowering, block):
        counter = lowering.temporary()
        call = _call_of_turn(lowering, block, [lowering.make.name(counter)])
        return counter, [call, lowering.safe_point()]
    scope = lowering.variables.scope_of(block)
    early = lowering.variables.enter(scope, lowering.function)
    place = lowering.variables.place(name)
    counter = place.python_name if isinstance(place, Local) else lowering.temporary()
    if not is_reassigned(scope, name):
        lowering.integers.add(counter)
    body = lowering.collect(lambda: lowering.block_body(block, early))
    lowering.variables.leave()
    return counter, [*body, lowering.safe_point()]


def _call_of_turn(lowering: Lowering, block: ast.Block, arguments: Sequence[py.expr]) -> py.stmt:
    function = PythonFunction(is_activation=lowering.function.is_activation)
    return lowering.make.effect(lowering.make.call(lowering.nested(block, function, Sink.EFFECT), arguments))


def _needs_cells(lowering: Lowering, block: ast.Block) -> bool:
    """Whether a real block captures a variable that comes into being anew each turn."""
    return _captures(lowering, lowering.variables.scope_of(block), frozenset())


def _captures(lowering: Lowering, scope: Scope, around: frozenset[str]) -> bool:
    declared = around | scope.declared
    for child in scope.children:
        if isinstance(child.node, ast.Block) and not lowering.is_inlined(child.node):
            if child.free & declared:
                return True
        elif _captures(lowering, child, declared):
            return True
    return False
