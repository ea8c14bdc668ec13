"""From a planned change to a transaction: check, compile, and list the stores (changes.md 6).

Comes in: a `Change`. Guarantees: all that can fail has been done when `prepare` answers;
the stores put live classes, names and the state in place, and can be undone. Leaves: doing
them to `transaction`; what user code follows (class variables, ended actors) to `follow_up`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from lang.class_kind import ClassKind
from lang.dataclass import dataclass, replace
from lang.deferred import deferred
from lang.diagnostics import Diagnostic, Severity
from lang.runtime.classes import ClassDefinition, ClassObject
from lang.runtime.processes.migration import class_changed, class_removed
from lang.runtime.symbols import symbol
from lang.semantics.hierarchy import ClassView, without
from lang.syntax.units import UnitKind
from workspace import checks
from workspace.change import Change, Finding, Refusal, compile_refusal
from workspace.class_view import Imports, class_view
from workspace.definitions import (
    ClassUnits,
    Compiling,
    DefinitionBuilder,
    NoteCompiled,
    changed_selectors,
)
from workspace.hierarchy import superclass_of
from workspace.image import Image
from workspace.registration import module_of
from workspace.state import ImageState, Unit
from workspace.stores import DefinitionStore, NamesStore, ObjectsStore, Removal, RetiredStore, StateStore
from workspace.transaction import Prepared, Store

if TYPE_CHECKING:
    from lang.semantics import policy
    from lang.semantics.check import TypeChecker
    from lang.semantics.policy import SeverityTable
    from lang.semantics.types.world import World
    from workspace.refactor import sites
    from workspace.type_world import TypeWorlds
else:
    policy = deferred("lang.semantics.policy")
    sites = deferred("workspace.refactor.sites")


@dataclass(frozen=True, slots=True)
class Installation:
    """A prepared change with what it warns of and what is to be done once it is in place."""

    transaction: Prepared
    warnings: tuple[Finding, ...]
    follow_up: Callable[[], None]


class Installer:
    """Prepares changes of one image.

    `imports` are what the project uses and does not declare; `sources` the folders of those classes that the
    image begins with and that are not in the standard library's own.
    """

    def __init__(self, image: Image, imports: Imports, sources: tuple[Path, ...] = ()) -> None:
        self._image = image
        self.imports = imports
        self._sources = sources
        self._worlds: TypeWorlds | None = None
        self.globals: Callable[[], Iterable[str]] = lambda: ()
        self.table: SeverityTable = {}
        self.note_compiled: NoteCompiled = lambda _unit, _context, _compiled: None

    def view(self, state: ImageState | None = None) -> ClassView:
        """What checks may know, in a state (the present one by default)."""
        return class_view(state or self._image.state, self.imports, global_names=frozenset(self.globals()))

    def world(self, state: ImageState | None = None) -> World:
        """What the type checker may know, in a state (the present one by default)."""
        state = state or self._image.state
        return self._type_worlds().of(state, self.view(state))

    def _world_after(self, change: Change) -> World:
        """What the type checker may know once a change is made."""
        return self._type_worlds().after(change, self.view(change.state))

    def _type_worlds(self) -> TypeWorlds:
        if self._worlds is None:
            # Imported late: loading a project whose checks are recorded needs no types.
            from lang.stdlib.trees import LibraryTrees  # noqa: PLC0415
            from workspace.type_world import TypeWorlds  # noqa: PLC0415

            self._worlds = TypeWorlds(LibraryTrees(self._sources))
        return self._worlds

    def check(self, lineages: Iterable[int]) -> tuple[Finding, ...]:
        """What is wrong in units as memory has them; nothing is changed (workspace.md 3.12, `:check`)."""
        from lang.semantics.types.analysis import FileChecker  # noqa: PLC0415  as for `world`

        state = self._image.state
        view, types = self.view(), FileChecker(self.world())
        found: list[Finding] = []
        for unit in (state.units[each] for each in sorted(lineages)):
            if not is_live(state, unit):
                continue
            found += checks.unit_findings(unit, view, lambda u: sites.first_line(state, u), types)
            if unit.kind in _DEFINING:
                around, group = without(view, frozenset((unit.owner,))), list(state.units_of(unit.owner))
                found += checks.group_findings(group, around, view, lambda u: sites.first_line(state, u))
        return self._by_table(tuple(found))

    def _by_table(self, found: tuple[Finding, ...]) -> tuple[Finding, ...]:
        """The findings as the package's table has them; what it makes a lint is the lint command's (types.md D-T5)."""
        return tuple(
            replace(each, diagnostic=settled) for each in found for settled in self.tabled((each.diagnostic,))
        )

    def tabled(self, found: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
        """The same for diagnostics alone."""
        if not self.table:
            return found
        return tuple(d for d in policy.tabled(found, self.table) if d.severity is not Severity.LINT)

    def prepare(self, change: Change) -> Installation | Refusal:
        """Check and compile what the change touches; a refusal leaves everything as it is."""
        work = _Work(self._image, change, self.note_compiled)
        units = [u for u in work.live_units() if u.path not in change.known.checked]
        found = self._by_table(self._findings(change, units))
        errors = checks.errors_of(found)
        if errors:
            return compile_refusal(errors[0].diagnostic.message, errors)
        refused = work.build()
        if refused is not None:
            return refused
        return Installation(work.transaction(), found, work.follow_up)

    def _findings(self, change: Change, units: list[Unit]) -> tuple[Finding, ...]:
        """What is wrong in the units, and between those of one class that is defined as a whole."""
        state, whole = change.state, self.view(change.state)
        found = [
            f
            for unit in units
            for f in checks.unit_findings(
                unit,
                _watched(change, unit, whole),
                lambda u: sites.first_line(state, u),
                self._types(change, unit, len(units)),
            )
        ]
        for unit in units:
            if unit.kind in _DEFINING:
                around = without(self.view(change.base), frozenset((unit.owner,)))
                group, view = list(state.units_of(unit.owner)), _watched(change, unit, whole)
                found += checks.group_findings(group, around, view, lambda u: sites.first_line(state, u))
        return tuple(found)

    def _types(self, change: Change, unit: Unit, count: int) -> TypeChecker | None:
        """Who judges a unit by types: its author wants advice, and a load wants errors only (types.md D-10e)."""
        if count <= _ADVISED and change.entry is not None:
            from lang.semantics.types.analysis import FileChecker  # noqa: PLC0415  as for `world`

            return FileChecker(self._world_after(change))
        if "matchExhaustive:" in unit.text:
            from lang.semantics.types.analysis import errors_by_types  # noqa: PLC0415  as for `world`

            return errors_by_types(self._world_after(change))
        return None


_ADVISED = 64
"""Changes of more units than this are no work of an author at a prompt; `check` tells what is wrong in them."""


def _watched(change: Change, unit: Unit, view: ClassView) -> ClassView:
    """The view in which it is noted what the checks of the unit's file ask about, where somebody wants to know."""
    consultations = change.known.consultations
    if consultations is None or unit.path is None:
        return view
    return consultations.watched(unit.path, (unit.owner,), view)


_DEFINING = frozenset({UnitKind.HEADER, UnitKind.PROTOCOL, UnitKind.ALIAS})


class _Work:
    """One preparation in progress."""

    def __init__(self, image: Image, change: Change, note_compiled: NoteCompiled) -> None:
        self._image = image
        self._runtime = image.runtime
        self._change = change
        compiling = Compiling.WHEN_RUN if change.entry is None else Compiling.AT_ONCE
        self._builder = DefinitionBuilder(
            image.runtime,
            change.state.package or "",
            self._module_of,
            compiling,
            change.known,
            note_compiled,
        )
        self._definitions: dict[ClassObject, ClassDefinition] = {}
        self._objects: dict[int, ClassObject] = {}
        self._superclasses: dict[str, str | None] = {}
        self._removed: list[ClassObject] = []
        self._respelled: list[ClassObject] = []
        self._names: dict[str, object] = dict(image.runtime.class_names)
        self._links_changed = False
        self._slots_changed: tuple[ClassObject, ...] = ()

    def _module_of(self, name: str) -> str:
        return module_of(self._change.state, name)

    # ------------------------------------------------------------ units

    def live_units(self) -> Iterator[Unit]:
        """The touched units of the next state that are to run."""
        for lineage in sorted(self._change.touched):
            unit = self._change.state.units.get(lineage)
            if unit is not None and is_live(self._change.state, unit):
                yield unit

    def _touched_owners(self) -> list[str]:
        found: dict[str, None] = {}
        for unit in self.live_units():
            if unit.kind not in (UnitKind.STATEMENTS, UnitKind.ALIAS, UnitKind.PROTOCOL):
                found[unit.owner] = None
        for lineage in sorted(self._change.touched):
            before = self._change.base.units.get(lineage)
            if before is not None and is_live(self._change.base, before):
                owner = self._present_owner(before)
                if owner is not None:
                    found[owner] = None
        return list(found)

    def _present_owner(self, unit: Unit) -> str | None:
        """The name that the class of a unit of the base has in the next state."""
        lineage = self._change.base.classes.get(unit.owner)
        if lineage is None:
            return None
        if lineage < 0:
            return unit.owner
        header = self._change.state.units.get(lineage)
        return None if header is None else header.owner

    # ------------------------------------------------------------ classes

    def build(self) -> Refusal | None:
        """Build every definition that changes."""
        self._forget_removed()
        self._respell_borrowed()
        self._protocols()
        for name in _in_order_of_superclass(self._touched_owners(), self._superclass_of):
            refused = self._class(name)
            if refused is not None:
                return refused
        return None

    def _forget_removed(self) -> None:
        for lineage in sorted(self._change.touched):
            class_object = self._image.class_objects.get(lineage)
            if class_object is None or class_object.is_removed or lineage < 0:
                continue
            for name in self._spellings(class_object.name):
                if self._names.get(name) is class_object:
                    del self._names[name]
            after = self._change.state.units.get(lineage)
            if after is None or not is_live(self._change.state, after):
                self._removed.append(class_object)

    def _respell_borrowed(self) -> None:
        """Classes of dependencies that gave way to one of the project, or have their bare name again (M-10)."""
        if all(lineage >= 0 for lineage in self._change.touched):
            return
        for name, facts in self._change.state.library.items():
            lineage = self._change.state.classes[name]
            class_object = self._image.class_objects[lineage]
            if lineage in self._change.touched and class_object.name != name:
                if self._names.get(class_object.name) is class_object:
                    del self._names[class_object.name]
                self._names[name] = self._names[facts.qualified] = class_object
                self._definitions[class_object] = replace(class_object.definition, name=name)
                self._respelled.append(class_object)

    def _protocols(self) -> None:
        for unit in self.live_units():
            if unit.kind is UnitKind.PROTOCOL:
                definition = self._builder.protocol(unit)
                class_object = self._object(unit.lineage, definition)
                self._definitions[class_object] = definition
                self._bind(definition.name, class_object)

    def _spellings(self, name: str) -> tuple[str, ...]:
        """How code names a class: bare, and qualified by the package."""
        package = self._change.state.package
        return (name,) if package is None else (name, f"{package}@{name}")

    def _bind(self, name: str, class_object: ClassObject) -> None:
        library = self._change.state.library.get(name)
        if library is not None:
            self._names[name] = self._names[library.qualified] = class_object
            return
        for spelling in self._spellings(name):
            self._names[spelling] = class_object

    def _object(self, lineage: int, definition: ClassDefinition) -> ClassObject:
        class_object = self._image.class_objects.get(lineage)
        if class_object is None:
            class_object = self._runtime.define_class(definition)
        self._objects[lineage] = class_object
        return class_object

    def _class(self, name: str) -> Refusal | None:
        state = self._change.state
        lineage = state.classes.get(name)
        if lineage is None:
            return None
        header = state.units.get(lineage)
        superclass = None
        if header is not None:
            if not is_live(state, header):
                return None
            above = self._superclass_of(name)
            superclass = self._class_named(above)
            if above is not None and superclass is None:
                return Refusal("class_not_found", f"Class '{above}' not found", path=header.path)
        return self._build_class(name, lineage, header, superclass)

    def _superclass_of(self, name: str) -> str | None:
        if name not in self._superclasses:
            self._superclasses[name] = self._find_superclass(name)
        return self._superclasses[name]

    def _find_superclass(self, name: str) -> str | None:
        state = self._change.state
        header = state.units.get(state.classes.get(name, 0))
        known = self._change.known.headers.get(header.path or "") if header is not None else None
        if known is not None and known.compiled.name == name:
            if known.superclass is None:
                return None
            package, _, above = known.superclass.rpartition("@")
            return state.spelled(above, package or None)
        return superclass_of(state, name)

    def _class_named(self, name: str | None) -> ClassObject | None:
        found = self._names.get(name) if name is not None else None
        return found if isinstance(found, ClassObject) else None

    def _build_class(
        self, name: str, lineage: int, header: Unit | None, superclass: ClassObject | None
    ) -> Refusal | None:
        known = self._image.class_objects.get(lineage)
        # A class that was built at run time has no header to be made anew from: what it is stays.
        is_built = header is None and known is not None
        is_whole = not is_built and (known is None or known.is_removed or not self._was_live(lineage))
        empty = ClassDefinition(name, superclass, superclass.kind if superclass else ClassKind.OBJECT)
        class_object = known or self._object(lineage, empty)
        base = empty if is_whole or known is None else known.definition
        units = self._units(name, header, is_whole=is_whole)
        definition = self._builder.built(class_object, base, units, superclass)
        refused = self._kind_changed(known, definition)
        if refused is not None:
            return refused
        self._objects[lineage] = class_object
        self._definitions[class_object] = definition
        self._bind(name, class_object)
        if known is None or known.is_removed or known.definition.superclass is not definition.superclass:
            self._links_changed = True
        return None

    def _was_live(self, lineage: int) -> bool:
        if lineage < 0:
            return True
        before = self._change.base.units.get(lineage)
        return before is not None and is_live(self._change.base, before)

    def _kind_changed(self, known: ClassObject | None, definition: ClassDefinition) -> Refusal | None:
        if known is None or known.is_removed or known.kind is definition.kind:
            return None
        count = len(self._image.actors.live_actors_of(known))
        if not count:
            return None
        message = (
            f"Cannot change {definition.name} from {known.kind.value.title()} to "
            f"{definition.kind.value.title()} while {count} instances are alive"
        )
        return Refusal("class_kind_changed", message)

    def _units(self, name: str, header: Unit | None, *, is_whole: bool) -> ClassUnits:
        state, base, touched = self._change.state, self._change.base, self._change.touched
        mine = [unit for unit in state.units_of(name) if is_live(state, unit)]
        data = tuple(unit for unit in mine if unit.kind is UnitKind.DATA)
        if is_whole:
            return ClassUnits(header, data, tuple(mine), ())
        shape_changed = header is not None and (
            header.lineage in touched
            or any(unit.lineage in touched for unit in data)
            or any(self._is_gone_data(lineage, name) for lineage in touched)
        )
        old = [base.units[each] for each in touched if each in base.units]
        gone = tuple(unit for unit in old if unit.is_method and self._present_owner(unit) == name)
        return ClassUnits(
            header if shape_changed else None,
            data,
            tuple(unit for unit in mine if unit.lineage in touched),
            gone,
        )

    def _is_gone_data(self, lineage: int, name: str) -> bool:
        before = self._change.base.units.get(lineage)
        is_data = before is not None and before.kind is UnitKind.DATA
        return is_data and before is not None and self._present_owner(before) == name

    # ------------------------------------------------------------ stores

    def transaction(self) -> Prepared:
        """The stores, in the order in which they are done."""
        base, image, runtime = self._change.base, self._image, self._runtime
        reshaped = self._reshaped()
        self._slots_changed = reshaped
        changed = None if self._links_changed or self._removed else self._changed_selectors()

        def empty_caches() -> None:
            if changed is None:
                runtime.forget_all()
            else:
                runtime.forget_selectors(changed)
            for class_object in reshaped:
                runtime.shapes.of(class_object)

        return Prepared(self._change.entry, tuple(self._stores()), lambda: image.state is base, empty_caches)

    def _reshaped(self) -> tuple[ClassObject, ...]:
        """The classes whose instances have other slots now, subclasses included."""
        changed = [
            class_object
            for class_object, definition in self._definitions.items()
            if class_object.definition.slots != definition.slots
            or class_object.definition.superclass is not definition.superclass
        ]
        if not changed:
            return ()
        return tuple(
            each for each in self._runtime.classes() if any(each.inherits_from(above) for above in changed)
        )

    def _changed_selectors(self) -> frozenset[str]:
        return frozenset(
            selector
            for class_object, definition in self._definitions.items()
            for selector in changed_selectors(class_object.definition, definition)
        )

    def _stores(self) -> Iterator[Store]:
        for class_object in self._removed:
            yield Removal(class_object, is_removed=True)
        for class_object, definition in self._definitions.items():
            yield DefinitionStore(class_object, definition)
            if class_object.is_removed:
                yield Removal(class_object, is_removed=False)
        yield NamesStore(self._image, MappingProxyType(self._names), (*self._removed, *self._respelled))
        yield ObjectsStore(self._image, self._objects)
        for retired in self._change.retired:
            yield RetiredStore(self._image, retired)
        yield StateStore(self._image, self._change.state)

    def follow_up(self) -> None:
        """What runs user code or ends tasks, after the swap."""
        for class_object in self._definitions:
            if class_object.definition.class_slots or class_object.superclass is not None:
                self._runtime.initialize_class_variables(class_object)
        for class_object in self._slots_changed:
            class_changed(self._image.actors, class_object)
        for class_object in self._removed:
            class_removed(self._image.actors, class_object)
        self._announce()

    def _announce(self) -> None:
        """Tell the system's subscribers what came and went (actors.md 15)."""
        bus = self._image.actors.bus
        for gone in self._removed:
            bus.tell("ClassRemoved", _named_event(gone))
        for come in self._objects.values():
            bus.tell("ClassLoaded", _named_event(come))


def _named_event(class_object: ClassObject) -> Callable[[], dict[str, object]]:
    return lambda: {"className": symbol(class_object.name)}


def is_live(state: ImageState, unit: Unit) -> bool:
    """Whether a unit's code is to run: typed at the prompt, or of a loaded file."""
    if unit.path is None:
        return True
    file = state.files.get(unit.path)
    return file is not None and file.is_loaded


def _in_order_of_superclass(names: Iterable[str], superclass_above: Callable[[str], str | None]) -> list[str]:
    """Superclasses before subclasses."""
    wanted = list(names)
    rank = {name: len(_chain(name, superclass_above)) for name in wanted}
    return sorted(wanted, key=lambda name: rank[name])


def _chain(name: str, superclass_above: Callable[[str], str | None]) -> list[str]:
    chain: list[str] = []
    at: str | None = name
    while at is not None and at not in chain:
        chain.append(at)
        at = superclass_above(at)
    return chain
