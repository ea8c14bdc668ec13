"""The LALR(1) driver over the tables of `grammar.lark`.

Comes in: prepared tokens of one unit, a start rule. Guarantees: the node that
`build.py` makes, or where it stopped and which terminals could have followed.
No state is shared between parses. Leaves: words for people, and recovery.

Lark makes the tables (`generate.py`). Its own run time is not used: with the
same tables it takes twice as long, and importing it alone costs 48 ms.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from lang.dataclass import dataclass
from lang.source import Span

# Skips the keyword handling of a named tuple: tokens and spans are made by the hundred thousand.
_new = tuple.__new__


class Token(NamedTuple):
    """A token as the grammar sees it; offsets are those of the unit's text."""

    type: str
    text: str
    start: int
    end: int

    @property
    def span(self) -> Span:
        """Where it stands."""
        return _new(Span, self[2:])


@dataclass(frozen=True, slots=True)
class Refused:
    """The token at `index` cannot follow; `accepted` are the terminals that could."""

    index: int
    accepted: frozenset[str]


# What a reduction does with the values of its right-hand side: the values differ in type by rule,
# so this is the one place of the front end that is not statically typed.
Action = Callable[[list[Any]], Any]


class _Rule(NamedTuple):
    name: str
    length: int
    kept: tuple[int, ...] | None
    spliced: tuple[int, ...]
    action: Action | None
    unwraps: bool
    # One child, which is the value: a level of the grammar that an expression only passes through.
    passes: bool


class Parser:
    """The tables with an action for each rule; immutable, may be shared by threads."""

    def __init__(self, tables: str, actions: Mapping[str, Action]) -> None:
        data = json.loads(tables)
        self._states: list[dict[str, int]] = data["states"]
        self._starts: dict[str, int] = data["starts"]
        self._ends: dict[str, int] = data["ends"]
        self._final = frozenset(self._ends.values())
        self._rules = [_rule(entry, actions) for entry in data["rules"]]

    def parse(self, start: str, tokens: Sequence[Token]) -> Any:
        """The value of the start rule, or `Refused`. The last token is `$END`."""
        states, rules, end = self._states, self._rules, self._ends[start]
        stack = [self._starts[start]]
        values: list[Any] = []
        table = states[stack[-1]]
        for index, token in enumerate(tokens):
            kind = token[0]
            while True:
                action = table.get(kind)
                if action is None:
                    return Refused(index, self._accepted(start, tokens[:index]))
                if action >= 0:
                    stack.append(action)
                    values.append(token)
                    table = states[action]
                    break
                name, length, kept, spliced, build, unwraps, passes = rules[~action]
                if passes:  # nothing changes but the state: half of all reductions
                    state = states[stack[-2]][name]
                    stack[-1] = state
                    table = states[state]
                    continue
                if length:
                    children = values[-length:]
                    del values[-length:], stack[-length:]
                else:
                    children = []
                if spliced:
                    children = _splice(children, kept, spliced)
                elif kept is not None:
                    children = [children[i] for i in kept]
                if unwraps and len(children) == 1:
                    values.append(children[0])
                else:
                    values.append(children if build is None else build(children))
                state = states[stack[-1]][name]
                if state == end:
                    return values[0]
                stack.append(state)
                table = states[state]
        raise AssertionError("the token list must end in $END")

    def _accepted(self, start: str, tokens: Sequence[Token]) -> frozenset[str]:
        """Terminals that can follow: the prefix is fed again, for the refused token has reduced the stack."""
        stack = [self._starts[start]]
        for token in tokens:
            self._advance(stack, token[0])
        return frozenset(
            name
            for name in self._states[stack[-1]]
            if not name.islower() and self._advance(stack.copy(), name)
        )

    def _advance(self, stack: list[int], kind: str) -> bool:
        """Feed one terminal to a stack of states; False when it is refused."""
        while True:
            action = self._states[stack[-1]].get(kind)
            if action is None:
                return False
            if action >= 0:
                stack.append(action)
                return True
            rule = self._rules[~action]
            if rule.length:
                del stack[-rule.length :]
            state = self._states[stack[-1]][rule.name]
            if state in self._final:
                return True
            stack.append(state)


def _rule(entry: list[Any], actions: Mapping[str, Action]) -> _Rule:
    name, length, kept, spliced, action, unwraps = entry
    return _Rule(
        name,
        length,
        None if len(kept) == length else tuple(kept),
        tuple(spliced),
        None
        if not action or action.startswith("_")
        else actions.get(action, _unreachable)
        if unwraps
        else actions[action],
        unwraps,
        unwraps and length == 1 and len(kept) == 1 and not spliced,
    )


def _unreachable(children: list[Any]) -> Any:
    raise AssertionError(f"a rule that only unwraps got {len(children)} children")


def _splice(children: list[Any], kept: tuple[int, ...] | None, spliced: tuple[int, ...]) -> list[Any]:
    """The kept children, with lists in place of their rules. The first list is reused, so lists grow linearly."""
    places = range(len(children)) if kept is None else kept
    result: list[Any] | None = None
    for place in places:
        child = children[place]
        if place not in spliced:
            if result is None:
                result = []
            result.append(child)
        elif result is None:
            result = child
        else:
            result.extend(child)
    return [] if result is None else result


@cache
def parser() -> Parser:
    """The parser of the language; made at first use, 3 ms."""
    # Imported late: code that comes from the compile cache needs no parser.
    from lang.syntax.build import ACTIONS  # noqa: PLC0415
    from lang.syntax.tables import TABLES  # noqa: PLC0415

    return Parser(TABLES, ACTIONS)
