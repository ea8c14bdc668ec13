"""What inference found in one unit: types of expressions, and the places that checks look at.

Comes in: from `infer` alone. Guarantees: spans are relative to the unit's text; nothing is inferred twice, whoever
reads it (I-4). Leaves: judging to the checks.
"""

from __future__ import annotations

from lang.ast import nodes as ast
from lang.dataclass import dataclass, field
from lang.semantics.types.lattice import UNKNOWN, Known, Meta, Type
from lang.semantics.types.methods import MethodType
from lang.source import Span


@dataclass(frozen=True, slots=True)
class Answer:
    """What answers a message for one member of the receiver's type; `parameters` are those of this send."""

    member: Known | Meta
    method: MethodType | None
    parameters: tuple[Type | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Sent:
    """One message: of a send, of a cascade or of a cast.

    `receiver` is the type of its receiver, `given` those of its arguments; `answers` has one for each member of the
    receiver's type that can be looked up.
    """

    span: Span
    receiver_node: ast.Expression
    selector: ast.Selector
    arguments: tuple[ast.Expression, ...]
    receiver: Type
    given: tuple[Type, ...]
    answers: tuple[Answer, ...]
    is_cast: bool = False

    @property
    def text(self) -> str:
        """The selector."""
        return self.selector.text


@dataclass(frozen=True, slots=True)
class Stored:
    """A value that meets a declared type: of a typed local, or of a slot; `declared` is None without one."""

    span: Span
    name: str
    declared: Type | None
    actual: Type
    value: ast.Expression
    is_slot: bool


@dataclass(frozen=True, slots=True)
class Tested:
    """A test that can have one outcome only (D-9). `is_kind` tells tests of classes from those of symbols."""

    span: Span
    tested: Type
    found: Type
    is_kind: bool
    is_negated: bool = False


@dataclass(frozen=True, slots=True)
class Matched:
    """A match with the type of its scrutinee, and what no unguarded arm handles."""

    node: ast.Match
    subject: Type
    residual: Type


@dataclass(frozen=True, slots=True)
class Tail:
    """The tail of a list literal that is known to be no list (D-14)."""

    span: Span
    found: Type


@dataclass(slots=True)
class Facts:
    """All that was found out about a unit.

    `types` are those of expressions by span, but for plain `Dynamic`. `body` is the type of the last statement,
    `escapes` those of values that leave early by `^` in a block. `consulted` are the classes that were asked, `variables` what
    module-level code leaves bound.
    """

    types: dict[Span, Type] = field(default_factory=dict)
    sends: list[Sent] = field(default_factory=list)
    stored: list[Stored] = field(default_factory=list)
    tested: list[Tested] = field(default_factory=list)
    matched: list[Matched] = field(default_factory=list)
    tails: list[Tail] = field(default_factory=list)
    body: Type = UNKNOWN
    escapes: list[Type] = field(default_factory=list)
    consulted: set[str] = field(default_factory=set)
    variables: dict[str, Type] = field(default_factory=dict)

    def receiver_type(self, selector: ast.Selector) -> Type | None:
        """The type of the receiver of the message with this selector, which is part of the unit's tree."""
        return self.receivers().get(selector.parts[0].start)

    def receivers(self) -> dict[int, Type]:
        """The types of all receivers, by where the first part of the selector begins."""
        return {sent.selector.parts[0].start: sent.receiver for sent in self.sends}
