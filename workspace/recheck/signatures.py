"""What a method promises to those who send to it: the effective signature (types.md R-3).

Comes in: a state. Guarantees: a signature is found where dispatch would find the method, inherited ones
included; two are equal exactly if nothing changed for a sender. Types are compared as they are shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from lang.ast import nodes as ast
from lang.syntax.units import Side, UnitKind
from workspace import drafting
from workspace.hierarchy import superclass_chain
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

    def above(self, class_name: str) -> MethodKey:
        """The method of that selector in another class."""
        return replace(self, class_name=class_name)


def own_signature(state: ImageState, key: MethodKey) -> MethodSignature | None:
    """The signature of the method that a class itself, or an extension of it, defines in source."""
    unit = state.method_unit(key.class_name, key.side, key.selector)
    return None if unit is None else _declared(unit)


def inherited_signature(state: ImageState, key: MethodKey) -> MethodSignature | None:
    """The signature of the nearest method above; the library's methods have unknown types here."""
    chain = superclass_chain(state, key.class_name)
    next(chain, None)
    for name in chain:
        found = own_signature(state, key.above(name))
        if found is not None:
            return found
        library = state.library.get(name)
        if library is not None and library.defines(key.side, key.selector):
            return MethodSignature((DYNAMIC,) * key.selector.count(":"), DYNAMIC)
    return None


def effective_signature(state: ImageState, key: MethodKey) -> MethodSignature | None:
    """The signature of what dispatch finds for a class."""
    return own_signature(state, key) or inherited_signature(state, key)


def _declared(unit: Unit) -> MethodSignature | None:
    node = drafting.parsed(unit).node
    method = node.method if isinstance(node, ast.ExtensionDef) else node
    if not isinstance(method, ast.MethodDef):
        return None
    signature = method.signature
    return MethodSignature(
        tuple(_shown(unit, each.annotation) for each in signature.parameters),
        _shown(unit, signature.return_type),
    )


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
