"""Tokens of one unit to tokens for the grammar: what newlines, columns and places mean (language.md 2.3).

Comes in: the tokens of a unit's text, what kind of unit it is, the column of its
first token in the file. Guarantees: separators are explicit (`_SEP`), words that
depend on their place have terminals of their own, the last token is `$END`.
Leaves: unit boundaries (`cut.py`), what is wrong with a refused token (`explain.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

from lang.dataclass import dataclass, field
from lang.source import Span
from lang.syntax.lalr import Token
from lang.syntax.messages import Message
from lang.syntax.problems import Problem
from lang.syntax.tokens import (
    ALIAS,
    BAD_TYPES,
    CAN_END,
    CAN_START,
    CLASS_HEADER,
    CLOSERS,
    EXTENSION,
    HALF_HEADER,
    METHOD,
    OPENERS,
    Tokens,
    match_brackets,
)
from lang.syntax.units import UnitKind, member_limit

MAXIMUM_DEPTH = 64
BRACKET_KINDS = {
    "LPAR": "(",
    "LISTOPEN": "(",
    "LSQB": "[",
    "ARROPEN": "[",
    "LBRACE": "{",
    "MAPOPEN": "{",
    "STR_START": "s",
    "RPAR": ")",
    "RSQB": "]",
    "RBRACE": "}",
    "STR_END": '"',
    "UNCLOSED_BRACE": '"',
}
_WORDS = "iaznkt"
_NAMES = frozenset("iaznktCPq")
_KEYWORDS = frozenset("KSDT")
# At module level these begin a second statement on the same line (language.md 2.3); an identifier is a message.
_NEW_STATEMENT = CAN_START - frozenset(_WORDS)
_MEMBERS = frozenset({UnitKind.METHOD, UnitKind.DATA, UnitKind.HEADER})


@dataclass(slots=True)
class Layout:
    """The tokens that the grammar reads, and what was found on the way."""

    tokens: list[Token] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    lints: list[Problem] = field(default_factory=list)
    has_bad: bool = False
    # Token index of the `=>` of a method, or of where the declarations of a header begin; -1: none.
    body: int = -1


def brackets_of(tokens: Sequence[Token]) -> dict[int, int]:
    """Opening to closing token, by index."""
    return match_brackets("".join(BRACKET_KINDS.get(token[0], " ") for token in tokens))


def lay_out(tokens: Tokens, rule: UnitKind, column: int) -> Layout:
    """The layout of one unit (language.md 2.3, 2.4)."""
    return _Pass(tokens, rule, column).run()


@dataclass(slots=True)
class _Bracket:
    kind: str
    opener: int
    spread: int = -1
    # Column that the first continuation keyword of the current message fixed; -1: none yet.
    continuation: int = -1
    assignments: int = 0


class _Pass:
    """One walk over the tokens of a unit."""

    def __init__(self, tokens: Tokens, rule: UnitKind, column: int) -> None:
        self._in = tokens
        self._rule = rule
        self._limit = member_limit(column)
        self._is_member = rule in _MEMBERS
        self._out = Layout()
        self._tags: dict[int, str] = {}
        self._before: dict[int, str] = {}
        self._stack = [_Bracket("", -1)]
        self._previous = ""
        self._in_type = False
        self._primary = False

    def run(self) -> Layout:
        out, into, kinds, cols = self._out, self._out.tokens, self._in.kinds, self._in.cols
        text, starts, ends, types = self._in.text, self._in.starts, self._in.ends, self._in.types
        first = self._place_words()
        body_at = self._body_at
        tags, before, module_level = self._tags, self._before, self._rule is UnitKind.STATEMENTS
        stack, append, new = self._stack, into.append, tuple.__new__
        for j in range(len(types) - 1):
            kind, start = kinds[j], starts[j]
            tag = tags.get(j)
            previous = self._previous
            if j > first:
                if cols[j] >= 0:
                    self._first_on_line(j, kind, previous)
                elif (
                    kind in CAN_START
                    and previous in CAN_END
                    and (
                        previous in "!x"
                        or (
                            module_level
                            and len(stack) == 1
                            and kind in _NEW_STATEMENT
                            and not (kind == "(" and self._in_type)
                        )
                    )
                ):
                    self._separate(start)
            if j == body_at:
                out.body = len(into)
            if j in before:
                into.append(Token(before[j], "", start, start))
            if kind == "p":
                self._period(j)
                continue
            if kind in _NAMES:
                self._primary = self._previous not in CAN_END
            elif kind in OPENERS:
                self._open(j, kind)
            elif kind in CLOSERS:
                self._close(j, kind)
            elif kind == "d":
                self._in_type = True
            elif kind == "=":
                self._assign(j)
            elif kind == ";":
                stack[-1].continuation = -1
            elif kind == "o":
                stack[-1].spread = j
            type_ = tag or types[j]
            if kind == "?" or type_ in BAD_TYPES:
                out.has_bad = True
            end = ends[j]
            append(new(Token, (type_, text[start:end], start, end)))
            self._previous = kind
        return self._finish()

    def _finish(self) -> Layout:
        out, last = self._out, len(self._in) - 1
        end = self._in.starts[last]
        if self._in.types[last] in BAD_TYPES:
            out.has_bad = True
            out.tokens.append(Token(self._in.types[last], "", end, end))
        out.tokens.append(Token("$END", "", end, end))
        return out

    # ------------------------------------------------------------ separators

    def _separate(self, start: int) -> None:
        self._out.tokens.append(Token("_SEP", "", start, start))
        self._previous = "\n"
        self._in_type = False
        bracket = self._stack[-1]
        bracket.continuation = -1
        bracket.assignments = 0

    def _first_on_line(self, j: int, kind: str, previous: str) -> None:
        if kind in CAN_START:
            if previous in CAN_END and j not in self._tags and j not in self._before:
                self._separate(self._in.starts[j])
        elif (
            kind in _KEYWORDS
            and self._is_member
            and j not in self._tags
            and self._stack[-1].kind in {"", "["}
        ):
            self._continue(j)

    def _continue(self, j: int) -> None:
        """A keyword on a new line of a member: it continues the message, or stops it (language.md 2.3.1)."""
        column, bracket = self._in.cols[j], self._stack[-1]
        if column <= self._limit or column < bracket.continuation:
            if self._previous in CAN_END:
                self._separate(self._in.starts[j])
        elif bracket.continuation < 0:
            bracket.continuation = column

    def _period(self, j: int) -> None:
        source = self._in
        start, end = source.starts[j], source.ends[j]
        following = source.kinds[j + 1]
        adjacent = (
            j > 0 and source.ends[j - 1] == start and source.starts[j + 1] == end and following in _NAMES
        )
        if adjacent and source.kinds[j - 1] in _NAMES and self._primary:
            self._out.tokens.append(Token("_FDOT", ".", start, end))
            self._previous = "f"
            return
        if adjacent and source.kinds[j - 1] in "iaznktCPql":
            self._out.lints.append(Problem(Message.FIELD_LIKE_PERIOD, Span(start, end)))
        elif following in "]$" or source.cols[j + 1] >= 0:
            self._out.lints.append(Problem(Message.UNNECESSARY_PERIOD, Span(start, end)))
        self._separate(start)
        self._out.tokens[-1] = Token("_SEP", ".", start, end)
        self._previous = "p"

    # ------------------------------------------------------------ brackets and depth

    def _open(self, j: int, kind: str) -> None:
        self._stack.append(_Bracket(kind, j))
        if len(self._stack) == MAXIMUM_DEPTH + 2:
            self._too_deep(j)

    def _close(self, j: int, kind: str) -> None:
        wanted = CLOSERS[kind]
        if self._stack[-1].kind != wanted:
            # A mismatch: the nearest opening bracket of the kind, if any.
            if all(bracket.kind != wanted for bracket in self._stack[-MAXIMUM_DEPTH:]):
                return
            while self._stack[-1].kind != wanted:
                self._stack.pop()
        bracket = self._stack.pop()
        if bracket.spread >= 0 and self._in.kinds[j + 1] != "=":
            at = bracket.spread
            self._out.problems.append(
                Problem(Message.REST_OUTSIDE, Span(self._in.starts[at], self._in.ends[at]))
            )

    def _assign(self, j: int) -> None:
        self._in_type = False
        self._stack[-1].assignments += 1
        if self._stack[-1].assignments == MAXIMUM_DEPTH + 1:
            self._too_deep(j)

    def _too_deep(self, j: int) -> None:
        self._out.problems.append(Problem(Message.TOO_DEEP, Span(self._in.starts[j], self._in.ends[j])))

    # ------------------------------------------------------------ words by place

    _body_at: int = -1

    def _place_words(self) -> int:
        """Tag the words of the declaration; the index of its first token after annotations."""
        if self._rule is UnitKind.STATEMENTS:
            self._body_at = 0
            return 0
        kinds = self._in.kinds
        at = 0
        while kinds[at] == "x":
            self._tags[at] = "MEXPECT"
            at += 1
        match self._rule:
            case UnitKind.METHOD:
                return self._place_method(at)
            case UnitKind.EXTENSION:
                return self._place_extension(at)
            case UnitKind.HEADER:
                return self._place_header(at)
            case UnitKind.DATA:
                self._tags[at] = "DATAKW" if kinds[at] == "T" else self._in.types[at]
                return at
            case UnitKind.PROTOCOL:
                return self._place_protocol(at)
            case _:
                return self._place_alias(at)

    def _place_method(self, at: int) -> int:
        kinds = self._in.kinds
        found = METHOD.match(kinds, at)
        if found:
            modifiers = found.end(1)
            self._body_at = found.end() - 1
        else:
            modifiers = at
            while kinds[modifiers] in "zkn" and kinds[modifiers + 1] in _NAMES | _KEYWORDS:
                modifiers += 1
            self._body_at = kinds.find("F", at)
        for j in range(at, modifiers):
            self._tags[j] = "MOD"
        if kinds[modifiers] == ",":
            self._tags[modifiers] = "OTHEROP"
        # Newlines within a signature mean nothing.
        return self._body_at if found else modifiers

    def _place_extension(self, at: int) -> int:
        found = EXTENSION.match(self._in.kinds, at)
        if not found:
            return at
        if found.group(2):
            self._tags[at + 1] = "SIDE"
        self._tags[found.end() - 1] = "_EXTENDS"
        return self._place_method(found.end())

    def _place_header(self, at: int) -> int:
        kinds, tags = self._in.kinds, self._tags
        found = CLASS_HEADER.match(kinds, at)
        if not found:
            half = HALF_HEADER.match(kinds, at)
            for j in range(at, half.end() - 1 if half else at):
                tags[j] = "MOD"
            return at
        for j in range(at, found.end(1)):
            tags[j] = "MOD"
        last = found.end() - 1
        tags[last] = "SUBCLASS"
        depth, seen_data = 0, False
        for j in range(last + 1, len(kinds)):
            kind = kinds[j]
            if kind in OPENERS:
                depth += 1
            elif kind in CLOSERS:
                depth = max(0, depth - 1)
            elif depth:
                continue
            elif kind == "T" and (self._in.cols[j] >= 0 or not seen_data):
                tags[j], seen_data = "DATAKW", True
            elif kind == "x" and self._in.cols[j] >= 0:
                tags[j], seen_data = "MEXPECT", True
            elif kind == "K" and not seen_data:
                word = self._in.spelled(j)
                if word in ("native:", "handleScope:"):
                    tags[j] = "NATIVE" if word == "native:" else "SCOPE"
            if seen_data and self._body_at < 0:
                self._body_at = j
        return last

    def _place_protocol(self, at: int) -> int:
        kinds, tags, cols = self._in.kinds, self._tags, self._in.cols
        tags[at + 1] = "DEFINE"
        j = self._after_name(at + 2)
        if kinds[j] == "K" and self._in.spelled(j) == "extending:":
            tags[j] = "EXTENDING"
            j = self._after_name(j + 1)
        self._body_at = j
        is_first, depth = True, 0
        while kinds[j] != "$":
            kind = kinds[j]
            if not depth and (is_first or cols[j] >= 0) and kind not in ">d|p)]}":
                self._before[j] = "SIGSTART"
                if kind == "k" and kinds[j + 1] not in ">d$" and cols[j + 1] < 0:
                    tags[j] = "SIDE"
                is_first = False
            depth += (kind in OPENERS) - (kind in CLOSERS and depth > 0)
            j += 1
        # Signatures are separated by their starts alone; newlines mean nothing more.
        self._previous = ""
        return len(kinds)

    def _after_name(self, j: int) -> int:
        """The token behind a name with its type arguments."""
        kinds = self._in.kinds
        if kinds[j] not in _NAMES or self._in.cols[j] >= 0:
            return j
        j += 1
        if kinds[j] == "(":
            end = kinds.find(")", j)
            j = end + 1 if end >= 0 else j
        return j

    def _place_alias(self, at: int) -> int:
        found = ALIAS.match(self._in.kinds, at)
        if found and found.group(1):
            self._tags[at] = "MOD"
        self._tags[found.end(1) if found else at] = "TYPEWORD"
        return at + 1
