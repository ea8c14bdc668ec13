"""One unit on its own: text to node, with recovery (language.md 5.1).

Comes in: a unit's text, its kind, the column of its first token. Guarantees:
never raises; every mistake of the unit is reported once, and statements around a
broken one are kept (the tree holds an `ErrorNode` in its place). Leaves: where
units begin (`cut.py`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache

from lang.ast import nodes as n
from lang.diagnostics import Diagnostic
from lang.source import Span
from lang.syntax.docs import documented
from lang.syntax.explain import BRACKET_KINDS, brackets_of, explain, explain_bad
from lang.syntax.lalr import Refused, Token, parser
from lang.syntax.layout import Layout, lay_out
from lang.syntax.messages import Message
from lang.syntax.problems import Problem, RefusedError
from lang.syntax.tokens import BAD_TYPES, Tokens, tokenize
from lang.syntax.units import UnitKind

START_RULES = {kind: "data_unit" if kind is UnitKind.DATA else kind.value for kind in UnitKind}
_MAXIMUM_PROBLEMS = 20


@dataclass(frozen=True, slots=True)
class UnitSyntax:
    """What the parser makes of one text; it depends on text, kind and column alone."""

    node: n.Declaration | None
    diagnostics: tuple[Diagnostic, ...]

    @property
    def is_broken(self) -> bool:
        """Whether a mistake was found (warnings and lints are none)."""
        return any(d.severity.value == "error" for d in self.diagnostics)


@dataclass(unsafe_hash=True, slots=True)
class _Source:
    """What a result depends on, and so its key. `tokens` are those of the text, while somebody has them."""

    text: str
    rule: UnitKind
    column: int
    tokens: Tokens | None = field(compare=False, repr=False)


def parse_unit(text: str, rule: UnitKind, column: int = 0, tokens: Tokens | None = None) -> UnitSyntax:
    """Parse the text of one unit; `tokens` are its tokens, when the caller has them already.

    The result depends on text, rule and column alone, so the last ones are kept: an edit parses one unit.
    """
    return _parsed(_Source(text, rule, column, tokens))


@lru_cache(maxsize=16384)
def _parsed(source: _Source) -> UnitSyntax:
    text, rule = source.text, source.rule
    tokens = tokenize(text) if source.tokens is None else source.tokens
    source.tokens = None  # the cache keeps the source
    layout = lay_out(tokens, rule, source.column)
    attempt = _Attempt(layout, rule)
    node = attempt.run()
    problems = attempt.problems + layout.lints
    if node is not None and "///" in text:
        node, detached = documented(node, tokens)
        problems += detached
    found = [problem.diagnostic() for problem in problems]
    found.sort(key=lambda d: d.span)
    return UnitSyntax(node, tuple(found))


class _Attempt:
    """Parse until the rest is sound: each round takes one broken statement out."""

    def __init__(self, layout: Layout, rule: UnitKind) -> None:
        self._tokens = layout.tokens
        self._layout = layout
        self._rule = rule
        self._body = layout.body
        self.problems: list[Problem] = []

    def run(self) -> n.Declaration | None:
        if self._layout.has_bad and not self._take_out_bad():
            return None
        for problem in self._layout.problems:
            if not self._take_out(problem, self._index_of(problem.span)):
                return None
        node = self._parse()
        if node is not None and self._rule not in (UnitKind.METHOD, UnitKind.EXTENSION):
            self._refuse_primitives()
        return node

    def _parse(self) -> n.Declaration | None:
        parse, start = parser().parse, START_RULES[self._rule]
        while True:
            try:
                result = parse(start, self._tokens)
            except RefusedError as refused:
                problem = refused.problem
                index = self._index_of(problem.span)
            else:
                if not isinstance(result, Refused):
                    return result if not isinstance(result, n.ErrorNode) else None
                problem = explain(self._tokens, result, self._rule, self._body)
                index = result.index
            if not self._take_out(problem, index) or len(self.problems) >= _MAXIMUM_PROBLEMS:
                return None

    def _take_out_bad(self) -> bool:
        index = 0
        while index < len(self._tokens):
            if self._tokens[index].type in BAD_TYPES:
                start = self._tokens[index].start
                if not self._take_out(explain_bad(self._tokens, index), index):
                    return False
                index = self._index_of(Span(start, start))
            index += 1
        return True

    def _index_of(self, span: Span) -> int:
        """The token that begins at or covers the start of a span."""
        for index, token in enumerate(self._tokens):
            if token.end > span.start:
                return index
        return len(self._tokens) - 1

    def _take_out(self, problem: Problem, index: int) -> bool:
        """Report, and put one BROKEN token in place of the statement around `index`; False: not in a statement."""
        self.problems.append(problem)
        if self._body < 0 or index < self._body or self._rule in (UnitKind.DATA, UnitKind.ALIAS):
            return False
        first, last = self._extent(index)
        if self._rule in (UnitKind.PROTOCOL, UnitKind.HEADER):
            del self._tokens[first:last]
            return first < last
        end = max(t.end for t in self._tokens[first:last]) if first < last else self._tokens[index].end
        start = self._tokens[first].start
        self._tokens[first:last] = [Token("BROKEN", "", start, max(end, start))]
        return True

    def _extent(self, index: int) -> tuple[int, int]:
        """The statement, declaration or signature around a token: up to the separators at depth 0.

        A bracket that never closes owns the rest of the unit.
        """
        tokens, partner = self._tokens, brackets_of(self._tokens)
        begin = self._body
        first = at = begin + 1 if self._rule in (UnitKind.METHOD, UnitKind.EXTENSION) else begin
        last = len(tokens) - 1
        while at < last:
            token = tokens[at]
            if self._is_boundary(token):
                if at > index:
                    return first, at
                first = at if self._rule in (UnitKind.PROTOCOL, UnitKind.HEADER) else at + 1
                if at == index and first > at:
                    return self._separator(at)
            elif BRACKET_KINDS.get(token.type, "") in ("(", "[", "{", "s"):
                at = partner.get(at, last - 1)
            at += 1
        return first, last

    def _separator(self, at: int) -> tuple[int, int]:
        """A separator that was itself refused: it goes, and what stood before it stays."""
        return at, at + 1

    def _is_boundary(self, token: Token) -> bool:
        match self._rule:
            case UnitKind.PROTOCOL:
                return token.type == "SIGSTART"
            case UnitKind.HEADER:
                return token.type == "DATAKW" or token.type == "MEXPECT"
            case _:
                return token.type == "_SEP"

    def _refuse_primitives(self) -> None:
        for token in self._tokens:
            if token.type == "PRIM":
                self.problems.append(Problem(Message.PRIMITIVE_OUTSIDE, token.span, token.text.split()[0]))


def forget_parses() -> None:
    """Empty the cache of units; for measurements."""
    _parsed.cache_clear()


def with_problems(syntax: UnitSyntax, *problems: Problem) -> UnitSyntax:
    """The same with more findings."""
    added = tuple(problem.diagnostic() for problem in problems)
    return replace(syntax, diagnostics=tuple(sorted(syntax.diagnostics + added, key=lambda d: d.span)))
