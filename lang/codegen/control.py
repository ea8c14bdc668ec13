"""Control flow in line: conditionals, loops, nil tests, `on:do:`, `ensure:`, block values.

CPython fuses a comparison with the jump that uses it, so conditions are built as
Python tests and not as values. A loop whose body has variables that a real block
captures becomes a nested function, called each turn: fresh cells each time
(language.md 4.4).
"""

from __future__ import annotations

import ast as py
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from lang.ast import nodes as ast
from lang.codegen import arithmetic
from lang.codegen import unit as names
from lang.codegen.destination import Destination, Sink
from lang.codegen.inlining import bare, inlined_blocks
from lang.codegen.variables import Local, PythonFunction, is_reassigned
from lang.semantics.scopes import Scope

if TYPE_CHECKING:
    from lang.codegen.lowering import Lowering

Blocks = tuple[ast.Block, ...]

BLOCK_VALUES: Final = frozenset({"value", "value:", "value:value:", "value:value:value:"})
"""Selectors that evaluate a block; in line when the receiver is one of that arity."""


def inline(lowering: Lowering, node: ast.Send, blocks: Blocks, sink: Destination) -> None:
    """Lower a send whose blocks are compiled in place."""
    _FORMS[node.selector.text](lowering, node, blocks, sink)


def block_value(
    lowering: Lowering, text: str, target: py.expr, arguments: Sequence[py.expr]
) -> py.expr:
    """`b value: x`: a call, when `b` is a block that takes so many arguments."""
    make = lowering.make
    target = lowering.unfolded(target)
    # Receiver and arguments stand in two places of the choice, so they have to be atoms.
    if all(lowering.is_atom(a) for a in arguments):
        first, again = lowering.kept(target)
        held = list(arguments)
    else:
        first = again = lowering.fixed(target)
        held = [lowering.fixed(a) for a in arguments]
    arity = make.attribute(make.attribute(again, "__code__"), "co_argcount")
    is_block = make.all_of(
        [make.is_type(first, "$Block"), make.compare(arity, py.Eq(), make.constant(len(arguments)))]
    )
    table = lowering.link(names.SEND, text)
    general = make.call(make.item(table, make.helper("$type", again)), [again, *held])
    return make.choice(is_block, make.call(again, held), general)


# ---------------------------------------------------------------- conditions


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


def _joined(
    lowering: Lowering, node: ast.Send, block: ast.Block, text: str, selector: str
) -> py.expr | None:
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


# ---------------------------------------------------------------- forms


def in_place(lowering: Lowering, block: ast.Block, sink: Destination) -> None:
    """The body of a block without parameters, where it stands."""
    early = lowering.variables.enter(lowering.variables.scope_of(block), lowering.function)
    _body(lowering, block, early, sink)
    lowering.variables.leave()


def _body(
    lowering: Lowering, block: ast.Block, early: Sequence[Local], sink: Destination = Sink.EFFECT
) -> None:
    """Statements of a block whose scope is open; variables that blocks see early begin as nil."""
    for place in early:
        nil = lowering.make.constant(None)
        lowering.emit(lowering.make.assign(lowering.make.target(place.python_name), nil))
    lowering.body(block.body, sink)


def _branches(
    lowering: Lowering, test: py.expr, then: Callable[[], None], otherwise: Callable[[], None] | None
) -> None:
    body = lowering.collect(then)
    rest = lowering.collect(otherwise) if otherwise is not None else None
    if rest is not None and isinstance(rest[0], py.Pass):
        rest = None
    lowering.emit(lowering.make.branch(test, body, rest))


def _conditional(lowering: Lowering, node: ast.Send, blocks: Blocks, sink: Destination) -> None:
    """One-armed conditionals answer the receiver when nothing is taken (language.md 4.9)."""
    text = node.selector.text
    test = condition(lowering, node.receiver, text)
    arms = [lambda block=block: in_place(lowering, block, sink) for block in blocks]
    match text:
        case "ifTrue:":
            _branches(lowering, test, arms[0], lambda: lowering.put_constant(False, sink))
        case "ifFalse:":
            test = lowering.make.negation(test)
            _branches(lowering, test, arms[0], lambda: lowering.put_constant(True, sink))
        case _:
            _branches(lowering, test, arms[0], arms[1])


def _and_or(lowering: Lowering, node: ast.Send, blocks: Blocks, sink: Destination) -> None:
    text = node.selector.text
    test = condition(lowering, node.receiver, text)
    if text == "or:":
        test = lowering.make.negation(test)
    _branches(
        lowering,
        test,
        lambda: in_place(lowering, blocks[0], sink),
        lambda: lowering.put_constant(text == "or:", sink),
    )


def _nil_test(lowering: Lowering, node: ast.Send, blocks: Blocks, sink: Destination) -> None:
    value = lowering.unfolded(lowering.fixed(lowering.value(node.receiver)))
    by_name = dict(zip(node.selector.text.split(":"), blocks, strict=False))
    if_nil, if_not_nil = by_name.get("ifNil"), by_name.get("ifNotNil")
    lowering.locate(node.selector.span)

    def nil() -> None:
        if if_nil is None:
            lowering.put_constant(None, sink)
        else:
            in_place(lowering, if_nil, sink)

    def not_nil() -> None:
        if if_not_nil is None:
            lowering.put(value, sink)
        else:
            with_argument(lowering, if_not_nil, value, sink)

    _branches(lowering, lowering.make.same(value, lowering.make.constant(None)), nil, not_nil)


def with_argument(lowering: Lowering, block: ast.Block, value: py.expr, sink: Destination) -> None:
    """The body of a block of at most one parameter, with a value for it."""
    lowering.variables.enter(lowering.variables.scope_of(block), lowering.function)
    for parameter in block.parameters:
        lowering.store(parameter.name.name, value)
    lowering.body(block.body, sink)
    lowering.variables.leave()


def _block_value(lowering: Lowering, node: ast.Send, blocks: Blocks, sink: Destination) -> None:
    del node
    in_place(lowering, blocks[0], sink)


# ---------------------------------------------------------------- loops


def _while(lowering: Lowering, node: ast.Send, blocks: Blocks, sink: Destination) -> None:
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


def _repeat(lowering: Lowering, node: ast.Send, blocks: Blocks, sink: Destination) -> None:
    del node
    body = _turn(lowering, blocks[0])
    lowering.emit(lowering.make.loop(lowering.make.constant(True), body))
    lowering.put_constant(None, sink)


def _times_repeat(lowering: Lowering, node: ast.Send, blocks: Blocks, sink: Destination) -> None:
    make = lowering.make
    count = lowering.fixed(lowering.value(node.receiver))
    lowering.locate(node.selector.span)
    body = _turn(lowering, blocks[0])
    loop = make.each(make.target(lowering.temporary()), make.helper("$range", count), body)
    _emit_guarded(lowering, node, loop, [count], [count])
    lowering.put_constant(None, sink)


def _to_do(lowering: Lowering, node: ast.Send, blocks: Blocks, sink: Destination) -> None:
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
        send = lowering.send_to(node.receiver, node.selector.text, values[0], [*values[1:], block])
        lowering.put(send, Sink.EFFECT)

    lowering.emit(make.branch(guard, [loop], lowering.collect(general)))


def _turn(lowering: Lowering, block: ast.Block) -> list[py.stmt]:
    """The statements of one turn of a loop, ending in the safe point."""
    if _needs_cells(lowering, block):
        body: list[py.stmt] = [_call_of_turn(lowering, block, [])]
    else:
        body = lowering.collect(lambda: in_place(lowering, block, Sink.EFFECT))
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
    body = lowering.collect(lambda: _body(lowering, block, early))
    lowering.variables.leave()
    return counter, [*body, lowering.safe_point()]


def _call_of_turn(lowering: Lowering, block: ast.Block, arguments: Sequence[py.expr]) -> py.stmt:
    function = PythonFunction(is_activation=lowering.function.is_activation)
    return lowering.make.effect(
        lowering.make.call(lowering.nested(block, function, Sink.EFFECT), arguments)
    )


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


# ---------------------------------------------------------------- exceptions


def _on_do(lowering: Lowering, node: ast.Send, blocks: Blocks, sink: Destination) -> None:
    """`[body] on: C do: handler` (language.md 4.14)."""
    make = lowering.make
    wanted, handler = [lowering.fixed(v) for v in _class_and_handler(lowering, node, blocks)]
    journal, fault, error = (lowering.temporary() for _ in range(3))
    lowering.locate(node.span)
    lowering.emit(make.assign(make.target(journal), make.helper("$begin")))
    lowering.emit(make.assign(make.target(error), make.constant(None)))
    body = lowering.collect(lambda: in_place(lowering, blocks[0], sink))
    found = make.helper("$caught", make.name(journal), make.name(fault), wanted)
    catch: list[py.stmt] = [
        make.assign(make.target(error), found),
        make.branch(make.same(make.name(error), make.constant(None)), [make.raising()]),
    ]
    handlers = [make.handler("$Exception", fault, catch)]
    lowering.emit(make.protected(body, handlers, [_end_of(lowering, journal)]))

    def handle() -> None:
        if len(blocks) > 1:
            with_argument(lowering, blocks[1], make.name(error), sink)
        else:
            lowering.put(make.helper("$handle", handler, make.name(error)), sink)

    was_caught = make.compare(make.name(error), py.IsNot(), make.constant(None))
    lowering.emit(make.branch(was_caught, lowering.collect(handle)))


def _class_and_handler(lowering: Lowering, node: ast.Send, blocks: Blocks) -> list[py.expr]:
    if len(blocks) > 1:
        return [lowering.value(node.arguments[0]), lowering.make.constant(None)]
    return lowering.operands(node.arguments)


def _end_of(lowering: Lowering, journal: str) -> py.stmt:
    """Keep what a protected block wrote, unless it was undone."""
    make = lowering.make
    is_actor = make.compare(make.name(journal), py.IsNot(), make.constant(None))
    return make.branch(is_actor, [make.effect(make.helper("$end", make.name(journal)))])


def _ensure(lowering: Lowering, node: ast.Send, blocks: Blocks, sink: Destination) -> None:
    """`[body] ensure: [cleanup]`: always, but for a kill (language.md 4.14)."""
    make = lowering.make
    journal = lowering.temporary()
    lowering.locate(node.span)
    lowering.emit(make.assign(make.target(journal), make.helper("$begin")))
    body = lowering.collect(lambda: in_place(lowering, blocks[0], sink))
    undone: list[py.stmt] = [make.effect(make.helper("$undo", make.name(journal))), make.raising()]
    cleanup = lowering.collect(lambda: in_place(lowering, blocks[1], Sink.EFFECT))
    last = [_end_of(lowering, journal), make.branch(make.helper("$cleans_up"), cleanup)]
    lowering.emit(make.protected(body, [make.handler("$Exception", None, undone)], last))


_FORMS: Final[Mapping[str, Callable[[Lowering, ast.Send, Blocks, Destination], None]]] = {
    "ifTrue:": _conditional,
    "ifFalse:": _conditional,
    "ifTrue:ifFalse:": _conditional,
    "ifNil:": _nil_test,
    "ifNotNil:": _nil_test,
    "ifNil:ifNotNil:": _nil_test,
    "ifNotNil:ifNil:": _nil_test,
    "and:": _and_or,
    "or:": _and_or,
    "whileTrue:": _while,
    "whileFalse:": _while,
    "repeat": _repeat,
    "value": _block_value,
    "timesRepeat:": _times_repeat,
    "to:do:": _to_do,
    "to:by:do:": _to_do,
    "on:do:": _on_do,
    "ensure:": _ensure,
}
