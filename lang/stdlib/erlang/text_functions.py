"""`Erlang string` and `Erlang unicode`: functions on text, by grapheme clusters (stdlib.md 8)."""

from __future__ import annotations

import unicodedata
from typing import Final

from lang.runtime.collections.lists import BtList, list_of
from lang.runtime.symbols import symbol
from lang.runtime.text import graphemes, joined
from lang.stdlib.erlang.terms import (
    ERROR,
    BadArgument,
    ErlangModule,
    elements,
    integer,
    name,
    natural,
    octets,
    pair,
    text,
)
from lang.stdlib.octets import value_of_octets

STRING = ErlangModule("string")
UNICODE = ErlangModule("unicode")

_WHITESPACE: Final = "\t\n\v\f\r \x85\u2028\u2029\u200e\u200f"
_NO_MATCH: Final = symbol("nomatch")
_SIDES: Final = frozenset({"leading", "trailing", "both"})


@STRING.function("length")
def length(subject: object) -> int:
    return len(graphemes(text(subject)))


@STRING.function("is_empty")
def is_empty(subject: object) -> bool:
    return not text(subject)


@STRING.function("uppercase")
def uppercase(subject: object) -> str:
    return text(subject).upper()


@STRING.function("lowercase")
def lowercase(subject: object) -> str:
    return text(subject).lower()


@STRING.function("casefold")
def casefold(subject: object) -> str:
    return text(subject).casefold()


@STRING.function("titlecase")
def titlecase(subject: object) -> str:
    """The first character in title case; the rest as it is."""
    whole = text(subject)
    return whole[:1].title() + whole[1:]


@STRING.function("reverse")
def backwards(subject: object) -> BtList:
    """The clusters, last first: a code point each, or a List of code points."""
    return list_of([_cluster(each) for each in reversed(list(graphemes(text(subject))))])


@STRING.function("to_graphemes")
def to_graphemes(subject: object) -> BtList:
    return list_of([_cluster(each) for each in graphemes(text(subject))])


def _cluster(cluster: str) -> object:
    return ord(cluster) if len(cluster) == 1 else list_of([ord(each) for each in cluster])


@STRING.function("equal")
def equal(one: object, two: object) -> bool:
    return text(one) == text(two)


@STRING.function("concat")
def concat(one: object, two: object) -> str:
    return text(one) + text(two)


@STRING.function("trim")
def trimmed(subject: object) -> str:
    return text(subject).strip(_WHITESPACE)


@STRING.function("trim")
def trimmed_at(subject: object, side: object) -> str:
    return _trimmed(text(subject), _side(side), _WHITESPACE)


@STRING.function("trim")
def trimmed_of(subject: object, side: object, characters: object) -> str:
    return _trimmed(text(subject), _side(side), text(characters))


def _trimmed(subject: str, side: str, characters: str) -> str:
    match side:
        case "leading":
            return subject.lstrip(characters)
        case "trailing":
            return subject.rstrip(characters)
        case _:
            return subject.strip(characters)


def _side(value: object) -> str:
    if name(value) not in _SIDES:
        raise BadArgument("Expected #leading, #trailing or #both")
    return name(value)


@STRING.function("chomp")
def chomped(subject: object) -> str:
    """Without the line ends at the end."""
    return text(subject).rstrip("\n") if "\r" not in text(subject) else _chomped(text(subject))


def _chomped(subject: str) -> str:
    while subject.endswith("\n"):
        subject = subject.removesuffix("\r\n") if subject.endswith("\r\n") else subject[:-1]
    return subject


@STRING.function("slice")
def slice_from(subject: object, start: object) -> str:
    return joined(graphemes(text(subject))[natural(start) :])


@STRING.function("slice")
def slice_of(subject: object, start: object, count: object) -> str:
    return joined(graphemes(text(subject))[natural(start) : natural(start) + natural(count)])


@STRING.function("find")
def find(subject: object, wanted: object) -> object:
    """The rest of the text from the first occurrence on, or `#nomatch`."""
    at = text(subject).find(text(wanted))
    return _NO_MATCH if at < 0 else text(subject)[at:]


@STRING.function("find")
def find_from(subject: object, wanted: object, direction: object) -> object:
    """The same with `#leading` (first) or `#trailing` (last)."""
    if _side(direction) != "trailing":
        return find(subject, wanted)
    at = text(subject).rfind(text(wanted))
    return _NO_MATCH if at < 0 else text(subject)[at:]


@STRING.function("prefix")
def after_prefix(subject: object, prefix: object) -> object:
    """What follows the prefix, or `#nomatch`."""
    whole, beginning = text(subject), text(prefix)
    return whole[len(beginning) :] if whole.startswith(beginning) else _NO_MATCH


@STRING.function("split")
def split_once(subject: object, separator: object) -> BtList:
    return _split(text(subject), text(separator), "leading")


@STRING.function("split")
def split_where(subject: object, separator: object, where: object) -> BtList:
    """At `#leading` (the first), `#trailing` (the last) or `#all` occurrences."""
    return _split(text(subject), text(separator), name(where))


def _split(subject: str, separator: str, where: str) -> BtList:
    if not separator:
        return list_of([subject])
    match where:
        case "all":
            return list_of([*subject.split(separator)])
        case "leading":
            return list_of([*subject.split(separator, 1)])
        case "trailing":
            return list_of([*subject.rsplit(separator, 1)])
        case _:
            raise BadArgument("Expected #leading, #trailing or #all")


@STRING.function("replace")
def replaced_once(subject: object, old: object, new: object) -> BtList:
    """The pieces, as `split` answers them, with the replacement between."""
    return _between(_split(text(subject), text(old), "leading"), new)


@STRING.function("replace")
def replaced_where(subject: object, old: object, new: object, where: object) -> BtList:
    return _between(_split(text(subject), text(old), name(where)), new)


def _between(pieces: BtList, separator: object) -> BtList:
    found: list[object] = []
    for piece in pieces:
        found.extend((piece, separator))
    return list_of(found[:-1])


@STRING.function("join")
def join(pieces: object, separator: object) -> str:
    return text(separator).join([text(piece) for piece in elements(pieces)])


@STRING.function("lexemes")
@STRING.function("tokens")
def lexemes(subject: object, separators: object) -> BtList:
    """The pieces between any of the characters; empty ones are dropped."""
    found, piece = [], ""
    for character in text(subject):
        if character in text(separators):
            found.append(piece)
            piece = ""
        else:
            piece += character
    return list_of([each for each in (*found, piece) if each])


@STRING.function("pad")
def padded(subject: object, width: object) -> BtList:
    return _padded(subject, width, "trailing", 32)


@STRING.function("pad")
def padded_at(subject: object, width: object, side: object) -> BtList:
    return _padded(subject, width, _side(side), 32)


@STRING.function("pad")
def padded_with(subject: object, width: object, side: object, filler: object) -> BtList:
    return _padded(subject, width, _side(side), filler)


def _padded(subject: object, width: object, side: str, filler: object) -> BtList:
    """The text with fillers beside it, as pieces."""
    missing = max(0, integer(width) - length(subject))
    before = {"leading": missing, "both": missing // 2}.get(side, 0)
    return list_of([*[filler] * before, subject, *[filler] * (missing - before)])


@STRING.function("to_integer")
def to_integer(subject: object) -> object:
    """`{number, rest}`, or `{#error, #no_integer}`."""
    whole = text(subject)
    end = 1 if whole[:1] in ("+", "-") else 0
    while end < len(whole) and "0" <= whole[end] <= "9":
        end += 1
    if not whole[:end].lstrip("+-"):
        return pair(ERROR, symbol("no_integer"))
    return pair(int(whole[:end]), whole[end:])


# ---------------------------------------------------------------- unicode


@UNICODE.function("characters_to_binary")
def characters_to_binary(characters: object) -> object:
    return value_of_octets(octets(characters))


@UNICODE.function("characters_to_list")
def characters_to_list(characters: object) -> BtList:
    return list_of([ord(each) for each in text(characters)])


@UNICODE.function("characters_to_nfc_binary")
def nfc(characters: object) -> str:
    return unicodedata.normalize("NFC", text(characters))


@UNICODE.function("characters_to_nfd_binary")
def nfd(characters: object) -> str:
    return unicodedata.normalize("NFD", text(characters))


@UNICODE.function("characters_to_nfkc_binary")
def nfkc(characters: object) -> str:
    return unicodedata.normalize("NFKC", text(characters))


@UNICODE.function("characters_to_nfkd_binary")
def nfkd(characters: object) -> str:
    return unicodedata.normalize("NFKD", text(characters))
