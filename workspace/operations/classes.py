"""Defining, redefining, creating, adopting and removing a class (changes.md 3)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import PurePosixPath

from changelog.entry import ChangeKind, FileMove, NewEntry, UnitAddress
from lang.dataclass import dataclass, replace
from lang.syntax.units import ParsedFile, ParsedUnit, UnitKind
from workspace import drafting
from workspace.change import Change, Operation, Refusal, compile_refusal
from workspace.flush.file_text import decoded, lf
from workspace.hierarchy import direct_subclasses
from workspace.operations import flushability, syntax_errors
from workspace.operations.method_text import keeping_leading_lines
from workspace.project import SOURCE_SUFFIX
from workspace.refactor import naming_refusals
from workspace.refactor.names import matches_basename
from workspace.state import ImageState, StateBuilder, Unit

_CLASS_UNITS = frozenset({UnitKind.HEADER, UnitKind.METHOD, UnitKind.DATA})


@dataclass(frozen=True, slots=True)
class ClassText:
    """The units of one class definition, header first."""

    name: str
    units: tuple[ParsedUnit, ...]


def classes_in(parsed: ParsedFile) -> tuple[ClassText, ...]:
    """The class definitions of a parsed text, each with its own units."""
    found = []
    for header in parsed.units:
        if header.name.kind is UnitKind.HEADER:
            name = header.name.owner
            own = [u for u in parsed.units if u.name.kind in _CLASS_UNITS and u.name.owner == name]
            found.append(ClassText(name, tuple(own)))
    return tuple(found)


# ---------------------------------------------------------------- inline definition


def define_class(text: ClassText) -> Operation:
    """A class typed at the prompt: a redefinition where the class exists, else a new one."""

    def plan(state: ImageState) -> Change | Refusal:
        errors = syntax_errors.findings(text.units)
        if errors:
            return compile_refusal(errors[0].diagnostic.message, errors)
        if state.is_stdlib_class(text.name):
            return naming_refusals.name_taken(state, text.name) or Refusal("stdlib_shadowing", text.name)
        if text.name in state.protocols or text.name in state.aliases:
            return naming_refusals.name_taken(state, text.name) or Refusal("class_already_exists", text.name)
        if text.name in state.classes and not state.is_of_dependency(text.name):
            return _redefined(state, text)
        return _defined(state, text)

    return plan


def _defined(state: ImageState, text: ClassText) -> Change | Refusal:
    builder = StateBuilder(state)
    for unit in text.units:
        builder.put(new_unit(builder, unit, None))
    reason = "no-project" if state.package is None else "dynamic"
    entry = NewEntry(ChangeKind.NEW_CLASS, text.name, not_flushable_reason=reason)
    return drafting.change(builder, entry)


def new_unit(builder: StateBuilder, parsed: ParsedUnit, path: str | None) -> Unit:
    """A parsed unit as a unit of the image, with a lineage of its own."""
    return Unit(builder.new_lineage(), UnitAddress(path, parsed.name), lf(parsed.text), parsed.cut.column)


def _redefined(state: ImageState, text: ClassText) -> Change | Refusal:
    builder = StateBuilder(state)
    old = {unit.name: unit for unit in state.units_of(text.name) if unit.kind in _CLASS_UNITS}
    path = state.path_of(text.name)
    for parsed in text.units:
        before = old.pop(parsed.name, None)
        builder.put(_retyped(builder, parsed, before, path))
    for gone in old.values():
        builder.drop(gone.lineage)
    entry = NewEntry(
        ChangeKind.CLASS_DEF,
        text.name,
        source_file=path,
        not_flushable_reason=flushability.reason_for_class(state, text.name),
    )
    return drafting.change(builder, entry, warnings=_gone_warnings(text.name, old.values()))


def _retyped(builder: StateBuilder, parsed: ParsedUnit, before: Unit | None, path: str | None) -> Unit:
    if before is None:
        return new_unit(builder, parsed, path)
    text = keeping_leading_lines(before.text, lf(parsed.text), parsed.cut.column)
    return replace(before, text=text, column=parsed.cut.column)


def _gone_warnings(name: str, gone: Iterable[Unit]) -> tuple[str, ...]:
    methods = [unit.name.member for unit in gone if unit.is_method]
    if not methods:
        return ()
    listed = ", ".join(f"#{each}" for each in methods)
    return (f"{name} redefined without {listed}; a flush removes them from the file",)


# ---------------------------------------------------------------- new class in a file


def new_class_at(text: str, parsed: ParsedFile, path: str, exists: Callable[[str], bool]) -> Operation:
    """`Workspace newClass:at:`: a class that gets its file at the next flush (workspace.md 2.4)."""

    def plan(state: ImageState) -> Change | Refusal:
        refused = _refusal_of_new(state, parsed, path, exists)
        if refused is not None:
            return refused
        return _created(state, text, parsed, path)

    return plan


def _refusal_of_new(
    state: ImageState, parsed: ParsedFile, path: str, exists: Callable[[str], bool]
) -> Refusal | None:
    if naming_refusals.file_in_the_way(state, None, path, exists) is not None:
        return Refusal("target_exists", f"target already exists on disk: {path}")
    if naming_refusals.path_outside(path):
        return Refusal("target_outside_project", f"target is outside the project source tree: {path}")
    classes = classes_in(parsed)
    if len(classes) > 1:
        names = ", ".join(each.name for each in classes)
        return Refusal("compile_error", f"declares multiple classes ({names})")
    errors = syntax_errors.file_findings(parsed, path)
    if errors:
        return Refusal("compile_error", errors[0].diagnostic.message, findings=errors)
    if not classes:
        return Refusal("compile_error", "source does not declare a class")
    name = classes[0].name
    if not matches_basename(path, name):
        stem = PurePosixPath(path).stem
        return Refusal("class_name_mismatch", f"declared class {name} does not match basename '{stem}'")
    if not path.endswith(SOURCE_SUFFIX):
        return Refusal(
            "class_name_mismatch",
            f"a source file is called {PurePosixPath(path).stem}{SOURCE_SUFFIX}, not {path}",
        )
    if state.is_stdlib_class(name):
        return naming_refusals.name_taken(state, name)
    if name in state.classes and not state.is_of_dependency(name):
        return Refusal("class_already_loaded", f"class {name} is already loaded")
    return naming_refusals.name_taken(state, name)


def _created(state: ImageState, text: str, parsed: ParsedFile, path: str) -> Change | Refusal:
    builder = StateBuilder(state)
    for unit in parsed.units:
        builder.put(new_unit(builder, unit, path))
    entry = NewEntry(
        ChangeKind.NEW_CLASS,
        classes_in(parsed)[0].name,
        new_path=path,
        files=(FileMove(None, path, lf(text)),),
        source_file=path,
    )
    return drafting.change(builder, entry)


def adopt_class(name: str, path: str, exists: Callable[[str], bool]) -> Operation:
    """`Workspace save:at:`: give a class made at the prompt a file (changes.md 3.1)."""

    def plan(state: ImageState) -> Change | Refusal:
        header = state.header_of(name)
        if header is None or header.path is not None:
            return Refusal("class_already_loaded", f"class {name} has no prompt definition to save")
        refused = naming_refusals.bad_target(state, name, path, exists)
        return refused or _adopted(state, name, path)

    return plan


def _adopted(state: ImageState, name: str, path: str) -> Change | Refusal:
    builder = StateBuilder(state)
    units = [unit for unit in state.units_of(name) if unit.path is None]
    for unit in units:
        builder.put(unit.moved(path))
    entry = NewEntry(
        ChangeKind.NEW_CLASS,
        name,
        new_path=path,
        files=(FileMove(None, path, file_text(units)),),
        edits=tuple(drafting.edit_of(None, unit.moved(path)) for unit in units),
        source_file=path,
    )
    return drafting.change(builder, entry)


def file_text(units: Sequence[Unit]) -> str:
    """The text of a new file that holds the units, members two columns in, a blank line between methods."""
    pieces: list[str] = []
    for unit in units:
        if pieces:
            pieces.append("\n\n" if unit.is_method else "\n")
        pieces.append(" " * unit.column + unit.text)
    return "".join(pieces) + "\n"


# ---------------------------------------------------------------- removal


def remove_class(name: str) -> Operation:
    """`removeFromSystem`: the class, its extensions wherever they stand, and its file when it held no more."""

    def plan(state: ImageState) -> Change | Refusal:
        return (
            naming_refusals.unknown_class(state, name)
            or naming_refusals.protected_class(state, name, "remove")
            or _has_subclasses(state, name)
            or _removed(state, name)
        )

    return plan


def _has_subclasses(state: ImageState, name: str) -> Refusal | None:
    below = sorted(direct_subclasses(state, name))
    if not below:
        return None
    return Refusal(
        "runtime_error",
        f"Cannot remove class '{name}'; it has subclasses",
        f"Remove subclasses first: {', '.join(below)}",
    )


def unload_class(name: str) -> Operation:
    """Forget a class as if it had never been loaded: nothing is logged, and a sync takes its file in again."""

    def plan(state: ImageState) -> Change | Refusal:
        if name in state.library:
            return Refusal("runtime_error", f"Cannot remove stdlib class '{name}'")
        if name not in state.classes:
            return Refusal("class_not_found", f"Class not found: '{name}'")
        return _has_subclasses(state, name) or _unloaded(state, name)

    return plan


def _unloaded(state: ImageState, name: str) -> Change | Refusal:
    builder = StateBuilder(state)
    path = state.path_of(name)
    for unit in state.units_of(name):
        builder.drop(unit.lineage)
    builder.drop_class(name)
    file = builder.file(path) if path is not None else None
    if path is not None and file is not None and not file.lineages:
        builder.drop_file(path)
        builder.disk = builder.disk.delete(path)
    finished = drafting.finished(builder)
    if isinstance(finished, Refusal):
        return finished
    return Change(state, finished, frozenset(builder.touched))


def _removed(state: ImageState, name: str) -> Change | Refusal:
    builder = StateBuilder(state)
    path = state.path_of(name)
    reason = flushability.reason_for_class(state, name)
    for unit in state.units_of(name):
        builder.drop(unit.lineage)
    if name in state.classes and state.header_of(name) is None:
        builder.drop_class(name)
    deleted = _deleted_file(builder, path)
    entry = NewEntry(
        ChangeKind.REMOVE_CLASS,
        name,
        old_path=path,
        files=deleted,
        source_file=path,
        not_flushable_reason=reason,
    )
    return drafting.change(builder, entry)


def _deleted_file(builder: StateBuilder, path: str | None) -> tuple[FileMove, ...]:
    file = builder.file(path) if path is not None else None
    if path is None or file is None or file.lineages:
        return ()
    builder.drop_file(path)
    on_disk = builder.base.disk.get(path)
    return (FileMove(path, None, None if on_disk is None else decoded(on_disk.data).text),)
