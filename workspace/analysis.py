"""What is wrong in a project, with nothing of it run or loaded (types.md 3.2; workspace.md 6.5 to 6.7).

Comes in: a project on disk, or files that belong to none. Guarantees: every source of every package is
parsed before anything is judged; each file has all its findings, those of the lint level too, by the
package's own table. Reads only. Leaves: promotion, choosing and showing to the commands.
"""

from __future__ import annotations

import importlib.util
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from lang.dataclass import dataclass, field, replace
from lang.diagnostics import Diagnostic, Severity
from lang.semantics.check import check_among
from lang.semantics.hierarchy import ClassView, declared_names
from lang.semantics.modules import (
    STDLIB,
    WORKSPACE,
    DeclaredTwice,
    ModuleTaken,
    PackageId,
    RegistryRefusal,
    RegistryState,
    ReservedFolder,
    registry_of,
)
from lang.semantics.policy import SeverityTable, tabled
from lang.semantics.sight import Sight
from lang.semantics.surfaces import PackageSource, fragments_of, surface_of
from lang.semantics.types.analysis import FileChecker, facts_of_unit
from lang.semantics.types.building import broken_classes
from lang.semantics.types.coverage import coverage_of
from lang.semantics.types.trees import FileTrees, LayeredTrees, Trees
from lang.semantics.types.world import Knowledge, Limits, World
from lang.source import SourceText, Span
from lang.stdlib.load import SOURCES
from lang.syntax import parse_file
from lang.syntax.units import ParsedFile
from workspace.change import Finding
from workspace.class_view import GLOBAL_NAMES
from workspace.dependencies import ResolvedProject, resolve_dependencies
from workspace.dependency_sources import ReadPackage, read_dependencies, read_package
from workspace.manifest import MANIFEST_NAME, Strictness
from workspace.project import SOURCE_SUFFIX, Project, SourceSet

FACADE_SOURCES = Path(__file__).parent / "facade"


@dataclass(frozen=True, slots=True)
class Analysis:
    """The files that were looked at, every finding in order of path and place, and what registry they make."""

    files: tuple[str, ...]
    findings: tuple[Finding, ...]
    table: SeverityTable
    registry: RegistryState = field(default_factory=RegistryState)


def library_source() -> PackageSource:
    """The library of every image: the language's classes and those of the workspace."""
    paths = (
        each for folder in (SOURCES, FACADE_SOURCES) for each in sorted(folder.glob(f"*{SOURCE_SUFFIX}"))
    )
    return PackageSource(
        STDLIB, tuple(parse_file(SourceText(path.read_text("utf-8"), path.name)) for path in paths)
    )


def analyse_project(project: Project, library: PackageSource, which: SourceSet = SourceSet.ALL) -> Analysis:
    """The findings of a project's own package, manifest included, with its dependencies in sight."""
    resolved = resolve_dependencies(project)
    seen = _seen(resolved, library, which)
    table = project.manifest.severities
    wrong = [
        *seen.own.unreadable,
        *_manifest_findings(project, [each.diagnostic for each in resolved.problems]),
        *_judged(seen.own.source, seen.world, seen.refused, table),
    ]
    return Analysis(project.sources(which), _in_order(wrong), table, seen.registry)


@dataclass(frozen=True, slots=True)
class _Seen:
    """A project as its checks see it."""

    own: ReadPackage
    registry: RegistryState
    refused: tuple[RegistryRefusal, ...]
    world: World


def _seen(resolved: ResolvedProject, library: PackageSource, which: SourceSet) -> _Seen:
    project = resolved.main.project
    own = read_package(project.root, resolved.main.id, project.sources(which))
    packages = (library, *read_dependencies(resolved).sources, own.source)
    registry, refused = registry_of(fragments_of(packages))
    registry = resolved.linked(registry)
    undeclared = _UNDECLARED[project.manifest.strictness]
    view = Sight(own.source.id, map(surface_of, packages), registry).view(undeclared)
    return _Seen(own, registry, refused, _world_of(view, packages))


def analyse_files(root: Path, paths: Iterable[str], library: PackageSource) -> Analysis:
    """The findings of files that belong to no project; paths are relative to `root` or absolute."""
    named = tuple(paths)
    own = read_package(root, WORKSPACE, named)
    packages = (library, own.source)
    registry, refused = registry_of(fragments_of(packages))
    view = Sight(WORKSPACE, map(surface_of, packages), registry).view()
    wrong = [*own.unreadable, *_judged(own.source, _world_of(view, packages), refused, {})]
    return Analysis(named, _in_order(wrong), {}, registry)


_UNDECLARED = {Strictness.WARN: Severity.WARNING, Strictness.REFUSE: Severity.ERROR}


def _settled_in(view: ClassView) -> ClassView:
    """The view of a package with what a workspace and the host bring."""
    return replace(view, globals=GLOBAL_NAMES, modules=HostModules())


class HostModules:
    """The top-level modules that the host would find, without importing any (types.md D-20)."""

    def __contains__(self, name: object) -> bool:
        if not isinstance(name, str) or name in sys.stdlib_module_names:
            return isinstance(name, str)
        try:
            return importlib.util.find_spec(name) is not None
        except (ImportError, ValueError):
            return False


# ---------------------------------------------------------------- judging


def _world_of(view: ClassView, packages: Sequence[PackageSource]) -> World:
    """What types may know of the last of these packages: every file was read (types.md L-1).

    The library comes first, then the dependencies in the order of the manifest.
    """
    library, *dependencies, own = packages
    trees: Trees = FileTrees(library.files)
    for source in (*reversed(dependencies), own):
        trees = LayeredTrees(FileTrees(source.files), trees)
    limits = Limits(broken=broken_classes(own.files))
    return World(_settled_in(view), trees, Knowledge.PROJECT_COMPLETE, limits)


def _judged(
    source: PackageSource, world: World, refused: Iterable[RegistryRefusal], table: SeverityTable
) -> Iterator[Finding]:
    between = _by_file(source.id, refused)
    shared = _declared_twice(source)
    for file in source.files:
        more = between.get(file.source.name, ())
        checked = check_among(file, world.view, more, FileChecker(world), shared)
        for found in tabled(checked.all_diagnostics(), table):
            yield Finding(checked.source, found, checked.source.name)


def _declared_twice(source: PackageSource) -> frozenset[str]:
    """The names that more than one file declares, whatever kind of thing each makes of them."""
    count = Counter(name for file in source.files for name in declared_names(file))
    return frozenset(name for name, files in count.items() if files > 1)


def _by_file(package: PackageId, refused: Iterable[RegistryRefusal]) -> Mapping[str, list[Diagnostic]]:
    """What the registry refuses of a package, at the beginning of the file at fault (M-8)."""
    found: dict[str, list[Diagnostic]] = {}
    for each in refused:
        match each:
            case (
                DeclaredTwice(key=key, path=path, first_path=first)
                | ModuleTaken(key=key, path=path, first_path=first)
            ) if key.package == package and path != first:  # of two in one file the parser tells
                problem = Diagnostic(Severity.ERROR, each.reason(), Span(0, 0), data={"name": key.name})
                found.setdefault(path, []).append(problem)
            case ReservedFolder(path=path):
                problem = Diagnostic(Severity.ERROR, each.reason(), Span(0, 0), data={"name": each.segment})
                found.setdefault(path, []).append(problem)
            case _:
                pass
    return found


def _manifest_findings(project: Project, more: Iterable[Diagnostic]) -> Iterator[Finding]:
    reading = project.reading
    for each in (*reading.problems, *reading.table_problems, *more):
        yield Finding(reading.source, each, MANIFEST_NAME)


def _in_order(found: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(found, key=lambda each: (each.path or "", each.diagnostic.span)))


# ---------------------------------------------------------------- coverage


@dataclass(frozen=True, slots=True)
class UntypedPlace:
    """An expression without a type: its 1-based place in the file, and why."""

    line: int
    column: int
    reason: str


@dataclass(frozen=True, slots=True)
class ClassCoverage:
    """How many expressions of a class, as one file has it, have a type (workspace.md 6.13)."""

    name: str
    path: str
    total: int
    unknown: tuple[UntypedPlace, ...]

    @property
    def typed(self) -> int:
        """The expressions that have a type."""
        return self.total - len(self.unknown)


def type_coverage(project: Project, library: PackageSource) -> tuple[ClassCoverage, ...]:
    """The coverage of the project's own classes, tests aside, by path."""
    seen = _seen(resolve_dependencies(project), library, SourceSet.SOURCES)
    return tuple(each for file in seen.own.source.files for each in _coverage_of_file(file, seen.world))


def _coverage_of_file(file: ParsedFile, world: World) -> Iterator[ClassCoverage]:
    totals: Counter[str] = Counter()
    unknown: dict[str, list[UntypedPlace]] = {}
    for unit in file.units:
        owner = unit.name.owner.rpartition("@")[2]
        if unit.node is None or not unit.name.member:
            continue
        found = coverage_of(unit.node, facts_of_unit(unit.node, owner, world))
        totals[owner] += found.total
        for span, reason in found.unknown:
            at = file.source.position(unit.cut.span.start + span.start)
            unknown.setdefault(owner, []).append(UntypedPlace(at.line, at.column, reason))
    for owner, total in totals.items():
        if total:
            yield ClassCoverage(owner, file.source.name, total, tuple(unknown.get(owner, ())))
