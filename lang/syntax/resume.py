"""Where a string or a comment may have lost its closing sign, and tokens that go on behind it.

Comes in: the tokens of a broken file. Guarantees: text is cut only where asked.
Leaves: whether a cut mends more than it breaks (`files.py`), brackets (`cut.py`).
"""

from __future__ import annotations

import re

from lang.syntax.tokens import (
    ALIAS,
    CLASS_HEADER,
    EXTENSION,
    METHOD,
    PARITY_TYPES,
    PROTOCOL,
    Tokens,
    scan,
    tokenize,
)

# A signature may run over some lines; more are not looked at.
_LINES_OF_A_SIGNATURE = 4
# One of these is on every line that begins a unit.
_UNIT_SIGN = re.compile(r"=>|:|type")


def parity_mistakes(tokens: Tokens) -> int:
    """How many tokens say that a quote, a brace or a comment end is missing."""
    return sum(map(PARITY_TYPES.__contains__, tokens.types))


def cut_within(tokens: Tokens, index: int, resume: int) -> Tokens:
    """The tokens of the same text when the string or comment at `index` ends before the line at `resume`."""
    text, start = tokens.text, tokens.starts[index]
    cut = Tokens(
        text,
        [*tokens.types[:index], "OPEN_COMMENT" if text.startswith("/*", start) else "OPEN_STRING"],
        tokens.starts[: index + 1],
        [*tokens.ends[:index], start + len(text[start:resume].rstrip())],
        tokens.cols[: index + 1],
        tokens.kinds[:index] + "?",
    )
    scan(cut, resume, len(text))
    return cut


def member_line(text: str, start: int, end: int, limit: int, *, in_class: bool) -> int | None:
    """The first line within a range that, read as code, begins a member or a declaration at its column."""
    if not _UNIT_SIGN.search(text, start, end):
        return None
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
