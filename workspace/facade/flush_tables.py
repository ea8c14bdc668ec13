"""Results and plans of flushes as Beamtalk objects (changes.md 4.3, 12)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from lang.dataclass import dataclass
from lang.runtime.classes import ClassObject, MetaclassObject
from lang.runtime.collections.lists import BtList
from lang.runtime.collections.mappings import BtDictionary
from lang.runtime.errors import BeamtalkError
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.symbols import Symbol, symbol
from workspace.facade.entries import EntryObject
from workspace.facade.values import beamtalk_list, record, type_error
from workspace.flush.closure import Skipped
from workspace.flush.plan import FlushPlan
from workspace.flush.result import FlushConflict, FlushResult, PlannedFile
from workspace.flush.selection import (
    Filter,
    OfClass,
    OfEntry,
    OfFile,
    OfKinds,
    kinds_filter,
)


@dataclass(frozen=True, slots=True)
class FlushResultObject:
    """A result that Beamtalk code holds."""

    result: FlushResult


@dataclass(frozen=True, slots=True)
class FlushPlanObject:
    """A plan that Beamtalk code holds."""

    plan: FlushPlan


def result_object(result: FlushResult) -> FlushResultObject:
    """The object for a result. Raises `recovery_needed` when an earlier flush stands in the way (changes.md 12)."""
    if result.needs_recovery:
        raise BeamtalkError(
            "recovery_needed", result.failure or "", class_name="WorkspaceInterface", selector="flush"
        )
    return FlushResultObject(result)


def result_fields(result: FlushResult) -> dict[str, object]:
    """The fields of a FlushResult, by selector."""
    return {
        "flushed": result.flushed,
        "newClasses": result.new_classes,
        "removedClasses": result.removed_classes,
        "renamed": result.renamed,
        "entries": beamtalk_list(map(EntryObject, result.entries)),
        "files": beamtalk_list(result.files),
        "skipped": beamtalk_list(map(_skipped, result.skipped)),
        "conflicts": beamtalk_list(map(_conflict, result.conflicts)),
        "isClean": result.is_clean,
        "printString": result.print_string(),
    }


def flush_result_table() -> PrimitiveTable:
    """The primitives of FlushResult."""
    table = PrimitiveTable("FlushResult")
    for name in result_fields(FlushResult()):
        table.primitive(name)(_field(name))
    return table


def _field(name: str) -> Callable[[FlushResultObject], object]:
    def answer(self: FlushResultObject) -> object:
        return result_fields(self.result)[name]

    return answer


def flush_plan_table(never_committed: Callable[[FlushPlan], Iterable[str]]) -> PrimitiveTable:
    """The primitives of FlushPlan. `never_committed` asks git, and so may take long."""
    table = PrimitiveTable("FlushPlan")
    answers: dict[str, Callable[[FlushPlan], object]] = {
        "files": lambda p: beamtalk_list(map(_file, p.files)),
        "entries": lambda p: beamtalk_list(map(EntryObject, p.entries)),
        "pulledIn": lambda p: beamtalk_list(map(EntryObject, p.pulled_in)),
        "withheld": lambda p: beamtalk_list(map(_skipped, p.withheld)),
        "conflicts": lambda p: beamtalk_list(map(_conflict, p.conflicts)),
        "diff": lambda p: p.diff,
        "neverCommitted": lambda p: beamtalk_list(never_committed(p)),
        "printString": plan_text,
    }
    for name, answer in answers.items():
        table.primitive(name)(_of_plan(answer))
    return table


def _of_plan(answer: Callable[[FlushPlan], object]) -> Callable[[FlushPlanObject], object]:
    def primitive(self: FlushPlanObject) -> object:
        return answer(self.plan)

    return primitive


def plan_text(planned: FlushPlan) -> str:
    """`FlushPlan: 3 changes in 2 files, 1 withheld`."""
    files = len(planned.files)
    entries = len(planned.entries)
    text = f"FlushPlan: {entries} {'change' if entries == 1 else 'changes'}"
    text += f" in {files} {'file' if files == 1 else 'files'}"
    return f"{text}, {len(planned.withheld)} withheld" if planned.withheld else text


def _skipped(skipped: Skipped) -> object:
    fields: dict[str, object] = {
        "seq": skipped.entry.seq,
        "class": symbol(skipped.entry.class_name),
        "reason": symbol(skipped.reason.value),
    }
    if skipped.held_by is not None:
        fields["heldBy"] = skipped.held_by
    return record(fields)


def _conflict(conflict: FlushConflict) -> object:
    return record(
        {
            "file": conflict.file,
            "reason": symbol(conflict.reason.value),
            "seqs": beamtalk_list(conflict.seqs),
            "detail": conflict.detail,
        }
    )


def _file(planned: PlannedFile) -> object:
    return record(
        {
            "file": planned.file,
            "operation": symbol(planned.operation.value),
            "target": planned.target,
            "diff": planned.diff,
        }
    )


def filter_of(value: object, selector: str) -> Filter:
    """What `flush:` was given: a class, a kind, an entry or `#{#file => path}` (changes.md 4.1)."""
    match value:
        case ClassObject():
            return OfClass(value.name)
        case MetaclassObject(this_class=this_class):
            return OfClass(this_class.name)
        case Symbol(name=name):
            return OfKinds(frozenset({name}))
        case EntryObject(entry=entry):
            return OfEntry(entry.seq)
        case BtDictionary():
            path = value.at(symbol("file"), None)
            if type(path) is str:
                return OfFile(path)
    raise type_error(
        "WorkspaceInterface",
        selector,
        f"({selector.split(':')[0]}:) a class, a kind, a change or #{{#file => path}}",
    )


def kinds_of(value: object, selector: str) -> Filter:
    """What `flushKinds:` was given: a collection of symbols."""
    elements = list(value) if isinstance(value, BtList) else None
    if elements is None or not all(isinstance(each, Symbol) for each in elements):
        raise type_error("ChangeLog", selector, "a List of Symbols")
    return kinds_filter([each.name for each in elements if isinstance(each, Symbol)])
