"""What a unit mentions: classes, sends, slots and symbols, in one walk.

Comes in: the node of any unit. Guarantees: every mention of a class and every send,
wherever it stands (annotations, patterns, cascades, interpolation, guards, defaults,
nested blocks: types.md X-5, X-6; changes.md 6 "Sites"), each with spans relative to
the unit's text. Leaves: receiver types, which are not known here, and prose, which is
no part of the tree (`prose`).
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any, Final

from lang.ast import nodes as ast
from lang.ast.walk import children
from lang.dataclass import dataclass
from lang.source import Span
from lang.syntax.units import Side

# The gateways to the host: a unary send to one names a module (language.md 4.19).
GATEWAYS: Final = frozenset({"Python", "Erlang"})


# Types that are written as keywords, and name no class that could be renamed (types.md T-30).
KEYWORD_TYPES: Final = {"nil": "Nil", "true": "True", "false": "False"}


class ReferenceRole(enum.Enum):
    """In what position a class is mentioned."""

    EXPRESSION = "expression"
    ANNOTATION = "annotation"
    PATTERN = "pattern"
    SUPERCLASS = "superclass"
    EXTENSION = "extension"
    DECLARATION = "declaration"


class ReceiverKind(enum.Enum):
    """What a send's receiver is, by its form alone (types.md X-1)."""

    SELF = "self"
    SUPER = "super"
    FFI = "ffi"
    OTHER = "other"


class Access(enum.Enum):
    """What is done with a slot."""

    READ = "read"
    WRITE = "write"


@dataclass(frozen=True, slots=True)
class ClassMention:
    """A class, protocol or alias named. `span` covers the name alone, not `package@`."""

    span: Span
    name: str
    package: str | None
    role: ReferenceRole


@dataclass(frozen=True, slots=True)
class ClassReceiver:
    """A receiver that is literally `Counter` or `Counter class`.

    `side` is the side of the class whose methods answer: CLASS for `Counter`; None for
    `Counter class`, whose messages the metaclass tower answers.
    """

    name: str
    package: str | None
    side: Side | None


@dataclass(frozen=True, slots=True)
class SendSite:
    """One send: its selector with the span of each part, and what its receiver looks like.

    `span` begins with the receiver (for a later message of a cascade: with its
    selector). `module` is the host module of an FFI call, None for the send that names it
    to the gateway. A `match:` with arms is no send (language.md 2.2).
    """

    span: Span
    selector: ast.Selector
    argument_count: int
    receiver_kind: ReceiverKind
    receiver: ClassReceiver | None = None
    module: str | None = None
    is_cast: bool = False

    @property
    def receiver_class(self) -> str | None:
        """The class when the receiver is literally one, so that its class side answers."""
        literal = self.receiver
        return literal.name if literal is not None and literal.side is Side.CLASS else None


@dataclass(frozen=True, slots=True)
class SlotAccess:
    """`self.slot` read or written; `span` covers the slot's name."""

    span: Span
    slot: str
    access: Access


@dataclass(frozen=True, slots=True)
class SymbolMention:
    """A symbol literal or singleton type; `span` covers it with its `#`.

    `looked_up_by` is the selector to which it is an argument that names something at
    run time (`perform:`, `respondsTo:`, `classNamed:`, `>>` …), else None.
    `method_of` tells for `C >> #sel` and `C class >> #sel` whose method is named;
    its side is then the side of that method.
    """

    span: Span
    name: str
    looked_up_by: str | None = None
    method_of: ClassReceiver | None = None

    @property
    def is_reflective(self) -> bool:
        """Whether running code looks something up by it (changes.md 6)."""
        return self.looked_up_by is not None


@dataclass(frozen=True, slots=True)
class UnitReferences:
    """All that one unit mentions, each list in source order."""

    classes: tuple[ClassMention, ...] = ()
    sends: tuple[SendSite, ...] = ()
    slots: tuple[SlotAccess, ...] = ()
    symbols: tuple[SymbolMention, ...] = ()


def references_of(node: ast.Declaration) -> UnitReferences:
    """What the unit mentions."""
    collector = _Collector()
    collector.visit(node)
    return UnitReferences(
        tuple(sorted(collector.classes, key=lambda m: m.span)),
        tuple(sorted(collector.sends, key=lambda m: m.selector.parts[0])),
        tuple(sorted(collector.slots, key=lambda m: m.span)),
        tuple(sorted(collector.symbols, key=lambda m: m.span)),
    )


# ---------------------------------------------------------------- collecting

# Selectors whose symbol arguments name a method, class, slot or protocol at run time, with
# the positions of those arguments (language.md 4.17, 4.18; stdlib.md).
REFLECTIVE: Final[dict[str, tuple[int, ...]]] = {
    "perform:": (0,),
    "perform:withArguments:": (0,),
    "perform:withArguments:timeout:": (0,),
    "performLocally:withArguments:": (0,),
    "respondsTo:": (0,),
    "canUnderstand:": (0,),
    "includesSelector:": (0,),
    "whichClassIncludesSelector:": (0,),
    ">>": (0,),
    "compile:source:": (0,),
    "tryCompile:source:": (0,),
    "removeSelector:": (0,),
    "removeSelector:ifAbsent:": (0,),
    "renameSelector:to:": (0, 1),
    "renameSelector:to:ifAbsent:": (0, 1),
    "renameSelector:to:shadowing:": (0, 1),
    "renameSelector:to:accepting:": (0, 1),
    "renameTo:": (0,),
    "previewRenameTo:": (0,),
    "classNamed:": (0,),
    "findClass:": (0,),
    "superclass:": (0,),
    "conformsTo:": (0,),
    "requiredMethods:": (0,),
    "conformingClasses:": (0,),
    "isProtocol:": (0,),
    "implementorsOf:": (0,),
    "sendersOf:": (0,),
    "fieldAt:": (0,),
    "fieldAt:put:": (0,),
    "classState:": (0,),
    "fieldReadersOf:in:": (0,),
    "fieldWritersOf:in:": (0,),
}


class _Collector:
    """Gathers mentions; `role` is the role of the class references met now."""

    def __init__(self) -> None:
        self.classes: list[ClassMention] = []
        self.sends: list[SendSite] = []
        self.slots: list[SlotAccess] = []
        self.symbols: list[SymbolMention] = []
        self.role = ReferenceRole.EXPRESSION

    def visit(self, node: ast.Node) -> None:
        node_type: type = type(node)
        if node_type in _LEAVES:
            return
        visitor = _VISITORS.get(node_type)
        if visitor is not None:
            visitor(self, node)
        else:
            self.within(node)

    def within(self, node: ast.Node) -> None:
        for child in children(node):
            self.visit(child)

    def all(self, *nodes: ast.Node) -> None:
        for node in nodes:
            self.visit(node)

    def in_role(self, role: ReferenceRole, node: ast.Node) -> None:
        """Visit what is inside `node`, where class references have the given role."""
        outer, self.role = self.role, role
        self.within(node)
        self.role = outer

    def class_ref(self, node: ast.ClassRef, role: ReferenceRole | None = None) -> None:
        if node.name in KEYWORD_TYPES:
            return
        self.classes.append(ClassMention(node.name_span, node.name, node.package, role or self.role))

    # -- sends

    def send(self, node: ast.Send, *, is_cast: bool = False) -> None:
        """A chain of sends is as long as a person likes, so it is not walked by recursion."""
        self.site(node.span, node.receiver, node, is_cast=is_cast)
        chain = [node]
        while isinstance(receiver := chain[-1].receiver, ast.Send):
            chain.append(receiver)
            self.site(receiver.span, receiver.receiver, receiver, is_cast=False)
        self.visit(receiver)
        for each in reversed(chain):
            self.arguments(each.receiver, each)

    def cast(self, node: ast.Cast) -> None:
        self.send(node.send, is_cast=True)

    def cascade(self, node: ast.Cascade) -> None:
        self.visit(node.first)
        receiver = cascade_receiver(node)
        for message in node.messages:
            self.site(message.span, receiver, message, is_cast=False)
            self.arguments(receiver, message)

    def site(self, span: Span, receiver: ast.Expression, message: _Messageish, *, is_cast: bool) -> None:
        kind, module = _receiver_kind(receiver)
        self.sends.append(
            SendSite(
                span,
                message.selector,
                len(message.arguments),
                kind,
                class_receiver(receiver),
                module,
                is_cast,
            )
        )

    def arguments(self, receiver: ast.Expression, message: _Messageish) -> None:
        positions = REFLECTIVE.get(message.selector.text, ())
        for at, argument in enumerate(message.arguments):
            symbol = bare(argument)
            if at in positions and isinstance(symbol, ast.SymbolLiteral):
                self.looked_up(symbol, receiver, message.selector.text)
            else:
                self.visit(argument)

    def looked_up(self, symbol: ast.SymbolLiteral, receiver: ast.Expression, by: str) -> None:
        method_of = _method_owner(receiver) if by == ">>" else None
        self.symbols.append(SymbolMention(symbol.span, symbol.name, by, method_of))

    # -- slots and symbols

    def field_read(self, node: ast.FieldAccess) -> None:
        self.field(node, Access.READ)

    def field(self, node: ast.FieldAccess, access: Access) -> None:
        if isinstance(node.receiver, ast.SelfRef):
            self.slots.append(SlotAccess(node.field.span, node.field.name, access))
        else:
            self.visit(node.receiver)

    def assignment(self, node: ast.Assignment) -> None:
        if isinstance(node.target, ast.FieldAccess):
            self.field(node.target, Access.WRITE)
        if node.annotation is not None:
            self.visit(node.annotation)
        self.visit(node.value)

    def symbol(self, node: ast.SymbolLiteral | ast.SingletonType) -> None:
        self.symbols.append(SymbolMention(node.span, node.name))

    # -- patterns and declarations

    def pattern_ref(self, node: ast.TypePattern | ast.ConstructorPattern) -> None:
        self.in_role(ReferenceRole.PATTERN, node)

    def extension(self, node: ast.ExtensionDef) -> None:
        self.class_ref(node.target, ReferenceRole.EXTENSION)
        self.visit(node.method)

    def header(self, node: ast.ClassHeader) -> None:
        self.class_ref(node.name, ReferenceRole.DECLARATION)
        if node.superclass is not None:
            self.class_ref(node.superclass, ReferenceRole.SUPERCLASS)
        self.all(*node.superclass_arguments, *node.type_parameters, *node.data)

    def protocol(self, node: ast.ProtocolDef) -> None:
        self.class_ref(node.name, ReferenceRole.DECLARATION)
        if node.extending is not None:
            self.class_ref(node.extending, ReferenceRole.SUPERCLASS)
        self.all(*node.type_parameters, *node.signatures)

    def alias(self, node: ast.TypeAlias) -> None:
        self.class_ref(node.name, ReferenceRole.DECLARATION)
        self.visit(node.type)

    def annotation(self, node: ast.Node) -> None:
        self.in_role(ReferenceRole.ANNOTATION, node)


_Messageish = ast.Send | ast.Message

_LEAVES: Final = frozenset(
    {
        ast.Identifier,
        ast.Selector,
        ast.IntegerLiteral,
        ast.FloatLiteral,
        ast.StringLiteral,
        ast.CharacterLiteral,
        ast.Constant,
        ast.Variable,
        ast.SelfRef,
        ast.SuperRef,
    }
)

# The argument of a visitor is the node type that keys it, which a mapping cannot say.
_VISITORS: Final[dict[type, Callable[[_Collector, Any], None]]] = {
    ast.ClassRef: _Collector.class_ref,
    ast.Send: _Collector.send,
    ast.Cast: _Collector.cast,
    ast.Cascade: _Collector.cascade,
    ast.FieldAccess: _Collector.field_read,
    ast.Assignment: _Collector.assignment,
    ast.SymbolLiteral: _Collector.symbol,
    ast.SingletonType: _Collector.symbol,
    ast.TypePattern: _Collector.pattern_ref,
    ast.ConstructorPattern: _Collector.pattern_ref,
    ast.NamedType: _Collector.annotation,
    ast.MetaType: _Collector.annotation,
    ast.TypeParameter: _Collector.annotation,
    ast.ExtensionDef: _Collector.extension,
    ast.ClassHeader: _Collector.header,
    ast.ProtocolDef: _Collector.protocol,
    ast.TypeAlias: _Collector.alias,
}


# ---------------------------------------------------------------- receivers


def bare(node: ast.Expression) -> ast.Expression:
    """The expression without the parentheses around it."""
    while isinstance(node, ast.Parenthesized):
        node = node.inner
    return node


def cascade_receiver(node: ast.Cascade) -> ast.Expression:
    """To what the later messages of a cascade go (language.md 4.7)."""
    return node.first.receiver if isinstance(node.first, ast.Send) else node.first


def class_receiver(node: ast.Expression) -> ClassReceiver | None:
    """The class that a receiver literally names, and which side of it answers."""
    match bare(node):
        case ast.ClassRef(name=name, package=package):
            return ClassReceiver(name, package, Side.CLASS)
        case ast.Send(receiver=inner, selector=ast.Selector(text="class")):
            named = bare(inner)
            if isinstance(named, ast.ClassRef):
                return ClassReceiver(named.name, named.package, None)
    return None


def _method_owner(node: ast.Expression) -> ClassReceiver | None:
    """Whose method `node >> #sel` names: `C` its instance side, `C class` its class side."""
    named = class_receiver(node)
    if named is None:
        return None
    side = Side.INSTANCE if named.side is Side.CLASS else Side.CLASS
    return ClassReceiver(named.name, named.package, side)


def _receiver_kind(node: ast.Expression) -> tuple[ReceiverKind, str | None]:
    match bare(node):
        case ast.SelfRef():
            return ReceiverKind.SELF, None
        case ast.SuperRef():
            return ReceiverKind.SUPER, None
        case ast.ClassRef(name=name) if name in GATEWAYS:
            return ReceiverKind.FFI, None
        case ast.Send(receiver=ast.ClassRef(name=name), selector=selector, arguments=()) if name in GATEWAYS:
            return ReceiverKind.FFI, selector.text
    return ReceiverKind.OTHER, None
