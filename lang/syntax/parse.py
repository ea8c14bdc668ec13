"""One unit on its own: text to node, with recovery (language.md 5.1).

Comes in: a unit's text, its kind, the column of its first token. Guarantees:
never raises; every mistake of the unit is reported once, and statements around a
broken one are kept (the tree holds an `ErrorNode` in its place). Leaves: where
units begin (`cut.py`).
"""

from __future__ import annotations

from functools import lru_cache

from lang.ast import nodes as n
from lang.dataclass import dataclass, field, replace
from lang.diagnostics import Diagnostic
from lang.source import Span
from lang.syntax.docs import documented
from lang.syntax.lalr import Refused, Token, parser
from lang.syntax.layout import BRACKET_KINDS, Layout, brackets_of, lay_out
from lang.syntax.messages import Message
from lang.syntax.problems import Problem, RefusedError
from lang.syntax.tokens import BAD_TYPES, Tokens, tokenize
from lang.syntax.units import UnitKind

START_RULES = {kind: "data_unit" if kind is UnitKind.DATA else kind.value for kind in UnitKind}
_MAXIMUM_PROBLEMS = 20
_WITH_BODY = frozenset({UnitKind.METHOD, UnitKind.EXTENSION})
_DECLARING = frozenset({UnitKind.HEADER, UnitKind.PROTOCOL})
_OPENING = frozenset("([{s")


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
        node = self._sound() and self._parse()
        if node and self._rule not in _WITH_BODY:
            self._refuse_primitives()
        return node or None

    def _sound(self) -> bool:
        """Take out what no rule accepts; False when that leaves no declaration."""
        if self._layout.has_bad and not self._take_out_bad():
            return False
        return all(self._take_out(p, self._index_of(p.span)) for p in self._layout.problems)

    def _parse(self) -> n.Declaration | None:
        # Imported late, here and below: sound sources need no words for mistakes (5 ms).
        parse, start = parser().parse, START_RULES[self._rule]
        while True:
            try:
                result = parse(start, self._tokens)
            except RefusedError as refused:
                index = self._index_of(refused.problem.span)
                problem = self._in_its_place(refused.problem, index)
            else:
                if not isinstance(result, Refused):
                    return result if not isinstance(result, n.ErrorNode) else None
                from lang.syntax.explain import explain  # noqa: PLC0415

                problem = explain(self._tokens, result, self._rule, self._body)
                index = result.index
            if not self._take_out(problem, index) or len(self.problems) >= _MAXIMUM_PROBLEMS:
                return None

    def _in_its_place(self, problem: Problem, index: int) -> Problem:
        """Behind the type of a local another name is no part of the type, but in the place of `:=`."""
        is_local = self._is_in_body(index) and index >= 4 and self._tokens[index - 2].type == "DCOLON"
        if problem.message is Message.TYPE and is_local and self._tokens[index - 4].type != "COLON":
            return replace(problem, message=Message.ASSIGN_EXPECTED)
        return problem

    def _take_out_bad(self) -> bool:
        from lang.syntax.explain import explain_bad  # noqa: PLC0415

        index = 0
        while index < len(self._tokens):
            if self._tokens[index].type in BAD_TYPES:
                if len(self.problems) >= _MAXIMUM_PROBLEMS:
                    return False
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
        """Report, and put one BROKEN token in place of the statement around `index`; False: it is in none."""
        self.problems.append(problem)
        if not self._is_in_body(index):
            self._look_at_body(index)
            return False
        first, last = self._extent(index)
        if self._rule in _DECLARING:
            del self._tokens[first:last]
            return first < last
        start = self._tokens[first].start
        end = max((token.end for token in self._tokens[first:last]), default=start)
        self._tokens[first:last] = [Token("BROKEN", "", start, end)]
        return True

    def _is_in_body(self, index: int) -> bool:
        if self._body < 0 or self._rule in (UnitKind.DATA, UnitKind.ALIAS):
            return False
        return index >= self._body if self._rule is UnitKind.STATEMENTS else index > self._body

    def _look_at_body(self, index: int) -> None:
        """A signature is broken: the statements behind it have mistakes of their own to report."""
        if self._rule not in _WITH_BODY or not 0 <= index <= self._body:
            return
        self._tokens = self._tokens[self._body + 1 :]
        self._rule, self._body = UnitKind.STATEMENTS, 0
        self._layout = Layout(has_bad=True)
        if self._sound():
            self._parse()

    def _extent(self, index: int) -> tuple[int, int]:
        """The statement, declaration or signature around a token: up to the separators at depth 0.

        A refused separator belongs to what stands before it. A bracket that never
        closes owns the rest of the unit.
        """
        tokens, partner = self._tokens, brackets_of(self._tokens)
        first = at = self._body + 1 if self._rule in _WITH_BODY else self._body
        last = len(tokens) - 1
        is_declaring = self._rule in _DECLARING
        while at < last:
            token = tokens[at]
            if self._is_boundary(token):
                if at >= index and not (is_declaring and first == at):
                    return first, at
                first = at if is_declaring else at + 1
            elif BRACKET_KINDS.get(token.type, "") in _OPENING:
                at = partner.get(at, last - 1)
            at += 1
        return first, last

    def _is_boundary(self, token: Token) -> bool:
        match self._rule:
            case UnitKind.PROTOCOL:
                return token.type == "SIGSTART"
            case UnitKind.HEADER:
                return token.type in {"DATAKW", "MEXPECT"}
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
