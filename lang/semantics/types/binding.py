"""What the arguments of a send say about type parameters (types.md T-33, T-35).

Comes in: parameter types with placeholders, and argument types. Guarantees: an author's `Dynamic` wins, what is
known beats what is merely not known, and two known types are both. Leaves: substituting to `annotations`.
"""

from __future__ import annotations

from lang.semantics.types.lattice import (
    Dynamic,
    Known,
    Placeholder,
    Reason,
    Type,
    Union,
    union,
    without_nil,
)

SELVES = frozenset({"Self", "Self class"})


class Bindings(dict[str, Type]):
    """Type parameters with what the arguments so far bind them to; `fixed` are those that the receiver decides."""

    def __init__(self, known: dict[str, Type]) -> None:
        super().__init__(known)
        self._fixed = frozenset(known)

    def bind(self, parameter: Type | None, argument: Type) -> None:
        """Take in one argument."""
        match parameter:
            case Placeholder(name=name):
                if name not in self._fixed and name not in SELVES:
                    self[name] = merged(self[name], argument) if name in self else argument
            case Known(arguments=wanted) if wanted:
                given = _arguments(parameter, argument)
                for part, found in zip(wanted, given, strict=False):
                    self.bind(part, found)
            case Union(members=members):
                for member in members:
                    if isinstance(member, Known):
                        self.bind(member, argument)
            case _:
                pass


def _arguments(parameter: Known, argument: Type) -> tuple[Type, ...]:
    """The arguments of a type of the same base and arity; nil beside it is left out."""
    found = without_nil(argument)
    is_same = isinstance(found, Known) and found.name == parameter.name
    if not is_same or not isinstance(found, Known) or len(found.arguments) != len(parameter.arguments):
        return ()
    return found.arguments


def merged(one: Type, other: Type) -> Type:
    """Two findings about one parameter."""
    for this in (one, other):
        if isinstance(this, Dynamic) and this.reason is Reason.DECLARED:
            return this
    if isinstance(one, Dynamic):
        return other
    if isinstance(other, Dynamic):
        return one
    return union([one, other])


def merged_all(found: list[Type]) -> Type:
    """The results of the branches of a conditional, as one parameter would take them (I-26)."""
    result = found[0]
    for each in found[1:]:
        result = merged(result, each)
    return result
