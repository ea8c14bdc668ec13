"""Tokens of a file in which a quote or a comment may not be closed.

Comes in: a text. Guarantees: its tokens; an opening sign that would take members
after it into a string or a comment owns the text up to the next one only. Text
without a lexical mistake is never cut. Leaves: brackets (`cut.py`).
"""

from __future__ import annotations

import re

from lang.syntax.cut import Cutter
from lang.syntax.tokens import (
    ALIAS,
    BAD_TYPES,
    CLASS_HEADER,
    EXTENSION,
    METHOD,
    PROTOCOL,
    Tokens,
    match_brackets,
    scan,
    tokenize,
)

_MAXIMUM_CUTS = 50
# A signature may run over some lines; more are not looked at.
_LINES_OF_A_SIGNATURE = 4
# One of these is on every line that begins a unit.
_UNIT_SIGN = re.compile(r"=>|:|type")


def recovered_tokens(text: str) -> Tokens:
    """The tokens of a text, cut again behind quotes that are missing."""
    tokens = tokenize(text)
    begin = 0
    for _ in range(_MAXIMUM_CUTS):
        trouble = _trouble(tokens, begin)
        if trouble is None:
            break
        found = _suspect(tokens, begin, trouble)
        if found is None:
            break
        index, resume = found
        begin = _cut_at(tokens, index, resume)
    return tokens


def _trouble(tokens: Tokens, begin: int) -> int | None:
    """The first token from `begin` that is a lexical mistake."""
    for index in range(begin, len(tokens)):
        if tokens.types[index] in BAD_TYPES:
            return index
    return None


def _suspect(tokens: Tokens, begin: int, trouble: int) -> tuple[int, int] | None:
    """The first string or comment that covers a line which starts a member: its token, and where that line begins."""
    text = tokens.text
    partner: dict[int, int] | None = None
    for index in range(begin, min(trouble + 1, len(tokens))):
        start, end = tokens.starts[index], tokens.ends[index]
        if tokens.kinds[index] == "s":
            partner = match_brackets(tokens.kinds) if partner is None else partner
            closer = partner.get(index, len(tokens) - 1)
            if tokens.types[closer] in BAD_TYPES or index not in partner:
                end = tokens.ends[closer]
        if text.find("\n", start, end) >= 0 and (line := _member_line(tokens, index, start, end)) is not None:
            return index, line
    return None


def _member_line(tokens: Tokens, index: int, start: int, end: int) -> int | None:
    text = tokens.text
    if not _UNIT_SIGN.search(text, start, end):
        return None
    cutter = Cutter(tokens.part(0, index, 0, text))
    cutter.run()
    return member_line(text, start, end, cutter.member_limit, in_class=cutter.open_class is not None)


def member_line(text: str, start: int, end: int, limit: int, *, in_class: bool) -> int | None:
    """The first line within a range that, read as code, begins a member or a declaration at its column."""
    at = text.find("\n", start, end) + 1
    while 0 < at <= end:
        if _starts_unit(text, at, limit, in_class=in_class):
            return at
        at = text.find("\n", at, end) + 1
    return None


def _starts_unit(text: str, line: int, limit: int, *, in_class: bool) -> bool:
    end = line
    for _ in range(_LINES_OF_A_SIGNATURE):
        newline = text.find("\n", end)
        if newline < 0:
            end = len(text)
            break
        end = newline + 1
    ahead = tokenize(text, line, end)
    kinds = ahead.kinds
    if not 0 <= ahead.cols[0] <= limit or ahead.starts[0] >= text.find("\n", line) >= 0:
        return False
    core = len(kinds) - len(kinds.lstrip("x"))
    if any(pattern.match(kinds, core) for pattern in (CLASS_HEADER, PROTOCOL, ALIAS, EXTENSION)):
        return True
    if not in_class:
        return False
    is_slot = kinds[core] == "T" and kinds[core + 1 : core + 2] == "i"
    return is_slot or METHOD.match(kinds, core) is not None


def _cut_at(tokens: Tokens, index: int, resume: int) -> int:
    """Give the text from token `index` up to `resume` to one bad token, and go on behind it."""
    start = tokens.starts[index]
    column = tokens.cols[index]
    for parallel in (tokens.types, tokens.starts, tokens.ends, tokens.cols):
        del parallel[index:]
    tokens.kinds = tokens.kinds[:index] + "?"
    end = start + len(tokens.text[start:resume].rstrip())
    tokens.types.append("OPEN_STRING")
    tokens.starts.append(start)
    tokens.ends.append(end)
    tokens.cols.append(column)
    scan(tokens, resume, len(tokens.text))
    return index + 1
