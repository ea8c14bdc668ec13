"""How sure is it that a send reaches a method: the classes of changes.md 7.

Comes in: a method (class, side, selector) and the sends of that selector. Guarantees:
`CONFIRMED` only for `self` and `super` sends that cannot reach another method; whatever
could reach it is a candidate with its evidence; the rest is excluded. Leaves: receiver types to
`receiver_types`, whom they can reach to `relevance`.
"""

from __future__ import annotations

import enum

from changelog.entry import Evidence
from lang.dataclass import dataclass
from lang.semantics.receivers import DYNAMIC, ReceiverName, ReceiverType
from lang.semantics.references import ReceiverKind
from lang.syntax.units import Side
from workspace.hierarchy import defines, subclass_tree
from workspace.relevance import TOWER, Relevance
from workspace.state import ImageState
from workspace.xref import Sender, SymbolUse


class Sure(enum.Enum):
    """The two verdicts that carry no evidence."""

    CONFIRMED = "confirmed"
    EXCLUDED = "excluded"


Verdict = Sure | Evidence


@dataclass(frozen=True, slots=True)
class Target:
    """The method in question, with what of the hierarchy decides about its senders."""

    class_name: str
    side: Side
    selector: str
    below: frozenset[str]
    overrides: tuple[str, ...]
    relevance: Relevance

    @property
    def is_overridden(self) -> bool:
        """Whether a subclass defines the selector on that side."""
        return bool(self.overrides)


def target(state: ImageState, class_name: str, side: Side, selector: str) -> Target:
    """The target of a rename, with its place in the hierarchy."""
    below = subclass_tree(state, class_name)
    overrides = tuple(each for each in below if defines(state, each, side, selector))
    return Target(class_name, side, selector, frozenset(below), overrides, Relevance(state, class_name, side))


def judge_send(state: ImageState, of: Target, row: Sender) -> Verdict:
    """What a send of the selector is to the method."""
    match row.site.receiver_kind:
        case ReceiverKind.FFI:
            return Sure.EXCLUDED
        case ReceiverKind.SUPER:
            return _judge_super(of, row)
        case ReceiverKind.SELF if _is_own(of, row):
            return Evidence.SHADOWED if of.is_overridden else Sure.CONFIRMED
        case ReceiverKind.SELF | ReceiverKind.OTHER:
            return _judge_type(of, row, state.receivers.of(state, row))


def _is_own(of: Target, row: Sender) -> bool:
    """Whether `self` in the code of a send is the class, or one below, on the method's side."""
    owner = row.owner.class_name
    is_on_side = (row.owner.side or Side.INSTANCE) is of.side
    return is_on_side and (owner == of.class_name or owner in of.below)


def _judge_super(of: Target, row: Sender) -> Verdict:
    """`super` starts above the class of its own text, whatever the receiver is."""
    side = row.owner.side or Side.INSTANCE
    if side is of.side and row.owner.class_name in of.below:
        return Evidence.SHADOWED if of.is_overridden else Sure.CONFIRMED
    is_inherited_by_classes = side is Side.CLASS and of.side is Side.INSTANCE and of.class_name in TOWER
    return Evidence.TYPED_OPEN if is_inherited_by_classes else Sure.EXCLUDED


def _judge_type(of: Target, row: Sender, receiver: ReceiverType) -> Verdict:
    literal = row.site.receiver
    if literal is not None and literal.side is None and of.side is Side.CLASS:
        return Sure.EXCLUDED  # the metaclass itself is no class object with class methods of its own
    if receiver is DYNAMIC:
        return Evidence.UNTYPED
    if not of.relevance.admits(receiver):
        return Sure.EXCLUDED
    if of.is_overridden or not all(_is_at_or_below(of, name) for name in receiver.names):
        return Evidence.TYPED_OPEN
    return Evidence.TYPED


def _is_at_or_below(of: Target, receiver: ReceiverName) -> bool:
    is_on_side = receiver.is_class_object is (of.side is Side.CLASS)
    return is_on_side and (receiver.name == of.class_name or receiver.name in of.below)


def judge_symbol(of: Target, row: SymbolUse) -> Verdict:
    """What a symbol of the selector's name is to the method: `C >> #sel` counts as a use."""
    named = row.mention.method_of
    if named is None or named.side is None:
        return Evidence.REFLECTIVE
    if named.side is not of.side:
        return Sure.EXCLUDED
    if named.name != of.class_name and named.name not in of.below:
        return Sure.EXCLUDED
    return Evidence.SHADOWED if of.is_overridden else Sure.CONFIRMED
