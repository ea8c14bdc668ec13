"""Checks of literal arguments: symbols, block arities, integers, strings.

Rules: language.md 5.3. They run wherever code stands, class side included.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from lang.ast import nodes as ast
from lang.diagnostics import Category, Diagnostic
from lang.semantics.check.subject import Sent, Subject, error, literal_block, warning
from lang.semantics.references import bare
from lang.source import Span


def check_literals(subject: Subject) -> Iterator[Diagnostic]:
    """All checks of this module."""
    for sent in subject.messages:
        yield from _symbol_arguments(sent)
        yield from _block_parameters(sent)
        yield from _integers(sent)
        yield from _strings(sent)
        if sent.text == "fieldAt:put:" and isinstance(bare(sent.receiver), _LITERALS):
            message = "Cannot mutate an immutable value with `fieldAt:put:`"
            yield warning(sent.span, message, Category.TYPE, selector=sent.text)


_LITERALS: Final = (
    ast.IntegerLiteral,
    ast.FloatLiteral,
    ast.StringLiteral,
    ast.Interpolation,
    ast.CharacterLiteral,
    ast.SymbolLiteral,
    ast.Constant,
    ast.ListLiteral,
    ast.ArrayLiteral,
    ast.DictionaryLiteral,
)

# ---------------------------------------------------------------- symbols

_NAMES_BY_SYMBOL: Final = frozenset({"respondsTo:", "fieldAt:", "fieldAt:put:"})


def _symbol_arguments(sent: Sent) -> Iterator[Diagnostic]:
    if not sent.arguments:
        return
    argument = bare(sent.arguments[0])
    if isinstance(argument, ast.SymbolLiteral):
        return
    is_wrong = sent.text in _NAMES_BY_SYMBOL and isinstance(argument, (*_LITERALS, ast.ClassRef, ast.SelfRef))
    if is_wrong or sent.text == "classNamed:":
        message = f"`{sent.text}` expects a symbol literal"
        hint = f"Use `#{_symbol_meant(argument)}`"
        yield error(sent.span, message, Category.TYPE, selector=sent.text, hint=hint)


def _symbol_meant(argument: ast.Expression) -> str:
    match argument:
        case ast.ClassRef(name=name) | ast.Variable(name=name):
            return name
        case ast.StringLiteral(value=value) if value.isidentifier():
            return value
    return "name"


# ---------------------------------------------------------------- block parameters


class _Arity(NamedTuple):
    """How many parameters the block at position `at` takes; `category` tells which rule says so."""

    at: int
    low: int
    high: int
    category: Category


def _exactly(count: int, at: int = 0, category: Category = Category.TYPE) -> _Arity:
    return _Arity(at, count, count, category)


def _at_most_one(at: int) -> _Arity:
    return _Arity(at, 0, 1, Category.NONE)


_ONE: Final = """do: collect: select: reject: detect: anySatisfy: allSatisfy: groupBy: partition:
takeWhile: dropWhile:""".split()

_ARITIES: Final[Mapping[str, tuple[_Arity, ...]]] = {
    **dict.fromkeys(_ONE, (_exactly(1),)),
    **dict.fromkeys(("eachWithIndex:", "sort:", "sortWith:", "keysAndValuesDo:"), (_exactly(2),)),
    **dict.fromkeys(("whileTrue:", "whileFalse:", "timesRepeat:"), (_exactly(0),)),
    "inject:into:": (_exactly(2, at=1),),
    "on:do:": (_at_most_one(1),),
    "ifNotNil:": (_at_most_one(0),),
    "ifNotNil:ifNil:": (_at_most_one(0),),
    "ifNil:ifNotNil:": (_at_most_one(1),),
    "ensure:": (_exactly(0, category=Category.NONE),),
    "to:do:": (_exactly(1, at=1, category=Category.NONE),),
    "to:by:do:": (_exactly(1, at=2, category=Category.NONE),),
    "count:": (_exactly(1, category=Category.NONE),),
    "flatMap:": (_exactly(1, category=Category.NONE),),
}


def _block_parameters(sent: Sent) -> Iterator[Diagnostic]:
    for arity in _ARITIES.get(sent.text, ()):
        block = literal_block(sent.arguments[arity.at])
        if block is not None and not arity.low <= len(block.parameters) <= arity.high:
            yield error(
                sent.span,
                _arity_message(sent.text, arity, len(block.parameters)),
                arity.category,
                selector=sent.text,
                expected=str(arity.high),
                actual=str(len(block.parameters)),
            )


def _arity_message(selector: str, arity: _Arity, got: int) -> str:
    if arity.category is Category.TYPE:
        return f"`{selector}` expects a block with {_counted(arity.high, 'parameter')}, got {got}"
    limit = "at most " if arity.low != arity.high else ""
    return f"`{selector}` block must take {limit}{_counted(arity.high, 'argument')}, got {got}"


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


# ---------------------------------------------------------------- integers and strings

_COUNTS: Final[Mapping[str, tuple[int, ...]]] = {
    "take:": (0,),
    "drop:": (0,),
    "repeat:": (0,),
    "from:to:": (0, 1),
}
_INDEXES: Final = frozenset({"at:", "at:put:"})
_TEXTS: Final = frozenset({"startsWith:", "endsWith:", "splitOn:"})
_TEXTS_OF_STRINGS: Final = frozenset({"includes:", "indexOf:"})


def _integers(sent: Sent) -> Iterator[Diagnostic]:
    for at in _COUNTS.get(sent.text, ()):
        found = _literal_but(sent.arguments[at], ast.IntegerLiteral, ast.CharacterLiteral)
        if found is not None:
            yield warning(sent.span, f"`{sent.text}` expects an integer", Category.TYPE, selector=sent.text)
    is_index = sent.text in _INDEXES and _is_indexed(sent.receiver)
    if is_index and _literal_but(sent.arguments[0], ast.IntegerLiteral, ast.CharacterLiteral) is not None:
        yield error(sent.span, f"`{sent.text}` expects an integer", Category.TYPE, selector=sent.text)


def _strings(sent: Sent) -> Iterator[Diagnostic]:
    takes_text = sent.text in _TEXTS or (sent.text in _TEXTS_OF_STRINGS and _is_string(sent.receiver))
    if takes_text and _literal_but(sent.arguments[0], ast.StringLiteral, ast.Interpolation) is not None:
        yield error(sent.span, f"`{sent.text}` expects a string", Category.TYPE, selector=sent.text)


def _literal_but(node: ast.Expression, *allowed: type) -> Span | None:
    """The span of a literal that is of none of the allowed kinds; None for everything else."""
    literal = bare(node)
    if isinstance(literal, _LITERALS) and not isinstance(literal, allowed):
        return literal.span
    return None


def _is_indexed(node: ast.Expression) -> bool:
    return isinstance(bare(node), ast.ListLiteral) or _is_string(node)


def _is_string(node: ast.Expression) -> bool:
    return isinstance(bare(node), ast.StringLiteral | ast.Interpolation)
