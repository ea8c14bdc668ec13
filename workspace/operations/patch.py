"""Patching and removing one method (changes.md 3)."""

from __future__ import annotations

from dataclasses import dataclass

from changelog.entry import ChangeKind, Intent, NewEntry, UnitAddress
from lang.ast.nodes import ExtensionDef, MethodDef
from lang.codegen.inlining import COMPUTED
from lang.diagnostics import Severity
from lang.source import SourceText
from lang.spelling import class_side_name
from lang.syntax import parse_method_source
from lang.syntax.units import ParsedUnit, Side, UnitKind, UnitName
from workspace import drafting
from workspace.change import Change, Finding, Operation, Refusal, compile_refusal
from workspace.flush.file_text import lf
from workspace.hierarchy import defining_class, superclass_of
from workspace.operations import flushability
from workspace.operations.method_text import MEMBER_COLUMN, class_body_text, extension_text
from workspace.state import ImageState, StateBuilder, Unit


@dataclass(frozen=True, slots=True)
class MethodPatch:
    """The wish to give a class a method. `selector` None: the one that the text defines."""

    class_name: str
    side: Side
    text: str
    selector: str | None = None
    intent: Intent = Intent.DURABLE


def patch_method(patch: MethodPatch) -> Operation:
    """The operation that installs a method text; `compile_failed` when it is not one method."""
    return patch_parsed(patch, parse_method_source(lf(patch.text)))


def patch_parsed(patch: MethodPatch, method: ParsedUnit) -> Operation:
    """The same for a method that has been parsed, or an extension typed at the prompt."""

    def plan(state: ImageState) -> Change | Refusal:
        refused = (
            _refusal_of_text(patch, method)
            or _unknown_class(state, patch.class_name)
            or compiled_in(patch.class_name, selector_of(method) or "")
        )
        return refused or _planned_patch(state, patch, method)

    return plan


def _refusal_of_text(patch: MethodPatch, method: ParsedUnit) -> Refusal | None:
    errors = [d for d in method.diagnostics if d.severity is Severity.ERROR]
    source = SourceText(method.text)
    if errors:
        return compile_refusal(errors[0].message, tuple(Finding(source, error) for error in errors))
    selector = selector_of(method)
    if selector is None:
        return compile_refusal(f"expected one method definition for #{patch.selector or ''}", ())
    if patch.selector is not None and selector != patch.selector:
        return compile_refusal(f"the source defines #{selector}, not #{patch.selector}", ())
    return None


def selector_of(method: ParsedUnit) -> str | None:
    """The selector that a parsed method text defines."""
    match method.node:
        case MethodDef(signature=signature) | ExtensionDef(method=MethodDef(signature=signature)):
            return signature.selector.text
        case _:
            return None


def _unknown_class(state: ImageState, name: str) -> Refusal | None:
    if name in state.classes:
        return None
    return Refusal("class_not_found", f"Class '{name}' not found")


def compiled_in(class_name: str, selector: str) -> Refusal | None:
    """Methods whose meaning is fixed by the language and inlined cannot be changed (architecture 4)."""
    if selector not in COMPUTED.get(class_name, frozenset()):
        return None
    return Refusal(
        "runtime_error",
        f"Cannot change {class_name}>>{selector}: its meaning is part of the language",
        f"Define a method of another name on {class_name} instead.",
    )


def _planned_patch(state: ImageState, patch: MethodPatch, method: ParsedUnit) -> Change | Refusal:
    selector = selector_of(method)
    assert selector is not None
    builder = StateBuilder(state)
    old = state.method_unit(patch.class_name, patch.side, selector)
    unit = _patched_unit(builder, patch, method, selector, old)
    builder.put(unit, after=None if old else _last_of_side(state, patch.class_name, patch.side))
    return drafting.change(builder, _patch_entry(state, patch, unit, old))


def _patched_unit(
    builder: StateBuilder, patch: MethodPatch, method: ParsedUnit, selector: str, old: Unit | None
) -> Unit:
    if old is not None and old.kind is UnitKind.EXTENSION:
        text = extension_text(method, old.name.owner, patch.side, old)
        return Unit(old.lineage, old.address, text, old.column)
    if old is not None:
        return Unit(
            old.lineage, old.address, class_body_text(method, patch.side, old.column, old), old.column
        )
    column = _member_column(builder.base, patch.class_name)
    name = UnitName(UnitKind.METHOD, patch.class_name, patch.side, selector)
    address = UnitAddress(builder.base.path_of(patch.class_name), name)
    return Unit(builder.new_lineage(), address, class_body_text(method, patch.side, column, None), column)


def _member_column(state: ImageState, class_name: str) -> int:
    for unit in state.units_of(class_name):
        if unit.kind is UnitKind.METHOD and unit.path is not None:
            return unit.column
    return MEMBER_COLUMN


def _last_of_side(state: ImageState, class_name: str, side: Side) -> int | None:
    last = None
    for unit in state.units_of(class_name):
        if unit.kind is UnitKind.METHOD and unit.name.side is side:
            last = unit.lineage
    return last


def _patch_entry(state: ImageState, patch: MethodPatch, unit: Unit, old: Unit | None) -> NewEntry:
    reason = flushability.reason_for_unit(state, unit)
    return NewEntry(
        kind=_kind(unit),
        class_name=patch.class_name,
        selector=unit.name.member,
        side=patch.side,
        edits=(drafting.edit_of(old, unit),),
        source_file=unit.path,
        intent=patch.intent,
        not_flushable_reason=reason,
    )


def _kind(unit: Unit) -> ChangeKind:
    if unit.kind is UnitKind.EXTENSION:
        return ChangeKind.EXTENSION
    return ChangeKind.CLASS if unit.name.side is Side.CLASS else ChangeKind.INSTANCE


def remove_method(class_name: str, side: Side, selector: str) -> Operation:
    """The operation that removes a local method: an extension of it first, then its own."""

    def plan(state: ImageState) -> Change | Refusal:
        unit = _unit_to_remove(state, class_name, side, selector)
        if unit is None:
            return _unknown_class(state, class_name) or _absent(state, class_name, side, selector)
        builder = StateBuilder(state)
        builder.drop(unit.lineage)
        return drafting.change(builder, _removal_entry(state, unit))

    return plan


def _unit_to_remove(state: ImageState, class_name: str, side: Side, selector: str) -> Unit | None:
    found = [
        unit
        for unit in state.units_of(class_name)
        if unit.is_method and unit.name.side is side and unit.name.member == selector
    ]
    extensions = [unit for unit in found if unit.kind is UnitKind.EXTENSION]
    return next(iter(extensions or found), None)


def _absent(state: ImageState, class_name: str, side: Side, selector: str) -> Refusal:
    message = f"{class_side_name(class_name, side)} does not define #{selector} locally (or as an extension)"
    above = defining_class(state, superclass_of(state, class_name), side, selector)
    senders = len(state.index.senders_of(selector))
    inherited = f"it is inherited from {above}; " if above is not None else ""
    counted = f"{senders} sender names" if senders == 1 else f"{senders or 'no'} senders name"
    return Refusal("selector_not_found", message, f"{inherited}{counted} #{selector}")


def _removal_entry(state: ImageState, unit: Unit) -> NewEntry:
    return NewEntry(
        kind=ChangeKind.REMOVE_METHOD,
        class_name=unit.owner,
        selector=unit.name.member,
        side=unit.name.side,
        edits=(drafting.edit_of(unit, None),),
        source_file=unit.path,
        not_flushable_reason=flushability.reason_for_unit(state, unit),
    )
