"""Results of methods that declare none, whatever the order of declarations (types.md I-20).

Comes in: a method and the class of its receiver. Guarantees: the answer does not depend on who asks first:
methods that call each other see one another as `Dynamic`; it is kept by the world, with the classes that were
asked for it. The chain of methods costs no stack: one that is needed first is inferred first, then the other again.
Leaves: unions and `Dynamic`, which are not recorded.
"""

from __future__ import annotations

from lang.ast import nodes as ast
from lang.semantics.scopes import resolve
from lang.semantics.types.infer import Inference, Setting, mutated_in
from lang.semantics.types.lattice import Known, Meta, Never, Type, union
from lang.semantics.types.methods import MethodType
from lang.semantics.types.world import InferredReturn, World
from lang.syntax.units import Side

_Key = tuple[str, bool, str, str]


class _NeededFirst(Exception):
    """Another method's result has to be known before."""

    def __init__(self, key: _Key, method: MethodType) -> None:
        super().__init__(key)
        self.key = key
        self.method = method


def key_of(method: MethodType, name: str) -> _Key:
    """By what a result is kept: the method, and the class of the receiver."""
    return (method.owner, method.side is Side.CLASS, method.selector, name)


def inferred_return(method: MethodType, name: str, world: World) -> Type | None:
    """The inferred result of a method for receivers of the class `name`; None when there is none to record."""
    known = world.memory.returns.get(key_of(method, name))
    return known.type if known is not None else _Search(world).run(method, name)


class _Search:
    """Infers methods from a stack of its own; those of one cycle are one component."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._stack: list[tuple[_Key, MethodType]] = []
        self._component: dict[_Key, set[_Key]] = {}

    def run(self, method: MethodType, name: str) -> Type | None:
        returns = self._world.memory.returns
        start = key_of(method, name)
        self._stack.append((start, method))
        while self._stack:
            key, current = self._stack[-1]
            try:
                returns[key] = self._inferred(key, current)
            except _NeededFirst as needed:
                self._push(needed)
            else:
                self._stack.pop()
        return returns[start].type

    def _push(self, needed: _NeededFirst) -> None:
        keys = [key for key, _ in self._stack]
        if needed.key not in keys:
            self._stack.append((needed.key, needed.method))
            return
        members: set[_Key] = set()
        for key in keys[keys.index(needed.key) :]:
            members |= self._component.get(key, {key})
        for key in members:
            self._component[key] = members

    def _inferred(self, key: _Key, method: MethodType) -> InferredReturn:
        own = self._component.get(key, {key})

        def return_of(other: MethodType, name: str) -> Type | None:
            wanted = key_of(other, name)
            if wanted in own and wanted != key:
                return None
            found = self._world.memory.returns.get(wanted)
            if found is not None:
                return found.type
            if wanted == key:
                return None
            raise _NeededFirst(wanted, other)

        tree = method.tree
        if tree is None:
            return InferredReturn(None, frozenset())
        setting = method_setting(tree, method.owner, method.side, self._world, receiver=key[3])
        facts = Inference(self._world, setting, return_of).method(tree)
        body = union([facts.body, *facts.escapes]) if facts.escapes else facts.body
        is_recorded = isinstance(body, Known | Meta | Never)
        return InferredReturn(
            body if is_recorded else None, frozenset({*facts.consulted, key[3], method.owner})
        )


def method_setting(
    tree: ast.MethodDef, owner: str, side: Side, world: World, receiver: str | None = None
) -> Setting:
    """Where a method stands: in its class, or as seen by a receiver of a class below it."""
    name = receiver or owner
    self_type: Known | Meta = Meta(name) if side is Side.CLASS else world.instance_type(name)
    return Setting(owner, side, self_type, {}, _mutated(tree), world.type_parameters(owner))


def _mutated(tree: ast.MethodDef) -> frozenset[str]:
    return mutated_in(resolve(tree))
