"""What is wrong in one class as it stands in a state (types.md R-11).

Comes in: a state and the name of a class. Guarantees: the texts are those of memory, never of disk. Leaves: which
of the findings are news to `buckets`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lang.diagnostics import Category, Diagnostic, Severity
from lang.semantics.hierarchy import ClassView
from lang.semantics.types.analysis import FileChecker
from lang.semantics.types.world import World
from workspace import checks, drafting
from workspace.change import Finding
from workspace.install import is_live
from workspace.refactor.sites import first_line
from workspace.state import ImageState, Unit


@dataclass(frozen=True, slots=True)
class Judgement:
    """A diagnostic of a unit. `line` counts from the declaration's own first line, `file_line` in its file."""

    unit: Unit
    diagnostic: Diagnostic
    line: int
    file_line: int

    @property
    def identity(self) -> tuple[int, int, int, Severity, Category, str]:
        """What makes it the same finding in the next check of the same text."""
        found = self.diagnostic
        span = found.span
        return self.unit.lineage, span.start, span.end, found.severity, found.category, found.message

    @property
    def source_line(self) -> str:
        """The line of source that it stands in, without indentation."""
        start = self.unit.text.rfind("\n", 0, self.diagnostic.span.start) + 1
        return self.unit.text[start:].partition("\n")[0].strip()


Check = Callable[[ImageState, str], tuple[Judgement, ...]]
"""All that is wrong in a class, what only the lint command shows left out."""


class Checker:
    """The check of a class against what `view` and `world` know of a state; the views of the last states are kept."""

    def __init__(self, view: Callable[[ImageState], ClassView], world: Callable[[ImageState], World]) -> None:
        self._view = view
        self._world = world
        self._views: tuple[tuple[ImageState, ClassView], ...] = ()

    def __call__(self, state: ImageState, owner: str) -> tuple[Judgement, ...]:
        """The findings of every live unit of a class."""
        known, types = self._known(state), FileChecker(self._world(state))
        return tuple(
            _judgement(state, unit, found)
            for unit in state.units_of(owner)
            if is_live(state, unit)
            for found in checks.unit_findings(unit, known, lambda _unit: 1, types)
            if found.diagnostic.severity is not Severity.LINT
        )

    def _known(self, state: ImageState) -> ClassView:
        for kept, view in self._views:
            if kept is state:
                return view
        made = self._view(state)
        self._views = ((state, made), *self._views[:1])
        return made


def _judgement(state: ImageState, unit: Unit, found: Finding) -> Judgement:
    node = drafting.parsed(unit).node
    header = 0 if node is None else node.span.start
    start = found.diagnostic.span.start
    line = unit.text.count("\n", header, start) + 1
    return Judgement(unit, found.diagnostic, line, first_line(state, unit) + unit.text.count("\n", 0, start))
