"""JSON texts and values (stdlib.md 4.7).

Guarantees: neither reading nor writing recurses in C, however deep a value is. Leaves:
what an object is written as to its `asJson`.
"""

from __future__ import annotations

import json.decoder
import re
from collections.abc import Callable
from json.decoder import JSONDecodeError
from json.encoder import encode_basestring
from typing import TYPE_CHECKING, Final

from lang.runtime.collections.arrays import BtArray
from lang.runtime.collections.lists import BtList, list_of
from lang.runtime.collections.mappings import BtDictionary, BtSet, dictionary_of
from lang.runtime.equality import strict_equal
from lang.runtime.instances import ValueObject, fields_of
from lang.runtime.symbols import Symbol
from lang.runtime.text import float_text
from lang.stdlib import arguments as expect
from lang.stdlib.searching import elements_by_do

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

_SPACE: Final = re.compile(r"[ \t\n\r]*")
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_WORDS: Final[dict[str, object]] = {"true": True, "false": False, "null": None}
_WORD: Final = re.compile(r"true|false|null")


_scan_string: Final[Callable[[str, int, bool], tuple[str, int]]] = json.decoder.scanstring  # type: ignore[attr-defined]
"""Reads a string literal behind its first quote: the text and where it ends."""


class BadJson(ValueError):
    """A text that is no JSON."""


def read_json(text: str) -> object:
    """The value of a JSON text; raises `BadJson`."""
    return _Reader(text).document()


class _Open:
    """An array or object whose end has not been read."""

    __slots__ = ("elements", "key", "pairs")

    def __init__(self, *, is_object: bool) -> None:
        self.elements: list[object] = []
        self.pairs: list[tuple[object, object]] | None = [] if is_object else None
        self.key: str | None = None

    def add(self, value: object) -> None:
        if self.pairs is None:
            self.elements.append(value)
        else:
            self.pairs.append((self.key, value))
            self.key = None

    def closed(self) -> object:
        return list_of(self.elements) if self.pairs is None else dictionary_of(self.pairs)


class _Reader:
    """One pass over a text; open containers stand on a stack of their own."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._open: list[_Open] = []

    def document(self) -> object:
        value = self._value()
        self._skip_space()
        if self._at != len(self._text):
            raise BadJson
        return value

    def _value(self) -> object:
        while True:
            sign = self._next_sign()
            if sign in "[{":
                self._at += 1
                self._open.append(_Open(is_object=sign == "{"))
                if self._next_sign() != ("}" if sign == "{" else "]"):
                    self._read_key()
                    continue
                self._at += 1
                value = self._open.pop().closed()
            else:
                value = self._scalar(sign)
            while self._open:
                if not self._closes_after(value):
                    break
                value = self._open.pop().closed()
            else:
                return value

    def _closes_after(self, value: object) -> bool:
        """Put a value into the innermost container; whether that ends there."""
        innermost = self._open[-1]
        innermost.add(value)
        sign = self._next_sign()
        self._at += 1
        if sign == ",":
            self._read_key()
            return False
        if sign != ("]" if innermost.pairs is None else "}"):
            raise BadJson
        return True

    def _read_key(self) -> None:
        innermost = self._open[-1]
        if innermost.pairs is None:
            return
        if self._next_sign() != '"':
            raise BadJson
        innermost.key = self._string()
        if self._next_sign() != ":":
            raise BadJson
        self._at += 1

    def _scalar(self, sign: str) -> object:
        if sign == '"':
            return self._string()
        word = _WORD.match(self._text, self._at)
        if word is not None:
            self._at = word.end()
            return _WORDS[word.group()]
        number = _NUMBER.match(self._text, self._at)
        if number is None:
            raise BadJson
        self._at = number.end()
        if number.group(1) is None and number.group(2) is None:
            return int(number.group())
        value = float(number.group())
        if value in (float("inf"), float("-inf")):
            raise BadJson
        return value

    def _string(self) -> str:
        try:
            text, self._at = _scan_string(self._text, self._at + 1, True)
        except JSONDecodeError:
            raise BadJson from None
        if not text.isascii() and any("\ud800" <= sign <= "\udfff" for sign in text):
            raise BadJson
        return text

    def _next_sign(self) -> str:
        self._skip_space()
        if self._at >= len(self._text):
            raise BadJson
        return self._text[self._at]

    def _skip_space(self) -> None:
        found = _SPACE.match(self._text, self._at)
        assert found is not None
        self._at = found.end()


class JsonWriter:
    """Writes one value; `indent` None is the compact form."""

    def __init__(self, runtime: Runtime, selector: str, indent: str | None) -> None:
        self._runtime = runtime
        self._safe_points = runtime.safe_points
        self._selector = selector
        self._indent = indent
        self._asked: list[object] = []
        """Objects whose `asJson` is being written: meeting one again is a cycle."""

    def text_of(self, value: object, depth: int = 0) -> str:
        """The JSON text; raises `type_error` for what has none."""
        match value:
            case None:
                return "null"
            case bool():
                return "true" if value else "false"
            case int():
                return str(value)
            case float():
                return float_text(value)
            case str():
                return encode_basestring(value)
            case Symbol():
                return encode_basestring(value.name)
            case BtList() | BtArray() | BtSet():
                return self._array(list(value), depth)
            case BtDictionary():
                return self._object([(self._key(k), v) for k, v in value.items_in_order()], depth)
            case _:
                return self._text_of_object(value, depth)

    def _text_of_object(self, value: object, depth: int) -> str:
        runtime = self._runtime
        if runtime.responds_to(value, "asJson"):
            if any(strict_equal(value, other) for other in self._asked):
                raise self._refusal("asJson leads back to itself")
            self._asked.append(value)
            text = self.text_of(runtime.send(value, "asJson"), depth)
            self._asked.pop()
            return text
        interval = runtime.class_named("Interval")
        if interval is not None and runtime.is_kind_of(value, interval):
            return self._array(elements_by_do(runtime, value), depth)
        if isinstance(value, ValueObject):
            return self._object(sorted(fields_of(value).items()), depth)
        raise self._refusal(f"{runtime.class_name_of(value)} has no JSON form")

    def _key(self, key: object) -> str:
        match key:
            case str():
                return key
            case Symbol():
                return key.name
            case bool() | None:
                raise self._refusal("A key has to be a String, Symbol or number")
            case int():
                return str(key)
            case float():
                return float_text(key)
            case _:
                raise self._refusal("A key has to be a String, Symbol or number")

    def _array(self, elements: list[object], depth: int) -> str:
        parts: list[str] = []
        for element in elements:
            self._safe_points.pass_by()
            parts.append(self.text_of(element, depth + 1))
        return self._enclosed("[", parts, "]", depth)

    def _object(self, pairs: list[tuple[str, object]], depth: int) -> str:
        colon = ":" if self._indent is None else ": "
        parts: list[str] = []
        for key, value in pairs:
            self._safe_points.pass_by()
            parts.append(f"{encode_basestring(key)}{colon}{self.text_of(value, depth + 1)}")
        return self._enclosed("{", parts, "}", depth)

    def _enclosed(self, opening: str, parts: list[str], closing: str, depth: int) -> str:
        if self._indent is None or not parts:
            return opening + ",".join(parts) + closing
        inner = "\n" + self._indent * (depth + 1)
        return f"{opening}{inner}{f',{inner}'.join(parts)}\n{self._indent * depth}{closing}"

    def _refusal(self, hint: str) -> Exception:
        return expect.type_error("Json", self._selector, hint)
