"""Bringing memory to what disk holds: load, sync and reload (workspace.md 1.4 to 1.6).

Comes in: a state, and today's sources. Guarantees: a unit that changed only on disk is
taken, one that changed only in memory stays, one that changed on both sides keeps memory
and warns; a file that does not parse changes nothing. Leaves: compiling (which may refuse
further files) to `install`, and the order of loading, which follows superclasses.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping

from changelog.entry import UnitAddress
from changelog.indentation import same_text_but_indentation
from lang.dataclass import dataclass, field, replace
from lang.spelling import method_name
from lang.syntax.units import ParsedFile, UnitKind, UnitName
from workspace import drafting
from workspace.change import NOTHING_KNOWN, Change, Finding, KnownUnits, Refusal
from workspace.flush.file_text import lf
from workspace.flush.view import DiskFile, DiskUnit
from workspace.operations import syntax_errors
from workspace.sources import SourceToday
from workspace.state import ImageState, SourceFile, StateBuilder, Unit


class Precedence(enum.Enum):
    """Who wins where a unit changed on both sides."""

    MEMORY = "memory"
    DISK = "disk"


@dataclass(frozen=True, slots=True)
class FileProblem:
    """A file that was not taken, with what is wrong."""

    path: str
    findings: tuple[Finding, ...]
    message: str


@dataclass(slots=True)
class SyncReport:
    """What a sync did, by path."""

    changed: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    problems: list[FileProblem] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    @property
    def says_nothing(self) -> bool:
        """Whether there is nothing to tell but that files were taken."""
        return not (self.problems or self.warnings or self.findings)

    def summary(self) -> str:
        """The line of workspace.md 1.6."""
        total = len(self.changed) + len(self.unchanged) + len(self.deleted) + len(self.problems)
        parts = [
            f"{len(found)} {word}"
            for found, word in ((self.unchanged, "unchanged"), (self.deleted, "deleted"))
            if found
        ]
        tail = f" ({', '.join(parts)})" if parts else ""
        return f"Reloaded {len(self.changed)} of {total} files{tail}"


def sync(
    state: ImageState,
    today: Mapping[str, SourceToday],
    *,
    precedence: Precedence = Precedence.MEMORY,
    excluded: frozenset[str] = frozenset(),
    complete: bool = True,
    known: KnownUnits = NOTHING_KNOWN,
) -> tuple[Change | Refusal, SyncReport]:
    """The change that takes in today's sources, and the report of it.

    `excluded` are files that an earlier attempt found not to compile: they are left as
    they are. `complete` says that `today` lists every source there is, so that others are gone.
    """
    merge = _Merge(StateBuilder(state), precedence, SyncReport())
    for path in sorted(today):
        if path not in excluded:
            merge.take(today[path])
    if complete:
        for path in sorted(set(state.disk) - set(today)):
            if _was_loaded(state, path):
                merge.forget(path)
    touched = frozenset(merge.builder.touched)
    finished = drafting.finished(merge.builder, known)
    if isinstance(finished, Refusal):
        return finished, merge.report
    warnings = tuple(merge.report.warnings)
    return Change(state, finished, touched, warnings=warnings, known=known), merge.report


def _was_loaded(state: ImageState, path: str) -> bool:
    """Whether a file is none of those that are only indexed."""
    file = state.files.get(path)
    return file is None or file.is_loaded


@dataclass(slots=True)
class _Merge:
    """One sync in progress."""

    builder: StateBuilder
    precedence: Precedence
    report: SyncReport

    def take(self, source: SourceToday) -> None:
        """Take in one file, unless its bytes are those that memory was built from."""
        known = self.builder.disk.get(source.path)
        if known is not None and self._is_as_known(source, known):
            self.report.unchanged.append(source.path)
            return
        parsed = source.parsed()
        if isinstance(parsed, str):
            self.report.problems.append(FileProblem(source.path, (), parsed))
            return
        problem = self._problem(source, parsed)
        if problem is not None:
            self.report.problems.append(problem)
            return
        self._merge(source, parsed, known)
        self.report.changed.append(source.path)

    def _is_as_known(self, source: SourceToday, known: DiskFile) -> bool:
        file = self.builder.file(source.path)
        return (
            known.snapshot.sha256 == source.snapshot.sha256
            and self.precedence is Precedence.MEMORY
            and (file is None or file.is_loaded or not source.is_loaded)
        )

    def _problem(self, source: SourceToday, parsed: ParsedFile) -> FileProblem | None:
        errors = syntax_errors.file_findings(parsed, source.path)
        if errors:
            return FileProblem(source.path, errors, errors[0].diagnostic.message)
        clash = self._clash(source.path, parsed)
        return None if clash is None else FileProblem(source.path, (), clash)

    def _clash(self, path: str, parsed: ParsedFile) -> str | None:
        state = self.builder.base
        for unit in parsed.units:
            if unit.name.kind is not UnitKind.HEADER:
                continue
            name = unit.name.owner
            if state.is_stdlib_class(name):
                return f"Cannot redefine stdlib class '{name}'"
            other = self._declared_elsewhere(name, path)
            if other is not None:
                return f"Class '{name}' is already declared in {other}"
        return None

    def _declared_elsewhere(self, name: str, path: str) -> str | None:
        for lineage in self.builder.lineages_of(name):
            unit = self.builder.unit(lineage)
            if unit is not None and unit.kind is UnitKind.HEADER and unit.path not in (None, path):
                on_disk = self.builder.disk.get(path)
                mine = on_disk is not None and any(u.lineage == lineage for u in on_disk.units)
                return None if mine else unit.path
        return None

    def _merge(self, source: SourceToday, parsed: ParsedFile, known: DiskFile | None) -> None:
        before = {unit.name: unit for unit in known.units} if known is not None else {}
        self._note_file(source)
        units = []
        last: int | None = None
        for cut in parsed.units:
            on_disk = before.pop(cut.name, None)
            text = lf(cut.text)
            lineage = on_disk.lineage if on_disk is not None else self._lineage_for(cut.name, source.path)
            self._take_unit(
                Unit(lineage, UnitAddress(source.path, cut.name), text, cut.cut.column), on_disk, last
            )
            units.append(DiskUnit(lineage, cut.name, text))
            last = lineage
        for gone in before.values():
            self._drop_unit(gone, source.path)
        self.builder.disk = self.builder.disk.set(source.path, source.as_disk_file(tuple(units)))

    def _note_file(self, source: SourceToday) -> None:
        """Record whether the file's code is to run, before its units come."""
        file = self.builder.file(source.path)
        if file is None:
            self.builder.put_file(SourceFile(source.path, (), is_loaded=source.is_loaded))
        elif source.is_loaded and not file.is_loaded:
            self.builder.put_file(replace(file, is_loaded=True))
            self.builder.touched.update(file.lineages)

    def _lineage_for(self, name: UnitName, path: str) -> int:
        """A prompt-made class that a file now declares keeps its identity (workspace.md 1.7)."""
        # What was there before: among the units of this very file, a long class would be searched for each of its methods.
        for lineage in self.builder.base.members.get(name.owner.rpartition("@")[2], ()):
            unit = self.builder.unit(lineage)
            if unit is not None and unit.path in (None, path) and unit.name == name:
                return lineage
        return self.builder.new_lineage()

    def _take_unit(self, new: Unit, on_disk: DiskUnit | None, after: int | None) -> None:
        memory = self.builder.unit(new.lineage)
        if memory is None:
            if on_disk is None or self.precedence is Precedence.DISK or on_disk.text != new.text:
                self.builder.put(new, after=after)
            return
        if self.precedence is Precedence.DISK:
            self.builder.put(replace(memory, text=new.text, column=new.column, address=new.address))
            return
        ours = on_disk is not None and not same_text_but_indentation(memory.text, on_disk.text)
        theirs = on_disk is None or not same_text_but_indentation(new.text, on_disk.text)
        if ours and theirs:
            self.report.warnings.append(f"{_shown(memory)}: changed on disk and in memory")
        elif not ours:
            address = memory.address if on_disk is not None else new.address
            self.builder.put(replace(memory, text=new.text, column=new.column, address=address))

    def _drop_unit(self, gone: DiskUnit, path: str) -> None:
        memory = self.builder.unit(gone.lineage)
        if memory is None:
            return
        changed = not same_text_but_indentation(memory.text, gone.text)
        if changed and self.precedence is Precedence.MEMORY:
            self.report.warnings.append(f"{_shown(memory)}: gone from {path}, changed in memory")
            return
        self.builder.drop(gone.lineage)

    def take_for_index(self, source: SourceToday) -> None:
        """Take in a file that is not to run; what does not parse in it is left out."""
        known = self.builder.disk.get(source.path)
        if known is not None and known.snapshot.sha256 == source.snapshot.sha256:
            return
        parsed = source.parsed()
        if isinstance(parsed, str) or self._clash(source.path, parsed) is not None:
            return
        self._merge(source, parsed, known)

    def forget(self, path: str) -> None:
        """A file is gone: its classes go too, unless a pending change edits them."""
        known = self.builder.disk[path]
        pending = [unit for unit in known.units if self._is_pending(unit)]
        if pending:
            self.report.warnings.append(
                f"{path} is gone but {len(pending)} pending changes edit it; see :changes"
            )
            return
        for unit in known.units:
            self.builder.drop(unit.lineage)
        self.builder.drop_file(path)
        self.builder.disk = self.builder.disk.delete(path)
        self.report.deleted.append(path)

    def _is_pending(self, unit: DiskUnit) -> bool:
        memory = self.builder.unit(unit.lineage)
        return memory is not None and not same_text_but_indentation(memory.text, unit.text)


def index_unloaded(
    state: ImageState, today: Mapping[str, SourceToday], gone: frozenset[str]
) -> Change | None:
    """The change that makes sources which are not loaded known to the index; None when nothing is new.

    Files that do not parse are taken with the units that do.
    """
    merge = _Merge(StateBuilder(state), Precedence.MEMORY, SyncReport())
    for path in sorted(gone):
        merge.forget(path)
    for path in sorted(today):
        merge.take_for_index(today[path])
    if not merge.builder.touched and merge.builder.disk == state.disk:
        return None
    finished = drafting.finished(merge.builder)
    if isinstance(finished, Refusal):
        return None
    return Change(state, finished, frozenset(merge.builder.touched))


def _shown(unit: Unit) -> str:
    return method_name(unit.owner, unit.name.side, unit.name.member) if unit.is_method else unit.owner
