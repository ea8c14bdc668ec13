"""Conditionals, nil tests, handlers and the few messages whose answers no signature tells (types.md 2.3 to 2.5).

Comes in: a message with literal blocks, and the environment around it. Guarantees: a test narrows its variable in
the blocks, and behind the statement when a branch does not come back (I-29, I-30). Leaves: all other messages to
`infer`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from lang.ast import nodes as ast
from lang.ast.walk import walk
from lang.semantics.references import bare
from lang.semantics.types.binding import merged_all
from lang.semantics.types.lattice import (
    DYNAMIC_RECEIVER,
    NEVER,
    NIL,
    UNANNOTATED_PARAMETER,
    Dynamic,
    Known,
    Meta,
    Never,
    Type,
    Union,
    is_nil,
    known,
    union,
    without_nil,
)
from lang.semantics.types.narrowing import Narrowing, narrowing_of

if TYPE_CHECKING:
    from lang.semantics.types.infer import Env, Inference

Special = tuple[Type, tuple[Type, ...]]
"""The type of the answer, and those of the arguments."""

_BRANCHES: Final = {
    "ifTrue:": (True,),
    "ifFalse:": (False,),
    "ifTrue:ifFalse:": (True, False),
    "ifFalse:ifTrue:": (False, True),
}
_NIL_BRANCHES: Final = {
    "ifNil:": (True,),
    "ifNotNil:": (False,),
    "ifNil:ifNotNil:": (True, False),
    "ifNotNil:ifNil:": (False, True),
}
_BOOLEANS: Final = frozenset({"Boolean", "True", "False"})


def special_result(
    inference: Inference,
    node: ast.Expression,
    receiver: Type,
    selector: str,
    arguments: tuple[ast.Expression, ...],
    env: Env,
) -> Special | None:
    """What a message with a meaning of its own answers; None for an ordinary one."""
    if selector in _BRANCHES and _are_blocks(arguments):
        return _conditional(inference, node, receiver, _BRANCHES[selector], arguments, env)
    if selector in _NIL_BRANCHES and _are_blocks(arguments):
        return _nil_conditional(inference, receiver, _NIL_BRANCHES[selector], arguments, env)
    if selector in ("and:", "or:") and _are_blocks(arguments):
        return _junction(inference, node, receiver, selector == "and:", arguments, env)
    if selector == "on:do:":
        return _handled(inference, receiver, arguments, env)
    return _by_selector(inference, receiver, selector, arguments, env)


def _are_blocks(arguments: tuple[ast.Expression, ...]) -> bool:
    return all(isinstance(bare(each), ast.Block) for each in arguments)


def _blocks(arguments: tuple[ast.Expression, ...]) -> Iterator[ast.Block]:
    return (block for each in arguments if isinstance(block := bare(each), ast.Block))


def _by_selector(
    inference: Inference, receiver: Type, selector: str, arguments: tuple[ast.Expression, ...], env: Env
) -> Special | None:
    match selector:
        case "asType:":
            given = inference.infer(arguments[0], env)
            named = bare(arguments[0])
            return (
                (known(given.name) if isinstance(given, Meta) else UNANNOTATED_PARAMETER, (given,))
                if (isinstance(named, ast.ClassRef))
                else None
            )
        case "class" if isinstance(receiver, Known):
            name = "Symbol" if receiver.is_singleton else receiver.name
            return (Meta(name), ()) if inference.world.is_class(name) else None
        case "class" if isinstance(receiver, Meta):
            return known("Metaclass"), ()
        case "withTimeout:" if _is_actor(inference, receiver):
            return receiver, (inference.infer(arguments[0], env),)
        case "at:" if isinstance(receiver, Known) and receiver.name == "Tuple" and receiver.arguments:
            index = bare(arguments[0])
            if isinstance(index, ast.IntegerLiteral) and 1 <= index.value <= len(receiver.arguments):
                return receiver.arguments[index.value - 1], (inference.infer(arguments[0], env),)
            return None
        case "value" | "value:" | "value:value:" | "value:value:value:":
            if isinstance(receiver, Known) and receiver.name == "Block" and receiver.arguments:
                return receiver.arguments[-1], tuple(inference.infer(each, env) for each in arguments)
    return None


def _is_actor(inference: Inference, receiver: Type) -> bool:
    return isinstance(receiver, Known) and inference.world.view.inherits(receiver.name, "Actor")


# ---------------------------------------------------------------- branches


def _narrowing(inference: Inference, node: ast.Expression, env: Env) -> Narrowing | None:
    return narrowing_of(node, lambda key: inference.variable_type(key, env), inference.world)


def _tested(inference: Inference, node: ast.Expression, env: Env) -> Narrowing | None:
    """The narrowing of a test that code branches on; what it tells of itself is kept among the facts."""
    narrowing = _narrowing(inference, node, env)
    if narrowing is not None and narrowing.told is not None:
        inference.facts.tested.append(narrowing.told)
    return narrowing


def _branch(
    inference: Inference,
    block: ast.Block,
    env: Env,
    narrowing: Narrowing | None,
    is_true: bool,  # noqa: FBT001
) -> Type:
    inner = env
    if narrowing is not None and narrowing.key not in inference.setting.mutated:
        inner = {**env, narrowing.key: narrowing.when_true if is_true else narrowing.when_false}
    return inference.block(block, inner, (), UNANNOTATED_PARAMETER)


def _value_of(block: Type) -> Type:
    return block.arguments[-1] if isinstance(block, Known) and block.arguments else DYNAMIC_RECEIVER


def _conditional(
    inference: Inference,
    node: ast.Expression,
    receiver: Type,
    sides: tuple[bool, ...],
    arguments: tuple[ast.Expression, ...],
    env: Env,
) -> Special:
    narrowing = _tested(inference, node, env)
    pairs = zip(_blocks(arguments), sides, strict=True)
    given = tuple(_branch(inference, block, env, narrowing, side) for block, side in pairs)
    if not isinstance(receiver, Known) or receiver.name not in _BOOLEANS:
        return DYNAMIC_RECEIVER, given
    results = [_value_of(each) for each in given]
    if len(results) == 1:
        results.insert(0, receiver)
    return merged_all(results), given


def _junction(
    inference: Inference,
    node: ast.Expression,
    receiver: Type,
    is_and: bool,  # noqa: FBT001
    arguments: tuple[ast.Expression, ...],
    env: Env,
) -> Special:
    """`and:` runs its block where the test holds, `or:` where it does not (I-32)."""
    narrowing = _tested(inference, node, env)
    given = tuple(_branch(inference, block, env, narrowing, is_and) for block in _blocks(arguments))
    is_boolean = isinstance(receiver, Known) and receiver.name in _BOOLEANS
    return (known("Boolean") if is_boolean else DYNAMIC_RECEIVER), given


def _nil_conditional(
    inference: Inference,
    receiver: Type,
    sides: tuple[bool, ...],
    arguments: tuple[ast.Expression, ...],
    env: Env,
) -> Special:
    inside = without_nil(receiver)
    seen = UNANNOTATED_PARAMETER if is_nil(receiver) else inside
    given = tuple(inference.block(block, env, (seen,), seen) for block in _blocks(arguments))
    results = [_value_of(each) for each in given]
    if len(results) == 2:
        return merged_all(results), given
    if isinstance(receiver, Dynamic | Never):
        return DYNAMIC_RECEIVER, given
    if sides == (True,):
        return (results[0] if is_nil(receiver) else union([inside, results[0]])) if _may_be_nil(
            receiver
        ) else receiver, given
    if is_nil(receiver):
        return NIL, given
    return (union([results[0], NIL]) if _may_be_nil(receiver) else results[0]), given


def _may_be_nil(receiver: Type) -> bool:
    return is_nil(receiver) or (isinstance(receiver, Union) and any(map(is_nil, receiver.members)))


def _handled(
    inference: Inference, receiver: Type, arguments: tuple[ast.Expression, ...], env: Env
) -> Special | None:
    """`[…] on: C do: [:e | …]`: `e` is a `C` (I-19); the answer is that of either block."""
    handler = bare(arguments[1])
    if not isinstance(handler, ast.Block):
        return None
    caught = inference.infer(arguments[0], env)
    seen = known(caught.name) if isinstance(caught, Meta) else UNANNOTATED_PARAMETER
    given = (caught, inference.block(handler, env, (seen,), UNANNOTATED_PARAMETER))
    return merged_all([_value_of(receiver), _value_of(given[1])]), given


# ---------------------------------------------------------------- the rest of the statements


def narrow_rest(inference: Inference, statement: ast.Expression, env: Env) -> None:
    """What a conditional whose branch does not come back says about the statements behind it (I-30)."""
    sent = bare(statement)
    if not isinstance(sent, ast.Send) or sent.selector.text not in _BRANCHES:
        return
    narrowing = _narrowing(inference, sent.receiver, env)
    if narrowing is None or narrowing.key in inference.setting.mutated:
        return
    ends = {
        side: diverges(inference, block)
        for side, block in zip(_BRANCHES[sent.selector.text], map(bare, sent.arguments), strict=True)
        if isinstance(block, ast.Block)
    }
    if ends.get(True) and not ends.get(False) and narrowing.lasts_false:
        env[narrowing.key] = narrowing.when_false
    elif ends.get(False) and not ends.get(True) and narrowing.lasts_true:
        env[narrowing.key] = narrowing.when_true


def diverges(inference: Inference, block: ast.Block) -> bool:
    """Whether a block, once run, does not come back; blocks in it are only built (I-31)."""
    types = inference.facts.types
    for statement in block.body:
        for node in walk(statement, enter=lambda each: not isinstance(each, ast.Block)):
            if isinstance(node, ast.Return):
                return True
            if types.get(node.span) == NEVER and not isinstance(node, ast.Block):
                return True
    return False
