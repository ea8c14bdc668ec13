"""Runs the live re-check after changes, off the path of whoever made them (types.md 6).

Comes in: changes that were carried out. Guarantees: nothing here stops, delays or fails the change; one
class is checked at a time, and other work goes on between two; the same change gives the same reports.
A fault of the check is told to `log`, and the round goes on. Leaves: words to whoever listens.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from workspace.change import Change
from workspace.install import is_live
from workspace.recheck.buckets import Buckets, ReloadFinding, news_of
from workspace.recheck.candidates import Candidate, Rank, candidates_of
from workspace.recheck.checking import Check, Judgement
from workspace.recheck.triggers import Classification, Trigger, inferred_changes, triggers_of
from workspace.state import ImageState

CALLER_CAP: Final = 20
"""How many owners are checked for one trigger, unless set otherwise (R-14)."""


@dataclass(frozen=True, slots=True)
class ReloadCheckCompleted:
    """What came of the re-check of one trigger (R-22). `unchecked` are owners beyond the cap, or that failed.

    `is_repair` says that findings of an earlier trigger went and none came; `findings` are then those that stand.
    """

    trigger: Trigger
    checked: tuple[str, ...]
    unchecked: tuple[str, ...]
    findings: tuple[ReloadFinding, ...]
    is_repair: bool = False

    @property
    def cap_note(self) -> str | None:
        """What the cap left out."""
        return cap_note(self.unchecked)


def cap_note(unchecked: tuple[str, ...]) -> str | None:
    """What the cap left out, or could not be checked."""
    return f"{len(unchecked)} more not checked" if unchecked else None


Listener = Callable[[ReloadCheckCompleted], None]


@dataclass(slots=True)
class _Round:
    """One trigger in progress: the owners still to be checked, and what was found."""

    change: Change
    trigger: Trigger
    waiting: deque[str]
    unchecked: list[str]
    had_findings: bool
    depth: int
    checked: list[str] = field(default_factory=list)
    findings: list[ReloadFinding] = field(default_factory=list)


@dataclass(slots=True)
class _Refresh:
    """Owners with findings that no trigger of a change names: the change may have mended them all the same."""

    change: Change
    waiting: deque[str]


class Rechecks:
    """The re-checks of one workspace."""

    def __init__(self, check: Check, present: Callable[[], ImageState], log: Callable[[str], None]) -> None:
        self._check = check
        self._present = present
        self._log = log
        self._buckets = Buckets()
        self._changes: deque[Change] = deque()
        self._rounds: deque[_Round | _Refresh] = deque()
        self._recency: dict[str, int] = {}
        self._times = itertools.count()
        self._listeners: list[Listener] = []
        self.caller_cap: Callable[[], int] = lambda: CALLER_CAP
        self.depth: Callable[[], int] = lambda: 1
        """How many levels of callers are checked where what is inferred of one changes too (R-13)."""

    # ------------------------------------------------------------ asking

    def findings(self) -> tuple[ReloadFinding, ...]:
        """What stands at the moment, by owner and changed class."""
        return self._buckets.all()

    def subscribe(self, listener: Listener) -> tuple[ReloadFinding, ...]:
        """Tell a listener of every re-check from now on; answers what stands already (R-22)."""
        self._listeners.append(listener)
        return self.findings()

    @property
    def is_waiting(self) -> bool:
        """Whether there is something to check."""
        return bool(self._changes or self._rounds)

    # ------------------------------------------------------------ work

    def note(self, change: Change) -> None:
        """Remember a change that was carried out; `step` does the work."""
        if not change.base.units:
            return
        cleared: dict[Trigger, None] = {}
        for owner in dict.fromkeys(_live_owners(change)):
            cleared.update((found.trigger, None) for found in self._buckets.forget(owner))
            self._touch(owner)
        self._changes.append(change)
        for trigger in cleared:
            left = self._buckets.of_class(trigger.class_name)
            self._tell(ReloadCheckCompleted(trigger, (), (), left, is_repair=True))

    def _touch(self, owner: str) -> None:
        """Remember when an owner was last edited or checked."""
        self._recency[owner] = next(self._times)

    def step(self) -> bool:
        """Check one owner; answers whether more is to be done."""
        try:
            self._step()
        except Exception as fault:  # noqa: BLE001 - advisory work: no fault of it may reach a user's change
            self._log(f"reload check failed: {type(fault).__name__}: {fault}")
        return self.is_waiting

    def finish(self) -> None:
        """Do all that waits."""
        while self.step():
            pass

    def _step(self) -> None:
        if not self._rounds:
            if self._changes:
                self._begin(self._changes.popleft())
            return
        current = self._rounds[0]
        owner = current.waiting.popleft() if current.waiting else None
        if not current.waiting:
            self._rounds.popleft()
        match current:
            case _Refresh():
                if owner is not None:
                    self._refresh(current, owner)
            case _Round():
                try:
                    if owner is not None:
                        self._check_owner(current, owner)
                finally:
                    if not current.waiting:
                        self._publish(current)

    def _begin(self, change: Change) -> None:
        """The rounds of a change, and then the owners of other findings."""
        rounds = [self._round(change, trigger) for trigger in triggers_of(change)]
        named = {owner for each in rounds for owner in (*each.waiting, *each.unchecked)}
        others = [owner for owner in self._buckets.owners() if owner not in named]
        self._rounds.extend(rounds)
        if others:
            self._rounds.append(_Refresh(change, deque(others[: self.caller_cap()])))

    def _refresh(self, current: _Refresh, owner: str) -> None:
        if _is_as_checked(current.change.state, self._present(), owner):
            gone = self._buckets.refreshed(owner, self._check(current.change.state, owner))
            for trigger in dict.fromkeys(found.trigger for found in gone):
                left = self._buckets.of_class(trigger.class_name)
                self._tell(ReloadCheckCompleted(trigger, (owner,), (), left, is_repair=True))

    def _round(self, change: Change, trigger: Trigger, depth: int = 1) -> _Round:
        if trigger.classification is Classification.CLASS_RENAMED:
            self._buckets.rename_changed(trigger.before or "", trigger.class_name)
        known = self._buckets.owners_with(trigger.class_name)
        ranked = self._ranked(candidates_of(change.state, trigger), known)
        cap = self.caller_cap()
        rest = [each.owner for each in ranked[cap:]]
        for owner in rest:
            self._buckets.left_unchecked(owner, trigger)
        return _Round(change, trigger, deque(each.owner for each in ranked[:cap]), rest, bool(known), depth)

    def _ranked(self, found: tuple[Candidate, ...], known: frozenset[str]) -> list[Candidate]:
        """Those with findings first, so that none is stranded; within a rank the most recent (R-15)."""
        ranked = [
            Candidate(each.owner, Rank.HAS_FINDING if each.owner in known else each.rank) for each in found
        ]
        named = {each.owner for each in ranked}
        ranked += [Candidate(owner, Rank.HAS_FINDING) for owner in sorted(known - named)]
        return sorted(ranked, key=lambda each: (each.rank, -self._recency.get(each.owner, -1), each.owner))

    def _check_owner(self, current: _Round, owner: str) -> None:
        change, trigger = current.change, current.trigger
        if not _is_as_checked(change.state, self._present(), owner):
            return
        try:
            now = self._check(change.state, owner)
            before = self._before(change, owner, now)
        except Exception:
            current.unchecked.append(owner)
            self._buckets.left_unchecked(owner, trigger)
            raise
        news = news_of(before, (each for each in now if each.unit.lineage not in change.touched), trigger)
        current.findings += self._buckets.replaced(owner, trigger, news, now)
        current.checked.append(owner)
        self._touch(owner)
        if current.depth < self.depth():
            for trigger in inferred_changes(change, owner):
                self._rounds.append(self._round(change, trigger, current.depth + 1))

    def _before(self, change: Change, owner: str, now: tuple[Judgement, ...]) -> tuple[Judgement, ...]:
        """What was wrong at the last check, or else before the change; nothing is asked where nothing is wrong."""
        known = self._buckets.before(owner)
        if known is not None or not now:
            return known or ()
        return self._check(change.base, owner)

    def _publish(self, done: _Round) -> None:
        if not done.checked and not done.unchecked and not done.had_findings:
            return
        checked, unchecked = tuple(done.checked), tuple(done.unchecked)
        self._tell(ReloadCheckCompleted(done.trigger, checked, unchecked, tuple(done.findings)))

    def _tell(self, report: ReloadCheckCompleted) -> None:
        for listener in tuple(self._listeners):
            listener(report)


def _live_owners(change: Change) -> Iterator[str]:
    """The classes whose own source a change installed or took away."""
    for state in (change.base, change.state):
        for lineage in change.touched:
            unit = state.units.get(lineage)
            if unit is not None and is_live(state, unit):
                yield unit.owner


def _is_as_checked(then: ImageState, now: ImageState, owner: str) -> bool:
    """Whether a class still reads as in the state that it is checked in (R-20)."""
    if then is now:
        return True
    return {u.lineage: u.text for u in then.units_of(owner)} == {
        u.lineage: u.text for u in now.units_of(owner)
    }


def foretold(
    change: Change, check: Check, cap: int
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[ReloadFinding, ...]]:
    """What a planned change would do: the owners checked, those beyond the cap, and the findings."""
    owners: dict[str, Trigger] = {}
    for trigger in triggers_of(change):
        for candidate in candidates_of(change.state, trigger):
            owners.setdefault(candidate.owner, trigger)
    ranked = list(owners)
    findings = [
        ReloadFinding(owner, owners[owner], each)
        for owner in ranked[:cap]
        for each in _news_in(change, check, owner, owners[owner])
    ]
    return tuple(ranked[:cap]), tuple(ranked[cap:]), tuple(findings)


def _news_in(change: Change, check: Check, owner: str, trigger: Trigger) -> tuple[Judgement, ...]:
    now = tuple(each for each in check(change.state, owner) if each.unit.lineage not in change.touched)
    return news_of(check(change.base, owner), now, trigger) if now else ()
