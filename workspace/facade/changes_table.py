"""`Workspace changes` as Beamtalk sees it (changes.md 2.2, 12)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from changelog.entry import Entry
from lang.runtime.collections.lists import list_of
from lang.runtime.collections.mappings import dictionary_of, set_of
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.symbols import symbol
from lang.spelling import class_side_name
from workspace.change import Refusal
from workspace.facade.entries import EntryObject, SiteObject, entry_facts, standing_facts
from workspace.facade.flush_tables import FlushResultObject, filter_of, kinds_of, result_object
from workspace.facade.singletons import ChangeLogObject
from workspace.facade.values import beamtalk_list, raised, record, text_argument, type_error
from workspace.flush.plan import FlushRequest
from workspace.flush.selection import EVERYTHING, Filter, Gesture, OfFile, selected
from workspace.flush.tracks import track
from workspace.workspace import Workspace


class ChangeLogPrimitives:
    """The primitives of ChangeLog and ChangeEntry, of one workspace."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def entry_table(self) -> PrimitiveTable:
        """The primitives of ChangeEntry."""
        table = PrimitiveTable("ChangeEntry")
        facts = entry_facts() | standing_facts(self._workspace.pending.view, self._workspace.log.epoch)
        for name, answer in facts.items():
            table.primitive(name)(_of_entry(answer))
        table.primitive("diff")(lambda self_: self._diff_of(self_.entry))
        table.primitive("accept:")(lambda self_, sites: self.accept(self_.entry, sites))
        return table

    def log_table(self) -> PrimitiveTable:
        """The primitives of ChangeLog."""
        table = PrimitiveTable("ChangeLog")
        table.primitive("size")(lambda _self: len(self._active))
        table.primitive("activeEntries")(lambda _self: _entries(self._active))
        table.primitive("allEntries")(lambda _self: _entries(self._workspace.log.entries))
        table.primitive("dirtyMethods")(lambda _self: self.dirty_methods())
        table.primitive("revert:")(lambda _self, entry: self.revert(entry, False))
        table.primitive("revert:cascade:")(lambda _self, entry, cascade: self.revert(entry, cascade))
        table.primitive("clear")(lambda self_: self.clear(self_, EVERYTHING))
        table.primitive("clear:")(lambda self_, wish: self.clear(self_, filter_of(wish, "clear:")))
        table.primitive("flushKinds:")(lambda _self, kinds: self.flush_kinds(kinds, False))
        table.primitive("flushKinds:confirmDestructive:")(
            lambda _self, kinds, confirmed: self.flush_kinds(kinds, confirmed)
        )
        table.primitive("restore")(lambda _self: self.restore())
        table.primitive("relocate:to:")(lambda _self, entry, path: self.relocate(entry, path))
        table.primitive("pruneEphemeral")(lambda _self: self._workspace.log.prune_ephemeral())
        table.primitive("pruneOrphans")(lambda _self: self._workspace.history.prune_orphans())
        table.primitive("diff")(lambda _self: self._workspace.diff(EVERYTHING))
        table.primitive("diff:")(lambda _self, wish: self._workspace.diff(diff_filter(wish)))
        table.primitive("printString")(lambda _self: log_text(len(self._active)))
        return table

    # ------------------------------------------------------------ answers

    @property
    def _active(self) -> tuple[Entry, ...]:
        return self._workspace.pending.view().active

    def _diff_of(self, entry: Entry) -> str | None:
        return self._workspace.entry_diff(entry)

    def dirty_methods(self) -> object:
        """Class name to the selectors with pending changes."""
        found: dict[str, dict[str, None]] = {}
        for entry in self._active:
            if entry.selector is not None and entry.side is not None:
                owner = class_side_name(entry.class_name, entry.side)
                found.setdefault(owner, {})[entry.selector] = None
        return dictionary_of(
            (symbol(owner), set_of(map(symbol, selectors))) for owner, selectors in found.items()
        )

    def revert(self, entry: object, cascade: object) -> object:
        """Take one change back; answers the class."""
        if not isinstance(entry, EntryObject):
            raise type_error("ChangeLog", "revert:", "a ChangeEntry")
        history = self._workspace.history
        outcome = history.revert_cascade(entry.seq) if cascade is True else history.revert(entry.seq)
        if isinstance(outcome, Refusal):
            raise raised(outcome, class_name="ChangeLog", selector="revert:")
        logged = outcome.entry
        return None if logged is None else self._workspace.runtime.class_named(logged.class_name)

    def clear(self, receiver: ChangeLogObject, wish: Filter) -> ChangeLogObject:
        """Give pending changes up."""
        view = self._workspace.pending.view()
        if wish is EVERYTHING:
            chosen = frozenset(entry.seq for entry in view.active)
        else:
            chosen = frozenset(selected(view.active, wish, track(view.entries, view.flushed)))
        self._workspace.clear(chosen)
        return receiver

    def flush_kinds(self, kinds: object, confirmed: object) -> FlushResultObject:
        """Write pending changes of some kinds."""
        gesture = Gesture.DESTRUCTIVE if confirmed is True else Gesture.PLAIN
        request = FlushRequest(kinds_of(kinds, "flushKinds:"), gesture)
        return result_object(self._workspace.flush(request))

    def accept(self, entry: Entry, sites: object) -> EntryObject:
        """Rename candidate sites of a rename in a change of its own."""
        chosen = tuple(each.site for each in _elements(sites) if isinstance(each, SiteObject))
        outcome = self._workspace.accept_candidates(entry, chosen)
        if isinstance(outcome, Refusal):
            raise raised(outcome, class_name="ChangeEntry", selector="accept:")
        assert outcome.entry is not None
        return EntryObject(outcome.entry)

    def relocate(self, entry: object, path: object) -> EntryObject:
        """Follow a file that was moved outside."""
        if not isinstance(entry, EntryObject):
            raise type_error("ChangeLog", "relocate:to:", "a ChangeEntry")
        place = text_argument(path, "ChangeLog", "relocate:to:")
        outcome = self._workspace.history.relocate(entry.entry, place)
        if isinstance(outcome, Refusal):
            raise raised(outcome, class_name="ChangeLog", selector="relocate:to:")
        return EntryObject(outcome)

    def restore(self) -> object:
        """Bring back pending changes of an earlier session."""
        outcome = self._workspace.history.restore()
        return record(
            {
                "restored": _entries(outcome.restored),
                "skipped": beamtalk_list(
                    record(
                        {
                            "seq": each.entry.seq,
                            "class": symbol(each.entry.class_name),
                            "reason": symbol(each.reason),
                        }
                    )
                    for each in outcome.skipped
                ),
            }
        )


def diff_filter(value: object) -> Filter:
    """A path besides what `flush:` takes."""
    return OfFile(value) if type(value) is str else filter_of(value, "diff:")


def _of_entry(answer: Callable[[Entry], object]) -> Callable[[EntryObject], object]:
    def primitive(self: EntryObject) -> object:
        return answer(self.entry)

    return primitive


def _entries(entries: Iterable[Entry]) -> object:
    return list_of([EntryObject(entry) for entry in entries])


def _elements(value: object) -> list[object]:
    return list(value) if isinstance(value, Iterable) else []


def log_text(count: int) -> str:
    """`ChangeLog with 3 entries`."""
    return f"ChangeLog with {count} {'entry' if count == 1 else 'entries'}"
