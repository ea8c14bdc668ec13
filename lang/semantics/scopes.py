"""Which variable does a name mean: the scopes of one unit.

Comes in: the node of a method, extension, data declaration or statements.
Guarantees: a tree of `Scope`, one for the unit, each block and each match arm,
in which every name is bound as language.md 4.4 says: a local comes into being at
its first assignment and lives to the end of the enclosing method, block, arm or
module; a block that assigns a name visible outside updates the outer variable.
Leaves: what is an error to the checks, and where a value lives to the code generator.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Container, Iterable
from typing import Any, Final

from lang.ast import nodes as ast
from lang.dataclass import dataclass
from lang.source import Span

ScopeNode = ast.MethodDef | ast.ExtensionDef | ast.DataDecl | ast.Statements | ast.Block | ast.MatchArm
Unit = ast.MethodDef | ast.ExtensionDef | ast.DataDecl | ast.Statements


class BindingKind(enum.Enum):
    """How a name came to be."""

    PARAMETER = "parameter"
    BLOCK_PARAMETER = "block parameter"
    PATTERN = "pattern variable"
    LOCAL = "local"


@dataclass(frozen=True, slots=True)
class Binding:
    """One variable: where it is declared, and what becomes of it.

    `hides` says that an outer variable of the unit had that name when it was bound;
    `is_early` that a block inside its own first assignment uses it (a block may name
    itself), so that it must exist, as nil, before that assignment runs.
    """

    name: str
    span: Span
    kind: BindingKind
    is_read: bool
    hides: bool
    is_early: bool


@dataclass(frozen=True, slots=True)
class Scope:
    """The variables of one unit, block or match arm.

    `bindings` are those that begin here, in order; `parameters` and `declared` are
    their names (parameters and pattern variables, and all of them). `assigned` and
    `read` are names that the code of this scope itself assigns or reads, wherever
    they are bound; what nested scopes do is in `children`, in source order. `free`
    are the names that this scope or one in it uses and that are not bound within;
    `captured` those bound here that some nested *block* uses. `unresolved` are reads
    that no binding answers, in this scope alone.
    """

    node: ScopeNode
    bindings: tuple[Binding, ...]
    parameters: tuple[str, ...]
    declared: frozenset[str]
    assigned: frozenset[str]
    read: frozenset[str]
    free: frozenset[str]
    captured: frozenset[str]
    unresolved: tuple[ast.Variable, ...]
    children: tuple[Scope, ...]

    def walk(self) -> Iterable[Scope]:
        """This scope and all that it contains, outermost first, in source order."""
        yield self
        for child in self.children:
            yield from child.walk()

    def by_node(self) -> dict[int, Scope]:
        """Every scope of this tree by the `id` of its node, which the tree keeps alive."""
        return {id(scope.node): scope for scope in self.walk()}


def resolve(node: Unit, outer: Container[str] = ()) -> Scope:
    """The scopes of a unit.

    `outer` holds the names that exist around it: session variables for an input, the
    variables of earlier statements for module-level code, none for a method.
    """
    resolver = _Resolver(outer)
    resolver.unit(node)
    return resolver.finished


# ---------------------------------------------------------------- resolving


@dataclass(slots=True)
class _Name:
    name: str
    span: Span
    kind: BindingKind
    hides: bool
    is_read: bool = False
    is_early: bool = False
    is_pending: bool = False

    def frozen(self) -> Binding:
        return Binding(self.name, self.span, self.kind, self.is_read, self.hides, self.is_early)


class _Frame:
    """A scope while it is being read."""

    __slots__ = ("assigned", "children", "names", "node", "read", "unresolved")

    def __init__(self, node: ScopeNode) -> None:
        self.node: Final = node
        self.names: dict[str, _Name] = {}
        self.assigned: set[str] = set()
        self.read: set[str] = set()
        self.unresolved: list[ast.Variable] = []
        self.children: list[Scope] = []

    def frozen(self) -> Scope:
        declared = frozenset(self.names)
        used = set(self.assigned) | self.read
        in_blocks: set[str] = set()
        for child in self.children:
            used |= child.free
            in_blocks |= child.free if isinstance(child.node, ast.Block) else _block_uses(child)
        bindings = tuple(name.frozen() for name in self.names.values())
        return Scope(
            node=self.node,
            bindings=bindings,
            parameters=tuple(b.name for b in bindings if b.kind is not BindingKind.LOCAL),
            declared=declared,
            assigned=frozenset(self.assigned),
            read=frozenset(self.read),
            free=frozenset(used - declared),
            captured=declared & in_blocks,
            unresolved=tuple(self.unresolved),
            children=tuple(self.children),
        )


def _block_uses(arm: Scope) -> frozenset[str]:
    """Names bound outside `arm` that blocks inside it use."""
    uses: set[str] = set()
    for child in arm.children:
        uses |= child.free if isinstance(child.node, ast.Block) else _block_uses(child)
    return frozenset(uses - arm.declared)


# Names that a pattern writes and that never bind (language.md 2.9, 4.4).
_NEVER_BOUND: Final = frozenset({"_", "nil", "true", "false"})


class _Resolver:
    """Reads a unit in source order, so that a name means what was bound before it."""

    def __init__(self, outer: Container[str]) -> None:
        self.outer: Final = outer
        self.frames: list[_Frame] = []
        self.finished: Scope

    # -- units

    def unit(self, node: Unit) -> None:
        match node:
            case ast.MethodDef():
                self.method(node, node)
            case ast.ExtensionDef():
                self.method(node, node.method)
            case ast.DataDecl():
                self.open(node)
                if node.default is not None:
                    self.visit(node.default)
                self.close()
            case ast.Statements():
                self.open(node)
                self.all(node.body)
                self.close()

    def method(self, node: ast.MethodDef | ast.ExtensionDef, method: ast.MethodDef) -> None:
        self.open(node)
        for parameter in method.signature.parameters:
            self.bind(parameter.name.name, parameter.name.span, BindingKind.PARAMETER)
        self.all(method.body)
        self.close()

    # -- frames and names

    def open(self, node: ScopeNode) -> None:
        self.frames.append(_Frame(node))

    def close(self) -> None:
        scope = self.frames.pop().frozen()
        if self.frames:
            self.top.children.append(scope)
        else:
            self.finished = scope

    @property
    def top(self) -> _Frame:
        return self.frames[-1]

    def lookup(self, name: str) -> _Name | None:
        """The variable that `name` means here; one that is still being assigned only from a block."""
        is_in_block = False
        for frame in reversed(self.frames):
            found = frame.names.get(name)
            if found is not None and (is_in_block or not found.is_pending):
                found.is_early = found.is_early or found.is_pending
                return found
            is_in_block = is_in_block or isinstance(frame.node, ast.Block)
        return None

    def bind(self, name: str, span: Span, kind: BindingKind) -> _Name:
        hides = self.lookup(name) is not None
        bound = _Name(name, span, kind, hides)
        self.top.names.setdefault(name, bound)
        return bound

    def read(self, node: ast.Variable) -> None:
        self.top.read.add(node.name)
        found = self.lookup(node.name)
        if found is not None:
            found.is_read = True
        elif node.name not in self.outer:
            self.top.unresolved.append(node)

    def assign(self, name: str, span: Span) -> None:
        frame = self.top
        frame.assigned.add(name)
        own = frame.names.get(name)
        if own is not None:
            own.is_pending = False
        elif self.lookup(name) is None and name not in self.outer:
            frame.names[name] = _Name(name, span, BindingKind.LOCAL, hides=False)

    # -- expressions

    def all(self, nodes: Iterable[ast.Expression]) -> None:
        for node in nodes:
            self.visit(node)

    def visit(self, node: ast.Expression) -> None:
        reader = _READERS.get(type(node))
        if reader is not None:
            reader(self, node)

    def send(self, node: ast.Send) -> None:
        """A chain of sends is as long as a person likes, so it is not walked by recursion."""
        chain = [node]
        while isinstance(receiver := chain[-1].receiver, ast.Send):
            chain.append(receiver)
        self.visit(receiver)
        for each in reversed(chain):
            self.all(each.arguments)

    def cascade(self, node: ast.Cascade) -> None:
        self.visit(node.first)
        for message in node.messages:
            self.all(message.arguments)

    def assignment(self, node: ast.Assignment) -> None:
        if not isinstance(node.target, ast.Variable):
            self.visit(node.target.receiver)
            self.visit(node.value)
            return
        name, span = node.target.name, node.target.span
        if self.lookup(name) is None and name not in self.outer and name not in self.top.names:
            pending = _Name(name, span, BindingKind.LOCAL, hides=False, is_pending=True)
            self.top.names[name] = pending
        self.visit(node.value)
        self.assign(name, span)

    def destructuring(self, node: ast.Destructuring) -> None:
        self.visit(node.value)
        for name, span in pattern_names(node.pattern):
            self.assign(name, span)

    def block(self, node: ast.Block) -> None:
        self.open(node)
        for parameter in node.parameters:
            self.bind(parameter.name.name, parameter.name.span, BindingKind.BLOCK_PARAMETER)
        self.all(node.body)
        self.close()

    def match(self, node: ast.Match) -> None:
        self.visit(node.subject)
        for arm in node.arms:
            self.open(arm)
            self.bind_pattern(arm.pattern)
            if arm.guard is not None:
                self.visit(arm.guard)
            self.visit(arm.body)
            self.close()

    def bind_pattern(self, pattern: ast.Pattern) -> None:
        for sized in _sizes_read(pattern):
            if sized.name not in {name for name, _ in pattern_names(pattern)}:
                self.read(sized)
        for name, span in pattern_names(pattern):
            self.bind(name, span, BindingKind.PATTERN)

    def dictionary(self, node: ast.DictionaryLiteral) -> None:
        for key, value in node.pairs:
            self.visit(key)
            self.visit(value)

    def list_literal(self, node: ast.ListLiteral) -> None:
        self.all(node.elements)
        if node.tail is not None:
            self.visit(node.tail)


# The argument of a reader is the node type that keys it, which a mapping cannot say.
_READERS: Final[dict[type, Callable[[_Resolver, Any], None]]] = {
    ast.Variable: _Resolver.read,
    ast.Send: _Resolver.send,
    ast.Cascade: _Resolver.cascade,
    ast.Cast: lambda self, node: self.send(node.send),
    ast.Assignment: _Resolver.assignment,
    ast.Destructuring: _Resolver.destructuring,
    ast.Return: lambda self, node: self.visit(node.value),
    ast.Block: _Resolver.block,
    ast.Parenthesized: lambda self, node: self.visit(node.inner),
    ast.ListLiteral: _Resolver.list_literal,
    ast.ArrayLiteral: lambda self, node: self.all(node.elements),
    ast.DictionaryLiteral: _Resolver.dictionary,
    ast.Interpolation: lambda self, node: self.all(node.parts),
    ast.FieldAccess: lambda self, node: self.visit(node.receiver),
    ast.Match: _Resolver.match,
}


# ---------------------------------------------------------------- patterns


def pattern_names(pattern: ast.Pattern) -> list[tuple[str, Span]]:
    """The names that a pattern binds, in source order, one for each occurrence."""
    found: list[tuple[str, Span]] = []
    _collect(pattern, found)
    return [(name, span) for name, span in found if name not in _NEVER_BOUND]


def _collect(pattern: ast.Pattern, found: list[tuple[str, Span]]) -> None:
    match pattern:
        case ast.VariablePattern():
            found.append((pattern.name, pattern.span))
        case ast.RestPattern():
            found.append((pattern.name, Span(pattern.span.end - len(pattern.name), pattern.span.end)))
        case ast.TypePattern():
            found.append((pattern.name.name, pattern.name.span))
        case ast.TuplePattern() | ast.ArrayPattern() | ast.ListPattern():
            for element in pattern.elements:
                _collect(element, found)
        case ast.MapPattern():
            for _, value in pattern.pairs:
                _collect(value, found)
        case ast.ConstructorPattern():
            for binding in pattern.bindings:
                _collect(binding, found)
        case ast.BinaryPattern():
            for segment in pattern.segments:
                start = segment.span.start
                found.append((segment.name, Span(start, start + len(segment.name))))
        case ast.WildcardPattern() | ast.LiteralPattern():
            pass


def _sizes_read(pattern: ast.Pattern) -> list[ast.Variable]:
    """Names that the sizes of binary segments read."""
    if not isinstance(pattern, ast.BinaryPattern):
        return []
    return [
        ast.Variable(segment.span, segment.size)
        for segment in pattern.segments
        if isinstance(segment.size, str)
    ]
