"""How sure is it that a send reaches a method: the classes of changes.md 7.

Comes in: a method (class, side, selector) and the sends of that selector. Guarantees:
`CONFIRMED` only for `self` and `super` sends that cannot reach another method; whatever
could reach it is a candidate with its evidence; the rest is excluded. Receiver types are
known here only where the source declares them: literals of a class and parameters with
an annotation that is never assigned.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass

from changelog.entry import Evidence
from lang.ast import nodes as ast
from lang.ast.walk import walk
from lang.semantics.references import ReceiverKind
from lang.syntax.units import Side
from workspace import drafting
from workspace.hierarchy import defines, subclass_tree, superclass_chain
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
    above: frozenset[str]
    overrides: tuple[str, ...]

    @property
    def is_overridden(self) -> bool:
        """Whether a subclass defines the selector on that side."""
        return bool(self.overrides)


def target(state: ImageState, class_name: str, side: Side, selector: str) -> Target:
    """The target of a rename, with its place in the hierarchy."""
    below = subclass_tree(state, class_name)
    overrides = tuple(each for each in below if defines(state, each, side, selector))
    above = frozenset(superclass_chain(state, class_name)) - {class_name}
    return Target(class_name, side, selector, frozenset(below), above, overrides)


def judge_send(state: ImageState, of: Target, row: Sender) -> Verdict:
    """What a send of the selector is to the method."""
    match row.site.receiver_kind:
        case ReceiverKind.SELF:
            return _judge_self(of, row)
        case ReceiverKind.SUPER:
            return _judge_super(of, row)
        case ReceiverKind.FFI:
            return Sure.EXCLUDED
        case ReceiverKind.OTHER:
            return _judge_other(state, of, row)


def _own_side(row: Sender) -> Side:
    return row.owner.side or Side.INSTANCE


def _judge_self(of: Target, row: Sender) -> Verdict:
    if _own_side(row) is not of.side:
        return Sure.EXCLUDED
    owner = row.owner.class_name
    if owner == of.class_name or owner in of.below:
        return Evidence.SHADOWED if of.is_overridden else Sure.CONFIRMED
    # `self` in an inherited method may be an instance of the class.
    return Evidence.TYPED_OPEN if owner in of.above else Sure.EXCLUDED


def _judge_super(of: Target, row: Sender) -> Verdict:
    if _own_side(row) is not of.side or row.owner.class_name not in of.below:
        return Sure.EXCLUDED
    return Evidence.SHADOWED if of.is_overridden else Sure.CONFIRMED


def _judge_other(state: ImageState, of: Target, row: Sender) -> Verdict:
    literal = row.site.receiver
    if literal is not None:
        if literal.side is not Side.CLASS or of.side is not Side.CLASS:
            return Sure.EXCLUDED
        return _judge_class(state, of, literal.name)
    declared = declared_receiver(state, row)
    if declared is None:
        return Evidence.UNTYPED
    return _judge_declared(state, of, declared)


def _judge_declared(state: ImageState, of: Target, declared: ast.TypeExpr) -> Verdict:
    match declared:
        case ast.NamedType(ref=ref) if of.side is Side.INSTANCE:
            return _judge_class(state, of, ref.name)
        case ast.MetaType(ref=ref) if of.side is Side.CLASS:
            return _judge_class(state, of, ref.name)
        case ast.NamedType(ref=ref) if ref.name in _MAY_HOLD_CLASSES or ref.name not in state.classes:
            return Evidence.TYPED_OPEN
        case ast.NamedType() | ast.MetaType() | ast.SingletonType():
            return Sure.EXCLUDED
        case ast.UnionType(members=members):
            return _best(_judge_declared(state, of, member) for member in members)
        case _:
            return Evidence.UNTYPED


_MAY_HOLD_CLASSES = frozenset({"Class", "Behaviour", "Metaclass", "Object", "ProtoObject"})
_ORDER = (Evidence.TYPED, Evidence.TYPED_OPEN, Evidence.UNTYPED, Evidence.SHADOWED, Evidence.REFLECTIVE)


def _best(verdicts: Iterator[Verdict]) -> Verdict:
    """Of a union: what some member may reach, as an open type."""
    found = [verdict for verdict in verdicts if verdict is not Sure.EXCLUDED]
    if not found:
        return Sure.EXCLUDED
    return Evidence.TYPED_OPEN if Evidence.UNTYPED not in found else Evidence.UNTYPED


def _judge_class(state: ImageState, of: Target, name: str) -> Verdict:
    if name == of.class_name or name in of.below:
        return Evidence.TYPED_OPEN if of.is_overridden else Evidence.TYPED
    if name in of.above or name in state.protocols or name in state.aliases:
        return Evidence.TYPED_OPEN
    return Sure.EXCLUDED if name in state.classes else Evidence.UNTYPED


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


def declared_receiver(state: ImageState, row: Sender) -> ast.TypeExpr | None:
    """The annotation of the parameter that a send goes to, when it is never assigned."""
    node = drafting.parsed(state.units[row.lineage]).node
    method = node.method if isinstance(node, ast.ExtensionDef) else node
    if not isinstance(method, ast.MethodDef):
        return None
    name = _receiver_variable(method, row.site.selector)
    if name is None or _is_rebound(method, name):
        return None
    for parameter in method.signature.parameters:
        if parameter.name.name == name:
            return parameter.annotation
    return None


def _receiver_variable(method: ast.MethodDef, selector: ast.Selector) -> str | None:
    for node in walk(method):
        match node:
            case ast.Send(selector=found, receiver=ast.Variable(name=name)) if found == selector:
                return name
            case ast.Cascade(first=ast.Send(receiver=ast.Variable(name=name)), messages=messages):
                if any(message.selector == selector for message in messages):
                    return name
    return None


def _is_rebound(method: ast.MethodDef, name: str) -> bool:
    for node in walk(method):
        match node:
            case ast.Assignment(target=ast.Variable(name=assigned)) if assigned == name:
                return True
            case ast.BlockParameter(name=ast.Identifier(name=bound)) if bound == name:
                return True
            case ast.VariablePattern(name=bound) if bound == name:
                return True
    return False
