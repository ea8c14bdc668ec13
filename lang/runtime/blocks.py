"""Blocks: plain Python functions, their arity, `^` out of them, and crossing (language.md 4.5, 4.6).

Comes in: functions made by generated code. Guarantees: a wrong argument count is a
Beamtalk error before anything runs; `^` unwinds to its own activation or is an error;
a block that leaves its process shares no variable with it. Leaves: `value` and its
family to the library.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from types import CellType, FunctionType
from typing import Any, Final

from lang.runtime.errors import BeamtalkError, block_arity_mismatch

Block = Callable[..., Any]
"""A block as Python code sees it; at run time always a `FunctionType`."""

SESSION_NAME: Final = "$locals"
"""The free variable of a block of the prompt that holds the mapping of session variables."""


class Home:
    """The activation of a method that blocks may return from; it dies with the activation."""

    __slots__ = ("is_alive",)

    def __init__(self) -> None:
        self.is_alive = True


class NonLocalReturn(BaseException):
    """`^` on its way from a block to its home activation."""

    def __init__(self, home: Home, value: object) -> None:
        super().__init__()
        self.home = home
        self.value = value


def non_local_return(home: Home, value: object) -> NonLocalReturn:
    """What a block raises for `^ value`; raises itself when the home is dead (language.md 4.6)."""
    if home.is_alive:
        return NonLocalReturn(home, value)
    raise BeamtalkError(
        "runtime_error",
        "the home context of '^' is dead: its method has already returned",
        class_name="Block",
        hint="A block with '^' can only be evaluated while the method that contains it runs.",
    )


def is_block(value: object) -> bool:
    """Whether a value is a block."""
    return type(value) is FunctionType


def block_arity(block: Block) -> int:
    """How many arguments a block takes."""
    code: int = block.__code__.co_argcount
    return code


def check_block(block: object, arity: int, selector: str, class_name: str) -> None:
    """Raise `type_error` unless `block` is a block, `arity_mismatch` unless it takes `arity` arguments."""
    if type(block) is not FunctionType:
        raise BeamtalkError(
            "type_error",
            class_name=class_name,
            selector=selector,
            hint=f"Expected a block with {arity} argument{'s' if arity != 1 else ''}.",
        )
    if block.__code__.co_argcount != arity:
        raise block_arity_mismatch(block.__code__.co_argcount, arity)


def call_block(block: Block, arguments: Sequence[object]) -> object:
    """Evaluate a block, with its arity checked."""
    if block.__code__.co_argcount != len(arguments):
        raise block_arity_mismatch(block_arity(block), len(arguments))
    return block(*arguments)


def call_with_at_most(block: Block, *arguments: object) -> object:
    """Evaluate a block with as many of the arguments as it takes (handlers, `ifNotNil:`)."""
    arity = block_arity(block)
    if arity > len(arguments):
        raise block_arity_mismatch(arity, len(arguments))
    return block(*arguments[:arity])


def host_block(function: Callable[..., object], arity: int) -> Block:
    """A block of `arity` parameters around any Python callable."""
    match arity:
        case 0:
            return lambda: function()  # noqa: PLW0108 - a block has to be a Python function
        case 1:
            return lambda a: function(a)  # noqa: PLW0108
        case 2:
            return lambda a, b: function(a, b)  # noqa: PLW0108
        case 3:
            return lambda a, b, c: function(a, b, c)  # noqa: PLW0108
        case _:
            raise ValueError(f"a block takes at most 3 arguments, not {arity}")


def copy_for_crossing(block: Block) -> Block:
    """The block with copies of the variables that it captures (actors.md 1.3).

    Taken when the block leaves for another process. Blocks among the captured values
    are copied too, so that no shared variable is reached through them; `self` and other
    values are shared as they are. The home of `^` is kept: a return from elsewhere
    finds it dead or unwinds at the root of the process that runs it.
    """
    return _crossed(block, {}) if type(block) is FunctionType else block


def _crossed(block: FunctionType, seen: dict[int, CellType]) -> FunctionType:
    closure = block.__closure__
    if closure is None:
        return block
    names = block.__code__.co_freevars
    cells = tuple([_crossed_cell(name, cell, seen) for name, cell in zip(names, closure, strict=True)])
    crossed = FunctionType(block.__code__, block.__globals__, block.__name__, block.__defaults__, cells)
    crossed.__kwdefaults__ = block.__kwdefaults__
    return crossed


def _crossed_cell(name: str, cell: CellType, seen: dict[int, CellType]) -> CellType:
    made = seen.get(id(cell))
    if made is not None:
        return made
    # Entered before its contents are copied: a block may capture the variable it stands in.
    made = seen[id(cell)] = CellType()
    try:
        value = cell.cell_contents
    except ValueError:  # not assigned yet
        return made
    if name == SESSION_NAME:
        # The variables of a session are items of one mapping: a copy of it stands for copies of them.
        copied = made.cell_contents = copy.copy(value)
        copied.update({key: _crossed_value(item, seen) for key, item in value.items()})
    else:
        made.cell_contents = _crossed_value(value, seen)
    return made


def _crossed_value(value: object, seen: dict[int, CellType]) -> object:
    return _crossed(value, seen) if type(value) is FunctionType else value
