"""Control flow in line: conditionals, nil tests, `on:do:`, `ensure:`.

CPython fuses a comparison with the jump that uses it, so conditions are built as
Python tests and not as values (`conditions.py`); loops are `loops.py`'s.
"""

from __future__ import annotations

import ast as py
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from lang.ast import nodes as ast
from lang.codegen import loops
from lang.codegen.conditions import condition
from lang.codegen.destination import Destination, Sink

if TYPE_CHECKING:
    from lang.codegen.lowering import Lowering

Blocks = tuple[ast.Block, ...]


def inline(lowering: Lowering, node: ast.Send, blocks: Blocks, sink: Destination) -> None:
    """Lower a send whose blocks are compiled in place."""
    _FORMS[node.selector.text](lowering, node, blocks, sink)


# ---------------------------------------------------------------- forms


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
    arms = [lambda block=block: lowering.in_place(block, sink) for block in blocks]
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
        lambda: lowering.in_place(blocks[0], sink),
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
            lowering.in_place(if_nil, sink)

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
    lowering.in_place(blocks[0], sink)


# ---------------------------------------------------------------- exceptions


def _on_do(lowering: Lowering, node: ast.Send, blocks: Blocks, sink: Destination) -> None:
    """`[body] on: C do: handler` (language.md 4.14)."""
    make = lowering.make
    wanted, handler = [lowering.fixed(v) for v in _class_and_handler(lowering, node, blocks)]
    journal, fault, error = (lowering.temporary() for _ in range(3))
    lowering.locate(node.span)
    lowering.emit(make.assign(make.target(journal), make.helper("$begin")))
    lowering.emit(make.assign(make.target(error), make.constant(None)))
    body = lowering.collect(lambda: lowering.in_place(blocks[0], sink))
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
    body = lowering.collect(lambda: lowering.in_place(blocks[0], sink))
    undone: list[py.stmt] = [make.effect(make.helper("$undo", make.name(journal))), make.raising()]
    cleanup = lowering.collect(lambda: lowering.in_place(blocks[1], Sink.EFFECT))
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
    "whileTrue:": loops.while_,
    "whileFalse:": loops.while_,
    "repeat": loops.repeat,
    "value": _block_value,
    "timesRepeat:": loops.times_repeat,
    "to:do:": loops.to_do,
    "to:by:do:": loops.to_do,
    "on:do:": _on_do,
    "ensure:": _ensure,
}
