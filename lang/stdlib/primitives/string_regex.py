"""The regular-expression methods of String (stdlib.md 4.6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lang.runtime.collections.lists import BtList, list_from
from lang.runtime.errors import BeamtalkError
from lang.stdlib import arguments as expect
from lang.stdlib.primitives.regex import options_of
from lang.stdlib.regexes import BadPattern, BtRegex, patiently

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime


def matches(runtime: Runtime, self: str, pattern: object) -> bool:
    regex = _regex(pattern, "matchesRegex:")
    return patiently(runtime, "matchesRegex:", lambda effort: regex.search(self, effort)) is not None


def matches_options(runtime: Runtime, self: str, pattern: object, options: object) -> bool:
    selector = "matchesRegex:options:"
    source = expect.text(pattern, "String", selector)
    regex = _made(source, options_of(options, "String", selector), selector)
    return patiently(runtime, selector, lambda effort: regex.search(self, effort)) is not None


def first_match(runtime: Runtime, self: str, pattern: object) -> str | None:
    regex = _regex(pattern, "firstMatch:")
    found = patiently(runtime, "firstMatch:", lambda effort: regex.search(self, effort))
    return found.group() if found is not None else None


def all_matches(runtime: Runtime, self: str, pattern: object) -> BtList:
    regex = _regex(pattern, "allMatches:")
    found = patiently(runtime, "allMatches:", lambda effort: regex.matches(self, effort))
    return list_from([each.group() for each in found])


def replace_first(runtime: Runtime, self: str, pattern: object, replacement: object) -> str:
    return _replaced(runtime, self, pattern, replacement, 1, "replaceRegex:with:")


def replace_all(runtime: Runtime, self: str, pattern: object, replacement: object) -> str:
    return _replaced(runtime, self, pattern, replacement, 0, "replaceAllRegex:with:")


def _replaced(
    runtime: Runtime, text: str, pattern: object, replacement: object, limit: int, selector: str
) -> str:
    regex, new = _regex(pattern, selector), expect.text(replacement, "String", selector)
    return patiently(runtime, selector, lambda effort: regex.replaced(text, new, limit, effort))


def split(runtime: Runtime, self: str, pattern: object) -> BtList:
    regex = _regex(pattern, "splitRegex:")
    return list_from(patiently(runtime, "splitRegex:", lambda effort: regex.split(self, effort)))


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
