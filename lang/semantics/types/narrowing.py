"""What a test says about the variable that it tests (types.md 2.5).

Comes in: the tested expression and an environment. Guarantees: a narrowing only where the variable is a local, a
parameter or `self.slot`. Leaves: in which blocks, and for how long, to `control`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from lang.ast import nodes as ast
from lang.dataclass import dataclass, replace
from lang.semantics.references import bare
from lang.semantics.types.facts import Tested
from lang.semantics.types.lattice import (
    NIL,
    UNKNOWN,
    Dynamic,
    How,
    Intersection,
    Known,
    Never,
    Type,
    is_nil,
    known,
    provenance_of,
    singleton,
    without_nil,
)
from lang.semantics.types.operations import difference, intersect
from lang.semantics.types.world import World

EQUAL: Final = frozenset({"=:=", "=="})
UNEQUAL: Final = frozenset({"=/=", "/="})


@dataclass(frozen=True, slots=True)
class Narrowing:
    """A variable with its type in either branch; `lasts` says which of them may hold for the rest (I-30)."""

    key: str
    when_true: Type
    when_false: Type
    lasts_true: bool = False
    lasts_false: bool = False
    told: Tested | None = None

    def swapped(self) -> Narrowing:
        """The same for the opposite test."""
        return Narrowing(
            self.key, self.when_false, self.when_true, self.lasts_false, self.lasts_true, self.told
        )


def variable_key(node: ast.Expression) -> str | None:
    """How the environment calls a variable that can be narrowed; None for other expressions."""
    match bare(node):
        case ast.Variable(name=name):
            return name
        case ast.FieldAccess(receiver=ast.SelfRef(), field=field):
            return f"self.{field.name}"
    return None


def narrowing_of(node: ast.Expression, type_of: Callable[[str], Type], world: World) -> Narrowing | None:
    """What is known in the branches of a conditional whose receiver this is."""
    test = bare(node)
    if not isinstance(test, ast.Send):
        return None
    selector = test.selector.text
    if selector in EQUAL or selector in UNEQUAL:
        return _of_equality(test, type_of, world)
    key = variable_key(test.receiver)
    if key is None:
        return None
    match selector:
        case "isNil":
            return _of_nil(key, type_of(key))
        case "notNil":
            return _of_nil(key, type_of(key)).swapped()
        case "isKindOf:":
            named = bare(test.arguments[0])
            if isinstance(named, ast.ClassRef):
                return _of_kind(key, test, world.key_of(named), type_of(key), world)
        case "respondsTo:":
            return Narrowing(key, UNKNOWN, type_of(key))
    return None


def _of_nil(key: str, found: Type) -> Narrowing:
    left = UNKNOWN if is_nil(found) else without_nil(found)
    return Narrowing(key, NIL, left, lasts_true=True, lasts_false=True)


def _of_kind(key: str, test: ast.Send, name: str, found: Type, world: World) -> Narrowing:
    tested = known(name)
    inside = intersect(found, tested, world)
    told = None
    if isinstance(inside, Never) and _is_inferred(found):
        told = Tested(test.span, tested, found, is_kind=True)
    if isinstance(inside, Intersection):
        inside = tested
    outside = difference(found, tested, world)
    return Narrowing(key, inside, outside, lasts_true=True, lasts_false=True, told=told)


def _is_inferred(found: Type) -> bool:
    origin = provenance_of(found)
    return origin is not None and origin.how is How.INFERRED


def _of_equality(test: ast.Send, type_of: Callable[[str], Type], world: World) -> Narrowing | None:
    is_negated = test.selector.text in UNEQUAL
    for one, other in ((test.receiver, test.arguments[0]), (test.arguments[0], test.receiver)):
        compared = bare(other)
        if isinstance(compared, ast.SymbolLiteral):
            key = variable_key(one)
            if key is not None:
                made = _of_symbol(key, test, singleton(compared.name), type_of(key), world)
                return made.swapped() if is_negated else made
        if isinstance(compared, ast.ClassRef) and not is_negated:
            found = _of_class(one, test, world.key_of(compared), type_of, world)
            if found is not None:
                return found
    return None


def _of_symbol(key: str, test: ast.Send, symbol: Known, found: Type, world: World) -> Narrowing:
    inside = intersect(found, symbol, world)
    told = None
    if isinstance(inside, Never) and not isinstance(found, Never | Dynamic):
        is_negated = test.selector.text in UNEQUAL
        told = Tested(test.span, symbol, found, is_kind=False, is_negated=is_negated)
    return Narrowing(key, inside, difference(found, symbol, world), told=told)


def _of_class(
    node: ast.Expression, test: ast.Send, name: str, type_of: Callable[[str], Type], world: World
) -> Narrowing | None:
    """`x class =:= C`: a subclass of `C` may be left when it fails."""
    asked = bare(node)
    if not isinstance(asked, ast.Send) or asked.selector.text != "class":
        return None
    key = variable_key(asked.receiver)
    if key is None:
        return None
    made = _of_kind(key, test, name, type_of(key), world)
    return replace(made, when_false=type_of(key), lasts_false=False)
