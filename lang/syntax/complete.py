"""Whether a prompt input is complete (language.md 2.10, workspace.md 3.2).

One function over tokens: linear, never raises, no state.
"""

from __future__ import annotations

import re

from lang.syntax.tokens import CLASS_HEADER, METHOD, OPEN_TYPES, PROTOCOL, Tokens, match_brackets, tokenize

# Keyword parts, binary operators, `->`, `>>`, `=>`, `:=`, `;`, `^` ask for more.
_ASKING = frozenset("KSDTb>G&,eF=;^")
_BLANK_LINE = re.compile(r"\n[ \t\r]*\n[ \t\r\n]*\Z|\n[ \t\r]*\Z")


def is_complete(text: str) -> bool:
    """Whether the input can be taken as it stands; False asks for another line."""
    tokens = tokenize(text)
    if _is_open(tokens):
        return False
    kinds = tokens.kinds[:-1]
    if not kinds.strip("x"):
        # Nothing, or only doc comments and annotations: these wait for what they belong to.
        return not kinds and "///" not in text
    if kinds[-1] in _ASKING:
        return False
    return _ends_in_blank_line(text) or not _waits_for_members(tokens)


def _is_open(tokens: Tokens) -> bool:
    if tokens.types[-1] in OPEN_TYPES or (len(tokens) > 1 and tokens.types[-2] in OPEN_TYPES):
        return True
    kinds = tokens.kinds
    opened = sum(map(kinds.count, "([{s"))
    if opened and len(match_brackets(kinds)) < opened and not _has_surplus(kinds):
        return True
    return kinds.count("L") > kinds.count("G")


def _has_surplus(kinds: str) -> bool:
    """Whether a closing bracket closes nothing: no further line can mend that."""
    stack: list[str] = []
    closes = {")": "(", "]": "[", "}": "{", '"': "s"}
    for kind in kinds:
        if kind in "([{s":
            stack.append(kind)
        elif kind in closes:
            if not stack or stack[-1] != closes[kind]:
                return True
            stack.pop()
    return False


def _ends_in_blank_line(text: str) -> bool:
    lines = text.split("\n")
    return len(lines) > 1 and not lines[-1].strip() and (len(lines) == 2 or not lines[-2].strip() or True)


def _waits_for_members(tokens: Tokens) -> bool:
    """A class definition without a method yet, or a protocol (language.md 2.10)."""
    kinds, cols = tokens.kinds, tokens.cols
    partner = match_brackets(kinds)
    j, last, is_waiting = 0, len(kinds) - 1, False
    while j < last:
        if cols[j] >= 0 and kinds[j - 1 : j] != "x" or kinds[j - 1 : j] == "x":
            if PROTOCOL.match(kinds, j):
                return True
            if CLASS_HEADER.match(kinds, j):
                is_waiting = True
        if kinds[j] == "F":
            is_waiting = False
        j = partner.get(j, j) + 1
    return is_waiting
