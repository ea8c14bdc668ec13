r"""Types as text (types.md T-40)."""

from __future__ import annotations

from lang.semantics.types.lattice import (
    Difference,
    Dynamic,
    How,
    Intersection,
    Known,
    Meta,
    Never,
    Placeholder,
    Reason,
    Type,
    Union,
    is_nil,
)


def display(found: Type) -> str:
    """A type as messages show it; a type that was written as an alias as `Name (structure)`."""
    shown = structure(found)
    if not isinstance(found, Dynamic | Never) and found.provenance.how is How.ALIASED:
        return f"{found.provenance.alias} ({shown})"
    return shown


def structure(found: Type) -> str:
    """A type without the name of its alias."""
    match found:
        case Known(name=name, arguments=arguments):
            if is_nil(found):
                return "Nil"
            inner = ", ".join(structure(each) for each in arguments)
            return f"{name}({inner})" if inner else name
        case Meta(name=name):
            return f"{name} class"
        case Placeholder(name=name):
            return name
        case Union(members=members):
            return " | ".join(structure(each) for each in members)
        case Intersection(members=members):
            return " & ".join(_grouped(each) for each in members)
        case Difference(base=base, excluded=excluded):
            return f"{structure(base)} \\ {_grouped(excluded)}"
        case Dynamic(reason=Reason.UNKNOWN):
            return "Dynamic"
        case Dynamic(reason=reason):
            return f"Dynamic ({reason.value})"
        case Never():
            return "Never"


def _grouped(found: Type) -> str:
    shown = structure(found)
    return f"({shown})" if isinstance(found, Union) else shown
