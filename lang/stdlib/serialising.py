"""Values as bytes and back (stdlib.md 4.1, section 8): a format of this host's own.

Guarantees: what was written reads back `=:=`; bytes that were not written here are
refused; how many bytes a value takes is known. Leaves: actors, blocks and classes,
which have no bytes.
"""

from __future__ import annotations

from typing import Final

from lang.runtime.collections.arrays import BtArray, array_of
from lang.runtime.collections.lists import BtList, list_of
from lang.runtime.collections.mappings import BtDictionary, BtSet, dictionary_of, set_of
from lang.runtime.collections.tuples import BtTuple, tuple_of
from lang.runtime.errors import BeamtalkError
from lang.runtime.symbols import Symbol, symbol
from lang.stdlib import arguments as expect

_MAGIC: Final = b"BT1"
_CONTAINERS: Final = {b"L": list_of, b"A": array_of, b"T": tuple_of, b"S": set_of}


def written_value(value: object) -> bytes:
    """The bytes of a value; raises `type_error` for what has none."""
    pieces = [_MAGIC]
    pending: list[object] = [value]
    while pending:
        _write(pending.pop(), pieces, pending)
    return b"".join(pieces)


def read_value(octets: bytes, selector: str) -> tuple[object, int]:
    """The value at the beginning of the bytes, and how many of them it took."""
    reader = _Reader(octets, selector)
    value = reader.value()
    return value, reader.at


def _write(value: object, pieces: list[bytes], pending: list[object]) -> None:
    match value:
        case None:
            pieces.append(b"n")
        case bool():
            pieces.append(b"t" if value else b"f")
        case int() | float():
            _scalar(pieces, b"i" if isinstance(value, int) else b"d", repr(value).encode())
        case str():
            _scalar(pieces, b"s", value.encode())
        case bytes():
            _scalar(pieces, b"b", value)
        case Symbol():
            _scalar(pieces, b"y", value.name.encode())
        case BtList():
            _container(pieces, pending, b"L", list(value))
        case BtArray():
            _container(pieces, pending, b"A", list(value))
        case BtTuple():
            _container(pieces, pending, b"T", list(value))
        case BtSet():
            _container(pieces, pending, b"S", list(value))
        case BtDictionary():
            flat = [part for pair in value.items_in_order() for part in pair]
            _container(pieces, pending, b"D", flat)
        case _:
            raise expect.type_error("Binary", "serialize:", "This value cannot be written as bytes")


def _scalar(pieces: list[bytes], tag: bytes, octets: bytes) -> None:
    pieces.extend((tag, str(len(octets)).encode(), b":", octets))


def _container(pieces: list[bytes], pending: list[object], tag: bytes, elements: list[object]) -> None:
    pieces.extend((tag, str(len(elements)).encode(), b":"))
    elements.reverse()
    pending.extend(elements)


class _Reader:
    """One pass over the bytes; containers being filled stand on a stack, not on the host's."""

    def __init__(self, octets: bytes, selector: str) -> None:
        self._octets = octets
        self._selector = selector
        self.at = len(_MAGIC)
        if not octets.startswith(_MAGIC):
            raise self._corrupt()

    def value(self) -> object:
        open_containers: list[tuple[bytes, int, list[object]]] = []
        while True:
            tag = self._take(1)
            if tag in b"LATSD":
                open_containers.append((tag, self._count(), []))
            else:
                found = self._scalar(tag)
                if not open_containers:
                    return found
                open_containers[-1][2].append(found)
            while len(open_containers[-1][2]) == open_containers[-1][1]:
                closed_tag, _, elements = open_containers.pop()
                made = self._container(closed_tag, elements)
                if not open_containers:
                    return made
                open_containers[-1][2].append(made)

    def _scalar(self, tag: bytes) -> object:
        match tag:
            case b"n":
                return None
            case b"t" | b"f":
                return tag == b"t"
        octets = self._take(self._count())
        try:
            match tag:
                case b"i":
                    return int(octets)
                case b"d":
                    return float(octets)
                case b"s":
                    return octets.decode()
                case b"y":
                    return symbol(octets.decode())
                case b"b":
                    return octets
        except ValueError:
            raise self._corrupt() from None
        raise self._corrupt()

    def _container(self, tag: bytes, elements: list[object]) -> object:
        if tag == b"D":
            if len(elements) % 2:
                raise self._corrupt()
            return dictionary_of(zip(elements[::2], elements[1::2], strict=True))
        return _CONTAINERS[tag](elements)

    def _count(self) -> int:
        end = self._octets.find(b":", self.at)
        digits = self._octets[self.at : end]
        if end < 0 or not digits.isdigit() or len(digits) > 12:
            raise self._corrupt()
        self.at = end + 1
        return int(digits)

    def _take(self, count: int) -> bytes:
        taken = self._octets[self.at : self.at + count]
        if len(taken) != count or (not count and self.at > len(self._octets)):
            raise self._corrupt()
        self.at += count
        return taken

    def _corrupt(self) -> BeamtalkError:
        return expect.type_error("Binary", self._selector, "These bytes were not written by serialize:")
