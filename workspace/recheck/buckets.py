"""Findings of the live re-check, kept for each owner and changed class (types.md 6.5).

Comes in: what was wrong in an owner before and what is now. Guarantees: a finding is attributed to the
change after which it appeared; a bucket is replaced as a whole at each check of its owner; what no longer
holds is gone, from whatever bucket. Leaves: checking to `checking`, texts to whoever shows them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from lang.diagnostics import Severity
from workspace.recheck.checking import Judgement
from workspace.recheck.triggers import Classification, Trigger


@dataclass(frozen=True, slots=True)
class ReloadFinding:
    """Something wrong in a class because another one was changed (R-17)."""

    owner: str
    trigger: Trigger
    judgement: Judgement
    note: str | None = None

    @property
    def changed_class(self) -> str:
        """The class after whose change it appeared."""
        return self.trigger.class_name


@dataclass(slots=True)
class _Owner:
    """What is known of one owner: everything that was wrong at its last check, and the buckets."""

    before: tuple[Judgement, ...] | None = None
    buckets: dict[str, tuple[ReloadFinding, ...]] = field(default_factory=dict)
    unchecked: dict[str, None] = field(default_factory=dict)


class Buckets:
    """The findings of one session of a workspace."""

    def __init__(self) -> None:
        self._owners: dict[str, _Owner] = {}

    # ------------------------------------------------------------ asking

    def all(self) -> tuple[ReloadFinding, ...]:
        """Every finding, by owner and changed class."""
        return tuple(
            found
            for name in sorted(self._owners)
            for _changed, bucket in sorted(self._owners[name].buckets.items())
            for found in bucket
        )

    def of_class(self, changed_class: str) -> tuple[ReloadFinding, ...]:
        """The findings because of one class."""
        return tuple(found for found in self.all() if found.changed_class == changed_class)

    def owners(self) -> tuple[str, ...]:
        """The owners that have findings, by name."""
        return tuple(sorted(name for name, owner in self._owners.items() if owner.buckets))

    def owners_with(self, changed_class: str) -> frozenset[str]:
        """The owners that have findings because of a class."""
        return frozenset(name for name, owner in self._owners.items() if owner.buckets.get(changed_class))

    def before(self, owner: str) -> tuple[Judgement, ...] | None:
        """What was wrong at the last check of an owner; None when it has not been checked."""
        known = self._owners.get(owner)
        return None if known is None else known.before

    # ------------------------------------------------------------ changing

    def replaced(
        self, owner: str, trigger: Trigger, news: Iterable[Judgement], now: tuple[Judgement, ...]
    ) -> tuple[ReloadFinding, ...]:
        """Take in a check of an owner after a change; answers the bucket of that change (R-18, R-20)."""
        known = self._owners.setdefault(owner, _Owner())
        here = {each.identity for each in now}
        for name, bucket in known.buckets.items():
            known.buckets[name] = tuple(found for found in bucket if found.judgement.identity in here)
        attributed = {found.judgement.identity for bucket in known.buckets.values() for found in bucket}
        note = _also_changed(known.unchecked, trigger)
        fresh = (ReloadFinding(owner, trigger, e, note) for e in news if e.identity not in attributed)
        kept = (replace(found, note=None) for found in known.buckets.get(trigger.class_name, ()))
        known.buckets[trigger.class_name] = (*kept, *fresh)
        known.buckets = {name: bucket for name, bucket in known.buckets.items() if bucket}
        known.unchecked = {}
        known.before = now
        return known.buckets.get(trigger.class_name, ())

    def refreshed(self, owner: str, now: tuple[Judgement, ...]) -> tuple[ReloadFinding, ...]:
        """Take in a check that no trigger asked for; answers the findings that went."""
        known = self._owners.get(owner)
        if known is None:
            return ()
        here = {each.identity for each in now}
        gone = tuple(f for b in known.buckets.values() for f in b if f.judgement.identity not in here)
        kept = {n: tuple(f for f in b if f not in gone) for n, b in known.buckets.items()}
        known.buckets = {name: bucket for name, bucket in kept.items() if bucket}
        return gone

    def left_unchecked(self, owner: str, trigger: Trigger) -> None:
        """An owner was not checked: its findings stand, and say so once (R-16)."""
        known = self._owners.setdefault(owner, _Owner())
        known.unchecked[trigger.class_name] = None
        bucket = known.buckets.get(trigger.class_name)
        if bucket:
            note = f"not checked again after the last change of {trigger.class_name}"
            known.buckets[trigger.class_name] = tuple(replace(found, note=note) for found in bucket)

    def forget(self, owner: str) -> tuple[ReloadFinding, ...]:
        """The owner's own source was installed, or it is gone: answers the findings that go (R-20)."""
        known = self._owners.pop(owner, None)
        return () if known is None else tuple(f for bucket in known.buckets.values() for f in bucket)

    def rename_changed(self, old: str, new: str) -> None:
        """A changed class has another name now; what it caused stays its own."""
        for known in self._owners.values():
            moved = known.buckets.pop(old, None)
            if moved is not None:
                known.buckets[new] = tuple(
                    replace(f, trigger=replace(f.trigger, class_name=new)) for f in moved
                )


def news_of(before: Iterable[Judgement], now: Iterable[Judgement], trigger: Trigger) -> tuple[Judgement, ...]:
    """What is wrong now and was not before, as far as the re-check speaks of it.

    Errors are findings only where structure makes them (R-19).
    """
    old = {each.identity for each in before}
    is_structural = trigger.classification in _STRUCTURAL
    return tuple(
        each
        for each in now
        if each.identity not in old and (is_structural or each.diagnostic.severity is not Severity.ERROR)
    )


_STRUCTURAL = frozenset(
    {
        Classification.LEAF_CHANGE,
        Classification.ALIAS_CHANGE,
        Classification.CLASS_REMOVED,
        Classification.CLASS_RENAMED,
    }
)


def _also_changed(unchecked: Iterable[str], trigger: Trigger) -> str | None:
    others = sorted(name for name in unchecked if name != trigger.class_name)
    return f"perhaps because of {', '.join(others)}, changed before" if others else None
