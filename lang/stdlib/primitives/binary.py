"""Primitives of Binary: bytes, and the byte view of text (stdlib.md 4.1).

A receiver is `bytes`, or `str` where a String inherits the method.
"""

from __future__ import annotations

import base64
import binascii
import re
from typing import TYPE_CHECKING, Final

from lang.runtime.blocks import is_block
from lang.runtime.collections.lists import BtList, list_from
from lang.runtime.collections.tuples import BtTuple
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.text import binary_text
from lang.stdlib import arguments as expect
from lang.stdlib.octets import iolist_octets, octets_of, value_of_octets
from lang.stdlib.results import failure
from lang.stdlib.serialising import read_value, written_value

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

BINARY = PrimitiveTable("Binary")
_HEX: Final = re.compile(r"(?:[0-9a-fA-F]{2})*")


@BINARY.primitive("fromBytes:", class_side=True)
def from_bytes(_self: object, numbers: object) -> object:
    found: list[bytes] = []
    for piece in expect.elements(numbers, "Binary", "fromBytes:"):
        if type(piece) is int and 0 <= piece <= 255:
            found.append(bytes([piece]))
        else:
            found.append(octets_of(piece, "Binary", "fromBytes:"))
    return value_of_octets(b"".join(found))


@BINARY.primitive("fromIolist:", class_side=True)
def from_iolist(_self: object, pieces: object) -> object:
    return value_of_octets(iolist_octets(pieces, "Binary", "fromIolist:"))


@BINARY.primitive("serialize:", class_side=True)
def serialize(_self: object, term: object) -> object:
    return value_of_octets(written_value(term))


@BINARY.primitive("deserialize:", class_side=True)
def deserialize(_self: object, binary: object) -> object:
    return read_value(octets_of(binary, "Binary", "deserialize:"), "deserialize:")[0]


@BINARY.primitive("deserializeWithUsed:", class_side=True)
def deserialize_with_used(_self: object, binary: object) -> BtTuple:
    octets = octets_of(binary, "Binary", "deserializeWithUsed:")
    return BtTuple(read_value(octets, "deserializeWithUsed:"))


@BINARY.runtime_primitive("fromBase64:", class_side=True)
def from_base64(runtime: Runtime, _self: object, text: object) -> object:
    octets = expect.text(text, "Binary", "fromBase64:").encode()
    try:
        return runtime.make_result_ok(value_of_octets(base64.b64decode(octets, validate=True)))
    except (binascii.Error, ValueError):
        return _unreadable(runtime, "fromBase64:")


@BINARY.runtime_primitive("fromBase64Url:", class_side=True)
def from_base64_url(runtime: Runtime, _self: object, text: object) -> object:
    octets = expect.text(text, "Binary", "fromBase64Url:").rstrip("=").encode()
    padded = octets + b"=" * (-len(octets) % 4)
    if b"+" in octets or b"/" in octets:
        return _unreadable(runtime, "fromBase64Url:")
    try:
        return runtime.make_result_ok(
            value_of_octets(base64.b64decode(padded, altchars=b"-_", validate=True))
        )
    except (binascii.Error, ValueError):
        return _unreadable(runtime, "fromBase64Url:")


@BINARY.runtime_primitive("fromHex:", class_side=True)
def from_hex(runtime: Runtime, _self: object, text: object) -> object:
    digits = expect.text(text, "Binary", "fromHex:")
    if not _HEX.fullmatch(digits):
        return _unreadable(runtime, "fromHex:")
    return runtime.make_result_ok(value_of_octets(bytes.fromhex(digits)))


@BINARY.primitive("size")
def size(self: bytes) -> int:
    return len(_octets(self))


@BINARY.primitive("do:")
def do(self: bytes, block: object) -> None:
    action = expect.block(block, 1)
    assert is_block(action)
    for octet in _octets(self):
        action(octet)


@BINARY.primitive("printString")
def print_string(self: bytes) -> str:
    return binary_text(_octets(self))


@BINARY.primitive("at:")
def at(self: bytes, index: object) -> int:
    octets = _octets(self)
    position = expect.integer(index, "Binary", "at:")
    if 0 < position <= len(octets):
        return octets[position - 1]
    if not octets and position >= 1:
        raise expect.empty_collection("Binary", "at:")
    raise expect.out_of_bounds("Binary", "at:", position, len(octets))


@BINARY.primitive("byteAt:")
def byte_at(self: bytes | str, offset: object) -> int:
    octets = _octets(self)
    position = expect.integer(offset, "Binary", "byteAt:")
    if not 0 <= position < len(octets):
        raise expect.out_of_bounds("Binary", "byteAt:", position, len(octets))
    return octets[position]


@BINARY.primitive("byteSize")
def byte_size(self: bytes | str) -> int:
    return len(_octets(self))


@BINARY.primitive("part:size:")
def part(self: bytes | str, offset: object, length: object) -> object:
    octets = _octets(self)
    start = expect.integer(offset, "Binary", "part:size:")
    count = expect.integer(length, "Binary", "part:size:")
    if start < 0 or count < 0 or start + count > len(octets):
        raise expect.out_of_bounds("Binary", "part:size:", start, len(octets))
    return value_of_octets(octets[start : start + count])


@BINARY.primitive("concat:")
def concat(self: bytes | str, other: object) -> object:
    return value_of_octets(_octets(self) + octets_of(other, "Binary", "concat:"))


@BINARY.primitive("toBytes")
def to_bytes(self: bytes | str) -> BtList:
    return list_from(_octets(self))


@BINARY.runtime_primitive("asString")
def as_string(runtime: Runtime, self: bytes) -> object:
    try:
        return _octets(self).decode()
    except UnicodeDecodeError as problem:
        message = f"invalid UTF-8 at offset {problem.start}"
        return failure(runtime, "invalid_utf8", "Binary", "asString", message=message)


@BINARY.primitive("asStringUnchecked")
def as_string_unchecked(self: bytes | str) -> object:
    return self


@BINARY.primitive("asBase64")
def as_base64(self: bytes | str) -> str:
    return base64.b64encode(_octets(self)).decode()


@BINARY.primitive("asBase64Url")
def as_base64_url(self: bytes | str) -> str:
    return base64.urlsafe_b64encode(_octets(self)).decode()


@BINARY.primitive("asHex")
def as_hex(self: bytes | str) -> str:
    return _octets(self).hex()


def _octets(value: bytes | str) -> bytes:
    return value.encode() if isinstance(value, str) else value


def _unreadable(runtime: Runtime, selector: str) -> object:
    return failure(runtime, "parse_error", "Binary", selector)
