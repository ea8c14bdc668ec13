"""The receiver-aware query: which sends can reach one method (types.md 5.4, `senders_of(sel, (C, side))`).

Comes in: a state. Guarantees: a subset of the senders of the selector, in their order; no send is
missing that dispatches to the method while values are of the types that are declared.
"""

from __future__ import annotations

from lang.syntax.units import Side
from workspace.relevance import Relevance
from workspace.state import ImageState
from workspace.xref import Sender


def senders_reaching(state: ImageState, class_name: str, side: Side, selector: str) -> tuple[Sender, ...]:
    """The sends that matter to a change of the selector on that side of the class."""
    relevance = Relevance(state, class_name, side)
    found = state.index.senders_of(selector)
    return tuple(row for row in found if relevance.admits(state.receivers.of(state, row)))
