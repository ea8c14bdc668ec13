"""Taking changes back: revert, undo, redo (changes.md 9).

Comes in: the log and the image of a workspace. Guarantees: undo and redo walk the log's own
stacks; what is flushed is taken back only while disk still holds it. Leaves: the inverse
itself to `undo`, carrying out to the workspace.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from changelog.entry import ChangeKind, Entry, Mark, MarkKind
from lang.dataclass import dataclass
from lang.deferred import deferred
from workspace.change import Operation, Refusal

if TYPE_CHECKING:
    from workspace import restoring
    from workspace import undo as undoing
    from workspace.refactor import relocate as relocating
    from workspace.workspace import Done, Workspace
else:
    undoing = deferred("workspace.undo")
    restoring = deferred("workspace.restoring")
    relocating = deferred("workspace.refactor.relocate")

_RENAMES = frozenset({ChangeKind.RENAME_CLASS, ChangeKind.RENAME_METHOD, ChangeKind.MOVE_CLASS})

_OF_ONE_METHOD = frozenset(
    {ChangeKind.INSTANCE, ChangeKind.CLASS, ChangeKind.EXTENSION, ChangeKind.REMOVE_METHOD}
)

_NAMING = frozenset({ChangeKind.NEW_CLASS, ChangeKind.RENAME_CLASS})


@dataclass(frozen=True, slots=True)
class NotRestored:
    """An entry that `restore` left, and why."""

    entry: Entry
    reason: str


@dataclass(frozen=True, slots=True)
class Restored:
    """What `restore` brought back, and what it left."""

    restored: tuple[Entry, ...]
    skipped: tuple[NotRestored, ...]


def _is_about(entry: Entry, path: str | None) -> bool:
    addresses = (a for edit in entry.edits for a in (edit.before_address, edit.after_address))
    return any(address is not None and address.path == path for address in addresses)


class History:
    """The changes of one workspace, as what can be taken back and done again."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._earlier_users: dict[int, frozenset[int]] = {}
        workspace.after_change.append(self._note_earlier_users)

    def _note_earlier_users(self, done: Done) -> None:
        """Remember which units used a name before the change that gave it a meaning."""
        if done.entry is not None and done.entry.kind in _NAMING:
            rows = done.change.base.index.references_to(done.entry.class_name)
            self._earlier_users[done.entry.seq] = frozenset(row.lineage for row in rows)

    def revert(self, seq: int) -> Done | Refusal:
        """Take one entry back; refused while later changes build on it (changes.md 9)."""
        entry = self._workspace.log.by_seq(seq)
        if entry is None:
            return Refusal("runtime_error", f"no change #{seq}")
        found = undoing.dependants(entry, self._later(entry))
        if found:
            return undoing.refusal_of_dependants(found, undoing.describe(entry))
        return self._revert(entry)

    def relocate(self, entry: Entry, path: str) -> Entry | Refusal:
        """Let the file of a pending entry, which somebody has moved, stand at another path (changes.md 12)."""
        workspace = self._workspace
        present = relocating.file_of(workspace.state, entry)
        outcome = workspace.perform(relocating.relocate(entry, path, workspace.exists))
        if isinstance(outcome, Refusal):
            return outcome
        concerned = {each.seq for each in workspace.pending.view().active if _is_about(each, present)}
        workspace.log.mark(
            *(
                Mark(MarkKind.RELOCATED, seq, path=path, old_path=present)
                for seq in sorted({entry.seq, *concerned})
            )
        )
        return workspace.log.by_seq(entry.seq) or entry

    def revert_cascade(self, seq: int) -> Done | Refusal:
        """Take an entry back with all that builds on it, newest first."""
        entry = self._workspace.log.by_seq(seq)
        if entry is None:
            return Refusal("runtime_error", f"no change #{seq}")
        chain = [*reversed(undoing.dependants(entry, self._later(entry))), entry]
        refused = self._refusal_of_chain(chain)
        if refused is not None:
            return refused
        for each in chain[:-1]:
            outcome = self._revert(each)
            if isinstance(outcome, Refusal):
                return outcome
        return self._revert(entry)

    def _refusal_of_chain(self, chain: Sequence[Entry]) -> Refusal | None:
        """Why some entry of a cascade cannot be taken back once those before it are; asked before the first is."""
        self._workspace.loader.index_every_source()
        state = self._workspace.state
        gone: set[int] = set()
        for entry in chain:
            planned = self._refusal_of(entry) or self._inverse(entry, frozenset(gone))(state)
            if isinstance(planned, Refusal):
                return planned
            state = planned.state
            gone.add(entry.seq)
        return None

    def _revert(self, entry: Entry) -> Done | Refusal:
        return self._refusal_of(entry) or self._take_back(entry)

    def _refusal_of(self, entry: Entry) -> Refusal | None:
        view = self._workspace.pending.view()
        damaged = self._damage(entry)
        if damaged is not None:
            return Refusal("runtime_error", f"#{entry.seq} {damaged}")
        if entry.epoch != self._workspace.log.epoch:
            return Refusal("runtime_error", f"#{entry.seq} is of an earlier session; see restore")
        if entry.seq in view.cancelled or entry.seq in self._reverted():
            return Refusal("runtime_error", f"#{entry.seq} has been reverted already")
        return self._changed_since_flush(entry) if entry.seq in view.flushed else None

    def _damage(self, entry: Entry) -> str | None:
        """What is wrong with the record of an entry: a text that is not the one that was logged is never used."""
        damaged = self._workspace.log.damaged_bodies(entry.seq)
        return f"is damaged in the change log ({', '.join(damaged)})" if damaged else None

    def _take_back(self, entry: Entry) -> Done | Refusal:
        """Perform the inverse; where a name comes or goes, with every source of the project in sight."""
        if entry.kind not in _OF_ONE_METHOD:
            self._workspace.loader.index_every_source()
        return self._workspace.perform(self._inverse(entry))

    def _inverse(self, entry: Entry, gone: frozenset[int] = frozenset()) -> Operation:
        """The operation that takes an entry back; `gone` are later ones that will have been taken back by then."""
        later = self._later(entry)
        still = undoing.LaterHistory(tuple(each for each in later.entries if each.seq not in gone))
        return undoing.revert_entry(entry, still, self._earlier_users.get(entry.seq, frozenset()))

    def _changed_since_flush(self, entry: Entry) -> Refusal | None:
        stale = self._workspace.image.stale_files(
            (edit.lineage for edit in entry.edits), self._workspace.read_sources
        )
        if not stale:
            return None
        files = ", ".join(sorted(stale))
        return Refusal(
            "runtime_error",
            f"cannot undo #{entry.seq}: {files} changed on disk since the flush",
            "git has the earlier version of the file.",
        )

    def _reverted(self) -> frozenset[int]:
        """The entries that a revert has taken back; a revert of that revert counts them in again."""
        gone: set[int] = set()
        for entry in self._workspace.log.current_entries():
            target = None if entry.reverts is None else self._workspace.log.by_seq(entry.reverts)
            if target is None:
                continue
            gone.add(target.seq)
            if target.reverts is not None:
                gone.discard(target.reverts)
        return frozenset(gone)

    def _later(self, entry: Entry) -> undoing.LaterHistory:
        """The entries after one that still hold: not reverted, and no reverts themselves."""
        gone = self._reverted()
        return undoing.LaterHistory(
            tuple(
                each
                for each in self._workspace.log.current_entries()
                if each.seq > entry.seq and each.seq not in gone and each.reverts is None
            )
        )

    def undo(self) -> Entry | Refusal | None:
        """Revert the newest change not yet undone; its entry, None when there is none."""
        stack = self._workspace.pending.history().undo
        return None if not stack else self._undone(stack[-1])

    def redo(self) -> Entry | Refusal | None:
        """Revert the newest undo; the entry that it had undone."""
        stack = self._workspace.pending.history().redo
        if not stack:
            return None
        target = self._workspace.log.by_seq(stack[-1].reverts or 0)
        outcome = self._undone(stack[-1])
        return outcome if isinstance(outcome, Refusal) else target

    def _undone(self, entry: Entry) -> Entry | Refusal:
        flushed = self._workspace.log.marked(MarkKind.FLUSHED)
        refused = self._changed_since_flush(entry) if entry.seq in flushed else None
        if refused is not None:
            return refused
        outcome = self._take_back(entry)
        return outcome if isinstance(outcome, Refusal) else entry

    # ------------------------------------------------------------ earlier sessions

    def restore(self) -> Restored:
        """Bring back pending durable changes of earlier sessions, in order (changes.md 2.3)."""
        restored: list[Entry] = []
        skipped: list[NotRestored] = []
        gone: set[int] = set()
        self._workspace.loader.index_every_source()
        for entry in self._workspace.log.restorable():
            outcome = self._refusal_to_restore(entry, gone) or self._restored(entry)
            if isinstance(outcome, Refusal):
                gone.add(entry.seq)
                skipped.append(NotRestored(entry, outcome.message))
                continue
            self._workspace.log.mark(Mark(MarkKind.PROMOTED, entry.seq, by=outcome.seq))
            restored.append(outcome)
        return Restored(tuple(restored), tuple(skipped))

    def _refusal_to_restore(self, entry: Entry, gone: AbstractSet[int]) -> Refusal | None:
        if any(seq in gone for seq in entry.depends_on):
            return Refusal("runtime_error", "depends_on")
        return None if self._damage(entry) is None else Refusal("runtime_error", "damaged")

    def _restored(self, entry: Entry) -> Entry | Refusal:
        outcome = self._workspace.perform(restoring.restore_entry(entry, self._renames_on_disk(entry)))
        if isinstance(outcome, Refusal):
            return outcome
        return outcome.entry if outcome.entry is not None else Refusal("runtime_error", "not logged")

    def _renames_on_disk(self, entry: Entry) -> list[Entry]:
        """The renames and moves of the entry's session that came after it and were flushed without it."""
        log = self._workspace.log
        flushed = log.marked(MarkKind.FLUSHED)
        return [
            each
            for each in log.entries
            if each.epoch == entry.epoch
            and each.seq > entry.seq
            and each.seq in flushed
            and each.kind in _RENAMES
        ]

    def prune_orphans(self) -> int:
        """Archive orphaned changes; how many went."""
        return self._workspace.log.archive(self._workspace.pending.view().orphans)
