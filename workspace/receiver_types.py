"""The type of a send's receiver, in a state (types.md X-1, X-2).

Comes in: rows of the index. Guarantees: what is answered holds for every value that the receiver
may have at its type; `DYNAMIC` where nothing is known. Known are `self`, `super`, literal
classes and parameters that declare a type and are never assigned.
"""

from __future__ import annotations

from typing import Final

from lang.ast import nodes as ast
from lang.ast.walk import walk
from lang.semantics.receivers import (
    DYNAMIC,
    ReceiverType,
    class_object,
    instance_of,
    intersection_of,
    union_of,
)
from lang.semantics.references import ReceiverKind
from lang.syntax.units import Side
from workspace import drafting
from workspace.hierarchy import superclass_of
from workspace.relevance import is_protocol
from workspace.state import ImageState
from workspace.xref import Sender


def receiver_type(state: ImageState, row: Sender) -> ReceiverType:
    """What the receiver of a send is known to be."""
    match row.site.receiver_kind:
        case ReceiverKind.SELF:
            return _own_type(row, row.owner.class_name)
        case ReceiverKind.SUPER:
            above = superclass_of(state, row.owner.class_name)
            return DYNAMIC if above is None else _own_type(row, above)
        case ReceiverKind.FFI:
            return DYNAMIC
        case ReceiverKind.OTHER:
            return _other_type(state, row)


def _own_type(row: Sender, class_name: str) -> ReceiverType:
    if not class_name:
        return DYNAMIC
    return class_object(class_name) if row.owner.side is Side.CLASS else instance_of(class_name)


def _other_type(state: ImageState, row: Sender) -> ReceiverType:
    literal = row.site.receiver
    if literal is not None:
        if literal.side is not Side.CLASS:
            return instance_of("Metaclass")
        return _class_object(state, literal.name, literal.package)
    declared = _declared_receiver(state, row)
    return DYNAMIC if declared is None else projected(state, declared)


def _class_object(state: ImageState, name: str, package: str | None) -> ReceiverType:
    return class_object(name) if name in state.classes and _is_ours(state, package) else DYNAMIC


def _is_ours(state: ImageState, package: str | None) -> bool:
    """Whether a name before an `@` means the classes of this image."""
    return package is None or package == state.package


# Types that are written as keywords (types.md T-5, T-30).
_KEYWORDS: Final = {"nil": "UndefinedObject", "Nil": "UndefinedObject", "true": "True", "false": "False"}


def projected(state: ImageState, type_: ast.TypeExpr, expanding: tuple[str, ...] = ()) -> ReceiverType:
    """The projection of a declared type; `expanding` are aliases that are being looked into."""
    match type_:
        case ast.NamedType(ref=ref) if ref.name in state.aliases:
            return _alias(state, ref.name, expanding)
        case ast.NamedType(ref=ref):
            name = _KEYWORDS.get(ref.name, ref.name)
            is_known = name in state.classes or is_protocol(state, name)
            return instance_of(name) if is_known and _is_ours(state, ref.package) else DYNAMIC
        case ast.MetaType(ref=ref):
            return _class_object(state, ref.name, ref.package)
        case ast.SingletonType():
            return instance_of("Symbol")
        case ast.DifferenceType(base=base):
            return projected(state, base, expanding)
        case ast.UnionType(members=members):
            return union_of(projected(state, each, expanding) for each in members)
        case ast.IntersectionType(members=members):
            return intersection_of(projected(state, each, expanding) for each in members)


def _alias(state: ImageState, name: str, expanding: tuple[str, ...]) -> ReceiverType:
    node = drafting.parsed(state.units[state.aliases[name]]).node
    if name in expanding or not isinstance(node, ast.TypeAlias):
        return DYNAMIC
    return projected(state, node.type, (name, *expanding))


def _declared_receiver(state: ImageState, row: Sender) -> ast.TypeExpr | None:
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
