"""What a method promises to those who send to it: the effective signature (types.md R-3).

Comes in: a state. Guarantees: a signature is found where dispatch would find the method, inherited ones
included; two are equal exactly if nothing changed for a sender. Types are compared as they are shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from lang.ast import nodes as ast
from lang.semantics.types.display import structure
from lang.semantics.types.lattice import Dynamic, Type, Union
from lang.semantics.types.methods import Made
from lang.semantics.types.returns import inferred_return
from lang.syntax.units import Side, UnitKind
from workspace import drafting
from workspace.state import ImageState, Unit

DYNAMIC: Final = "Dynamic"


@dataclass(frozen=True, slots=True)
class MethodSignature:
    """The types of a method's parameters by position, and of its result, as text."""

    parameters: tuple[str, ...]
    result: str

    def renamed(self, names: Mapping[str, str]) -> MethodSignature:
        """The same signature when classes have other names."""
        if not names:
            return self
        return MethodSignature(
            tuple(_renamed(each, names) for each in self.parameters), _renamed(self.result, names)
        )


_NAME: Final = re.compile(r"[A-Za-z_]\w*")


def _renamed(text: str, names: Mapping[str, str]) -> str:
    return _NAME.sub(lambda found: names.get(found[0], found[0]), text)


@dataclass(frozen=True, slots=True)
class MethodKey:
    """A method as a change speaks of it."""

    class_name: str
    side: Side
    selector: str


def effective_signature(state: ImageState, key: MethodKey) -> MethodSignature | None:
    """The signature of what dispatch finds for a class: declared types, else inferred ones."""
    world = state.receivers.world(state)
    method = None if world is None else world.find(key.class_name, key.side, key.selector)
    if world is None or method is None:
        return None
    result = method.returns
    if result is None and method.made is Made.WRITTEN and not method.is_primitive:
        result = inferred_return(method, key.class_name, world)
    return MethodSignature(tuple(map(_type_text, method.parameters)), _type_text(result))


def _type_text(found: Type | None) -> str:
    """A type as it is compared: members of a union in one order, nothing known in one spelling."""
    match found:
        case None | Dynamic():
            return DYNAMIC
        case Union(members=members):
            return " | ".join(sorted(map(structure, members)))
        case _:
            return structure(found)


def _shown(unit: Unit, type_: ast.TypeExpr | None) -> str:
    return DYNAMIC if type_ is None else " ".join(unit.text[type_.span.start : type_.span.end].split())


# ---------------------------------------------------------------- shapes


def shape_of(state: ImageState, class_name: str) -> dict[str, str]:
    """The own slots of a class with their declared types (R-6)."""
    return {
        each.name.name: _shown(unit, each.annotation)
        for unit in state.units_of(class_name)
        for each in _data(unit)
        if each.keyword != "classState:"
    }


def _data(unit: Unit) -> Iterator[ast.DataDecl]:
    if unit.kind not in (UnitKind.HEADER, UnitKind.DATA):
        return
    node = drafting.parsed(unit).node
    declared = node.data if isinstance(node, ast.ClassHeader) else (node,)
    yield from (each for each in declared if isinstance(each, ast.DataDecl))
