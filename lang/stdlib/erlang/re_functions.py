"""`Erlang re`: regular expressions, by the engine of Regex (stdlib.md 8, 4.6)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lang.dataclass import dataclass
from lang.runtime.collections.lists import BtList, list_of
from lang.runtime.collections.tuples import BtTuple
from lang.runtime.symbols import Symbol, symbol
from lang.stdlib.erlang.terms import ERROR, BadArgument, ErlangModule, elements, ok, pair, text
from lang.stdlib.regexes import OPTIONS, BadPattern, BtRegex, Effort, patiently

if TYPE_CHECKING:
    from regex import Match

    from lang.runtime.runtime import Runtime

RE = ErlangModule("re")
_MATCH: Final = symbol("match")
_NO_MATCH: Final = symbol("nomatch")
_CAPTURES: Final = frozenset({"all", "all_but_first", "first", "none"})
_TYPES: Final = frozenset({"index", "binary", "list"})


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The options of a call: how the pattern is read, and what the answer holds."""

    pattern: frozenset[str] = frozenset()
    is_global: bool = False
    capture: str = "all"
    type: str = "index"


def _wanted(options: object) -> _Wanted:
    names, tuples = _split_options(elements(options))
    pattern = frozenset(names) & frozenset(OPTIONS)
    unknown = set(names) - pattern - {"global", "unicode"}
    if unknown:
        raise BadArgument(f"No option of this host: #{min(unknown)}")
    capture, kind = "all", "index"
    for each in tuples:
        match [*each]:
            case [Symbol(name="capture"), Symbol(name=wanted)] if wanted in _CAPTURES:
                capture = wanted
            case [Symbol(name="capture"), Symbol(name=wanted), Symbol(name=form)] if (
                wanted in _CAPTURES and form in _TYPES
            ):
                capture, kind = wanted, form
            case [Symbol(name="return"), Symbol(name="binary" | "list" | "iodata")]:
                pass
            case _:
                raise BadArgument("Expected {#capture, which, form} or {#return, form}")
    return _Wanted(pattern, "global" in names, capture, kind)


def _split_options(options: list[object]) -> tuple[list[str], list[BtTuple]]:
    names, tuples = [], []
    for option in options:
        if isinstance(option, Symbol):
            names.append(option.name)
        elif isinstance(option, BtTuple):
            tuples.append(option)
        else:
            raise BadArgument("Expected Symbols and Tuples as options")
    return names, tuples


def _regex(pattern: object, wanted: _Wanted) -> BtRegex:
    if isinstance(pattern, BtRegex):
        return pattern
    try:
        return BtRegex(text(pattern), wanted.pattern)
    except BadPattern as problem:
        raise BadArgument(str(problem)) from None


# ---------------------------------------------------------------- the functions


@RE.function("compile")
def compile_pattern(pattern: object) -> BtTuple:
    return compile_with(pattern, list_of([]))


@RE.function("compile")
def compile_with(pattern: object, options: object) -> BtTuple:
    """`{#ok, regex}` or `{#error, text}`."""
    try:
        return ok(BtRegex(text(pattern), _wanted(options).pattern))
    except BadPattern as problem:
        return pair(ERROR, str(problem))


@RE.runtime_function("run")
def run(runtime: Runtime, subject: object, pattern: object) -> object:
    return run_with(runtime, subject, pattern, list_of([]))


@RE.runtime_function("run")
def run_with(runtime: Runtime, subject: object, pattern: object, options: object) -> object:
    """`{#match, captured}`, `#match` when nothing is captured, or `#nomatch`."""
    wanted = _wanted(options)
    regex, whole = _regex(pattern, wanted), text(subject)

    def matches(effort: Effort) -> list[Match[str]]:
        if wanted.is_global:
            return regex.matches(whole, effort)
        first = regex.search(whole, effort)
        return [] if first is None else [first]

    found = patiently(runtime, "run:", matches)
    if not found:
        return _NO_MATCH
    if wanted.capture == "none":
        return _MATCH
    captured = [_captured(each, whole, wanted) for each in found]
    return pair(_MATCH, list_of([*captured]) if wanted.is_global else captured[0])


def _captured(match: Match[str], whole: str, wanted: _Wanted) -> BtList:
    numbers = range(len(match.groups()) + 1)
    chosen = {"all": numbers, "all_but_first": numbers[1:], "first": numbers[:1]}[wanted.capture]
    if wanted.capture == "all":
        # Groups at the end that took no part are left out.
        while len(chosen) > 1 and match.start(chosen[-1]) < 0:
            chosen = chosen[:-1]
    return list_of([_form(match, number, whole, wanted.type) for number in chosen])


def _form(match: Match[str], group: int, whole: str, form: str) -> object:
    start, end = match.span(group)
    match form:
        case "index":
            if start < 0:
                return pair(-1, 0)
            return pair(len(whole[:start].encode()), len(whole[start:end].encode()))
        case "binary":
            return match.group(group) or ""
        case _:
            return list_of([ord(each) for each in match.group(group) or ""])


@RE.runtime_function("replace")
def replace(runtime: Runtime, subject: object, pattern: object, replacement: object) -> str:
    return replace_with(runtime, subject, pattern, replacement, list_of([]))


@RE.runtime_function("replace")
def replace_with(
    runtime: Runtime, subject: object, pattern: object, replacement: object, options: object
) -> str:
    """The text with the first match replaced, all of them with `#global`; always one String."""
    wanted = _wanted(options)
    count = 0 if wanted.is_global else 1
    regex, whole, new = _regex(pattern, wanted), text(subject), text(replacement)
    return patiently(runtime, "replace:", lambda effort: regex.replaced(whole, new, count, effort))


@RE.runtime_function("split")
def split(runtime: Runtime, subject: object, pattern: object) -> BtList:
    return split_with(runtime, subject, pattern, list_of([]))


@RE.runtime_function("split")
def split_with(runtime: Runtime, subject: object, pattern: object, options: object) -> BtList:
    regex, whole = _regex(pattern, _wanted(options)), text(subject)
    return list_of([*patiently(runtime, "split:", lambda effort: regex.split(whole, effort))])
