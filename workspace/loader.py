"""Loading sources into the image: start, load, sync, reload (workspace.md 1.4 to 1.6).

Comes in: files of a project, or any files. Guarantees: a file is taken whole or not at
all, and what is wrong with it is reported; the others go on. Leaves: what a unit's change
means to `sync`, compiling to `install`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from changelog.entry import ChangeKind, Mark, MarkKind
from lang.dataclass import dataclass
from lang.deferred import deferred
from lang.syntax.units import Side, UnitKind
from workspace.change import NOTHING_KNOWN, Change, Finding, KnownUnits, Refusal
from workspace.compile_cache import CompileCache
from workspace.manifest import MANIFEST_NAME
from workspace.project import SOURCE_SUFFIX, Project, SourceSet
from workspace.recalling import recalled, remember
from workspace.registration import module_of
from workspace.sources import SourceToday, read_source
from workspace.sync import FileProblem, Precedence, SyncReport, index_unloaded, sync

if TYPE_CHECKING:
    from workspace import dependency_loading
    from workspace.workspace import Workspace
else:
    dependency_loading = deferred("workspace.dependency_loading")

_TIER_TWO = frozenset(
    {ChangeKind.REMOVE_CLASS, ChangeKind.RENAME_CLASS, ChangeKind.RENAME_METHOD, ChangeKind.MOVE_CLASS}
)


@dataclass(frozen=True, slots=True)
class Loaded:
    """What `load:` brought in: the names declared, the files, and what was reported."""

    names: tuple[str, ...]
    paths: tuple[str, ...]
    report: SyncReport


class Loader:
    """Brings sources into the image of one workspace."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self.last_target: str | None = None
        self.dependencies: dependency_loading.DependencyLoader | None = None
        """Keeps the packages that the project needs; None while it needs none."""

    # ------------------------------------------------------------ the project

    def sync(self, which: SourceSet = SourceSet.SOURCES) -> SyncReport:
        """Bring memory to what disk holds; files loaded before are looked at too."""
        workspace = self._workspace
        if workspace.project is None:
            return SyncReport()
        if workspace.begun_flushing is not None:
            workspace.begun_flushing.end_unfinished()
        missing = self._refresh_dependencies(workspace.project)
        report = self._sync(workspace, workspace.project, which)
        report.problems.extend(missing)
        return report

    def _refresh_dependencies(self, project: Project) -> tuple[FileProblem, ...]:
        if not project.manifest.dependencies:
            return ()
        if self.dependencies is None:
            self.dependencies = dependency_loading.DependencyLoader(self._workspace)
        return self.dependencies.refresh(project)

    def _sync(self, workspace: Workspace, project: Project, which: SourceSet) -> SyncReport:
        wanted = dict.fromkeys(project.sources(which), True)
        for path, file in workspace.state.files.items():
            if path in workspace.state.disk and file.is_loaded:
                wanted[path] = True
        found = ((p, read_source(workspace.root, p, is_loaded=loaded)) for p, loaded in wanted.items())
        today = {path: s for path, s in found if s is not None}
        cache = workspace.compile_cache
        if cache is None or workspace.state.units:
            return self.take_in(today, complete=True)
        return self._first_load(cache, today)

    def _first_load(self, cache: CompileCache, today: Mapping[str, SourceToday]) -> SyncReport:
        """Load into an image without units, so that what the files say is all there is."""
        names = [*self._workspace.globals]
        if self.dependencies is not None:
            names.append(self.dependencies.digest.hex())
        load = recalled(cache, today, names)
        report = self.take_in(load.sources, complete=True, known=load.known)
        if not report.problems:
            state = self._workspace.state
            remember(cache, load, {found.path for found in report.findings}, partial(module_of, state))
        return report

    def compile_files(self, paths: Iterable[str]) -> None:
        """Make the code of every method of some files that is not there yet; a load leaves it to the first run."""
        state, runtime = self._workspace.state, self._workspace.runtime
        for path in paths:
            file = state.files.get(path)
            for lineage in file.lineages if file is not None and file.is_loaded else ():
                unit = state.units[lineage]
                owner = runtime.class_named(unit.owner)
                if unit.is_method and owner is not None:
                    found = owner.definition.find(unit.name.member, unit.name.side or Side.INSTANCE)
                    if found is not None and not found.is_linked:
                        _ = found.function

    def index_every_source(self) -> None:
        """Parse and index project sources that are not loaded, so that renames see them (changes.md 6)."""
        workspace = self._workspace
        state = workspace.state
        listed = workspace.list_sources()
        unloaded = {p for p, f in state.files.items() if not f.is_loaded and p in state.disk}
        known = {path for path in (*listed, MANIFEST_NAME) if path not in state.disk}
        wanted = sorted(unloaded | known)
        found = ((path, read_source(workspace.root, path, is_loaded=False)) for path in wanted)
        today = {path: source for path, source in found if source is not None}
        change = index_unloaded(state, today, frozenset(unloaded - set(today)))
        if change is not None:
            workspace.carry_out(change)

    # ------------------------------------------------------------ taking in

    def take_in(
        self,
        today: Mapping[str, SourceToday],
        *,
        complete: bool,
        precedence: Precedence = Precedence.MEMORY,
        known: KnownUnits = NOTHING_KNOWN,
    ) -> SyncReport:
        """Take sources into the image; a file that does not compile is left as it was and reported."""
        excluded: dict[str, FileProblem] = {}
        while True:
            change, report = sync(
                self._workspace.state,
                today,
                precedence=precedence,
                excluded=frozenset(excluded),
                complete=complete,
                # Without a file that was left out, the others may mean something else.
                known=NOTHING_KNOWN if excluded else known,
            )
            report.problems.extend(excluded.values())
            problems = (
                problems_of(change) if isinstance(change, Refusal) else self._carried_out(change, report)
            )
            fresh = {each.path: each for each in problems if each.path and each.path not in excluded}
            if len(fresh) < len(problems):
                report.problems.extend(problems)
            if not fresh or len(fresh) < len(problems):
                return report
            excluded.update(fresh)

    def _carried_out(self, change: Change, report: SyncReport) -> tuple[FileProblem, ...]:
        """Carry out; else the files that stand in the way."""
        if not change.touched and change.state.disk == change.base.disk:
            return ()
        outcome = self._workspace.carry_out(change)
        if outcome is None:
            return (FileProblem("", (), "the image changed meanwhile; try again"),)
        if isinstance(outcome, Refusal):
            return problems_of(outcome)
        report.findings.extend(outcome.findings)
        return ()

    # ------------------------------------------------------------ single targets

    def reload_class(self, name: str) -> SyncReport | Refusal:
        """Let the file of a class win over memory; its pending patches become orphans."""
        path = self._workspace.state.path_of(name)
        if path is None:
            library = name in self._workspace.state.library
            kind = (
                "stdlib classes cannot be reloaded" if library else "dynamic classes have no file to reload"
            )
            return Refusal("no_source_file", f"{name} has no source file; {kind}")
        source = read_source(self._workspace.root, path)
        if source is None:
            return Refusal("file_not_found", f"File not found: {path}")
        orphaned = self._patches_of_file(path)
        report = self.take_in({path: source}, complete=False, precedence=Precedence.DISK)
        if report.problems:
            return refusal_of(report.problems[0])
        self._workspace.log.mark(*(Mark(MarkKind.ORPHANED, seq) for seq in orphaned))
        return report

    def _patches_of_file(self, path: str) -> list[int]:
        return [
            entry.seq
            for entry in self._workspace.pending.view().active
            if entry.kind not in _TIER_TWO
            and any(e.after_address is not None and e.after_address.path == path for e in entry.edits)
        ]

    def load(self, path: str) -> Loaded | Refusal:
        """Load a file or a folder; relative paths start at the root (workspace.md 1.5)."""
        root = self._workspace.root
        target = Path(path).expanduser()
        full = target if target.is_absolute() else root / target
        if full.is_dir():
            files = sorted(each for each in full.rglob(f"*{SOURCE_SUFFIX}") if each.is_file())
        elif not full.exists():
            return Refusal("file_not_found", f"File not found: {path}")
        elif full.suffix != SOURCE_SUFFIX:
            return Refusal("argument_error", f"'{path}' is not a .bt file or a directory")
        else:
            files = [full]
        self.last_target = path
        return self._load_files(tuple(_recorded(root, each) for each in files), is_folder=full.is_dir())

    def _load_files(self, paths: tuple[str, ...], *, is_folder: bool) -> Loaded | Refusal:
        found = ((path, read_source(self._workspace.root, path)) for path in paths)
        report = self.take_in({path: s for path, s in found if s is not None}, complete=False)
        if report.problems and not is_folder:
            return refusal_of(report.problems[0])
        if report.problems:
            findings = tuple(f for problem in report.problems for f in problem.findings)
            text = f"{len(report.problems)} of {len(paths)} files failed to load"
            return Refusal("compile_error", text, findings=findings)
        return Loaded(self._names_in(paths), paths, report)

    def _names_in(self, paths: tuple[str, ...]) -> tuple[str, ...]:
        state = self._workspace.state
        found: dict[str, None] = {}
        for path in paths:
            file = state.files.get(path)
            for lineage in file.lineages if file is not None else ():
                unit = state.units[lineage]
                if unit.kind in (UnitKind.HEADER, UnitKind.PROTOCOL):
                    found[unit.owner] = None
        return tuple(found)


def _recorded(root: Path, path: Path) -> str:
    """The path as the image records it: relative to the root with `/`, absolute outside."""
    try:
        return path.relative_to(root).as_posix()
    except ValueError:
        return path.as_posix()


def problems_of(refusal: Refusal) -> tuple[FileProblem, ...]:
    """A refusal as problems of the files at fault, one for each that findings name."""
    by_path: dict[str, list[Finding]] = {}
    for found in refusal.findings:
        by_path.setdefault(found.path or "", []).append(found)
    if not by_path:
        return (FileProblem(refusal.path or "", (), refusal.message),)
    return tuple(FileProblem(p, tuple(f), f[0].diagnostic.message) for p, f in by_path.items())


def refusal_of(problem: FileProblem) -> Refusal:
    """The error of a file that does not load: `Line N: text` for each finding (workspace.md 1.5)."""
    if not problem.findings:
        return Refusal("compile_error", problem.message, path=problem.path)
    text = "\n\n".join(_line_text(each) for each in problem.findings)
    return Refusal("compile_error", text, findings=problem.findings, path=problem.path)


def _line_text(finding: Finding) -> str:
    hint = f"\nHint: {finding.diagnostic.hint}" if finding.diagnostic.hint else ""
    return f"Line {finding.line}: {finding.diagnostic.message}{hint}"
