"""What arguments of library methods have to be, and the errors when they are not.

Comes in: values that a program passed, with the class and selector for the message.
Guarantees: a wrong kind raises the error that stdlib.md names for it. Leaves: what the
method does with a right one.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any, Final

from lang.runtime.blocks import Block
from lang.runtime.collections.lists import BtList
from lang.runtime.errors import BeamtalkError, block_arity_mismatch
from lang.runtime.symbols import Symbol


def type_error(class_name: str, selector: str, hint: str | None = None) -> BeamtalkError:
    """An argument of the wrong kind."""
    return BeamtalkError("type_error", class_name=class_name, selector=selector, hint=hint)


def argument_error(class_name: str, selector: str, hint: str | None = None) -> BeamtalkError:
    """An argument that the host's primitive would refuse (`badarg`)."""
    return BeamtalkError(
        "argument_error",
        "invalid argument",
        class_name=class_name,
        selector=selector,
        hint=hint,
        raw_kind="badarg",
    )


def empty_collection(class_name: str, selector: str) -> BeamtalkError:
    """Access to an element of a collection that has none."""
    return BeamtalkError(
        "empty_collection", class_name=class_name, selector=selector, hint="Check isEmpty first"
    )


def out_of_bounds(class_name: str, selector: str, index: int, size: int) -> BeamtalkError:
    """An index that no element has."""
    return BeamtalkError(
        "index_out_of_bounds",
        class_name=class_name,
        selector=selector,
        hint=f"Index {index} is out of bounds (size {size})",
    )


def not_found(class_name: str, selector: str) -> BeamtalkError:
    """A search without a match."""
    return BeamtalkError(
        "not_found",
        class_name=class_name,
        selector=selector,
        hint="Use detect:ifNone: to give a value for this case",
    )


def integer(value: object, class_name: str, selector: str) -> int:
    """The argument as an Integer."""
    if type(value) is not int:
        raise type_error(class_name, selector, "Expected an Integer")
    return value


def natural(value: object, class_name: str, selector: str) -> int:
    """The argument as an Integer that is not negative."""
    if type(value) is not int or value < 0:
        raise type_error(class_name, selector, "Expected an Integer that is not negative")
    return value


MAX_TEXT: Final = 1 << 30
"""Texts of more characters are refused: the host would run out of memory, and cannot be interrupted meanwhile."""


def size_of_text(size: int, count: int, selector: str) -> int:
    """The count, when it makes a text of a size that the host can hold; else `resource_error`."""
    if size > MAX_TEXT:
        raise BeamtalkError(
            "resource_error",
            f"system limit reached: a text of more than {MAX_TEXT} characters",
            class_name="String",
            selector=selector,
            raw_kind="system_limit",
        )
    return count


def text(value: object, class_name: str, selector: str) -> str:
    """The argument as a String."""
    if type(value) is not str:
        raise type_error(class_name, selector, "Expected a String")
    return value


def name(value: object, class_name: str, selector: str) -> str:
    """The text of an argument that has to be a Symbol."""
    if type(value) is not Symbol:
        raise type_error(class_name, selector, "Expected a Symbol, such as #size")
    return value.name


def elements(value: object, class_name: str, selector: str) -> BtList:
    """The argument as a List."""
    if type(value) is not BtList:
        raise type_error(class_name, selector, "Expected a List")
    return value


def block(value: object, arity: int) -> Block:
    """The argument as a block that is about to be called with `arity` arguments.

    What is no block does not understand the call; a wrong arity is `arity_mismatch`.
    """
    if type(value) is not FunctionType:
        selector = "value" if arity == 0 else "value:" * arity
        raise BeamtalkError("type_error", class_name="Block", selector=selector, hint="Expected a block")
    if value.__code__.co_argcount != arity:
        raise block_arity_mismatch(value.__code__.co_argcount, arity)
    return value


def checked_block(value: object, arity: int, class_name: str, selector: str) -> Block:
    """The argument as a block, where the method checks before it does anything (stdlib.md 2.6)."""
    if type(value) is not FunctionType or value.__code__.co_argcount != arity:
        plural = "" if arity == 1 else "s"
        raise type_error(class_name, selector, f"Expected a block with {arity} argument{plural}")
    return value


def truth(value: Any, class_name: str, selector: str) -> bool:
    """The answer of a block that decides: only Booleans are conditions (language.md 4.9)."""
    if value is True:
        return True
    if value is False:
        return False
    raise no_truth(class_name, selector)


def no_truth(class_name: str, selector: str) -> BeamtalkError:
    """A block that decides answered no Boolean."""
    return type_error(class_name, selector, "The block has to answer a Boolean")


def any_block(value: object) -> Block:
    """The argument as a block of whatever arity."""
    if type(value) is not FunctionType:
        raise BeamtalkError("type_error", class_name="Block", selector="value", hint="Expected a block")
    return value
