"""Whether a prompt input is complete (language.md 2.10, workspace.md 3.2).

One function over tokens: linear, never raises, no state. Leaves: the rule of
scripts that an indented line continues a class definition.
"""

from __future__ import annotations

from lang.syntax.cut import Cutter
from lang.syntax.tokens import CLOSERS, METHOD, OPEN_TYPES, OPENERS, Tokens, tokenize
from lang.syntax.units import UnitKind

# Keyword parts, binary operators, `->`, `>>`, `=>`, `:=`, `;` and `^` ask for more.
_ASKING = frozenset("KSDTb>G&,eF=;^")


def is_complete(text: str) -> bool:
    """Whether the input can be taken as it stands; False asks for another line.

    Lines are joined by newlines without one at the end, so a last line without
    characters is the blank line that completes a class definition or a protocol.
    """
    tokens = tokenize(text)
    kinds = tokens.kinds[:-1]
    if _has_surplus(kinds):
        return True
    if _is_open(tokens):
        return False
    if not kinds.strip("x"):
        # Annotations and doc comments wait for what they belong to; nothing at all is complete.
        return not kinds and "///" not in text
    if kinds[-1] in _ASKING:
        return False
    return _ends_in_blank_line(text) or not _waits_for_members(tokens)


def _has_surplus(kinds: str) -> bool:
    """Whether a closing bracket closes nothing, or the wrong bracket: no further line can mend that."""
    stack: list[str] = []
    for kind in kinds:
        if kind in OPENERS:
            stack.append(kind)
        elif kind in CLOSERS and (not stack or stack.pop() != CLOSERS[kind]):
            return True
    return False


def _is_open(tokens: Tokens) -> bool:
    """Whether a bracket, a string, a quoted symbol or a block comment is not closed. There is no surplus."""
    if not OPEN_TYPES.isdisjoint(tokens.types[-2:]):
        return True
    kinds = tokens.kinds
    opened = sum(map(kinds.count, OPENERS))
    closed = sum(map(kinds.count, CLOSERS))
    return opened > closed or kinds.count("L") > kinds.count("G")


def _ends_in_blank_line(text: str) -> bool:
    _, newline, last = text.rpartition("\n")
    return bool(newline) and not last.strip()


def _waits_for_members(tokens: Tokens) -> bool:
    """A class definition without a method yet, or a protocol (language.md 2.10)."""
    is_waiting = False
    for piece in Cutter(tokens).run():
        match piece.kind:
            case UnitKind.HEADER | UnitKind.PROTOCOL:
                is_waiting = True
            case UnitKind.METHOD if METHOD.match(tokens.kinds, piece.core):
                is_waiting = False
            case UnitKind.METHOD | UnitKind.DATA:
                pass
            case _:
                is_waiting = False
    return is_waiting
