"""What one package sees of all packages: the view that its units are checked with (types.md 7.3).

Comes in: the parsed files of every package, the library among them, and the registry over them.
Guarantees: a bare name is found in the package itself, then in its declared dependencies, then in
theirs, then in the library (M-9); what is not found so is there under `package@Name`; superclass links
lead to the class that the subclass's own package means. Leaves: reading, and which findings follow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from lang.ast import nodes as ast
from lang.diagnostics import Severity
from lang.semantics.hierarchy import (
    Borrowed,
    BorrowedTransitively,
    ClassFacts,
    ClassView,
    ExportedTwice,
    declared_names,
    facts_of_file,
    method_fact,
    parents_in,
)
from lang.semantics.modules import (
    STDLIB,
    PackageId,
    Reach,
    RegistryState,
    package_of_project,
    search,
)
from lang.syntax.units import ParsedFile

D = TypeVar("D", ast.ProtocolDef, ast.TypeAlias)
Home = tuple[PackageId, str]
"""A declared name with its package."""


@dataclass(frozen=True, slots=True)
class PackageSource:
    """The parsed files of one package; a file's source is named by its path below the package's root."""

    id: PackageId
    files: tuple[ParsedFile, ...]

    def nodes(self) -> Iterator[ast.Declaration]:
        """Every unit that could be parsed."""
        return (unit.node for file in self.files for unit in file.units if unit.node is not None)


def view_from(
    package: PackageId,
    sources: Iterable[PackageSource],
    registry: RegistryState,
    *,
    undeclared: Severity = Severity.WARNING,
) -> ClassView:
    """The view of a package. `undeclared` is how bad the use of a dependency's dependency is."""
    return _Sight(package, tuple(sources), registry).view(undeclared)


class _Sight:
    """One view in the making."""

    def __init__(
        self, package: PackageId, sources: tuple[PackageSource, ...], registry: RegistryState
    ) -> None:
        self._package = package
        self._registry = registry
        near = {each for _reach, tier in registry.tiers(package) for each in tier}
        self._sources = tuple(each for each in sources if each.id in near)
        self._declared = {
            each.id: frozenset().union(*map(declared_names, each.files)) for each in self._sources
        }

    def view(self, undeclared: Severity) -> ClassView:
        """The view, with nothing bound by a workspace and no host modules in it."""
        classes = self._classes()
        library = [facts for facts in classes.values() if facts.is_library]
        aliases = dict(self._nodes(ast.TypeAlias))
        return ClassView(
            classes,
            protocols=frozenset(name for name, _node in self._nodes(ast.ProtocolDef)),
            aliases={name: node.type for name, node in aliases.items()},
            parents=parents_in(classes.values()),
            library_classes=frozenset(facts.name for facts in library),
            library_selectors=frozenset(selector for facts in library for _, selector in facts.methods),
            internal_aliases=frozenset(name for name, node in aliases.items() if node.is_internal),
            package=str(self._package),
            packages=frozenset(map(str, self._declared)),
            borrowed=self._borrowed(undeclared),
        )

    def _nodes(self, wanted: type[D]) -> Iterator[tuple[str, D]]:
        """The protocols or aliases of all packages, with the names by which they are seen."""
        for source in self._sources:
            for node in source.nodes():
                if isinstance(node, wanted):
                    yield self._spelled(source.id, node.name.name), node

    # ------------------------------------------------------------ names

    def _search(self, package: PackageId, name: str) -> tuple[Reach, tuple[PackageId, ...]] | None:
        return search(self._registry.tiers(package), lambda each: name in self._declared.get(each, ()))

    def _home(self, package: PackageId, name: str, qualifier: str | None) -> Home | None:
        """Which declaration a name in code of a package means; the first of several."""
        if qualifier is not None:
            home = package_of_project(qualifier)
            return (home, name) if name in self._declared.get(home, ()) else None
        found = self._search(package, name)
        return None if found is None else (found[1][0], name)

    def _spelled(self, home: PackageId, name: str) -> str:
        """How the viewing package writes a declared name: bare where that means it."""
        found = self._search(self._package, name)
        return name if found is not None and found[1][0] == home else f"{home}@{name}"

    def _borrowed(self, undeclared: Severity) -> Mapping[str, Borrowed]:
        found: dict[str, Borrowed] = {}
        for name in {name for names in self._declared.values() for name in names}:
            match self._search(self._package, name):
                case (Reach.DEPENDENCY, packages) if len(packages) > 1:
                    found[name] = ExportedTwice(tuple(f"{each}@{name}" for each in packages))
                case (Reach.TRANSITIVE, packages):
                    via = self._via(packages[0])
                    found[name] = BorrowedTransitively(str(packages[0]), str(via), undeclared)
                case _:
                    pass
        return found

    def _via(self, package: PackageId) -> PackageId:
        """The declared dependency through which another package is reached first."""
        for direct in self._registry.dependencies.get(self._package, ()):
            if any(package in tier for _reach, tier in self._registry.tiers(direct)):
                return direct
        return package

    # ------------------------------------------------------------ classes

    def _classes(self) -> Mapping[str, ClassFacts]:
        found: dict[str, ClassFacts] = {}
        for source in self._sources:
            for file in source.files:
                for facts in facts_of_file(file):
                    found[self._spelled(source.id, facts.name)] = self._placed(source.id, facts)
        for source in self._sources:
            for node in source.nodes():
                if isinstance(node, ast.ExtensionDef):
                    self._extend(found, source.id, node)
        return found

    def _placed(self, home: PackageId, facts: ClassFacts) -> ClassFacts:
        """The facts with names as the viewing package writes them."""
        superclass = None if facts.superclass is None else self._superclass(home, facts.superclass)
        return replace(
            facts,
            name=self._spelled(home, facts.name),
            superclass=superclass,
            package=str(home),
            is_library=home == STDLIB,
        )

    def _superclass(self, home: PackageId, written: str) -> str:
        qualifier, _, name = written.rpartition("@")
        found = self._home(home, name, qualifier or None)
        if found is not None:
            return self._spelled(*found)
        # Unknown there: it must not become a class that only the viewing package knows.
        return written if qualifier or self._search(self._package, name) is None else f"{home}@{name}"

    def _extend(self, classes: dict[str, ClassFacts], home: PackageId, node: ast.ExtensionDef) -> None:
        target = self._home(home, node.target.name, node.target.package)
        facts = None if target is None else classes.get(self._spelled(*target))
        if facts is None:
            return
        fact = replace(method_fact(node.method), is_extension=True)
        key = (fact.side, fact.selector)
        if key not in facts.methods:
            classes[facts.name] = replace(facts, methods={**facts.methods, key: fact})
