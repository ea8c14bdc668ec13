"""What is being checked: one unit, walked once, with what its checks ask for.

Comes in: the node of a unit and the view around it. Guarantees: every node below is
in `nodes` by its type, every message (cascaded ones and casts included) in
`messages`, every statement sequence in `sequences`. Leaves: judging to the checks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from lang.ast import nodes as ast
from lang.ast.walk import walk
from lang.class_kind import ClassKind
from lang.dataclass import dataclass
from lang.diagnostics import Category, Diagnostic, Severity
from lang.semantics.hierarchy import ClassFacts, ClassView, Origin, side_of
from lang.semantics.references import UnitReferences, bare, cascade_receiver, references_of
from lang.semantics.scopes import Scope, Unit, resolve
from lang.source import Span
from lang.syntax.units import Side

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Sent:
    """One message and what it is sent to. `span` begins where its whole expression begins."""

    span: Span
    receiver: ast.Expression
    selector: ast.Selector
    arguments: tuple[ast.Expression, ...]

    @property
    def text(self) -> str:
        """The selector."""
        return self.selector.text


@dataclass(frozen=True, slots=True)
class Subject:
    """A unit under check.

    `owner` is the class it belongs to, empty for module-level code; `method` is the
    method that it defines, None for other units; `scope` is None where no code is.
    """

    node: ast.Declaration
    owner: str
    world: ClassView
    method: ast.MethodDef | None
    scope: Scope | None
    nodes: dict[type, list[ast.Node]]
    messages: tuple[Sent, ...]
    references: UnitReferences

    def of(self, node_type: type[T]) -> list[T]:
        """Every node of a type, in source order."""
        return self.nodes.get(node_type, [])  # type: ignore[return-value]  # keyed by its type

    @property
    def facts(self) -> ClassFacts | None:
        """What is known of the owner."""
        return self.world.facts(self.owner)

    @property
    def kind(self) -> ClassKind | None:
        """The kind of the owner; None for module-level code, and when it cannot be told."""
        return self.world.kind_of(self.owner) if self.owner else None

    @property
    def side(self) -> Side | None:
        """The side of the method; None in other units."""
        return None if self.method is None else side_of(self.method)

    @property
    def is_project(self) -> bool:
        """Whether rules that the library is exempt from apply."""
        return self.world.origin is Origin.PROJECT

    def is_test_case(self) -> bool:
        """Whether the owner is a test case, which may rebind its slots (language.md 4.2)."""
        return self.world.inherits(self.owner, "TestCase")

    def sequences(self) -> Iterator[tuple[ast.Expression, ...]]:
        """Every sequence of statements: of the unit itself, and of its blocks."""
        if self.method is not None:
            yield self.method.body
        if isinstance(self.node, ast.Statements):
            yield self.node.body
        for block in self.of(ast.Block):
            yield block.body


def subject_of(node: ast.Declaration, owner: str, world: ClassView) -> Subject:
    """The unit `node`, which belongs to the class `owner`, ready for checks."""
    nodes: dict[type, list[ast.Node]] = {}
    for each in walk(node):
        nodes.setdefault(each.__class__, []).append(each)
    scope = _scope_of(node, world)
    messages = tuple(_messages(nodes))
    return Subject(node, owner, world, _method_of(node), scope, nodes, messages, references_of(node))


def _method_of(node: ast.Declaration) -> ast.MethodDef | None:
    match node:
        case ast.MethodDef():
            return node
        case ast.ExtensionDef():
            return node.method
    return None


def _scope_of(node: ast.Declaration, world: ClassView) -> Scope | None:
    if not isinstance(node, Unit):
        return None
    return resolve(node, world.names if isinstance(node, ast.Statements) else ())


def _messages(nodes: dict[type, list[ast.Node]]) -> Iterator[Sent]:
    for node in (*nodes.get(ast.Send, ()), *nodes.get(ast.Cascade, ())):
        match node:
            case ast.Send():
                yield Sent(node.span, node.receiver, node.selector, node.arguments)
            case ast.Cascade():
                receiver = cascade_receiver(node)
                for message in node.messages:
                    yield Sent(message.span, receiver, message.selector, message.arguments)
            case _:
                pass


# ---------------------------------------------------------------- findings


def error(span: Span, message: str, category: Category = Category.NONE, **facts: str) -> Diagnostic:
    """A finding that stops the unit; see `warning` for the facts."""
    hint, data = _hint_and_data(facts)
    return Diagnostic(Severity.ERROR, message, span, category, hint, data=data)


def warning(span: Span, message: str, category: Category, **facts: str) -> Diagnostic:
    """A finding that stops nothing.

    `hint` among the facts becomes the hint, `class_name` the fact `class`.
    """
    hint, data = _hint_and_data(facts)
    return Diagnostic(Severity.WARNING, message, span, category, hint, data=data)


def _hint_and_data(facts: dict[str, str]) -> tuple[str | None, dict[str, str]]:
    hint = facts.pop("hint", None)
    return hint, {"class" if key == "class_name" else key: value for key, value in facts.items()}


# ---------------------------------------------------------------- what expressions literally are


def literal_block(node: ast.Expression) -> ast.Block | None:
    """The block when the expression is literally one, parentheses aside."""
    found = bare(node)
    return found if isinstance(found, ast.Block) else None


def literal_class(node: ast.Expression) -> ast.ClassRef | None:
    """The class reference when the expression is literally one, parentheses aside."""
    found = bare(node)
    return found if isinstance(found, ast.ClassRef) else None


def field_assignments(nodes: Iterable[ast.Node]) -> Iterator[tuple[ast.Assignment, str]]:
    """Every `self.f := e` among the nodes, with the slot."""
    for each in nodes:
        if isinstance(each, ast.Assignment) and isinstance(each.target, ast.FieldAccess):
            target = each.target
            if isinstance(target.receiver, ast.SelfRef):
                yield each, target.field.name
