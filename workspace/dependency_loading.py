"""Loading the packages that a project needs, and loading them again when they change (workspace.md 1.3, 1.6).

Comes in: the project's manifest. Guarantees: the classes of every dependency are in the image before those
of the project, whole or not at all; they keep their identity over a reload; code of a package names what that
package sees. A file with errors is left out and told. Leaves: the project's own sources to `loader`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from changelog.entry import UnitAddress
from lang.ast import nodes as ast
from lang.class_kind import ClassKind
from lang.dataclass import dataclass, replace
from lang.diagnostics import Severity
from lang.runtime.classes import ClassDefinition, ClassObject, Method
from lang.runtime.processes.migration import class_changed, class_removed
from lang.semantics.check import check_among
from lang.semantics.hierarchy import ExportedTwice
from lang.semantics.modules import STDLIB, ClassKey, PackageId, RegistryState, registry_of
from lang.semantics.sight import Sight
from lang.semantics.surfaces import PackageSource, PackageSurface, fragments_of, surface_of
from lang.syntax.units import ParsedFile, ParsedUnit, Side, UnitKind
from workspace.change import NOTHING_KNOWN, Change, Finding
from workspace.class_view import GLOBAL_NAMES, Imports
from workspace.definitions import ClassUnits, Compiling, DefinitionBuilder
from workspace.dependencies import ResolvedProject, problem_lines, resolve_dependencies
from workspace.dependency_sources import DependencySources, read_dependencies
from workspace.flush.file_text import lf
from workspace.manifest import MANIFEST_NAME, Strictness
from workspace.project import Project
from workspace.registration import package_id
from workspace.state import LibraryClass, StateBuilder, Unit
from workspace.stores import DefinitionStore, NamesStore, ObjectsStore, Removal, StateStore
from workspace.sync import FileProblem
from workspace.transaction import Prepared, Store

if TYPE_CHECKING:
    from workspace.workspace import Workspace

Added = tuple[ClassObject, Side, str]
"""An extension method that a dependency brings: to which class, side and selector."""


class DependencyLoader:
    """Keeps the dependencies of one workspace loaded; `digest` is what was loaded last."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._extensions: frozenset[Added] = frozenset()
        self._problems: tuple[FileProblem, ...] = ()
        self.digest = b""
        self.resolved: ResolvedProject | None = None

    def refresh(self, project: Project) -> tuple[FileProblem, ...]:
        """Load what is not as it was; the problems that stand are told each time."""
        resolved = resolve_dependencies(project)
        found = read_dependencies(resolved)
        if found.digest != self.digest or self.resolved is None:
            self._load(found)
        missing = [FileProblem(MANIFEST_NAME, (), line) for line in problem_lines(resolved)]
        return (*missing, *self._problems)

    def _load(self, found: DependencySources) -> None:
        workspace = self._workspace
        is_first = self.resolved is None
        work = _Work(workspace, found, self._extensions)
        work.build()
        workspace.transactions.commit(work.prepared())
        workspace.installer.imports = work.imports
        self.digest, self.resolved = found.digest, found.resolved
        self._extensions, self._problems = frozenset(work.extensions), tuple(work.problems)
        work.follow_up()
        if not is_first:
            self._install_changes_again()

    def _install_changes_again(self) -> None:
        """What the project has changed in memory of a dependency's class is put into the new one too."""
        state = self._workspace.state
        touched = frozenset(
            lineage
            for name, each in state.library.items()
            if not each.is_of_stdlib
            for lineage in state.members.get(name, ())
        )
        if touched:
            self._workspace.carry_out(Change(state, state, touched))


def _unit(file: ParsedFile, unit: ParsedUnit) -> Unit:
    """A unit of a dependency as the builder takes it; it never becomes part of the state."""
    return Unit(0, UnitAddress(file.source.name, unit.name), lf(unit.text), unit.cut.column)


@dataclass(slots=True)
class _Class:
    """A class or protocol of a dependency in the making."""

    package: PackageId
    file: ParsedFile
    header: ParsedUnit
    is_built: bool = False

    @property
    def key(self) -> ClassKey:
        return ClassKey(self.package, self.header.name.owner)


class _Work:
    """One load in progress. The public attributes are what it found."""

    imports: Imports

    def __init__(
        self, workspace: Workspace, found: DependencySources, added_before: frozenset[Added]
    ) -> None:
        self.problems: list[FileProblem] = []
        self.extensions: list[Added] = []
        self._workspace = workspace
        self._found = found
        self._added_before = added_before
        self._builder = StateBuilder(workspace.state)
        self._own = package_id(workspace.state.package)
        facts = workspace.installer.imports.facts.values()
        self._library = PackageSurface(STDLIB, tuple(each for each in facts if each.is_library))
        self._registry = self._registry_of(found.sources)
        self._sources: list[PackageSource] = []
        self._sights: dict[PackageId, Sight] = {}
        self._classes: dict[ClassKey, _Class] = {}
        self._objects: dict[ClassKey, ClassObject] = {}
        self._definitions: dict[ClassObject, ClassDefinition] = {}
        self._lineages: dict[ClassKey, int] = {}
        self._names: dict[str, object] = {}
        self._removed: list[ClassObject] = []

    # ------------------------------------------------------------ choosing

    def build(self) -> None:
        """Find out everything; nothing of the image is changed."""
        self._keep_sound_files()
        surfaces = tuple(map(surface_of, self._sources))
        self._sights = {each.id: self._sight(each.id, surfaces) for each in surfaces}
        self._sights[self._own] = self._sight(self._own, surfaces)
        self._find_classes()
        for each in list(self._classes.values()):
            self._build(each)
        self._extend_classes()
        self._enter_state()
        self._bind_names()
        self.imports = self._imports(surfaces)

    def _sight(self, package: PackageId, surfaces: tuple[PackageSurface, ...]) -> Sight:
        return Sight(package, (self._library, *surfaces), self._registry)

    def _keep_sound_files(self) -> None:
        """Leave out files with errors, one package after the other, and packages that name their own List."""
        for read in self._found.packages:
            self.problems += [
                FileProblem(f"{read.root}/{f.path}", (f,), f.diagnostic.message) for f in read.unreadable
            ]
        stdlib = self._library.names
        for read in self._found.packages:
            taken = sorted(surface_of(read.source).names & stdlib)
            if taken:
                text = f"Dependency '{read.source.id}' exports the stdlib name '{taken[0]}'"
                self.problems.append(FileProblem(str(read.root / MANIFEST_NAME), (), text))
                continue
            surfaces = tuple(map(surface_of, (*self._sources, read.source)))
            view = replace(self._sight(read.source.id, surfaces).view(), globals=GLOBAL_NAMES)
            sound = tuple(
                f for f in read.source.files if not self._is_faulty(str(read.root), check_among(f, view))
            )
            self._sources.append(PackageSource(read.source.id, sound))
        self._registry = self._registry_of(tuple(self._sources))
        self.problems += self._clashes

    def _is_faulty(self, root: str, checked: ParsedFile) -> bool:
        path = f"{root}/{checked.source.name}"
        errors = [each for each in checked.all_diagnostics() if each.severity is Severity.ERROR]
        if errors:
            findings = tuple(Finding(checked.source, each, path) for each in errors)
            self.problems.append(FileProblem(path, findings, errors[0].message))
        return bool(errors)

    def _registry_of(self, sources: tuple[PackageSource, ...]) -> RegistryState:
        """The registry with the entries of the dependencies as these sources have them."""
        kept = self._workspace.state.registry.without_packages(
            lambda package: package not in (STDLIB, self._own)
        )
        registry, refused = registry_of(fragments_of(sources), kept)
        self._clashes = [FileProblem(MANIFEST_NAME, (), each.reason()) for each in refused]
        return self._found.resolved.linked(registry)

    # ------------------------------------------------------------ classes

    def _find_classes(self) -> None:
        known = {
            each.qualified: name for name, each in self._builder.library.items() if not each.is_of_stdlib
        }
        for source in self._sources:
            for file in source.files:
                for unit in file.units:
                    if unit.name.kind in (UnitKind.HEADER, UnitKind.PROTOCOL):
                        made = _Class(source.id, file, unit)
                        self._classes.setdefault(made.key, made)
                        if str(made.key) in known:
                            self._lineages[made.key] = self._builder.base.classes[known[str(made.key)]]

    def _build(self, made: _Class) -> ClassObject | None:
        """The object of a class with its definition prepared; None when its superclass is not there."""
        if made.is_built:
            return self._objects.get(made.key)
        made.is_built = True
        if isinstance(made.header.node, ast.ProtocolDef):
            definition = self._builder_for(made.package).protocol(_unit(made.file, made.header))
            return self._put(made, replace(definition, name=self._spelled(made.key)))
        node = made.header.node
        if not isinstance(node, ast.ClassHeader):
            return None
        superclass = None if node.superclass is None else self._class_for(made.package, node.superclass)
        if node.superclass is not None and superclass is None:
            text = f"Class '{node.superclass.name}' not found"
            self.problems.append(
                FileProblem(f"{self._root_of(made.package)}/{made.file.source.name}", (), text)
            )
            return None
        return self._defined(made, superclass)

    def _defined(self, made: _Class, superclass: ClassObject | None) -> ClassObject:
        kind = ClassKind.OBJECT
        if superclass is not None:
            kind = self._definitions.get(superclass, superclass.definition).kind
        empty = ClassDefinition(self._spelled(made.key), superclass, kind)
        class_object = self._put(made, empty)
        units = tuple(
            _unit(made.file, each) for each in made.file.units if each.name.kind is not UnitKind.EXTENSION
        )
        header = next(each for each in units if each.kind is UnitKind.HEADER)
        data = tuple(each for each in units if each.kind is UnitKind.DATA)
        base = self._with_kept_extensions(class_object, empty)
        definition = self._builder_for(made.package).built(
            class_object, base, ClassUnits(header, data, units, ()), superclass
        )
        path = f"{self._root_of(made.package)}/{made.file.source.name}"
        self._definitions[class_object] = replace(definition, name=empty.name, source_path=path)
        return class_object

    def _with_kept_extensions(self, class_object: ClassObject, empty: ClassDefinition) -> ClassDefinition:
        """The extensions that do not come from a dependency stay."""
        before = class_object.definition
        return replace(
            empty,
            extensions=self._kept(class_object, Side.INSTANCE, before.extensions),
            class_extensions=self._kept(class_object, Side.CLASS, before.class_extensions),
        )

    def _kept(self, owner: ClassObject, side: Side, methods: Mapping[str, Method]) -> Mapping[str, Method]:
        return MappingProxyType(
            {s: m for s, m in methods.items() if (owner, side, s) not in self._added_before}
        )

    def _put(self, made: _Class, definition: ClassDefinition) -> ClassObject:
        lineage = self._lineages.get(made.key)
        class_object = None if lineage is None else self._workspace.image.class_objects.get(lineage)
        if class_object is None:
            class_object = self._workspace.runtime.define_class(definition)
        self._objects[made.key] = class_object
        self._definitions[class_object] = definition
        return class_object

    def _class_for(self, package: PackageId, ref: ast.ClassRef) -> ClassObject | None:
        """The class that a reference in code of a package means."""
        home = self._sights[package].home(ref.name, ref.package)
        if home is None:
            return None
        if home[0] == STDLIB:
            return self._workspace.runtime.class_named(ref.name)
        made = self._classes.get(ClassKey(*home))
        return None if made is None else self._build(made)

    def _builder_for(self, package: PackageId) -> DefinitionBuilder:
        registry = self._registry

        def module_of(name: str) -> str:
            module = registry.module_of(ClassKey(package, name))
            return name if module is None else module.text

        return DefinitionBuilder(
            self._workspace.runtime,
            str(package),
            module_of,
            Compiling.WHEN_RUN,
            NOTHING_KNOWN,
            note_compiled=lambda _unit, _context, _compiled: None,
            spelled=self._names_in(package),
        )

    def _names_in(self, package: PackageId) -> Callable[[str], str]:
        """Under which name the image has what code of a package calls a class: never the project's bare one."""
        sight = self._sights[package]

        def named(written: str) -> str:
            qualifier, _, name = written.rpartition("@")
            home = sight.home(name, qualifier or None)
            if home is None:
                return written if qualifier else f"{package}@{name}"
            return name if home[0] == STDLIB else f"{home[0]}@{name}"

        return named

    def _root_of(self, package: PackageId) -> str:
        return next(str(each.root) for each in self._found.packages if each.source.id == package)

    # ------------------------------------------------------------ extensions

    def _extend_classes(self) -> None:
        self._drop_old_extensions()
        for source in self._sources:
            for file in source.files:
                for unit in file.units:
                    if isinstance(unit.node, ast.ExtensionDef):
                        self._extend(source.id, file, unit, unit.node)

    def _drop_old_extensions(self) -> None:
        for owner in {owner for owner, _side, _selector in self._added_before}:
            if owner not in self._definitions:
                self._definitions[owner] = self._with_kept_extensions(owner, owner.definition)

    def _extend(self, package: PackageId, file: ParsedFile, unit: ParsedUnit, node: ast.ExtensionDef) -> None:
        owner = self._class_for(package, node.target)
        if owner is None:
            return
        base = self._definitions.get(owner, owner.definition)
        units = ClassUnits(None, (), (_unit(file, unit),), ())
        self._definitions[owner] = self._builder_for(package).built(owner, base, units, base.superclass)
        side = Side.CLASS if node.method.signature.is_class_side else Side.INSTANCE
        self.extensions.append((owner, side, node.method.signature.selector.text))

    # ------------------------------------------------------------ state and names

    def _is_own(self, name: str) -> bool:
        state = self._builder.base
        return state.classes.get(name, -1) >= 0 or name in state.protocols or name in state.aliases

    def _spelled(self, key: ClassKey) -> str:
        """The name in the image: bare where the project means it so, else with its package."""
        spelled = self._sights[self._own].spelled(key.package, key.name)
        return str(key) if self._is_own(spelled) else spelled

    def _enter_state(self) -> None:
        builder, base = self._builder, self._builder.base
        builder.registry = self._registry
        for name, each in base.library.items():
            if not each.is_of_stdlib:
                builder.drop_library_class(name)
                lineage = base.classes[name]
                if lineage not in self._lineages.values():
                    self._removed.append(self._workspace.image.class_objects[lineage])
        lowest = min(self._workspace.image.class_objects, default=0)
        for number, key in enumerate((k for k in self._objects if k not in self._lineages), start=1):
            self._lineages[key] = lowest - number
        for key, class_object in self._objects.items():
            made = self._library_class(key, self._definitions[class_object])
            lent = self._sights[self._own].spelled(key.package, key.name) == key.name
            builder.put_library_class(made, self._lineages[key], lent=lent)

    def _library_class(self, key: ClassKey, definition: ClassDefinition) -> LibraryClass:
        superclass = definition.superclass
        above = None if superclass is None else self._definitions.get(superclass, superclass.definition).name
        path = self._classes[key].file.source.name
        return LibraryClass(
            definition, str(key.package), f"{self._root_of(key.package)}/{path}", self._spelled(key), above
        )

    def _bind_names(self) -> None:
        gone = {id(each) for each in (*self._removed, *self._objects.values())}
        names = {n: v for n, v in self._workspace.runtime.class_names.items() if id(v) not in gone}
        for key, class_object in self._objects.items():
            names[str(key)] = class_object
            names.setdefault(self._spelled(key), class_object)
        self._names = names

    def _imports(self, surfaces: tuple[PackageSurface, ...]) -> Imports:
        manifest = self._found.resolved.main.project.manifest
        undeclared = Severity.ERROR if manifest.strictness is Strictness.REFUSE else Severity.WARNING
        view = self._sight(self._own, surfaces).view(undeclared)
        facts = dict(view.classes)
        for each in view.classes.values():
            if not each.is_library:
                qualified = f"{each.package}@{each.name.rpartition('@')[2]}"
                facts[qualified] = replace(each, name=qualified)
        borrowed = {
            name: replace(each, severity=Severity.WARNING) if isinstance(each, ExportedTwice) else each
            for name, each in view.borrowed.items()
        }
        return Imports(facts, view.library_classes, replace(view, borrowed=borrowed))

    # ------------------------------------------------------------ the swap

    def prepared(self) -> Prepared:
        """The stores of the load."""
        image = self._workspace.image
        base = self._builder.base
        return Prepared(
            None, tuple(self._stores()), lambda: image.state is base, self._workspace.runtime.forget_all
        )

    def _stores(self) -> Iterator[Store]:
        image = self._workspace.image
        for class_object in self._removed:
            yield Removal(class_object, is_removed=True)
        for class_object, definition in self._definitions.items():
            yield DefinitionStore(class_object, definition)
        relinked = (*self._removed, *self._objects.values())
        yield NamesStore(image, MappingProxyType(self._names), relinked)
        yield ObjectsStore(image, {self._lineages[key]: each for key, each in self._objects.items()})
        yield StateStore(image, self._builder.finish())

    def follow_up(self) -> None:
        """What runs user code or ends tasks, after the swap."""
        image = self._workspace.image
        for class_object in self._objects.values():
            image.runtime.initialize_class_variables(class_object)
            image.runtime.shapes.of(class_object)
            class_changed(image.actors, class_object)
        for class_object in self._removed:
            class_removed(image.actors, class_object)
