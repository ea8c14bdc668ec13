"""The re-check on demand as Beamtalk sees it (types.md 6.7): `recheckImage`, `precheckCompile:source:`."""

from __future__ import annotations

from changelog.entry import Intent
from lang.syntax.units import Side
from workspace.change import Refusal
from workspace.facade.values import (
    beamtalk_list,
    class_and_side,
    name_argument,
    optional_symbol,
    raised,
    record,
    text_argument,
)
from workspace.operations.patch import MethodPatch, patch_method
from workspace.recheck.buckets import ReloadFinding
from workspace.recheck.checking import Judgement
from workspace.recheck.rechecking import ImageCheck
from workspace.workspace import Workspace

BY = "precheckCompile:source:"


def recheck_image(workspace: Workspace) -> object:
    """Check every class of the image: `#checked #stale #findings`."""
    return image_record(workspace.rechecking.check_image())


def image_record(found: ImageCheck) -> object:
    """The Dictionary of a check of the image."""
    findings = beamtalk_list(record({"owner": owner, **_facts(each)}) for owner, each in found.findings)
    return record({"checked": found.checked, "stale": found.stale, "findings": findings})


def precheck(workspace: Workspace, receiver: object, selector: object, source: object) -> object:
    """What installing a method would do to its callers; nothing is installed or kept (R-24)."""
    class_object, side = class_and_side(receiver)
    name = class_object.name
    wish = MethodPatch(
        name,
        side,
        text_argument(source, name, BY, "the source as a String"),
        name_argument(selector, name, BY),
        Intent.EPHEMERAL,
    )
    if name in workspace.state.library:
        reason = Refusal(
            "runtime_error", f"{name} is a class of the library: its methods cannot be prechecked"
        )
        raise raised(reason, class_name=name, selector=BY)
    workspace.know(class_object)
    planned = workspace.preview(patch_method(wish))
    refused = planned if isinstance(planned, Refusal) else workspace.installer.prepare(planned)
    if isinstance(planned, Refusal) or isinstance(refused, Refusal):
        assert isinstance(refused, Refusal)
        raise raised(refused, class_name=name, selector=BY)
    found = workspace.rechecking.foretell(planned)
    return record(
        {
            "findings": beamtalk_list(map(_finding, found.findings)),
            "checked": len(found.checked),
            "totalCandidates": len(found.checked) + len(found.unchecked),
            "notChecked": beamtalk_list(found.unchecked),
            "capNote": found.cap_note,
            "checkedOwners": beamtalk_list(found.checked),
        }
    )


def _finding(found: ReloadFinding) -> object:
    trigger = found.trigger
    unit = found.judgement.unit
    return record(
        {
            "owner": found.owner,
            "changedClass": found.changed_class,
            "changedSelector": optional_symbol(trigger.selector),
            "classification": optional_symbol(trigger.classification.value),
            "method": optional_symbol(unit.name.member if unit.is_method else None),
            "classSide": unit.name.side is Side.CLASS,
            "line": found.judgement.line,
            **_facts(found.judgement),
        }
    )


def _facts(found: Judgement) -> dict[str, object]:
    said = found.diagnostic
    return {
        "severity": optional_symbol(said.severity.value),
        "category": optional_symbol(said.category.value),
        "message": said.message,
        "start": said.span.start,
        "end": said.span.end,
    }
