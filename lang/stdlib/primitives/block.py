"""Primitives of Block (stdlib.md 3.11)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lang.runtime import protection
from lang.runtime.blocks import Block, block_arity, call_block
from lang.runtime.errors import block_arity_mismatch
from lang.runtime.primitive import PrimitiveTable
from lang.stdlib import arguments as expect

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

BLOCK = PrimitiveTable("Block")


@BLOCK.primitive("value")
def value(self: Block) -> object:
    if block_arity(self):
        raise block_arity_mismatch(block_arity(self), 0)
    return self()


@BLOCK.primitive("value:")
def value_1(self: Block, arg: object) -> object:
    if block_arity(self) != 1:
        raise block_arity_mismatch(block_arity(self), 1)
    return self(arg)


@BLOCK.primitive("value:value:")
def value_2(self: Block, arg1: object, arg2: object) -> object:
    if block_arity(self) != 2:
        raise block_arity_mismatch(block_arity(self), 2)
    return self(arg1, arg2)


@BLOCK.primitive("value:value:value:")
def value_3(self: Block, arg1: object, arg2: object, arg3: object) -> object:
    if block_arity(self) != 3:
        raise block_arity_mismatch(block_arity(self), 3)
    return self(arg1, arg2, arg3)


@BLOCK.primitive("valueWithArguments:")
def value_with_arguments(self: Block, arguments: object) -> object:
    return call_block(self, list(expect.elements(arguments, "Block", "valueWithArguments:")))


@BLOCK.primitive("arity")
def arity(self: Block) -> int:
    return block_arity(self)


@BLOCK.runtime_primitive("on:do:")
def on_do(runtime: Runtime, self: Block, wanted: object, handler: object) -> object:
    return protection.on_do(runtime, self, wanted, expect.any_block(handler))


@BLOCK.runtime_primitive("ensure:")
def ensure(runtime: Runtime, self: Block, cleanup: object) -> object:
    return protection.ensure(runtime, self, expect.block(cleanup, 0))
