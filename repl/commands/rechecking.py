"""The re-check of the image, and how findings of re-checks read (types.md R-23; workspace.md 3.12)."""

from __future__ import annotations

from collections.abc import Iterator

from lang.spelling import method_name
from repl.commands.desk import Desk, counted, usage, words
from repl.events import Advice, Shown, Steps
from workspace.recheck.checking import Judgement
from workspace.recheck.rechecks import ReloadCheckCompleted
from workspace.recheck.triggers import Classification, SlotChange, Trigger


def recheck(desk: Desk, arguments: str) -> Steps:
    """`:recheck image`: findings, then how many classes were checked and are stale."""
    if words(arguments) != ["image"]:
        raise usage(":recheck image")
    found = desk.workspace.rechecking.check_image()
    for owner, each in found.findings:
        yield Advice(desk.cut(finding_line(owner, each)))
    noun = "class" if found.checked == 1 else "classes"
    yield Shown(f"checked {found.checked} {noun}, {found.stale} stale")


def notice_lines(report: ReloadCheckCompleted) -> Iterator[str]:
    """A re-check as it is told above the prompt; nothing where nothing is stale and nothing was left out."""
    stale = len({found.owner for found in report.findings})
    if report.is_repair or (not stale and not report.unchecked):
        return
    counts = f"{counted(len(report.checked), 'caller')} re-checked, {stale} stale"
    cap = f"; {report.cap_note}" if report.cap_note else ""
    yield f"reload check: {_happened(report.trigger)}: {counts}{cap}"
    for found in report.findings:
        note = f" ({found.note})" if found.note else ""
        yield f"  {finding_line(found.owner, found.judgement)}{note}"


def finding_line(owner: str, found: Judgement) -> str:
    """`Panel>>a: (src/Panel.bt:2)  b level + 1: String does not understand '+'`."""
    unit = found.unit
    where = method_name(owner, unit.name.side, unit.name.member) if unit.is_method else owner
    place = f" ({unit.path}:{found.file_line})" if unit.path is not None else ""
    return f"{where}{place}  {found.source_line}: {found.diagnostic.message}"


def _happened(trigger: Trigger) -> str:
    name = trigger.class_name
    method = method_name(name, trigger.side, trigger.selector or "")
    match trigger.classification:
        case Classification.SIGNATURE_CHANGE:
            return f"{method} signature changed ({trigger.before} → {trigger.after})"
        case Classification.REMOVAL:
            return f"{method} was removed"
        case Classification.SHAPE_CHANGE:
            return f"{name} shape changed: {', '.join(map(_slot, trigger.slots))}"
        case Classification.LEAF_CHANGE:
            return f"{name} has a subclass now"
        case Classification.ALIAS_CHANGE:
            return f"type {name} changed"
        case Classification.CLASS_REMOVED:
            return f"{name} was removed"
        case Classification.CLASS_RENAMED:
            return f"{trigger.before} was renamed to {trigger.after}"


def _slot(change: SlotChange) -> str:
    if change.before is None:
        return f"slot {change.name} added"
    if change.after is None:
        return f"slot {change.name} removed"
    return f"slot {change.name} ({change.before} → {change.after})"
