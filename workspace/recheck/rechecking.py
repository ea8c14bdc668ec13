"""The re-check of one workspace: when it runs, and what is asked of it on demand (types.md 6.1, 6.7).

Comes in: changes as the workspace carries them out. Guarantees: a process of its own does the work, after whoever
made the change has gone on or waits; what is asked on demand stores nothing and leaves findings alone.
Leaves: words and colours to `repl`, Beamtalk objects to `workspace/facade`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lang.diagnostics import Category
from lang.runtime.processes.process import ProcessKind
from workspace.change import Change
from workspace.install import is_live
from workspace.recheck.buckets import ReloadFinding
from workspace.recheck.checking import Checker, Judgement
from workspace.recheck.rechecks import CALLER_CAP, Rechecks, cap_note, foretold

if TYPE_CHECKING:
    from lang.semantics.hierarchy import ClassView
    from lang.semantics.types.world import World
    from workspace.state import ImageState
    from workspace.workspace import Workspace

CAP_SETTING: Final = "recheck_caller_cap"
DEPTH_SETTING: Final = "recheck_depth"


@dataclass(frozen=True, slots=True)
class ImageCheck:
    """What is wrong in the classes of an image (R-25)."""

    checked: int
    findings: tuple[tuple[str, Judgement], ...]

    @property
    def stale(self) -> int:
        """How many classes have a finding."""
        return len({owner for owner, _found in self.findings})


@dataclass(frozen=True, slots=True)
class Foretold:
    """What a change would do to its dependents (R-24)."""

    checked: tuple[str, ...]
    unchecked: tuple[str, ...]
    findings: tuple[ReloadFinding, ...]

    @property
    def cap_note(self) -> str | None:
        """What the cap left out."""
        return cap_note(self.unchecked)


class Rechecking:
    """Runs the re-check of one workspace."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._check = Checker(self._view, self._world)
        self._is_running = False
        self.rounds = Rechecks(self._check, lambda: workspace.state, self._log)
        self.rounds.caller_cap = lambda: self._setting(CAP_SETTING, CALLER_CAP)
        self.rounds.depth = lambda: self._setting(DEPTH_SETTING, 1)

    def _view(self, state: ImageState) -> ClassView:
        return self._workspace.installer.view(state)

    def _world(self, state: ImageState) -> World:
        return self._workspace.installer.world(state)

    def after_change(self, change: Change) -> None:
        """Have what a change did not touch checked again, when whoever made it has gone on (R-1)."""
        self.rounds.note(change)
        if self.rounds.is_waiting and not self._is_running:
            self._is_running = True
            scheduler = self._workspace.image.actors.scheduler
            scheduler.start(ProcessKind.WORKER, "reload check", self._run, lambda _outcome: None)

    def _run(self) -> None:
        try:
            while self.rounds.step():
                self._workspace.image.actors.scheduler.pause()
        finally:
            self._is_running = False

    def _setting(self, name: str, default: int) -> int:
        folder = self._workspace.folder
        found = default if folder is None else folder.setting(name, default)
        return found if type(found) is int else default

    def _log(self, text: str) -> None:
        self._workspace.image.actors.scheduler.log.note(text)

    # ------------------------------------------------------------ on demand

    def foretell(self, change: Change) -> Foretold:
        """What a change that is only planned would do to its dependents; nothing is kept (R-24)."""
        return Foretold(*foretold(change, self._check, self.rounds.caller_cap()))

    def check_image(self) -> ImageCheck:
        """Every live class with source, without a cap; other work goes on between two (R-25)."""
        state = self._workspace.state
        owners = sorted(
            {
                unit.owner
                for unit in state.units.values()
                if unit.owner in state.classes and is_live(state, unit)
            }
        )
        found: list[tuple[str, Judgement]] = []
        for owner in owners:
            found += ((owner, each) for each in self._checked(owner) if each.diagnostic.category in _JUDGED)
            self._workspace.image.actors.scheduler.pause()
        return ImageCheck(len(owners), tuple(found))

    def _checked(self, owner: str) -> tuple[Judgement, ...]:
        try:
            return self._check(self._workspace.state, owner)
        except Exception as fault:  # noqa: BLE001 - one class that cannot be checked must not end the sweep
            self._log(f"{owner} could not be checked: {type(fault).__name__}: {fault}")
            return ()


_JUDGED: Final = frozenset({Category.DNU, Category.TYPE})
