"""A file to its units, from tokens alone (language.md 2.3, changes.md 1.1).

Comes in: the tokens of a file. Guarantees: the units in order, without overlap;
a mistake in one does not move the limits of another, as far as tokens tell.
Leaves: parsing of each.
"""

from __future__ import annotations

import re
from collections import Counter

from lang.dataclass import dataclass, field
from lang.source import Span
from lang.syntax.messages import Message
from lang.syntax.tokens import (
    ALIAS,
    CAN_END,
    CAN_START,
    CLASS_HEADER,
    EXTENSION,
    HALF_HEADER,
    METHOD,
    OPENERS,
    PROTOCOL,
    Tokens,
    match_brackets,
)
from lang.syntax.units import CANONICAL_COLUMN, Side, UnitCut, UnitKind, UnitName, member_limit

_NAMES = frozenset("iaznktCPq")
_KEYWORDS = frozenset("KSDT")
_HEADER_KEYWORDS = ("native:", "handleScope:")
_DECLARATIONS = frozenset({UnitKind.HEADER, UnitKind.PROTOCOL, UnitKind.ALIAS, UnitKind.EXTENSION})


@dataclass(slots=True)
class Piece:
    """A unit as a range of tokens; `core` is the first token behind its annotations."""

    kind: UnitKind
    first: int
    core: int
    column: int
    owner: str = ""
    side: Side | None = None
    member: str = ""
    problem: Message | None = None
    end: int = -1


@dataclass(frozen=True, slots=True)
class _Class:
    name: str
    column: int


@dataclass(slots=True)
class Cutter:
    """One walk over the tokens at bracket depth 0."""

    tokens: Tokens
    pieces: list[Piece] = field(default_factory=list)
    # The class whose body we are in, and the last one that ended.
    open_class: _Class | None = None
    ended_class: _Class | None = None
    # Opening brackets (by token) whose closing one belongs to another member, as a parse has shown.
    distrusted: frozenset[int] = frozenset()
    # A bracket of the current unit never closes: only a declaration at its column begins the next one.
    _is_open: bool = False

    @property
    def current(self) -> Piece | None:
        """The unit that the walk is in."""
        return self.pieces[-1] if self.pieces else None

    @property
    def member_limit(self) -> int:
        """The greatest column at which the next member may begin (language.md 2.3)."""
        current = self.current
        if self.open_class is None or current is None:
            return 0
        if current.kind is UnitKind.HEADER:
            return max(CANONICAL_COLUMN, self.open_class.column + CANONICAL_COLUMN)
        return member_limit(current.column)

    def run(self) -> list[Piece]:
        """All units, in order."""
        kinds, cols = self.tokens.kinds, self.tokens.cols
        partner = match_brackets(kinds)
        j, last = 0, len(kinds) - 1
        while j < last:
            if cols[j] >= 0:
                after = self._start(j)
                if after is not None:
                    j = after
                    continue
            if kinds[j] in OPENERS:
                closer = partner.get(j)
                if closer is None or j in self.distrusted:
                    self._is_open = True
                else:
                    j = closer
            j += 1
        self._close(last)
        return self.pieces

    # ------------------------------------------------------------ beginnings

    def _start(self, j: int) -> int | None:
        """Begin a unit at a token that is first on its line, if one begins: the token to go on with."""
        kinds = self.tokens.kinds
        core = j
        while kinds[core] == "x":
            core += 1
        if self.open_class is not None:
            return self._start_in_class(self.open_class, j, core)
        return self._start_at_module_level(j, core)

    def _start_in_class(self, owner: _Class, j: int, core: int) -> int | None:
        column, current = self.tokens.cols[j], self.current
        assert current is not None
        in_header = current.kind is UnitKind.HEADER
        if not in_header and column > self.member_limit:
            if column <= CANONICAL_COLUMN and (after := self._method(j, core, owner.name)) is not None:
                return after
            return None if self._is_open else self._start_too_deep(owner, j, core)
        if column <= self.member_limit and (after := self._declaration(j, core)) is not None:
            return after
        if self.tokens.kinds[core] == "T" and column >= owner.column:
            if in_header:
                return core + 1
            self._begin(UnitKind.DATA, j, core, owner.name, member=self._name_at(core + 1))
            return core + 1
        if (after := self._method(j, core, owner.name)) is not None:
            return after
        if self._is_open:
            return None
        return self._start_no_member(owner, j, core, in_header=in_header)

    def _start_too_deep(self, owner: _Class, j: int, core: int) -> int | None:
        """A `=>` outside brackets belongs to no body: a method lost its first sign, or is indented wrongly.

        A last statement that is a name only seems to begin the method `-> other =>` below it.
        """
        found = METHOD.match(self.tokens.kinds, core)
        below = found is not None and self.tokens.cols[core + 1 : found.end()]
        if below and any(0 <= column <= self.member_limit for column in below):
            return None
        if (after := self._method(j, core, owner.name)) is not None:
            self.pieces[-1].problem = Message.METHOD_COLUMN
            return after
        if self.tokens.kinds[j] == "F":
            self._begin(UnitKind.METHOD, j, core, owner.name, Side.INSTANCE)
            return j + 1
        return None

    def _start_no_member(self, owner: _Class, j: int, core: int, *, in_header: bool) -> int | None:
        """A line at or left of the member column that begins no member (language.md 2.3)."""
        kinds, column = self.tokens.kinds, self.tokens.cols[j]
        if kinds[j] == "F":
            return self._start_too_deep(owner, j, core)
        begins = kinds[j] in CAN_START and kinds[j - 1] in CAN_END
        if in_header and not (begins or core > j or self._ends_header(j)):
            return None
        if in_header and column <= owner.column and not begins:
            return None
        if column <= owner.column:
            self.ended_class, self.open_class = owner, None
            self._begin(UnitKind.STATEMENTS, j, j)
        elif column <= self.member_limit:
            self._begin(UnitKind.METHOD, j, core, owner.name, Side.INSTANCE, self.tokens.spelled(core))
        else:
            return None
        return self._step(j)

    def _ends_header(self, j: int) -> bool:
        """Whether a line of a header that cannot begin an expression still is no part of it.

        A keyword or an operator at the member column is a method that lost a sign, not more of a default value.
        """
        kind = self.tokens.kinds[j]
        if kind in "bG>,e&)]}":
            return True
        return kind in _KEYWORDS and self.tokens.spelled(j) not in _HEADER_KEYWORDS

    def _start_at_module_level(self, j: int, core: int) -> int | None:
        kinds, column, current = self.tokens.kinds, self.tokens.cols[j], self.current
        if (after := self._declaration(j, core)) is not None:
            return after
        if current is not None and current.kind is UnitKind.PROTOCOL and column > current.column:
            return None
        if (after := self._half_header(j, core)) is not None:
            return after
        owner = self.ended_class
        if (after := self._method(j, core, owner.name if owner else "")) is not None:
            self.pieces[-1].problem = Message.METHOD_OUTSIDE
            return after
        if current is None or (not self._is_open and self._ends_at(current, kinds, j, column)):
            self._begin(UnitKind.STATEMENTS, j, j)
            return self._step(j)
        return None

    def _ends_at(self, current: Piece, kinds: str, j: int, column: int) -> bool:
        match current.kind:
            case UnitKind.STATEMENTS | UnitKind.ALIAS:
                return (
                    kinds[j] in CAN_START
                    and kinds[j - 1] != "x"
                    and (kinds[j - 1] in CAN_END or kinds[j - 1] == "p")
                )
            case _:
                return column <= current.column

    def _step(self, j: int) -> int | None:
        """Past a first token, unless it opens a bracket, which the walk has to see."""
        return None if self.tokens.kinds[j] in OPENERS else j + 1

    def _declaration(self, j: int, core: int) -> int | None:
        kinds, spelled = self.tokens.kinds, self.tokens.spelled
        kind = kinds[core]
        if kind in _NAMES and (found := CLASS_HEADER.match(kinds, core)) and self._names_class(found.end()):
            return self._class(j, core, found.end())
        if kind == "P" and PROTOCOL.match(kinds, core):
            self.open_class = None
            self._begin(UnitKind.PROTOCOL, j, core, self._name_at(core + 2))
            return core + 2
        if kind in "tn" and (found := ALIAS.match(kinds, core)):
            self.open_class = None
            self._begin(UnitKind.ALIAS, j, core, spelled(found.start(2)))
            return found.end()
        if kind in "Cq" and (found := EXTENSION.match(kinds, core)):
            self.open_class = None
            side = Side.CLASS if found.group(2) or "k" in found.group(3) else Side.INSTANCE
            selector = self._selector(found.start(4), found.end(4))
            self._begin(UnitKind.EXTENSION, j, core, spelled(core), side, selector)
            signature = METHOD.match(kinds, found.end())
            assert signature is not None
            return signature.end()
        return None

    def _names_class(self, j: int) -> bool:
        """Whether what follows `subclass:` can be a class header: a name, or nothing on this line."""
        return self.tokens.kinds[j] in _NAMES or self.tokens.cols[j] >= 0 or self.tokens.kinds[j] == "$"

    def _class(self, j: int, core: int, after: int) -> int:
        kinds, cols = self.tokens.kinds, self.tokens.cols
        # The name may stand on the next line, but a method there is none.
        has_name = kinds[after] in _NAMES and (cols[after] < 0 or not METHOD.match(kinds, after))
        name = self._name_at(after) if has_name else ""
        self._begin(UnitKind.HEADER, j, core, name)
        self.open_class = owner = _Class(name, cols[j])
        at = after
        if has_name:
            at += 1
            if kinds[at] == "(" and cols[at] < 0:
                closing = kinds.find(")", at)
                at = closing + 1 if closing >= 0 else at
        while kinds[at] == "K" and self.tokens.spelled(at) in _HEADER_KEYWORDS:
            at += 2 if cols[at + 1] < 0 else 1
        if cols[at] < 0 and kinds[at] != "T":
            # A first method on the line of the header counts as indented by two.
            after_method = self._method(at, at, owner.name)
            if after_method is not None:
                self.pieces[-1].column = owner.column + CANONICAL_COLUMN
                return after_method
        return at

    def _half_header(self, j: int, core: int) -> int | None:
        """A class header without `subclass:`; modifiers before a class name on their line begin nothing else."""
        kinds, cols = self.tokens.kinds, self.tokens.cols
        found = HALF_HEADER.match(kinds, core)
        if found is None or any(cols[k] >= 0 for k in range(core + 1, found.end())):
            return None
        after = found.end()
        has_name = kinds[after] == "C" and cols[after] < 0
        name = self._name_at(after) if has_name else ""
        self._begin(UnitKind.HEADER, j, core, name)
        self.open_class = _Class(name, cols[j])
        return after + 1 if has_name else after

    def _method(self, j: int, core: int, owner: str) -> int | None:
        found = METHOD.match(self.tokens.kinds, core)
        if found is None:
            return None
        side = Side.CLASS if "k" in found.group(1) else Side.INSTANCE
        self._begin(UnitKind.METHOD, j, core, owner, side, self._selector(found.start(2), found.end(2)))
        return found.end()

    # ------------------------------------------------------------ pieces

    def _begin(
        self,
        kind: UnitKind,
        first: int,
        core: int,
        owner: str = "",
        side: Side | None = None,
        member: str = "",
    ) -> None:
        self._close(first)
        self._is_open = False
        column = max(0, self.tokens.cols[first])
        self.pieces.append(Piece(kind, first, core, column, owner, side, member))

    def _close(self, end: int) -> None:
        if self.pieces and self.pieces[-1].end < 0:
            self.pieces[-1].end = end

    def _name_at(self, j: int) -> str:
        return self.tokens.spelled(j) if self.tokens.kinds[j] in _NAMES else ""

    def _selector(self, start: int, end: int) -> str:
        """The selector of a message pattern; a keyword in the place of a parameter is none."""
        kinds, spelled = self.tokens.kinds, self.tokens.spelled
        if kinds[start] not in _KEYWORDS:
            return spelled(start)
        parts = []
        j = start
        while j < end:
            if kinds[j] in _KEYWORDS:
                parts.append(spelled(j))
                j += 1
            j += 1
        return "".join(parts)


def swallowing(tokens: Tokens, piece: Piece) -> frozenset[int]:
    """The opening brackets of a broken unit within which a line starts a member or a declaration at its column.

    Such text balances because two mistakes in different members cancel out.
    """
    kinds, cols = tokens.kinds, tokens.cols
    limit = 0 if piece.kind in (UnitKind.EXTENSION, UnitKind.STATEMENTS) else member_limit(piece.column)
    begins = [
        j
        for j in range(piece.core + 1, piece.end)
        if 0 <= cols[j] <= limit and _starts_declaration(kinds, j, is_member=limit > 0)
    ]
    if not begins:
        return frozenset()
    return frozenset(
        opener
        for opener, closer in match_brackets(kinds).items()
        if piece.first <= opener < piece.end and any(opener < j < closer for j in begins)
    )


def _starts_declaration(kinds: str, j: int, *, is_member: bool) -> bool:
    if is_member and METHOD.match(kinds, j):
        return True
    return any(pattern.match(kinds, j) for pattern in (CLASS_HEADER, EXTENSION, ALIAS, PROTOCOL))


# ---------------------------------------------------------------- what a unit owns

_BEHIND = re.compile(r"(?:[ \t]*(?://[^\n]*|/\*(?:[^*]|\*(?!/))*+\*/))*")
_TRIVIUM = re.compile(r"[ \t\r\n]+|//[^\n]*|/\*(?:[^*]|\*(?!/))*+\*/")


def unit_cuts(tokens: Tokens, pieces: list[Piece]) -> list[UnitCut]:
    """The units with the comments that each owns, and their names."""
    cuts: list[UnitCut] = []
    seen: Counter[UnitName] = Counter()
    statements = 0
    behind = 0
    for piece in pieces:
        # An annotation that nothing follows is all there is of its unit.
        core_first = piece.core if piece.core < piece.end else piece.first
        core = Span(tokens.starts[core_first], tokens.ends[piece.end - 1])
        start = _owned_start(tokens.text, behind, tokens.starts[piece.first])
        behind = _owned_end(tokens.text, core.end)
        member = piece.member
        if piece.kind is UnitKind.STATEMENTS:
            member = str(statements)
            statements += 1
        name = UnitName(piece.kind, piece.owner, piece.side, member)
        ordinal = seen[name]
        seen[name] += 1
        if ordinal:
            name = UnitName(piece.kind, piece.owner, piece.side, member, ordinal)
        cuts.append(UnitCut(name, Span(start, behind), core, piece.column))
    return cuts


def _owned_end(text: str, end: int) -> int:
    found = _BEHIND.match(text, end)
    assert found is not None
    behind = found.end()
    while behind > end and text[behind - 1] in " \t\r":
        behind -= 1
    return behind


def _owned_start(text: str, behind: int, start: int) -> int:
    """Where the comment lines directly above a unit begin; no blank line may lie between."""
    if behind == start or text.find("/", behind, start) < 0:
        return start
    owned = start
    is_owning = False
    # Nothing stands above the first unit, so a comment on the first line is on a line of its own.
    line_ends = 1 if behind == 0 else 0
    at = behind
    while at < start:
        found = _TRIVIUM.match(text, at, start)
        if found is None:
            at += 1
            continue
        if text[at] == "/":
            if line_ends and (not is_owning or line_ends > 1):
                owned, is_owning = at, True
            if is_owning:
                line_ends = 0
        else:
            line_ends += found.group().count("\n")
        at = found.end()
    return owned if is_owning and line_ends <= 1 else start
