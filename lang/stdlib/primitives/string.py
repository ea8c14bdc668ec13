"""Primitives of String: text by grapheme clusters (stdlib.md 3.9).

The regular-expression methods stand in `string_regex`.
"""

from __future__ import annotations

import re
from typing import Final

from lang.runtime import arithmetic
from lang.runtime.collections.lists import BtList, list_from, list_of
from lang.runtime.collections.streams import BtStream, stream_of_text
from lang.runtime.equality import strict_equal
from lang.runtime.errors import BeamtalkError
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.symbols import Symbol, symbol
from lang.runtime.text import grapheme_count, graphemes, is_plain, joined, quoted
from lang.stdlib import arguments as expect
from lang.stdlib.joining import character_text, joined_text, text_of_piece
from lang.stdlib.octets import iolist_octets, value_of_octets
from lang.stdlib.primitives import string_regex
from lang.stdlib.url_text import BadEscape, escaped, unescaped

STRING = PrimitiveTable("String")

WHITE_SPACE: Final = "\t\n\v\f\r \u0085\u2028\u2029"
"""What `trim` and `isBlank` take for white space (stdlib.md 3.9)."""

_WORD_BREAK: Final = re.compile(r"[ \t\r\n]+")
_INTEGER: Final = re.compile(r"[+-]?[0-9]+")
_FLOAT: Final = re.compile(r"[+-]?[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?")


@STRING.primitive("withAll:", class_side=True)
def with_all(_self: object, pieces: object) -> str:
    return joined_text(expect.elements(pieces, "String", "withAll:"), "", "String", "withAll:")


@STRING.primitive("fromCodePoint:", class_side=True)
def from_code_point(_self: object, code_point: object) -> str:
    number = expect.integer(code_point, "String", "fromCodePoint:")
    return character_text(number, "String", "fromCodePoint:")


@STRING.primitive("fromCodePoints:", class_side=True)
def from_code_points(_self: object, code_points: object) -> str:
    numbers = expect.elements(code_points, "String", "fromCodePoints:")
    checked = [expect.integer(number, "String", "fromCodePoints:") for number in numbers]
    return "".join([character_text(number, "String", "fromCodePoints:") for number in checked])


@STRING.primitive("fromIolist:", class_side=True)
def from_iolist(_self: object, pieces: object) -> object:
    pieces = expect.elements(pieces, "String", "fromIolist:")
    return value_of_octets(iolist_octets(pieces, "String", "fromIolist:"))


@STRING.primitive("=:=")
def is_same(self: str, other: object) -> bool:
    return strict_equal(self, other)


@STRING.primitive("=/=")
def is_other(self: str, other: object) -> bool:
    return not strict_equal(self, other)


@STRING.primitive("/=")
def differs(self: str, other: object) -> bool:
    return not strict_equal(self, other)


@STRING.primitive("<")
def less(self: str, other: object) -> bool:
    return arithmetic.less(self, other)


@STRING.primitive(">")
def greater(self: str, other: object) -> bool:
    return arithmetic.greater(self, other)


@STRING.primitive("<=")
def less_or_equal(self: str, other: object) -> bool:
    return arithmetic.less_or_equal(self, other)


@STRING.primitive(">=")
def greater_or_equal(self: str, other: object) -> bool:
    return arithmetic.greater_or_equal(self, other)


@STRING.primitive("++")
def concatenated(self: str, other: object) -> object:
    if type(other) is not str:
        return _with_octets(self, other, "++")
    return self + other


@STRING.primitive(",")
def followed(self: str, other: object) -> object:
    return _with_octets(self, other, ",") if type(other) is not str else self + other


@STRING.primitive("length")
def length(self: str) -> int:
    return grapheme_count(self)


@STRING.primitive("at:")
def at(self: str, index: object) -> str:
    position = expect.integer(index, "String", "at:")
    clusters = graphemes(self)
    if 0 < position <= len(clusters):
        return clusters[position - 1]
    if not self and position >= 1:
        raise expect.empty_collection("String", "at:")
    raise expect.out_of_bounds("String", "at:", position, len(clusters))


@STRING.primitive("first")
def first(self: str) -> str:
    if not self:
        raise expect.empty_collection("String", "first")
    return graphemes(self)[0]


@STRING.primitive("last")
def last(self: str) -> str:
    if not self:
        raise expect.empty_collection("String", "last")
    return graphemes(self)[-1]


@STRING.primitive("uppercase")
def uppercase(self: str) -> str:
    return self.upper()


@STRING.primitive("lowercase")
def lowercase(self: str) -> str:
    return self.lower()


@STRING.primitive("capitalize")
def capitalize(self: str) -> str:
    if not self:
        return self
    head = graphemes(self)[0]
    return head.upper() + self[len(head) :]


@STRING.primitive("trim")
def trim(self: str) -> str:
    return self.strip(WHITE_SPACE)


@STRING.primitive("trimLeft")
def trim_left(self: str) -> str:
    return self.lstrip(WHITE_SPACE)


@STRING.primitive("trimRight")
def trim_right(self: str) -> str:
    return self.rstrip(WHITE_SPACE)


@STRING.primitive("reverse")
def reverse(self: str) -> str:
    return "".join(reversed(_clusters(self)))


@STRING.primitive("includesSubstring:")
def includes_substring(self: str, substring: object) -> bool:
    return expect.text(substring, "String", "includesSubstring:") in self


@STRING.primitive("startsWith:")
def starts_with(self: str, prefix: object) -> bool:
    return self.startswith(expect.text(prefix, "String", "startsWith:"))


@STRING.primitive("endsWith:")
def ends_with(self: str, suffix: object) -> bool:
    return self.endswith(expect.text(suffix, "String", "endsWith:"))


@STRING.primitive("indexOf:")
def index_of(self: str, substring: object) -> int | None:
    wanted = expect.text(substring, "String", "indexOf:")
    place = self.find(wanted)
    if place < 0 or not wanted:
        return None
    return (place if is_plain(self) else grapheme_count(self[:place])) + 1


@STRING.primitive("split:")
def split(self: str, separator: object) -> BtList:
    if type(separator) is not str or not separator:
        raise expect.argument_error("String", "split:", "Expected a String that is not empty")
    return list_from(self.split(separator))


@STRING.primitive("splitOn:")
def split_on(self: str, pattern: object) -> BtList:
    separator = expect.text(pattern, "String", "splitOn:")
    return list_from(self.split(separator)) if separator else list_of([self])


@STRING.primitive("repeat:")
def repeat(self: str, n: object) -> str:
    count = expect.natural(n, "String", "repeat:")
    return self * expect.size_of_text(count * len(self), count, "repeat:")


@STRING.primitive("lines")
def lines(self: str) -> BtList:
    return list_from([line.removesuffix("\r") for line in self.split("\n")])


@STRING.primitive("words")
def words(self: str) -> BtList:
    return list_of([word for word in _WORD_BREAK.split(self) if word])


@STRING.primitive("replaceAll:with:")
def replace_all(self: str, old: object, new: object) -> str:
    return self.replace(_pattern(old, "replaceAll:with:"), expect.text(new, "String", "replaceAll:with:"))


@STRING.primitive("replaceFirst:with:")
def replace_first(self: str, old: object, new: object) -> str:
    return self.replace(
        _pattern(old, "replaceFirst:with:"), expect.text(new, "String", "replaceFirst:with:"), 1
    )


@STRING.primitive("take:")
def take(self: str, n: object) -> str:
    count = max(expect.integer(n, "String", "take:"), 0)
    return joined(_clusters(self)[:count])


@STRING.primitive("drop:")
def drop(self: str, n: object) -> str:
    count = max(expect.integer(n, "String", "drop:"), 0)
    return joined(_clusters(self)[count:])


@STRING.primitive("padLeft:")
def pad_left(self: str, width: object) -> str:
    return _filling(self, width, " ", "padLeft:") + self


@STRING.primitive("padRight:")
def pad_right(self: str, width: object) -> str:
    return self + _filling(self, width, " ", "padRight:")


@STRING.primitive("padLeft:with:")
def pad_left_with(self: str, width: object, char: object) -> str:
    return _filling(self, width, char, "padLeft:with:") + self


@STRING.primitive("padRight:with:")
def pad_right_with(self: str, width: object, char: object) -> str:
    return self + _filling(self, width, char, "padRight:with:")


@STRING.primitive("isBlank")
def is_blank(self: str) -> bool:
    return not self.strip(WHITE_SPACE)


@STRING.primitive("isDigit")
def is_digit(self: str) -> bool:
    return self.isascii() and self.isdigit()


@STRING.primitive("isAlpha")
def is_alpha(self: str) -> bool:
    return self.isascii() and self.isalpha()


@STRING.primitive("asInteger")
def as_integer(self: str) -> int:
    if not _INTEGER.fullmatch(self):
        raise expect.argument_error("String", "asInteger", "The text has to spell an Integer")
    return int(self)


@STRING.primitive("asFloat")
def as_float(self: str) -> float:
    if not _FLOAT.fullmatch(self) or abs(number := float(self)) == float("inf"):
        raise expect.argument_error(
            "String", "asFloat", "The text has to spell a Float, with a decimal point"
        )
    return number


@STRING.primitive("asAtom")
def as_atom(self: str) -> Symbol:
    return symbol(self)


@STRING.primitive("asList")
def as_list(self: str) -> BtList:
    return list_from(_clusters(self))


@STRING.primitive("do:")
def do(self: str, block: object) -> None:
    action = expect.block(block, 1)
    for cluster in _clusters(self):
        action(cluster)


@STRING.primitive("collect:")
def collect(self: str, block: object) -> str:
    transform = expect.block(block, 1)
    pieces = [transform(cluster) for cluster in _clusters(self)]
    return "".join([text_of_piece(piece, "String", "collect:") for piece in pieces])


@STRING.primitive("select:")
def select(self: str, block: object) -> str:
    test = expect.block(block, 1)
    return "".join([c for c in _clusters(self) if expect.truth(test(c), "String", "select:")])


@STRING.primitive("reject:")
def reject(self: str, block: object) -> str:
    test = expect.block(block, 1)
    return "".join([c for c in _clusters(self) if not expect.truth(test(c), "String", "reject:")])


@STRING.primitive("stream")
def stream(self: str) -> BtStream:
    return stream_of_text(self)


STRING.runtime_primitive("matchesRegex:")(string_regex.matches)
STRING.runtime_primitive("matchesRegex:options:")(string_regex.matches_options)
STRING.runtime_primitive("firstMatch:")(string_regex.first_match)
STRING.runtime_primitive("allMatches:")(string_regex.all_matches)
STRING.runtime_primitive("replaceRegex:with:")(string_regex.replace_first)
STRING.runtime_primitive("replaceAllRegex:with:")(string_regex.replace_all)
STRING.runtime_primitive("splitRegex:")(string_regex.split)


@STRING.primitive("printString")
def print_string(self: str) -> str:
    return quoted(self)


@STRING.primitive("urlEncoded")
def url_encoded(self: str) -> str:
    return escaped(self)


@STRING.primitive("urlDecoded")
def url_decoded(self: str) -> object:
    try:
        return value_of_octets(unescaped(self.encode()))
    except BadEscape:
        hint = "'%' has to be followed by two hex digits"
        raise BeamtalkError("parse_error", class_name="String", selector="urlDecoded", hint=hint) from None


def _clusters(text: str) -> str | list[str]:
    clusters = graphemes(text)
    return clusters if isinstance(clusters, str) else list(clusters)


def _pattern(value: object, selector: str) -> str:
    pattern = expect.text(value, "String", selector)
    if not pattern:
        raise expect.argument_error("String", selector, "The pattern is empty")
    return pattern


def _filling(text: str, width: object, filler: object, selector: str) -> str:
    missing = max(expect.natural(width, "String", selector) - grapheme_count(text), 0)
    fill = expect.text(filler, "String", selector)
    return fill * expect.size_of_text(len(text) + missing * len(fill), missing, selector)


def _with_octets(text: str, other: object, selector: str) -> object:
    if type(other) is not bytes:
        raise expect.argument_error("String", selector, "Expected a String")
    return value_of_octets(text.encode() + other)
