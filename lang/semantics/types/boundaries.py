"""Where values go to another process: messages to actors, initial state, blocks that travel, announcements (types.md 4.4).

Comes in: the facts of a unit, and its world. Guarantees: a finding for what is known to be bound to its process, and for
nothing else; what is not known is silent (S-17). Leaves: `@expect` and the package's table to `check` and `policy`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from lang.ast import nodes as ast
from lang.ast.walk import walk
from lang.class_kind import ClassKind
from lang.diagnostics import Category, Diagnostic, Severity
from lang.semantics.references import bare
from lang.semantics.types.display import display
from lang.semantics.types.facts import Facts, Sent
from lang.semantics.types.lattice import UNKNOWN, Difference, Known, Meta, Type, members_of
from lang.semantics.types.sendability import tier
from lang.semantics.types.world import World
from lang.source import Span

_ANNOUNCING: Final = frozenset({"announce:", "announceAndWait:", "announceAndWait:timeout:"})
_TIMER: Final = "Timer"


def check_boundaries(node: ast.Declaration, facts: Facts, world: World) -> Iterator[Diagnostic]:
    """What a unit lets go to another process although only its own can use it."""
    crossing = _Crossing(node, facts, world)
    for sent in facts.sends:
        yield from crossing.findings(sent)


class _Crossing:
    """The boundaries of one unit."""

    def __init__(self, node: ast.Declaration, facts: Facts, world: World) -> None:
        self._node = node
        self._facts = facts
        self._world = world

    def findings(self, sent: Sent) -> Iterator[Diagnostic]:
        if isinstance(bare(sent.receiver_node), ast.SelfRef | ast.SuperRef):
            return
        if sent.text in _ANNOUNCING:
            yield from self._value(sent.arguments[0], sent.given[0], "an announcement")
        elif self._is_actor(sent.receiver):
            boundary = f"an argument of `{sent.text}` to an actor"
            for node, given in zip(sent.arguments, sent.given, strict=True):
                yield from self._argument(node, given, boundary)
        elif isinstance(sent.receiver, Meta):
            yield from self._to_class(sent, sent.receiver)
        elif sent.is_cast:
            yield from self._blocks(sent, f"an argument of the cast `{sent.text}`")

    def _to_class(self, sent: Sent, receiver: Meta) -> Iterator[Diagnostic]:
        if receiver.name == _TIMER:
            yield from self._blocks(sent, "the block of a Timer")
        elif sent.text == "spawnWith:" and self._world.kind_of(receiver.name) is ClassKind.ACTOR:
            literal = bare(sent.arguments[0])
            for _key, value in literal.pairs if isinstance(literal, ast.DictionaryLiteral) else ():
                yield from self._argument(value, self._type_of(value), "the initial state of an actor")

    def _is_actor(self, receiver: Type) -> bool:
        """Whether the receiver, or one member of its union, is an instance of an actor class (S-10)."""
        for each in members_of(receiver):
            member = each.base if isinstance(each, Difference) else each
            if isinstance(member, Known) and self._world.kind_of(member.name) is ClassKind.ACTOR:
                return True
        return False

    def _type_of(self, node: ast.Expression) -> Type:
        return self._facts.types.get(bare(node).span, self._facts.types.get(node.span, UNKNOWN))

    # ------------------------------------------------------------ values and blocks

    def _blocks(self, sent: Sent, boundary: str) -> Iterator[Diagnostic]:
        for node in sent.arguments:
            block = bare(node)
            if isinstance(block, ast.Block):
                yield from self._captured(block, boundary)

    def _argument(self, node: ast.Expression, given: Type, boundary: str) -> Iterator[Diagnostic]:
        block = bare(node)
        if isinstance(block, ast.Block):
            yield from self._captured(block, f"a block that is {boundary}")
        else:
            yield from self._value(node, given, boundary)

    def _value(self, node: ast.Expression, given: Type, boundary: str) -> Iterator[Diagnostic]:
        if tier(given, self._world).is_bound_to_process:
            yield self._finding(node.span, _label(node), given, boundary)

    def _captured(self, block: ast.Block, boundary: str) -> Iterator[Diagnostic]:
        """Each variable and slot from outside of a block that travels, at its first use (S-12)."""
        own = _bound_in(block) - self._bound_outside(block)
        told: set[str] = set()
        for node in walk(block):
            label = _label(node) if isinstance(node, ast.Variable | ast.FieldAccess) else None
            if (
                label is None
                or label in own
                or label in told
                or not isinstance(node, ast.Variable | ast.FieldAccess)
            ):
                continue
            found = self._type_of(node)
            if tier(found, self._world).is_bound_to_process:
                told.add(label)
                yield self._finding(node.span, label, found, boundary)

    def _bound_outside(self, block: ast.Block) -> frozenset[str]:
        inside = {id(each) for each in walk(block)}
        outside = (each for each in walk(self._node) if id(each) not in inside)
        return frozenset(name for each in outside for name in _names_bound(each))

    def _finding(self, span: Span, label: str | None, found: Type, boundary: str) -> Diagnostic:
        shown = display(found)
        subject = f"`{label}` ({shown})" if label is not None else f"A {shown}"
        return Diagnostic(
            Severity.WARNING,
            f"{subject} is bound to this process, and would go to another one in {boundary}: "
            "only the process that owns it can use it",
            span,
            Category.SENDABILITY,
            "Pass plain data, or an actor that owns the handle",
            data={"name": label or shown, "actual": _class_name(found, self._world), "boundary": boundary},
        )


def _label(node: ast.Node) -> str | None:
    """How a finding names a value: a variable or a slot; other expressions are named by their type."""
    match bare(node) if not isinstance(node, ast.Variable | ast.FieldAccess) else node:  # type: ignore[arg-type]
        case ast.Variable(name=name):
            return name
        case ast.FieldAccess(receiver=ast.SelfRef(), field=field):
            return f"self.{field.name}"
    return None


def _class_name(found: Type, world: World) -> str:
    """The class of the part that is bound to its process, without arguments."""
    for each in members_of(found):
        if isinstance(each, Known) and tier(each, world).is_bound_to_process:
            return each.name
    return display(found)


def _bound_in(block: ast.Block) -> frozenset[str]:
    return frozenset(name for each in walk(block) for name in _names_bound(each))


def _names_bound(node: ast.Node) -> Iterator[str]:
    match node:
        case ast.BlockParameter(name=name):
            yield name.name
        case ast.Parameter(name=name):
            yield name.name
        case ast.Assignment(target=ast.Variable(name=name)):
            yield name
        case _:
            pass
