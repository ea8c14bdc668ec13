"""Commands about the record of changes: look, write, take back (changes.md 2, 4, 9)."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from changelog.entry import Entry, Intent
from lang.runtime.collections.lists import BtList
from repl.commands.desk import (
    CLASS_NAME,
    CommandFailed,
    Desk,
    counted,
    string_text,
    usage,
    without_flag,
    words,
)
from repl.display import printed
from repl.events import Advice, Confirm, Failure, Offer, Page, Shown, Steps, agrees
from workspace.facade.entries import EntryObject, entry_text
from workspace.facade.flush_tables import FlushPlanObject, FlushResultObject, filter_of
from workspace.facade.git_table import GitObject
from workspace.flush.closure import Skipped
from workspace.flush.outcome import ConflictReason
from workspace.flush.plan import FlushPlan, FlushRequest
from workspace.flush.result import FileOperation, FlushResult, PlannedFile
from workspace.flush.selection import EVERYTHING, Gesture
from workspace.places import is_on_disk
from workspace.refactor.sites import first_line
from workspace.workspace import Done

_HEADS = re.compile(r"^(--- a/|\+\+\+ b/)(.*)$", re.MULTILINE)
_SEQ = re.compile(r"#(\d+)")
_KIND = re.compile(r"#[a-z][a-z-]*")
_FILE = re.compile(r"#\{#file => \"[^\"]*\"\}")


# ---------------------------------------------------------------- looking


def changes(desk: Desk, arguments: str) -> Steps:
    """`:changes [all]`: the pending changes, or the whole record."""
    match words(arguments):
        case []:
            expression = "Workspace changes activeEntries"
            title = printed(desk.workspace.runtime, desk.value("Workspace changes"))
        case ["all"]:
            expression = "Workspace changes allEntries"
            title = ""
        case _:
            raise usage(":changes [all]")
    entries = desk.value(expression)
    assert isinstance(entries, BtList)
    found = [each.entry for each in entries if isinstance(each, EntryObject)]
    yield Shown(title or f"{counted(len(found), 'change')} in the record")
    for entry in found:
        yield Shown(_entry_line(desk, entry))


def _entry_line(desk: Desk, entry: Entry) -> str:
    parts = [f"#{entry.seq} {entry_text(entry)}", ", ".join(_state_words(desk, entry))]
    place = _place(desk, entry)
    return "  ".join([*parts, *([place] if place else []), _age(entry)])


def _state_words(desk: Desk, entry: Entry) -> list[str]:
    view = desk.workspace.pending.view()
    flags = (
        ("durable" if entry.intent is Intent.DURABLE else "ephemeral", True),
        ("flushable", entry.is_flushable and entry.seq not in view.flushed),
        (f"not flushable ({entry.not_flushable_reason})", not entry.is_flushable),
        ("destructive", entry.is_destructive),
        ("flushed", entry.seq in view.flushed),
        ("clean", entry.seq in view.clean),
        ("shadowed", entry.seq in view.shadowed),
        ("orphaned", entry.seq in view.orphans),
        ("undone", entry.seq in view.cancelled),
        ("earlier session", entry.epoch != desk.workspace.log.epoch),
    )
    return [word for word, holds in flags if holds]


def _place(desk: Desk, entry: Entry) -> str | None:
    state = desk.workspace.state
    # A lineage is the identity of a unit within one run: of another run it would name another unit.
    edits = entry.edits if entry.epoch == desk.workspace.log.epoch else ()
    for edit in edits:
        unit = state.units.get(edit.lineage)
        if unit is not None and unit.path is not None:
            if not is_on_disk(state, unit):
                return unit.path
            return f"{unit.path}:{first_line(state, unit) + _header_offset(unit.text)}"
    return entry.source_file


def _header_offset(text: str) -> int:
    """How many lines of comments stand above the declaration."""
    count = 0
    for line in text.split("\n"):
        if not line.lstrip().startswith(("//", "@")):
            break
        count += 1
    return count


def _age(entry: Entry) -> str:
    try:
        made = datetime.fromisoformat(entry.timestamp)
    except ValueError:
        return entry.timestamp
    seconds = (datetime.now(UTC) - made).total_seconds()
    for limit, size, unit in ((60, 0, "now"), (3600, 60, "min ago"), (86400, 3600, "h ago")):
        if seconds < limit:
            return unit if size == 0 else f"{int(seconds // size)} {unit}"
    return f"{int(seconds // 86400)} d ago"


def dirty(desk: Desk, arguments: str) -> Steps:
    """`:dirty`: class name to selectors with pending changes."""
    if arguments:
        raise usage(":dirty")
    yield Shown(desk.text(desk.value("Workspace changes dirtyMethods")))


def diff(desk: Desk, arguments: str) -> Steps:
    """`:diff [C|#seq|PATH]`: disk to memory."""
    match words(arguments):
        case []:
            expression = "Workspace changes diff"
        case [word]:
            expression = f"Workspace changes diff: {_diff_filter(desk, word)}"
        case _:
            raise usage(":diff [CLASS|#SEQ|PATH]")
    text = desk.value(expression)
    if not isinstance(text, str) or not text.strip():
        yield Shown("No changes.")
    else:
        yield Page(desk.core.palette.diff(_HEADS.sub(_head, text.rstrip("\n"))))


def _head(found: re.Match[str]) -> str:
    """The two sides of a file are what disk holds and what memory does."""
    return f"--- {found[2]}" if found[1] == "--- a/" else f"+++ {found[2]} (memory)"


def _diff_filter(desk: Desk, word: str) -> str:
    if found := _SEQ.fullmatch(word):
        return f"({_entry_expression(desk, int(found[1]))})"
    return word if CLASS_NAME.fullmatch(word) else string_text(word)


def _entry_expression(desk: Desk, seq: int) -> str:
    found = f"Workspace changes between: {seq} and: {seq}"
    if desk.value(f"({found}) isEmpty"):
        raise CommandFailed(f"Error: there is no change #{seq}")
    return f"({found}) first"


# ---------------------------------------------------------------- writing


def flush(desk: Desk, arguments: str) -> Steps:
    """`:flush [C|#kind|#{…}] [--dry-run]`: tier 1 only."""
    rest, is_dry = without_flag(arguments, "--dry-run")
    wish = _filter(desk, rest, ":flush [CLASS|#KIND|#SEQ|PATH] [--dry-run]")
    if is_dry:
        plan = desk.value("Workspace flushPlan" if wish is None else f"Workspace flushPlan: {wish}")
        yield from _plan_lines(desk, plan)
        return
    result = desk.value("Workspace flush" if wish is None else f"Workspace flush: {wish}")
    yield from _result_lines(result)


def flush_destructive(desk: Desk, arguments: str) -> Steps:
    """`:flush-destructive [C|…]`: all tiers, after a look at every file."""
    rest, is_dry = without_flag(arguments, "--dry-run")
    wish = _filter(desk, rest, ":flush-destructive [CLASS|#KIND|#SEQ|PATH]")
    native = _destructive_expression(wish)
    plan = _destructive_plan(desk, wish)
    if is_dry or plan.conflicts or not plan.files:
        yield from _plan_lines(desk, FlushPlanObject(plan))
        return
    while True:
        yield from map(_operation_line, plan.files)
        yield from _never_committed(desk, plan)
        if not agrees((yield Confirm(f"Write {len(plan.files)} operation(s) to disk? [y/N] ", native))):
            yield Shown("Aborted: no files were changed.")
            return
        shown, plan = plan, _destructive_plan(desk, wish)
        if plan.files == shown.files and plan.seqs == shown.seqs:
            break
        # Nothing is held back while a person thinks (changes.md 6).
        yield Advice("⚠ the plan has changed since it was shown; nothing was written yet")
    yield from _result_lines(desk.value(native))


def _never_committed(desk: Desk, plan: FlushPlan) -> Steps:
    """What git cannot bring back is said before it is written over (changes.md 10)."""
    found = GitObject(desk.workspace).never_committed(plan)
    if found:
        yield Shown(f"⚠ never committed, so git cannot bring back: {', '.join(found)}")


def write_now(desk: Desk, done: Done) -> Steps:
    """The offer after a rename: write it, and what it builds on, to disk."""
    if desk.workspace.project is None or done.entry is None or not done.entry.is_flushable:
        return
    if not agrees((yield Offer("Write it to disk now? [y/N] "))):
        yield Shown("Not written; :flush-destructive does.")
        return
    yield from _result_lines(
        desk.value(_destructive_expression(f"({_entry_expression(desk, done.entry.seq)})"))
    )


def _destructive_expression(wish: str | None) -> str:
    if wish is None:
        return "Workspace flushIncludingDestructive"
    return f"Workspace flush: {wish} confirmDestructive: true"


def _destructive_plan(desk: Desk, wish: str | None) -> FlushPlan:
    chosen = EVERYTHING if wish is None else filter_of(desk.value(wish), "flush:")
    return desk.workspace.flush_plan(FlushRequest(chosen, Gesture.DESTRUCTIVE))


def _filter(desk: Desk, text: str, syntax: str) -> str | None:
    """The native filter of an argument; None for everything."""
    if not text:
        return None
    if found := _SEQ.fullmatch(text):
        return f"({_entry_expression(desk, int(found[1]))})"
    if CLASS_NAME.fullmatch(text) or _KIND.fullmatch(text) or _FILE.fullmatch(text):
        return text
    if text.endswith(".bt") and " " not in text:
        return f"#{{#file => {string_text(text)}}}"
    raise usage(syntax)


def _plan_lines(desk: Desk, value: object) -> Steps:
    assert isinstance(value, FlushPlanObject)
    plan = value.plan
    yield from map(_operation_line, plan.files)
    yield Shown(printed(desk.workspace.runtime, value))
    yield from (_skip_line(each) for each in plan.withheld)
    if plan.conflicts:
        yield Failure("\n".join(_conflict_line(c.file, c.reason, c.detail) for c in plan.conflicts))
    if plan.diff.strip():
        yield Shown(desk.core.palette.diff(plan.diff.rstrip("\n")))


def _operation_line(planned: PlannedFile) -> Shown:
    if planned.operation is FileOperation.RENAME:
        return Shown(f"move {planned.file} -> {planned.target}")
    return Shown(f"{planned.operation.value} {planned.file}")


def _result_lines(value: object) -> Steps:
    assert isinstance(value, FlushResultObject)
    result = value.result
    for warning in result.warnings:
        yield Shown(f"⚠ {warning}")
    yield from _summary(result)
    yield from (_skip_line(each) for each in result.skipped if each.reason.value != "destructive")


def _summary(result: FlushResult) -> Steps:
    if result.conflicts or result.failure is not None:
        lines = [
            result.print_string(),
            *(_conflict_line(c.file, c.reason, c.detail) for c in result.conflicts),
        ]
        yield Failure("\n".join(lines))
    else:
        yield Shown(result.print_string())


def _conflict_line(file: str, reason: ConflictReason, detail: str) -> str:
    return f"  {file}: {reason.value}" + (f": {detail}" if detail else "")


def _skip_line(skipped: Skipped) -> Shown:
    return Shown(f"  #{skipped.entry.seq} {entry_text(skipped.entry)}: {skipped.reason.value}")


# ---------------------------------------------------------------- taking back


def undo(desk: Desk, arguments: str) -> Steps:
    """`:undo [n]`."""
    yield from _steps(desk, arguments, "undo", "undone", "Nothing to undo.")


def redo(desk: Desk, arguments: str) -> Steps:
    """`:redo [n]`."""
    yield from _steps(desk, arguments, "redo", "redone", "Nothing to redo.")


def _steps(desk: Desk, arguments: str, selector: str, verb: str, nothing: str) -> Steps:
    match words(arguments):
        case []:
            count = 1
        case [number] if number.isdecimal() and int(number) > 0:
            count = int(number)
        case _:
            raise usage(f":{selector} [N]")
    for index in range(count):
        entry = desk.value(f"Workspace {selector}")
        yield from desk.take_notices()
        if entry is None:
            if index == 0:
                yield Shown(nothing)
            return
        yield Shown(f"{verb}: {printed(desk.workspace.runtime, entry)}")


def recover(desk: Desk, arguments: str) -> Steps:
    """`:recover`: changes of an earlier session, as `Workspace changes restore` does."""
    if arguments:
        raise usage(":recover")
    outcome = desk.workspace.history.restore()
    yield Shown(f"restored {len(outcome.restored)}, skipped {len(outcome.skipped)}")
    for each in outcome.skipped:
        yield Shown(f"  #{each.entry.seq} {entry_text(each.entry)}: {each.reason}")


def pending_count(desk: Desk) -> int:
    """How many durable, flushable changes wait to be written."""
    view = desk.workspace.pending.view()
    return sum(
        1
        for entry in view.active
        if entry.intent is Intent.DURABLE
        and entry.is_flushable
        and not entry.is_destructive
        and entry.seq not in view.clean
        and entry.seq not in view.shadowed
    )
