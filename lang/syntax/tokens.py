"""Text to tokens (language.md 1).

Comes in: a text, and optionally a range of it. Guarantees: every character is
covered by a token or by trivia (white space, comments); never raises; linear.
Leaves: which newline separates statements (`layout.py`), what the tokens mean.

Tokens are kept as parallel sequences, because the cutter looks at their kinds
only: `kinds` is a string with one character for each token, over which the
unbounded look-ahead of language.md 2.4 is a regular expression.
"""

from __future__ import annotations

import enum
import re

from lang.dataclass import dataclass, field

# Comments and blanks before a token. Possessive: a comment is never taken apart again.
_TRIVIA = r"(?:[ \t\r\n]++|//[^\n]*+|/\*(?:[^*]|\*(?!/))*+\*/)*+"

_STRING_BODY = r'(?:[^"\\{]++|\\[\s\S]|"")*+'
_OPERATOR = r"(?:[+\-*<>=~%&?\\,]|/(?![/*]))"
_NAME = r"[A-Za-z_]\w*+"

# (terminal, kind, pattern), tried in this order; the operator rules are those of language.md 1.2.
_SPECIFICATION: tuple[tuple[str, str, str], ...] = (
    ("NAME", "i", rf"{_NAME}(?:@[A-Z]\w*+)?"),
    ("EXPECT", "x", rf'@expect\b[ \t]++{_NAME}(?:[ \t]++"(?:[^"\\\n]++|\\.|"")*+")?'),
    (
        "PRIM",
        "v",
        rf'@(?:primitive|intrinsic)\b(?:[ \t]++(?:"(?:[^"\\\n]++|\\.|"")*+"|{_NAME}(?!:(?![=:]))))?',
    ),
    ("FLOAT", "l", r"-?[0-9]++(?:\.[0-9]++(?:[eE](?:[+-]?[0-9]++|\w*+))?|[eE](?:[+-]?[0-9]++|\w*+))"),
    ("INT", "l", r"[0-9]++r\w*+|-?[0-9]++"),
    ("STRING", "l", rf'"{_STRING_BODY}"'),
    ("STR_START", "s", rf'"{_STRING_BODY}\{{'),
    ("OPEN_STRING", "?", r'"[\s\S]*+'),
    ("CHAR", "l", r"\$(?:\\[\s\S]|[\s\S])"),
    ("OPEN_CHARACTER", "?", r"\$"),
    ("LISTOPEN", "(", r"#\("),
    ("ARROPEN", "[", r"#\["),
    ("MAPOPEN", "{", r"#\{"),
    (
        "SYMBOL",
        "#",
        rf"#'(?:[^']++|'')*+'|#{_NAME}(?::(?![=:]){_NAME})*+(?::(?![=:]))?|#(?:[+\-*<>=~%&?\\,]|/(?![/*]))++",
    ),
    ("OPEN_SYMBOL", "?", r"#'[\s\S]*+"),
    ("STRAY_HASH", "?", r"#"),
    ("ASSIGN", "=", r":="),
    ("DCARROW", ">", rf"::{_TRIVIA}->"),
    ("DCOLON", "d", r"::"),
    ("COLON", ":", r":"),
    ("FATARROW", "F", r"=>"),
    ("OP", "b", r"=:=|=/="),
    ("ARROW", ">", r"->"),
    ("LTLT", "L", r"<<"),
    ("GTGT", "G", r">>"),
    ("OPEN_COMMENT", "?", r"/\*[\s\S]*+"),
    ("OPERATOR", "b", rf"{_OPERATOR}++"),
    ("ELLIPSIS", "o", r"\.\.\."),
    ("_SEP", "p", r"\."),
    ("_SEMI", ";", r";"),
    ("BANG", "!", r"!"),
    ("PIPE", "|", r"\|"),
    ("CARET", "^", r"\^"),
    ("LPAR", "(", r"\("),
    ("RPAR", ")", r"\)"),
    ("LSQB", "[", r"\["),
    ("RSQB", "]", r"\]"),
    ("LBRACE", "{", r"\{"),
    ("RBRACE", "}", r"\}"),
    ("SINGLE_QUOTED", "?", r"'(?:[^'\n]*+'?)"),
    ("DIRECTIVE", "?", r"@\w*+"),
    ("UNKNOWN", "?", r"[\s\S]"),
)
# The whole match is trivia plus token; `lastindex` is the number of the alternative, counted from 1.
_MASTER = re.compile(_TRIVIA + "(?:" + "|".join(f"({p})" for _, _, p in _SPECIFICATION) + r"|\Z)", re.ASCII)
_TYPES = ("EOF", *(name for name, _, _ in _SPECIFICATION))
_KINDS = ("$", *(kind for _, kind, _ in _SPECIFICATION))
_STRING_TAIL = re.compile(_STRING_BODY + r'(["{])')

# Words that look-ahead tells apart; they are identifiers to the grammar.
_WORDS = {
    "abstract": ("IDENT", "a"),
    "typed": ("IDENT", "a"),
    "sealed": ("IDENT", "z"),
    "internal": ("IDENT", "n"),
    "class": ("IDENT", "k"),
    "type": ("IDENT", "t"),
    "Protocol": ("CNAME", "P"),
}
_KEYWORD_KINDS = {"subclass:": "S", "define:": "D", "state:": "T", "field:": "T", "classState:": "T"}
# These are terminals of their own before a block (language.md 2.2, 2.9).
_BEFORE_BLOCK = {"match:": "MATCH", "matchExhaustive:": "MATCH", "when:": "WHEN"}
_BLOCK = re.compile(_TRIVIA + r"\[")
# Operators with a level (language.md 3); every other run ends an expression.
_OPERATOR_TYPES = {
    **dict.fromkeys(("**", "*", "/", "%", "+", "-", "++", "<", ">", "<=", ">=", "==", "/="), "OP"),
    ",": "_COMMA",
    "=": "EQ",
    "&": "AMP",
    "\\": "BACKSLASH",
}
_OPERATOR_KINDS = {",": ",", "=": "e", "&": "&", "\\": "&"}


class Mistake(enum.Enum):
    """A lexical mistake that the type of its token does not already say."""

    UNCLOSED_BRACE = "UNCLOSED_BRACE"
    OPEN_INTERPOLATION = "OPEN_INTERPOLATION"


# Token types that no grammar rule accepts: their type is the mistake.
BAD_TYPES = frozenset(
    {name for name, kind, _ in _SPECIFICATION if kind == "?"} | {mistake.value for mistake in Mistake}
)
# Those that shift what is a string or a comment and what is code.
PARITY_TYPES = frozenset(
    {"OPEN_STRING", "OPEN_SYMBOL", "OPEN_COMMENT", "OPEN_CHARACTER", *(mistake.value for mistake in Mistake)}
)
# Those that more input could mend (language.md 2.10).
OPEN_TYPES = frozenset(
    {"OPEN_STRING", "OPEN_SYMBOL", "OPEN_COMMENT", "OPEN_CHARACTER", Mistake.OPEN_INTERPOLATION.value}
)


@dataclass(slots=True)
class Tokens:
    """The tokens of a text; the last one is EOF. `cols` is -1 unless a token is first on its line."""

    text: str
    types: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    cols: list[int] = field(default_factory=list)
    kinds: str = ""

    def spelled(self, index: int) -> str:
        """The text of one token."""
        return self.text[self.starts[index] : self.ends[index]]

    def part(self, first: int, end: int, offset: int, text: str) -> Tokens:
        """The tokens `first` to `end` as those of `text`, which begins at `offset`."""
        length = len(text)
        starts = [start - offset for start in self.starts[first:end]]
        ends = [end_ - offset for end_ in self.ends[first:end]]
        starts.append(length)
        ends.append(length)
        return Tokens(
            text,
            [*self.types[first:end], "EOF"],
            starts,
            ends,
            [*self.cols[first:end], 0],
            self.kinds[first:end] + "$",
        )

    def __len__(self) -> int:
        return len(self.types)


@dataclass(slots=True)
class _Braces:
    """Interpolations that are open, innermost last: brace depth of what lies around each."""

    outer: list[int] = field(default_factory=list)
    depth: int = 0

    def enter(self) -> None:
        self.outer.append(self.depth)
        self.depth = 0

    def leave(self) -> None:
        self.depth = self.outer.pop()


def tokenize(text: str, start: int = 0, end: int | None = None) -> Tokens:
    """The tokens of `text[start:end]`, with offsets in `text`; the first one counts as first on its line."""
    scanned = Tokens(text)
    scan(scanned, start, len(text) if end is None else end)
    return scanned


def scan(into: Tokens, start: int, end: int) -> None:
    """Append the tokens of a range, EOF included (language.md 1.2 to 1.8).

    One loop on purpose: this is the hottest code of the front end.
    """
    text = into.text
    types, starts, ends, cols = into.types, into.starts, into.ends, into.cols
    kinds: list[str] = []
    braces = _Braces()
    match, find, rfind = _MASTER.match, text.find, text.rfind
    if start == 0 and text.startswith("\ufeff"):
        start = 1  # a byte order mark is no part of the first line
    at = start
    number = -1
    while number:
        found = match(text, at, end)
        number = found.lastindex or 0 if found else 0
        starts_at, ends_at = found.span(number) if found and number else (end, end)
        if kinds:
            is_first = starts_at != at and find("\n", at, starts_at) >= 0
            cols.append(starts_at - rfind("\n", 0, starts_at) - 1 if is_first else -1)
        else:
            cols.append(_column(text, starts_at, start))
        type_, kind = _TYPES[number], _KINDS[number]
        if number == _NAME_NUMBER:
            if text[ends_at : ends_at + 1] == ":" and text[ends_at + 1 : ends_at + 2] not in _AFTER_COLON:
                ends_at += 1
                type_, kind = _keyword(text, starts_at, ends_at)
            else:
                type_, kind = _name(text[starts_at:ends_at])
        elif number in _REFINED:
            type_, kind, ends_at = _refine(type_, kind, text, starts_at, ends_at, end, braces)
        types.append(type_)
        starts.append(starts_at)
        ends.append(ends_at)
        kinds.append(kind)
        at = ends_at
    into.kinds += "".join(kinds)


# `x:=1` assigns, `x::T` annotates: neither colon makes a keyword.
_AFTER_COLON = ("=", ":")


def _keyword(text: str, start: int, end: int) -> tuple[str, str]:
    word = text[start:end]
    if word in _BEFORE_BLOCK and _BLOCK.match(text, end):
        return _BEFORE_BLOCK[word], "K"
    return "KEYWORD", _KEYWORD_KINDS.get(word, "K")


def _name(word: str) -> tuple[str, str]:
    if found := _WORDS.get(word):
        return found
    if "@" in word:
        return "CNAME", "q"
    return ("CNAME", "C") if "A" <= word[0] <= "Z" else ("IDENT", "i")


def _column(text: str, offset: int, start: int) -> int:
    line_start = text.rfind("\n", 0, offset) + 1
    return offset - (start if line_start <= start and text[:1] == "\ufeff" and start == 1 else line_start)


_NAME_NUMBER = _TYPES.index("NAME")
_REFINED = frozenset(
    _TYPES.index(name)
    for name in ("OPERATOR", "STRING", "STR_START", "OPEN_STRING", "LBRACE", "MAPOPEN", "RBRACE", "EOF")
)


def _refine(
    type_: str, kind: str, text: str, start: int, ends_at: int, limit: int, braces: _Braces
) -> tuple[str, str, int]:
    """What a token is when its pattern alone does not tell."""
    match type_:
        case "OPERATOR":
            spelled = text[start:ends_at]
            return _OPERATOR_TYPES.get(spelled, "OTHEROP"), _OPERATOR_KINDS.get(spelled, "b"), ends_at
        case "STRING" | "STR_START" | "OPEN_STRING":
            return _string(type_, kind, text, start, ends_at, braces)
        case "LBRACE" | "MAPOPEN":
            braces.depth += 1
            return type_, kind, ends_at
        case "RBRACE":
            return _closing_brace(text, ends_at, limit, braces)
        case _:
            return (Mistake.OPEN_INTERPOLATION.value if braces.outer else type_), kind, ends_at


def _string(
    type_: str, kind: str, text: str, start: int, ends_at: int, braces: _Braces
) -> tuple[str, str, int]:
    if braces.outer and (type_ == "OPEN_STRING" or "\n" in text[start:ends_at]):
        # A nested string does not run over a line end: this quote closes the outer string, and a
        # brace in it was never closed (language.md 1.4).
        braces.leave()
        return Mistake.UNCLOSED_BRACE.value, '"', start + 1
    if type_ == "STR_START":
        braces.enter()
    return type_, kind, ends_at


def _closing_brace(text: str, ends_at: int, limit: int, braces: _Braces) -> tuple[str, str, int]:
    if not braces.outer or braces.depth > 0:
        braces.depth = max(0, braces.depth - 1)
        return "RBRACE", "}", ends_at
    tail = _STRING_TAIL.match(text, ends_at, limit)
    if tail is None:
        braces.outer.clear()
        braces.depth = 0
        return "OPEN_STRING", "?", limit
    if tail.group(1) == "{":
        return "STR_MID", "m", tail.end()
    braces.leave()
    return "STR_END", '"', tail.end()


# ---------------------------------------------------------------- look-ahead over kinds

_ID = "[iCaznktP]"
_NESTED = r"\((?:[^()$]|\((?:[^()$]|\([^()$]*+\))*+\))*+\)"
_SINGLE = rf"(?:[Ciqaznkt](?:k|{_NESTED})?|#|{_NESTED})"
_TYPE = rf"(?:{_SINGLE}(?:[|&b]{_SINGLE})*+)"
# A single colon before a type counts, so that a precise error can be given (language.md 2.4).
_PARAMETER = rf"(?:{_ID}(?:[d:]{_TYPE})?|K{_TYPE})"
_PATTERN = rf"(?:{_ID}|[b>G&,eL]{_PARAMETER}|(?:[KSDT]{_PARAMETER}){{1,64}})"
_METHOD = rf"([zkn]*?)({_PATTERN})(?:>{_TYPE}?)?F"

METHOD = re.compile(_METHOD)
"""A method definition up to its `=>` (language.md 2.4): modifiers, pattern."""

EXTENSION = re.compile(rf"([Cq])(k?)G(?={_METHOD})")
"""`Class >>` or `Class class >>` before a method definition."""

CLASS_HEADER = re.compile(rf"([azn]*?)([Ciqaznkt])({_NESTED})?S")
"""Modifiers, superclass, type arguments, `subclass:`."""

PROTOCOL = re.compile("PD")
ALIAS = re.compile("(n?)t(C)(?:e|(?<=ntC))")
"""A type alias; behind `internal` even without its `=`, which is reported then."""
HALF_HEADER = re.compile("[azn]+C")
"""Modifiers and a superclass: a class header, if `subclass:` does not follow a broken one."""

CAN_END = frozenset('iCaznktPqvlx)]}!#"?')
"""Kinds after which an expression may be over."""
CAN_START = frozenset("iCaznktPqvlxs([{#^L?")
"""Kinds that begin an expression, and so a statement when they stand on a new line (language.md 2.3)."""
OPENERS = frozenset("([{s")
CLOSERS = {")": "(", "]": "[", "}": "{", '"': "s"}


def match_brackets(kinds: str) -> dict[int, int]:
    """Opening to closing token, matched by kind; a bracket within a string part never closes one outside.

    An opening bracket without an entry never closes.
    """
    partner: dict[int, int] = {}
    stack: list[int] = []
    counts = [dict.fromkeys("([{", 0)]
    for index, kind in enumerate(kinds):
        if kind in OPENERS:
            stack.append(index)
            if kind == "s":
                counts.append(dict.fromkeys("([{", 0))
            else:
                counts[-1][kind] += 1
        elif kind in CLOSERS:
            _close(kinds, index, CLOSERS[kind], stack, counts, partner)
    return partner


def _close(
    kinds: str,
    index: int,
    wanted: str,
    stack: list[int],
    counts: list[dict[str, int]],
    partner: dict[int, int],
) -> None:
    if wanted == "s":
        if len(counts) == 1:
            return
    elif not counts[-1][wanted]:
        return
    while True:
        opener = stack.pop()
        kind = kinds[opener]
        if kind == "s":
            counts.pop()
        else:
            counts[-1][kind] -= 1
        if kind == wanted:
            partner[opener] = index
            return
