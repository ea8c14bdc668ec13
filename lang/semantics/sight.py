"""What one package sees of all packages: the view that its units are checked with (types.md 7.3).

Comes in: the surfaces of all packages, the library among them, and the registry over them.
Guarantees: a bare name is found in the package itself, then in its declared dependencies, then in
theirs, then in the library (M-9); what is not found so is there under `package@Name`; superclass links
lead to the class that the subclass's own package means. Leaves: which findings follow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from lang.ast import nodes as ast
from lang.dataclass import replace
from lang.diagnostics import Severity
from lang.semantics.hierarchy import (
    Borrowed,
    BorrowedTransitively,
    ClassFacts,
    ClassView,
    ExportedTwice,
    MethodFact,
    parents_in,
)
from lang.semantics.modules import (
    STDLIB,
    PackageId,
    Reach,
    RegistryState,
    Tier,
    package_of_project,
    search,
)
from lang.semantics.surfaces import PackageSurface

Home = tuple[PackageId, str]
"""A declared name with its package."""


class Sight:
    """How one package sees the names of all; asked for the names alone, or for the whole view."""

    def __init__(
        self, package: PackageId, surfaces: Iterable[PackageSurface], registry: RegistryState
    ) -> None:
        self._package = package
        self._registry = registry
        near = {each for _reach, tier in registry.tiers(package) for each in tier}
        self._surfaces = tuple(each for each in surfaces if each.id in near)
        self._declared = {each.id: each.names for each in self._surfaces}

    def view(self, undeclared: Severity = Severity.WARNING) -> ClassView:
        """What checks may know, with nothing bound by a workspace and no host modules in it.

        `undeclared` is how bad the use of a dependency's dependency is.
        """
        classes = self._classes()
        library = [facts for facts in classes.values() if facts.is_library]
        return ClassView(
            classes,
            protocols=frozenset(self._seen((each.id, each.protocols) for each in self._surfaces)),
            aliases=dict(self._aliases()),
            parents=parents_in(classes.values()),
            library_classes=frozenset(facts.name.rpartition("@")[2] for facts in library),
            library_selectors=frozenset(selector for facts in library for _, selector in facts.methods),
            internal_aliases=frozenset(
                self._seen((each.id, each.internal_aliases) for each in self._surfaces)
            ),
            package=str(self._package),
            packages=frozenset(map(str, self._declared)),
            borrowed=self._borrowed(undeclared),
        )

    # ------------------------------------------------------------ names

    def home(self, name: str, qualifier: str | None, package: PackageId | None = None) -> Home | None:
        """Which declaration a name means in code of a package, the viewing one by default; the first of several."""
        if qualifier is not None:
            owner = package_of_project(qualifier)
            return (owner, name) if name in self._declared.get(owner, ()) else None
        found = self._search(package or self._package, name)
        return None if found is None else (found[1][0], name)

    def spelled(self, home: PackageId, name: str) -> str:
        """How the viewing package writes a declared name: bare where that means it."""
        found = self._search(self._package, name)
        return name if found is not None and found[1][0] == home else f"{home}@{name}"

    def _search(self, package: PackageId, name: str) -> Tier | None:
        return search(self._registry.tiers(package), lambda each: name in self._declared.get(each, ()))

    def _seen(self, names: Iterable[tuple[PackageId, Iterable[str]]]) -> Iterator[str]:
        return (self.spelled(home, name) for home, each in names for name in each)

    def _aliases(self) -> Iterator[tuple[str, ast.TypeExpr]]:
        for each in self._surfaces:
            for name, written in each.aliases.items():
                yield self.spelled(each.id, name), written

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
        for each in self._surfaces:
            for facts in each.classes:
                found[self.spelled(each.id, facts.name)] = self._placed(each.id, facts)
        for each in self._surfaces:
            for extension in each.extensions:
                self._extend(found, each.id, extension.target, replace(extension.method, is_extension=True))
        return found

    def _placed(self, home: PackageId, facts: ClassFacts) -> ClassFacts:
        """The facts with names as the viewing package writes them."""
        superclass = None if facts.superclass is None else self._superclass(home, facts.superclass)
        return replace(
            facts,
            name=self.spelled(home, facts.name),
            superclass=superclass,
            package=str(home),
            is_library=home == STDLIB,
        )

    def _superclass(self, home: PackageId, written: str) -> str:
        qualifier, _, name = written.rpartition("@")
        found = self.home(name, qualifier or None, home)
        if found is not None:
            return self.spelled(*found)
        # Unknown there: it must not become a class that only the viewing package knows.
        return written if qualifier or self._search(self._package, name) is None else f"{home}@{name}"

    def _extend(
        self, classes: dict[str, ClassFacts], home: PackageId, ref: ast.ClassRef, fact: MethodFact
    ) -> None:
        target = self.home(ref.name, ref.package, home)
        facts = None if target is None else classes.get(self.spelled(*target))
        key = (fact.side, fact.selector)
        if facts is not None and key not in facts.methods:
            classes[facts.name] = replace(facts, methods={**facts.methods, key: fact})
