r"""From annotations to types: names, aliases, parameters, operators (types.md 1.7).

Comes in: a `TypeExpr` and a `Names` that knows what a name means. Guarantees: no annotation form is left (T-3);
parameters, `Self` and `Self class` stay as placeholders until a send substitutes them; it ends for every alias.
Leaves: names that mean nothing to the checks of names: here they are classes that nobody knows (T-17).
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Final, Protocol

from lang.ast import nodes as ast
from lang.dataclass import dataclass
from lang.semantics.types.lattice import (
    DECLARED,
    DECLARED_DYNAMIC,
    NEVER,
    NIL_CLASS,
    SELF,
    SELF_CLASS,
    UNKNOWN,
    Difference,
    Intersection,
    Known,
    Meta,
    Placeholder,
    Type,
    Union,
    known,
    singleton,
    union,
    with_provenance,
)
from lang.semantics.types.operations import ClassOrder, difference, intersect


class Names(ClassOrder, Protocol):
    """What names in annotations mean."""

    def key_of(self, ref: ast.ClassRef) -> str:
        """The name by which types know the class that is written so."""

    def alias(self, name: str) -> Type | None:
        """What an alias expands to, tagged with its name; None when no alias has the name."""


_KEYWORDS: Final[Mapping[str, str]] = {
    "nil": NIL_CLASS,
    "Nil": NIL_CLASS,
    "true": "True",
    "false": "False",
}
_DYNAMIC: Final = frozenset({"Dynamic", "Any"})

LARGEST = 1000
"""Types with more parts than this are `Dynamic`: aliases may double what they name at each step."""


def resolved(written: ast.TypeExpr, names: Names, parameters: Container[str] = ()) -> Type:
    """The type that an annotation means; `parameters` are those that the class declares (T-30)."""
    return _Resolution(names, parameters).type_of(written)


@dataclass(frozen=True, slots=True)
class _Resolution:
    names: Names
    parameters: Container[str]

    def type_of(self, written: ast.TypeExpr) -> Type:
        match written:
            case ast.NamedType(ref=ref, arguments=arguments):
                return self._named(ref, arguments)
            case ast.MetaType(ref=ref):
                return SELF_CLASS if ref.name == "Self" else Meta(self.names.key_of(ref), DECLARED)
            case ast.SingletonType(name=name):
                return singleton(name, DECLARED)
            case ast.UnionType(members=members):
                return union([self.type_of(member) for member in members], DECLARED)
            case ast.IntersectionType(members=members):
                return self._all_of(members)
            case ast.DifferenceType(base=base, removed=removed):
                left = difference(self.type_of(base), self.type_of(removed), self.names)
                return with_provenance(left, DECLARED)

    def _named(self, ref: ast.ClassRef, arguments: tuple[ast.TypeExpr, ...]) -> Type:
        name = ref.name
        if ref.package is None:
            if name == "Never":
                return NEVER
            if name in _DYNAMIC:
                return DECLARED_DYNAMIC
            if name == "Self":
                return SELF
            if name in self.parameters or self._is_placeholder(name):
                return Placeholder(name)
            alias = self.names.alias(name)
            if alias is not None:
                return alias
            if name in _KEYWORDS:
                return known(_KEYWORDS[name], DECLARED)
        key = self.names.key_of(ref)
        if not arguments:
            return known(key, DECLARED)
        return Known(key, tuple(self.type_of(each) for each in arguments), DECLARED)

    def _is_placeholder(self, name: str) -> bool:
        """A one-letter upper-case name that is no class (T-6)."""
        return len(name) == 1 and name.isupper() and not self.names.is_known_name(name)

    def _all_of(self, members: tuple[ast.TypeExpr, ...]) -> Type:
        found = self.type_of(members[0])
        for member in members[1:]:
            found = intersect(found, self.type_of(member), self.names)
        return with_provenance(found, DECLARED)


def capped(found: Type) -> Type:
    """The type, or `Dynamic` when it has too many parts to be looked at again and again."""
    return found if size_of(found, LARGEST) <= LARGEST else UNKNOWN


def size_of(found: Type, limit: int) -> int:
    """The number of parts of a type, counted until there are more than `limit`."""
    waiting = [found]
    count = 0
    while waiting and count <= limit:
        count += 1
        match waiting.pop():
            case Known(arguments=parts) | Union(members=parts) | Intersection(members=parts):
                waiting.extend(parts)
            case Difference(base=base, excluded=excluded):
                waiting += (base, excluded)
            case _:
                pass
    return count


# ---------------------------------------------------------------- substitution


def substituted(found: Type, by_name: Mapping[str, Type], order: ClassOrder) -> Type:
    """The type with its placeholders replaced; those without a binding become `Dynamic` (T-30, T-32)."""
    match found:
        case Placeholder(name=name):
            return by_name.get(name, UNKNOWN)
        case Known(arguments=arguments) if arguments:
            parts = tuple([substituted(each, by_name, order) for each in arguments])
            return found if parts == arguments else Known(found.name, parts, found.provenance)
        case Union(members=members):
            if not has_placeholder(found):
                return found
            return union([substituted(member, by_name, order) for member in members], found.provenance)
        case Intersection(members=members) if has_placeholder(found):
            left = substituted(members[0], by_name, order)
            for member in members[1:]:
                left = intersect(left, substituted(member, by_name, order), order)
            return left
    return found


def has_placeholder(found: Type) -> bool:
    """Whether something is left to substitute."""
    match found:
        case Placeholder():
            return True
        case Known(arguments=parts) | Union(members=parts) | Intersection(members=parts):
            return any(has_placeholder(part) for part in parts)
    return False
