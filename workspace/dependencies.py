"""The packages that a project is made of: its path dependencies, and theirs (workspace.md 1.3).

Comes in: a project. Guarantees: every package once, what it needs before it; or every problem with the
place in the manifest that asks for what cannot be had. Reads manifests only. Leaves: reading sources.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lang.dataclass import dataclass, field
from lang.diagnostics import Diagnostic, Severity
from lang.semantics.modules import PackageId, RegistryState, package_of_project
from workspace.manifest import MANIFEST_NAME, Dependency, GitSource, PathSource
from workspace.project import BrokenManifest, NoManifest, Project, open_project

GIT_CHECKOUTS = Path(".beamtalk") / "deps"
"""Where the checkouts of git dependencies are, below the root of the project (workspace.md 1.1)."""


@dataclass(frozen=True, slots=True)
class Package:
    """One package of a resolved project."""

    id: PackageId
    project: Project

    @property
    def name(self) -> str:
        """The name in its manifest."""
        return self.project.manifest.name

    @property
    def dependencies(self) -> tuple[PackageId, ...]:
        """Its declared dependencies, in manifest order."""
        return tuple(package_of_project(each.name) for each in self.project.manifest.dependencies)


@dataclass(frozen=True, slots=True)
class DependencyProblem:
    """A dependency that cannot be had; `project` is the one whose manifest asks for it."""

    project: Project
    diagnostic: Diagnostic


@dataclass(frozen=True, slots=True)
class ResolvedProject:
    """A project with its dependencies, each before what needs it; the project itself is last.

    A dependency with a problem is left out, with what only it needs.
    """

    packages: tuple[Package, ...]
    problems: tuple[DependencyProblem, ...] = ()

    @property
    def main(self) -> Package:
        """The project's own package."""
        return self.packages[-1]

    @property
    def dependencies(self) -> tuple[Package, ...]:
        """All packages but the project's own."""
        return self.packages[:-1]

    def linked(self, registry: RegistryState) -> RegistryState:
        """A registry that knows what each package declares."""
        for each in self.packages:
            registry = registry.with_dependencies(each.id, each.dependencies)
        return registry


def resolve_dependencies(project: Project) -> ResolvedProject:
    """The packages of a project, depth first."""
    resolution = _Resolution(project)
    resolution.add(project, ())
    return ResolvedProject(tuple(resolution.packages.values()), tuple(resolution.problems))


@dataclass(slots=True)
class _Resolution:
    """One resolution in progress; `packages` is in order of completion."""

    main: Project
    packages: dict[str, Package] = field(default_factory=dict)
    problems: list[DependencyProblem] = field(default_factory=list)

    def add(self, project: Project, above: tuple[str, ...]) -> None:
        name = project.manifest.name
        for each in project.manifest.dependencies:
            problem = self._add_dependency(project, each, (*above, name))
            if problem is not None:
                diagnostic = Diagnostic(Severity.ERROR, problem, each.span, data={"name": each.name})
                self.problems.append(DependencyProblem(project, diagnostic))
        self.packages[name] = Package(package_of_project(name), project)

    def _add_dependency(self, asking: Project, wanted: Dependency, above: tuple[str, ...]) -> str | None:
        """Why a dependency cannot be had; None when it is there with all that it needs."""
        if wanted.name in above:
            circle = (*above[above.index(wanted.name) :], wanted.name)
            return f"Circular dependency detected: {' -> '.join(circle)}"
        folder = self._folder(asking, wanted)
        known = self.packages.get(wanted.name)
        if known is not None:
            return _other_source(wanted, known.project.root, folder)
        match open_project(folder):
            case NoManifest():
                return _nothing_there(wanted, folder)
            case BrokenManifest() as broken:
                return f"Dependency '{wanted.name}' has a broken manifest:\n{broken.reason()}"
            case Project() as found:
                if found.manifest.name != wanted.name:
                    return (
                        f"Dependency '{wanted.name}' is another package in {folder}. "
                        f"Expected: '{wanted.name}', Found: '{found.manifest.name}'"
                    )
                self.add(found, above)
        return None

    def _folder(self, asking: Project, wanted: Dependency) -> Path:
        match wanted.source:
            case PathSource(path=path):
                return (asking.root / path).resolve()
            case GitSource():
                return self.main.root / GIT_CHECKOUTS / wanted.name


def _other_source(wanted: Dependency, known: Path, folder: Path) -> str | None:
    if known.resolve() == folder.resolve():
        return None
    return f"Dependency '{wanted.name}' is required from two sources: {known} and {folder}"


def _nothing_there(wanted: Dependency, folder: Path) -> str:
    match wanted.source:
        case GitSource():
            return f"Dependency '{wanted.name}' is not checked out; run: beamtalk deps update {wanted.name}"
        case PathSource(path=path) if folder.is_dir():
            return f"Dependency '{wanted.name}' has no {MANIFEST_NAME} in {path}"
        case PathSource(path=path):
            return f"Dependency '{wanted.name}' is not there: no such folder {path}"


def problem_lines(resolved: ResolvedProject) -> Iterator[str]:
    """Each problem at its place in the manifest that asks, as commands print them."""
    for each in resolved.problems:
        source = each.project.reading.source
        line, column = source.position(each.diagnostic.span.start)
        is_main = each.project.root == resolved.main.project.root
        name = source.name if is_main else str(each.project.root / source.name)
        yield f"{name}:{line}:{column}: error: {each.diagnostic.message}"
