"""The sources of the packages that a project needs, read and parsed (workspace.md 1.3).

Comes in: resolved packages. Guarantees: every source of each; what cannot be read is told. A digest tells
whether anything has changed. Reads only. Leaves: judging to `analysis`, loading to `dependency_loading`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from lang.dataclass import dataclass
from lang.diagnostics import Diagnostic, Severity
from lang.semantics.modules import PackageId
from lang.semantics.surfaces import PackageSource
from lang.source import SourceText, Span
from lang.syntax.units import ParsedFile
from workspace.change import Finding
from workspace.dependencies import Package, ResolvedProject
from workspace.sources import read_source


@dataclass(frozen=True, slots=True)
class ReadPackage:
    """The sources of one package; `unreadable` says what could not be read or decoded."""

    root: Path
    source: PackageSource
    unreadable: tuple[Finding, ...]
    digest: bytes


@dataclass(frozen=True, slots=True)
class DependencySources:
    """All packages but the project's own, each after what it needs."""

    resolved: ResolvedProject
    packages: tuple[ReadPackage, ...]

    @property
    def sources(self) -> tuple[PackageSource, ...]:
        """The sources alone."""
        return tuple(each.source for each in self.packages)

    @property
    def digest(self) -> bytes:
        """What all of it looks like: the same digest, the same sources."""
        digest = hashlib.sha256()
        for package, read in zip(self.resolved.dependencies, self.packages, strict=True):
            names = " ".join(str(each) for each in package.dependencies)
            digest.update(f"{package.name} {package.project.root} {names}\n".encode("utf-8", "surrogatepass"))
            digest.update(read.digest)
        return digest.digest()


def read_dependencies(resolved: ResolvedProject) -> DependencySources:
    """Read every source of every dependency."""
    return DependencySources(resolved, tuple(_read(each) for each in resolved.dependencies))


def _read(package: Package) -> ReadPackage:
    return read_package(package.project.root, package.id, package.project.sources())


def read_package(root: Path, package: PackageId, paths: tuple[str, ...]) -> ReadPackage:
    """Read and parse the given sources of a package; paths are relative to its root."""
    digest = hashlib.sha256()
    unreadable: list[Finding] = []

    def parsed() -> Iterator[ParsedFile]:
        for path in paths:
            today = read_source(root, path)
            file = f"File not found: {path}" if today is None else today.parsed()
            digest.update(f"{path} {today.snapshot.sha256 if today is not None else ''}\n".encode())
            if isinstance(file, str):
                problem = Diagnostic(Severity.ERROR, file, Span(0, 0))
                unreadable.append(Finding(SourceText("", path), problem, path))
            else:
                yield file

    source = PackageSource(package, tuple(parsed()))
    return ReadPackage(root, source, tuple(unreadable), digest.digest())
