"""What a method is to those who send to it: its declared types, resolved.

Comes in: a signature as written. Guarantees: parameters and result are types with placeholders for type
parameters and `Self`; None where nothing is declared. Leaves: inferring what is not declared to `returns`.
"""

from __future__ import annotations

import enum

from lang.ast import nodes as ast
from lang.dataclass import dataclass
from lang.semantics.types.lattice import Type
from lang.syntax.units import Side


class Made(enum.Enum):
    """How a method comes to be."""

    WRITTEN = "written"
    GENERATED = "generated"
    CONSTRUCTOR = "constructor"
    REQUIRED = "required"
    OPAQUE = "opaque"


@dataclass(frozen=True, slots=True)
class MethodType:
    """A method as a look-up finds it.

    `owner` defines it (a class, or the protocol that requires it), `side` is the side of the owner: a message to a
    class object may be answered by the instance side of the metaclass tower. `tree` is there for written methods.
    """

    owner: str
    side: Side
    selector: str
    parameters: tuple[Type | None, ...]
    returns: Type | None
    made: Made
    tree: ast.MethodDef | None = None
    is_internal: bool = False

    @property
    def key(self) -> tuple[str, Side, str]:
        """What it is known by."""
        return self.owner, self.side, self.selector

    @property
    def is_primitive(self) -> bool:
        """Whether its body is written in the host's language."""
        return self.tree is not None and any(isinstance(each, ast.Primitive) for each in self.tree.body)
