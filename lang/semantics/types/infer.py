"""Types of the expressions of one unit (types.md 2).

Comes in: a unit's tree, the class and side that it belongs to, a `World`. Guarantees: `Facts`; each expression is
inferred once; chains of sends of any length cost no stack. Leaves: what is wrong to the checks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from lang.ast import nodes as ast
from lang.dataclass import dataclass
from lang.semantics.references import GATEWAYS, bare
from lang.semantics.scopes import Scope, pattern_names
from lang.semantics.types import control, matching
from lang.semantics.types.annotations import resolved
from lang.semantics.types.binding import merged_all
from lang.semantics.types.facts import Answer, Facts, Sent, Stored, Tail
from lang.semantics.types.lattice import (
    DYNAMIC_RECEIVER,
    NEVER,
    NIL,
    UNANNOTATED_PARAMETER,
    UNKNOWN,
    UNTYPED_FFI,
    Difference,
    Dynamic,
    Intersection,
    Known,
    Meta,
    Never,
    Type,
    Union,
    is_nil,
    known,
    members_of,
    singleton,
    union,
)
from lang.semantics.types.sends import EQUALITIES, Call, ReturnOf, call_of, find_for
from lang.semantics.types.world import World
from lang.source import Span
from lang.syntax.units import Side

_FOREIGN: Final = frozenset({"PythonModule", "ErlangModule"})
BOOLEAN: Final = known("Boolean")


@dataclass(frozen=True, slots=True)
class Setting:
    """Where a unit stands: what `self` is there (None outside of classes), and what else is bound.

    `variables` are those of module-level code; `mutated` are names that some block assigns which does not declare
    them: nobody can say when, so nothing is known of them (I-3).
    """

    owner: str
    side: Side
    self_type: Known | Meta | None
    variables: Mapping[str, Type]
    mutated: frozenset[str]
    parameters: tuple[str, ...] = ()


def mutated_in(scope: Scope) -> frozenset[str]:
    """Variables that a block assigns and does not declare itself."""
    found: set[str] = set()
    for child in scope.children:
        for inner in child.walk():
            found |= inner.assigned - inner.declared
    return frozenset(found)


Env = dict[str, Type]
"""Types of locals and of `self.slot`s by name; blocks get a copy (I-3)."""


class Inference:
    """The inference of one unit."""

    def __init__(self, world: World, setting: Setting, return_of: ReturnOf) -> None:
        self.world: Final = world
        self.setting: Final = setting
        self.return_of: Final = return_of
        self.facts: Final = Facts()
        self._block_depth = 0

    # ------------------------------------------------------------ units

    def method(self, method: ast.MethodDef) -> Facts:
        """The facts of a method."""
        env: Env = {}
        for parameter in method.signature.parameters:
            declared = self.annotated(parameter.annotation)
            env[parameter.name.name] = UNANNOTATED_PARAMETER if declared is None else declared
        for name in self.setting.mutated & env.keys():
            env[name] = UNKNOWN
        self.facts.body = self.statements(method.body, env)
        return self.facts

    def top_level(self, body: Sequence[ast.Expression]) -> Facts:
        """The facts of module-level code."""
        env = self.facts.variables
        env.update(dict.fromkeys(self.setting.mutated, UNKNOWN))
        self.facts.body = self.statements(body, env)
        return self.facts

    def annotated(self, written: ast.TypeExpr | None) -> Type | None:
        """An annotation within the unit."""
        return None if written is None else resolved(written, self.world, self.setting.parameters)

    def statements(self, body: Sequence[ast.Expression], env: Env) -> Type:
        """The type of the last of several statements; `^` ends them."""
        last: Type = UNKNOWN
        for statement in body:
            if isinstance(statement, ast.Expect):
                continue
            last = self.infer(statement, env)
            control.narrow_rest(self, statement, env)
            if isinstance(statement, ast.Return):
                break
        return last

    # ------------------------------------------------------------ expressions

    def infer(self, node: ast.Expression, env: Env) -> Type:
        """The type of an expression."""
        reader = _READERS.get(type(node))
        found = UNKNOWN if reader is None else reader(self, node, env)
        self.facts.types[node.span] = found
        return found

    def variable_type(self, key: str, env: Env) -> Type:
        """The type of a variable by its key (`narrowing.variable_key`)."""
        found = env.get(key)
        if found is not None:
            return found
        if key.startswith("self."):
            return self.slot_type(key[5:]) or UNKNOWN
        return self.setting.variables.get(key, UNKNOWN)

    def slot_type(self, slot: str) -> Type | None:
        """The declared type of a slot of `self`; on the class side, of a class variable."""
        own = self.setting.self_type
        if isinstance(own, Meta):
            return self.world.slot_type(known(own.name), slot)
        return None if own is None else self.world.slot_type(own, slot)

    def _variable(self, node: ast.Variable, env: Env) -> Type:
        return self.variable_type(node.name, env)

    def _self(self, _node: ast.SelfRef, env: Env) -> Type:
        return env.get("self") or self.setting.self_type or UNKNOWN

    def _class(self, node: ast.ClassRef, _env: Env) -> Type:
        name = self.world.key_of(node)
        if self.world.is_class(name):
            return Meta(name)
        return self.setting.variables.get(node.name, UNKNOWN)

    def _field(self, node: ast.FieldAccess, env: Env) -> Type:
        if isinstance(node.receiver, ast.SelfRef):
            return self.variable_type(f"self.{node.field.name}", env)
        self.infer(node.receiver, env)
        return UNKNOWN

    def _parenthesized(self, node: ast.Parenthesized, env: Env) -> Type:
        return self.infer(node.inner, env)

    def _return(self, node: ast.Return, env: Env) -> Type:
        found = self.infer(node.value, env)
        if self._block_depth:
            self.facts.escapes.append(found)
            return NEVER
        return found

    def _assignment(self, node: ast.Assignment, env: Env) -> Type:
        found = self.infer(node.value, env)
        target = node.target
        if isinstance(target, ast.Variable):
            declared = self.annotated(node.annotation)
            if declared is not None:
                self._store(node, target.name, declared, found, is_slot=False)
                env[target.name] = declared
            else:
                is_known = target.name not in self.setting.mutated and not isinstance(found, Never)
                env[target.name] = found if is_known else UNKNOWN
        elif isinstance(target.receiver, ast.SelfRef):
            name = target.field.name
            self._store(node, name, self.slot_type(name), found, is_slot=True)
            env.pop(f"self.{name}", None)
        else:
            self.infer(target.receiver, env)
        return found

    def _store(
        self, node: ast.Assignment, name: str, declared: Type | None, found: Type, *, is_slot: bool
    ) -> None:
        self.facts.stored.append(Stored(node.span, name, declared, found, node.value, is_slot))

    def _destructuring(self, node: ast.Destructuring, env: Env) -> Type:
        found = self.infer(node.value, env)
        for name, _span in pattern_names(node.pattern):
            env[name] = UNKNOWN
        return found

    def block(
        self, node: ast.Block, env: Env, expected: Sequence[Type] = (), otherwise: Type = UNKNOWN
    ) -> Type:
        """A block literal; `expected` are the types of its parameters as far as they are known (I-18)."""
        inner = dict(env)
        parameters: list[Type] = []
        for at, parameter in enumerate(node.parameters):
            found = self.annotated(parameter.annotation) or (
                expected[at] if at < len(expected) else otherwise
            )
            name = parameter.name.name
            inner[name] = UNKNOWN if name in self.setting.mutated else found
            parameters.append(found)
        self._block_depth += 1
        result = self.statements(node.body, inner)
        self._block_depth -= 1
        found = Known("Block", (*parameters, result))
        self.facts.types[node.span] = found
        return found

    def _block(self, node: ast.Block, env: Env) -> Type:
        return self.block(node, env, (), UNANNOTATED_PARAMETER)

    def _interpolation(self, node: ast.Interpolation, env: Env) -> Type:
        for part in node.parts:
            self.infer(part, env)
        return known("String")

    def _list(self, node: ast.ListLiteral, env: Env) -> Type:
        found = [self.infer(each, env) for each in node.elements]
        if node.tail is not None:
            found.append(self._tail(node.tail, env))
        return _collection("List", found)

    def _tail(self, node: ast.Expression, env: Env) -> Type:
        match self.infer(node, env):
            case Known(name="List", arguments=(element,)):
                return element
            case Known(name="List"):
                return UNKNOWN
            case Known() as found:
                self.facts.tails.append(Tail(node.span, found))
        return UNKNOWN

    def _array(self, node: ast.ArrayLiteral, env: Env) -> Type:
        return _collection("Array", [self.infer(each, env) for each in node.elements])

    def _dictionary(self, node: ast.DictionaryLiteral, env: Env) -> Type:
        keys: list[Type] = []
        values: list[Type] = []
        for key, value in node.pairs:
            keys.append(self.infer(key, env))
            values.append(self.infer(value, env))
        return Known("Dictionary", (union(keys), union(values))) if keys else known("Dictionary")

    def _match(self, node: ast.Match, env: Env) -> Type:
        return matching.match_type(self, node, env)

    # ------------------------------------------------------------ sends

    def _send(self, node: ast.Send, env: Env) -> Type:
        """A chain of sends is walked from its first receiver outward, not by recursion."""
        chain = [node]
        while isinstance(receiver := chain[-1].receiver, ast.Send):
            chain.append(receiver)
        found = self.infer_receiver(receiver, env)
        for each in reversed(chain):
            found = self.message(each.span, each.receiver, found, each.selector, each.arguments, env)
            self.facts.types[each.span] = found
        return found

    def infer_receiver(self, node: ast.Expression, env: Env) -> Type:
        """The type of a receiver, which may be `super`."""
        return self._super() if isinstance(node, ast.SuperRef) else self.infer(node, env)

    def _super(self) -> Type:
        own, facts = self.setting.self_type, self.world.facts(self.setting.owner)
        above = None if facts is None else facts.superclass
        if above is None or own is None or not self.world.is_class(above):
            return DYNAMIC_RECEIVER
        if isinstance(own, Meta):
            return Meta(above)
        arguments = self.world.bindings(own, above)
        names = self.world.type_parameters(above)
        return Known(above, tuple(arguments.get(each, UNKNOWN) for each in names))

    def _cascade(self, node: ast.Cascade, env: Env) -> Type:
        first = node.first
        if isinstance(first, ast.Send):
            receiver_node = first.receiver
            receiver = self.infer_receiver(receiver_node, env)
            self.facts.types[first.span] = self.message(
                first.span, receiver_node, receiver, first.selector, first.arguments, env
            )
        else:
            receiver_node, receiver = first, self.infer(first, env)
        found: Type = UNKNOWN
        for message in node.messages:
            found = self.message(
                message.span, receiver_node, receiver, message.selector, message.arguments, env
            )
        return found

    def _cast(self, node: ast.Cast, env: Env) -> Type:
        send = node.send
        receiver = self.infer_receiver(send.receiver, env)
        self.message(send.span, send.receiver, receiver, send.selector, send.arguments, env, is_cast=True)
        return NIL

    def message(
        self,
        span: Span,
        node: ast.Expression,
        receiver: Type,
        selector: ast.Selector,
        arguments: tuple[ast.Expression, ...],
        env: Env,
        *,
        is_cast: bool = False,
    ) -> Type:
        """The type of the answer to one message, noted as a fact."""
        if self._is_gateway(node, selector, arguments):
            return known("PythonModule")
        special = control.special_result(self, node, receiver, selector.text, arguments, env)
        if special is not None:
            result, given = special
            answers = tuple(Answer(m, find_for(m, selector.text, self.world)) for m in _lookups(receiver))
        else:
            result, given, answers = self._plain(node, receiver, selector.text, arguments, env)
        self.facts.consulted.update(each.member.name for each in answers)
        self.facts.sends.append(Sent(span, node, selector, arguments, receiver, given, answers, is_cast))
        return result

    def _is_gateway(
        self, node: ast.Expression, selector: ast.Selector, arguments: tuple[ast.Expression, ...]
    ) -> bool:
        """`Python m`: a unary message that no class understands names a module (I-24)."""
        return (
            isinstance(node, ast.ClassRef)
            and node.package is None
            and node.name in GATEWAYS
            and not arguments
            and self.world.find(node.name, Side.CLASS, selector.text) is None
        )

    def _plain(
        self,
        node: ast.Expression,
        receiver: Type,
        selector: str,
        arguments: tuple[ast.Expression, ...],
        env: Env,
    ) -> tuple[Type, tuple[Type, ...], tuple[Answer, ...]]:
        found = [(m, find_for(m, selector, self.world)) for m in _lookups(receiver)]
        self_type = self.setting.self_type if isinstance(node, ast.SuperRef) else None
        calls = [call_of(m, method, self_type or m, self.world) for m, method in found if method is not None]
        responding = [call for call in calls if not is_nil(call.member)]
        given = self.arguments(arguments, responding or calls, receiver, env)
        for call in calls:
            for at, argument in enumerate(given):
                call.bind(at, argument)
        by_member = {call.member: call for call in calls}
        answers = tuple(
            Answer(
                member,
                method,
                () if method is None else tuple(by_member[member].parameter(at) for at in range(len(given))),
            )
            for member, method in found
        )
        return self._result(receiver, selector, calls), given, answers

    def arguments(
        self, nodes: tuple[ast.Expression, ...], calls: list[Call], receiver: Type, env: Env
    ) -> tuple[Type, ...]:
        """The types of arguments: blocks last, for what the others bind decides their parameters (I-18)."""
        given: list[Type] = [UNKNOWN] * len(nodes)
        blocks = [(at, block) for at, each in enumerate(nodes) if isinstance(block := bare(each), ast.Block)]
        late = {at for at, _ in blocks}
        for at, each in enumerate(nodes):
            if at not in late:
                given[at] = self.infer(each, env)
                for call in calls:
                    call.bind(at, given[at])
        otherwise = DYNAMIC_RECEIVER if isinstance(receiver, Dynamic) else UNANNOTATED_PARAMETER
        only = calls[0] if len(calls) == 1 else None
        for at, block in blocks:
            expected = () if only is None else _block_parameters(only.parameter(at))
            given[at] = self.block(block, env, expected, otherwise)
            self.facts.types[nodes[at].span] = given[at]
            if only is not None and at != blocks[-1][0]:
                only.bind(at, given[at])
        return tuple(given)

    def _result(self, receiver: Type, selector: str, calls: list[Call]) -> Type:
        if isinstance(receiver, Known) and receiver.name in _FOREIGN and not calls:
            return UNTYPED_FFI
        if not calls:
            return DYNAMIC_RECEIVER
        if isinstance(receiver, Intersection):
            return calls[0].result(self._return_of)
        if selector in EQUALITIES and isinstance(receiver, Union | Meta):
            return BOOLEAN
        others = [call for call in calls if not is_nil(call.member)]
        return union([call.result(self._return_of) for call in (calls if others else calls[:1])])

    def _return_of(self, method: Any, name: str) -> Type | None:
        self.facts.consulted.add(name)
        return self.return_of(method, name)


def _lookups(receiver: Type) -> list[Known | Meta]:
    """The members of a receiver's type that a message is looked up for; none when anything is unknown."""
    members: Iterable[Type] = receiver.members if isinstance(receiver, Intersection) else members_of(receiver)
    found: list[Known | Meta] = []
    for member in members:
        base = member.base if isinstance(member, Difference) else member
        if not isinstance(base, Known | Meta):
            return []
        found.append(base)
    return found


def _block_parameters(parameter: Type | None) -> tuple[Type, ...]:
    """The types that a parameter of block type, or a union with one such member, gives to a block's parameters."""
    if parameter is None:
        return ()
    blocks = [m for m in members_of(parameter) if isinstance(m, Known) and m.name == "Block" and m.arguments]
    return blocks[0].arguments[:-1] if len(blocks) == 1 else ()


def _collection(name: str, elements: list[Type]) -> Type:
    return Known(name, (union(elements),)) if elements else known(name)


def _always(found: Type) -> Callable[[Inference, Any, Env], Type]:
    return lambda _inference, _node, _env: found


def _constant(_inference: Inference, node: ast.Constant, _env: Env) -> Type:
    return NIL if node.value is None else BOOLEAN


# The argument of a reader is the node type that keys it, which a mapping cannot say.
_READERS: Final[dict[type, Callable[[Inference, Any, Env], Type]]] = {
    ast.IntegerLiteral: _always(known("Integer")),
    ast.FloatLiteral: _always(known("Float")),
    ast.StringLiteral: _always(known("String")),
    ast.CharacterLiteral: _always(known("Character")),
    ast.SymbolLiteral: lambda _inference, node, _env: singleton(node.name),
    ast.Constant: _constant,
    ast.Variable: Inference._variable,
    ast.SelfRef: Inference._self,
    ast.ClassRef: Inference._class,
    ast.FieldAccess: Inference._field,
    ast.Parenthesized: Inference._parenthesized,
    ast.Return: Inference._return,
    ast.Assignment: Inference._assignment,
    ast.Destructuring: Inference._destructuring,
    ast.Block: Inference._block,
    ast.Interpolation: Inference._interpolation,
    ast.ListLiteral: Inference._list,
    ast.ArrayLiteral: Inference._array,
    ast.DictionaryLiteral: Inference._dictionary,
    ast.Match: Inference._match,
    ast.Send: Inference._send,
    ast.Cascade: Inference._cascade,
    ast.Cast: Inference._cast,
}
__all__ = ["BOOLEAN", "Env", "Inference", "Setting", "merged_all", "mutated_in"]
