"""The regular-expression methods of String (stdlib.md 4.6)."""

from __future__ import annotations

from lang.runtime.collections.lists import BtList, list_from
from lang.runtime.errors import BeamtalkError
from lang.stdlib import arguments as expect
from lang.stdlib.primitives.regex import options_of
from lang.stdlib.regexes import BadPattern, BtRegex


def matches(self: str, pattern: object) -> bool:
    return _regex(pattern, "matchesRegex:").compiled.search(self) is not None


def matches_options(self: str, pattern: object, options: object) -> bool:
    source = expect.text(pattern, "String", "matchesRegex:options:")
    flags = options_of(options, "String", "matchesRegex:options:")
    return _made(source, flags, "matchesRegex:options:").compiled.search(self) is not None


def first_match(self: str, pattern: object) -> str | None:
    found = _regex(pattern, "firstMatch:").compiled.search(self)
    return found.group() if found is not None else None


def all_matches(self: str, pattern: object) -> BtList:
    return list_from([found.group() for found in _regex(pattern, "allMatches:").compiled.finditer(self)])


def replace_first(self: str, pattern: object, replacement: object) -> str:
    regex = _regex(pattern, "replaceRegex:with:")
    return regex.replaced(self, expect.text(replacement, "String", "replaceRegex:with:"), 1)


def replace_all(self: str, pattern: object, replacement: object) -> str:
    regex = _regex(pattern, "replaceAllRegex:with:")
    return regex.replaced(self, expect.text(replacement, "String", "replaceAllRegex:with:"), 0)


def split(self: str, pattern: object) -> BtList:
    return list_from(_regex(pattern, "splitRegex:").split(self))


def _regex(pattern: object, selector: str) -> BtRegex:
    if isinstance(pattern, BtRegex):
        return pattern
    return _made(expect.text(pattern, "String", selector), frozenset(), selector)


def _made(source: str, options: frozenset[str], selector: str) -> BtRegex:
    try:
        return BtRegex(source, options)
    except BadPattern as problem:
        raise BeamtalkError(
            "regex_error", class_name="String", selector=selector, hint=str(problem)
        ) from None
