"""The types of the receivers of sends, in the states of one image (types.md X-1, X-2, I-4).

Comes in: rows of the index. Guarantees: what is answered holds for every value that the receiver may have at
its type, `DYNAMIC` where nothing is known; a unit is inferred once for each state, when somebody asks. Nothing
is kept from one state to the next, for any change may change what a call of something else gives. Leaves:
inference to `lang.semantics.types`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from lang.deferred import deferred
from lang.syntax.units import Side

if TYPE_CHECKING:
    from lang.ast import nodes as ast
    from lang.semantics import receivers, references
    from lang.semantics.receivers import ReceiverType
    from lang.semantics.types import analysis, projection
    from lang.semantics.types.world import World
    from workspace import drafting, hierarchy
    from workspace.state import ImageState
    from workspace.xref import Sender
else:
    ast = deferred("lang.ast.nodes")
    receivers = deferred("lang.semantics.receivers")
    references = deferred("lang.semantics.references")
    analysis = deferred("lang.semantics.types.analysis")
    projection = deferred("lang.semantics.types.projection")
    drafting = deferred("workspace.drafting")
    hierarchy = deferred("workspace.hierarchy")


class ReceiverTypes:
    """Finds receiver types by inference; `world` gives what types know of a state, None: forms alone count."""

    def __init__(self, world: Callable[[ImageState], World] | None = None) -> None:
        self._world = world
        # One pair, so that whoever asks meanwhile sees units of one state.
        self._known: tuple[ImageState | None, dict[int, Mapping[int, ReceiverType]]] = (None, {})

    def world(self, state: ImageState) -> World | None:
        """What types know of a state; None where only forms count."""
        return None if self._world is None else self._world(state)

    def of(self, state: ImageState, row: Sender) -> ReceiverType:
        """What the receiver of a send is known to be."""
        world = self.world(state)
        if world is None:
            return formal_type(state, row)
        found = self._receivers(state, row.lineage, world).get(row.site.selector.parts[0].start)
        return formal_type(state, row) if found is None else found

    def _receivers(self, state: ImageState, lineage: int, world: World) -> Mapping[int, ReceiverType]:
        of_state, units = self._known
        if of_state is not state:
            units = {}
            self._known = (state, units)
        known = units.get(lineage)
        if known is None:
            known = units[lineage] = dict(_inferred(state, lineage, world))
        return known


def _inferred(state: ImageState, lineage: int, world: World) -> Iterator[tuple[int, ReceiverType]]:
    """The types of all receivers of a unit, by where the first part of the selector begins."""
    unit = state.units[lineage]
    node = drafting.parsed(unit).node
    for part in () if node is None else _parts_with_code(node):
        for at, found in analysis.facts_of_unit(part, unit.owner, world).receivers().items():
            yield at, projection.projected(found, world)


def _parts_with_code(node: ast.Declaration) -> tuple[ast.Declaration, ...]:
    """The declarations of a unit that have code of their own: a header has the defaults of its data."""
    return node.data if isinstance(node, ast.ClassHeader) else (node,)


def formal_type(state: ImageState, row: Sender) -> ReceiverType:
    """What the form of a receiver says: `self`, `super`, a literal class."""
    match row.site.receiver_kind:
        case references.ReceiverKind.SELF:
            return _own_type(row, row.owner.class_name)
        case references.ReceiverKind.SUPER:
            above = hierarchy.superclass_of(state, row.owner.class_name)
            return receivers.DYNAMIC if above is None else _own_type(row, above)
        case _:
            return _literal_type(state, row)


def _own_type(row: Sender, class_name: str) -> ReceiverType:
    if not class_name:
        return receivers.DYNAMIC
    is_class_side = row.owner.side is Side.CLASS
    return receivers.class_object(class_name) if is_class_side else receivers.instance_of(class_name)


def _literal_type(state: ImageState, row: Sender) -> ReceiverType:
    literal = row.site.receiver
    if literal is None:
        return receivers.DYNAMIC
    name = state.spelled(literal.name, literal.package)
    if name not in state.classes:
        return receivers.DYNAMIC
    return receivers.class_object(name) if literal.side is Side.CLASS else receivers.instance_of("Metaclass")
