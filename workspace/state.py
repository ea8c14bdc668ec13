"""The image as one immutable record: units, files, classes, names (changes.md 1.1, 6).

Comes in: parsed files and operations' edits. Guarantees: an `ImageState` never
changes; a `StateBuilder` makes the next one and knows which units it touched.
Leaves: compiling, live objects and the log to `install` and `transaction`.

A *lineage* numbers a unit within one run. A class is known by the lineage of its
header; classes of the standard library have negative lineages and no units.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from immutables import Map

from changelog.entry import UnitAddress
from lang.dataclass import dataclass, field, replace
from lang.runtime.classes import ClassDefinition, ProtocolInfo
from lang.semantics.modules import STDLIB, RegistryState
from lang.syntax.units import Side, UnitKind, UnitName
from workspace.flush.view import DiskFile
from workspace.index_on_demand import IndexOnDemand
from workspace.receiver_types import ReceiverTypes

if TYPE_CHECKING:
    from workspace.xref import Index


@dataclass(frozen=True, slots=True)
class Unit:
    """One unit as memory holds it: `text` is LF text, `column` that of its first token."""

    lineage: int
    address: UnitAddress
    text: str
    column: int

    @property
    def name(self) -> UnitName:
        """Its name within its file."""
        return self.address.name

    @property
    def kind(self) -> UnitKind:
        """What it declares."""
        return self.address.name.kind

    @property
    def path(self) -> str | None:
        """Its file, or None."""
        return self.address.path

    @property
    def owner(self) -> str:
        """The class (protocol, alias) that it belongs to, without a package qualifier."""
        return self.address.name.owner.rpartition("@")[2]

    @property
    def is_method(self) -> bool:
        """Whether it defines a method, in a class body or as an extension."""
        return self.kind in (UnitKind.METHOD, UnitKind.EXTENSION)

    def renamed_owner(self, new: str) -> Unit:
        """The same unit, owned by a class of another name."""
        package, at, _old = self.address.name.owner.rpartition("@")
        name = replace(self.address.name, owner=f"{package}{at}{new}")
        return replace(self, address=replace(self.address, name=name))

    def moved(self, path: str | None) -> Unit:
        """The same unit in another file."""
        return replace(self, address=replace(self.address, path=path))


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file as memory has it: its units in order, and whether they are installed."""

    path: str
    lineages: tuple[int, ...]
    is_loaded: bool


@dataclass(frozen=True, slots=True)
class LibraryClass:
    """A class or protocol of the library or of a dependency as planning sees it.

    `definition` is as the image began with it. `spelling` and `above` are the names that the state knows it and
    its superclass by, where those are not the ones of the definitions. `path` is the file of a dependency's class.
    """

    definition: ClassDefinition
    package: str = STDLIB.kind.value
    path: str | None = None
    spelling: str | None = None
    above: str | None = None

    @property
    def is_of_stdlib(self) -> bool:
        """Whether the standard library has it; else a dependency does."""
        return self.package == STDLIB.kind.value

    @property
    def qualified(self) -> str:
        """Its name with its package, which never means anything else (types.md M-11)."""
        return f"{self.package}@{self.name.rpartition('@')[2]}"

    @property
    def name(self) -> str:
        """Its name."""
        return self.spelling or self.definition.name

    @property
    def superclass(self) -> str | None:
        """The name of its superclass; None at the root."""
        above = self.definition.superclass
        return self.above or (None if above is None else above.name)

    @property
    def protocol(self) -> ProtocolInfo | None:
        """What a protocol asks for; None for classes."""
        return self.definition.protocol

    def defines(self, side: Side, selector: str) -> bool:
        """Whether it has a method, its own or an extension, on a side."""
        return self.definition.find(selector, side) is not None


@dataclass(frozen=True, slots=True)
class ImageState:
    """Everything that memory knows of source, at one moment.

    `members` lists the units of a class (or protocol, alias) by its name; `classes`,
    `protocols` and `aliases` give the lineage of what bears a name. `disk` is what disk
    held when memory was last built from it or flushed, by path. `package` is the project's
    name, None without a project. `lent` are the qualified names of the dependencies' class that a bare
    name means where the project has none of its own.
    """

    change_number: int
    next_lineage: int
    units: Map[int, Unit]
    files: Map[str, SourceFile]
    members: Map[str, tuple[int, ...]]
    classes: Map[str, int]
    protocols: Map[str, int]
    aliases: Map[str, int]
    registry: RegistryState
    cross_reference: IndexOnDemand
    disk: Map[str, DiskFile]
    library: Map[str, LibraryClass]
    package: str | None
    lent: Map[str, str] = field(default_factory=Map)
    receivers: ReceiverTypes = field(default_factory=ReceiverTypes)

    @property
    def index(self) -> Index:
        """The cross-reference index over all units."""
        return self.cross_reference.value()

    def spelled(self, name: str, package: str | None = None) -> str:
        """Under which name the state has the class that `name`, or `package@name`, means in the project (M-11)."""
        if package is None or package == self.package:
            return name
        qualified = f"{package}@{name}"
        found = self.library.get(name)
        return name if found is not None and found.package == package else qualified

    def is_stdlib_class(self, name: str) -> bool:
        """Whether the standard library has the class; its names cannot be taken."""
        found = self.library.get(name)
        return found is not None and found.is_of_stdlib

    def is_of_dependency(self, name: str) -> bool:
        """Whether a name means the class of a dependency; the project may declare it itself (M-10)."""
        found = self.library.get(name)
        return found is not None and not found.is_of_stdlib

    def units_of(self, owner: str) -> Iterator[Unit]:
        """The units that belong to a class, in order of definition."""
        return (self.units[lineage] for lineage in self.members.get(owner, ()))

    def method_unit(self, owner: str, side: Side, selector: str) -> Unit | None:
        """The unit that dispatch would find in that class: its own method, else an extension."""
        found = None
        for unit in self.units_of(owner):
            if unit.is_method and unit.name.side is side and unit.name.member == selector:
                if unit.kind is UnitKind.METHOD:
                    return unit
                found = found or unit
        return found

    def header_of(self, class_name: str) -> Unit | None:
        """The header unit of a class, None for classes without source."""
        lineage = self.classes.get(class_name)
        return None if lineage is None else self.units.get(lineage)

    def path_of(self, class_name: str) -> str | None:
        """The file of a class, None where it has none."""
        header = self.header_of(class_name)
        return None if header is None else header.path

    def name_of(self, lineage: int) -> str | None:
        """The present name of a class by lineage."""
        unit = self.units.get(lineage)
        return None if unit is None else unit.owner

    def names(self) -> Iterator[str]:
        """Every class, protocol and alias name."""
        yield from self.classes
        yield from self.protocols
        yield from self.aliases


class StateBuilder:
    """Makes the next `ImageState` out of one, unit by unit.

    `touched` collects the lineages whose text, address or existence changed.
    """

    def __init__(self, base: ImageState) -> None:
        self.base = base
        self.touched: set[int] = set()
        self._next_lineage = base.next_lineage
        self._units = base.units.mutate()
        self._files = base.files.mutate()
        self._members = base.members.mutate()
        self._names = {
            UnitKind.HEADER: base.classes.mutate(),
            UnitKind.PROTOCOL: base.protocols.mutate(),
            UnitKind.ALIAS: base.aliases.mutate(),
        }
        self.registry = base.registry
        self.cross_reference = base.cross_reference
        self.disk = base.disk
        self.library = base.library
        self.lent = base.lent

    # ------------------------------------------------------------ units

    def new_lineage(self) -> int:
        """A number that no unit of this run has had."""
        self._next_lineage += 1
        return self._next_lineage - 1

    def unit(self, lineage: int) -> Unit | None:
        """The unit as it is by now."""
        found: Unit | None = self._units.get(lineage)
        return found

    def lineages_of(self, owner: str) -> tuple[int, ...]:
        """The units that belong to a class name by now."""
        found: tuple[int, ...] = self._members.get(owner, ())
        return found

    def put(self, unit: Unit, *, after: int | None = None) -> None:
        """Add a unit, or replace the one of its lineage; a new one goes behind `after`, else last."""
        old = self.unit(unit.lineage)
        if old == unit:
            return
        if old is not None and (old.owner, old.kind, old.path) != (unit.owner, unit.kind, unit.path):
            self._forget(old)
            old = None
        self._units[unit.lineage] = unit
        if old is None:
            self._remember(unit, after)
        self.touched.add(unit.lineage)

    def drop(self, lineage: int) -> None:
        """Remove a unit."""
        unit = self.unit(lineage)
        if unit is not None:
            self._forget(unit)
            del self._units[lineage]
            self.touched.add(lineage)

    def _remember(self, unit: Unit, after: int | None) -> None:
        members = self._members.get(unit.owner, ())
        self._members[unit.owner] = _inserted(members, unit.lineage, after)
        names = self._names.get(unit.kind)
        if names is not None:
            self.give_way(unit.owner)
            names[unit.owner] = unit.lineage
        if unit.path is not None:
            file = self._files.get(unit.path) or SourceFile(unit.path, (), is_loaded=True)
            self._files[unit.path] = replace(file, lineages=_inserted(file.lineages, unit.lineage, after))

    def _forget(self, unit: Unit) -> None:
        left = _without(self._members.get(unit.owner, ()), unit.lineage)
        if left:
            self._members[unit.owner] = left
        else:
            self._members.pop(unit.owner, None)
        names = self._names.get(unit.kind)
        if names is not None and names.get(unit.owner) == unit.lineage:
            del names[unit.owner]
            self._take_back(unit.owner)
        file = self._files.get(unit.path) if unit.path is not None else None
        if file is not None:
            self._files[file.path] = replace(file, lineages=_without(file.lineages, unit.lineage))

    # ------------------------------------------------------------ classes and files

    def rename_class(self, old: str, new: str) -> None:
        """Give every unit of a class (and the class) another name; texts are not touched."""
        lineages = self._members.pop(old, ())
        for lineage in lineages:
            self._units[lineage] = self._units[lineage].renamed_owner(new)
            self.touched.add(lineage)
        if lineages:
            self._members[new] = lineages
        classes = self._names[UnitKind.HEADER]
        if old in classes:
            self.give_way(new)
            classes[new] = classes.pop(old)
            self._take_back(old)

    def move_file(self, old: str, new: str) -> None:
        """Let a file have another path; its units move with it."""
        file = self._files.pop(old)
        for lineage in file.lineages:
            self._units[lineage] = self._units[lineage].moved(new)
            self.touched.add(lineage)
        self._files[new] = replace(file, path=new)

    def put_file(self, file: SourceFile) -> None:
        """Record a file; its units are put by themselves."""
        self._files[file.path] = file

    def drop_file(self, path: str) -> None:
        """Forget a file that has no units left."""
        self._files.pop(path, None)

    def file(self, path: str) -> SourceFile | None:
        """The file as it is by now."""
        found: SourceFile | None = self._files.get(path)
        return found

    def put_class(self, name: str, lineage: int) -> None:
        """Record a class that has no header unit (standard library, built at run time)."""
        self._names[UnitKind.HEADER][name] = lineage

    def give_way(self, name: str) -> None:
        """Let the dependency's class of a bare name, if any, be known by its qualified name only (M-10)."""
        found = self.library.get(name)
        if found is not None and not found.is_of_stdlib:
            self._respell(name, found.qualified)

    def _take_back(self, name: str) -> None:
        """Let a bare name that the project has given up mean the class of a dependency that gave way to it."""
        lent = self.lent.get(name)
        is_free = not any(name in names for names in self._names.values())
        if lent is not None and lent in self.library and is_free:
            self._respell(lent, name)

    def put_library_class(self, made: LibraryClass, lineage: int, *, lent: bool) -> None:
        """Record a dependency's class; `lent` says that its bare name means it where the project has none."""
        self.library = self.library.set(made.name, made)
        self._names[UnitKind.HEADER][made.name] = lineage
        if lent:
            self.lent = self.lent.set(made.qualified.rpartition("@")[2], made.qualified)

    def drop_library_class(self, name: str) -> None:
        """Forget a dependency's class."""
        qualified = self.library[name].qualified
        self.library = self.library.delete(name)
        del self._names[UnitKind.HEADER][name]
        bare = qualified.rpartition("@")[2]
        if self.lent.get(bare) == qualified:
            self.lent = self.lent.delete(bare)

    def _respell(self, old: str, new: str) -> None:
        found = self.library[old]
        library = self.library.delete(old).set(new, replace(found, spelling=new))
        for name, each in self.library.items():
            if each.superclass == old and not each.is_of_stdlib:
                library = library.set(name, replace(library[name], above=new))
        self.library = library
        classes = self._names[UnitKind.HEADER]
        classes[new] = classes.pop(old)
        self.touched.add(classes[new])

    def drop_class(self, name: str) -> None:
        """Forget a class that has no header unit."""
        lineage = self._names[UnitKind.HEADER].pop(name, None)
        if lineage is not None:
            self.touched.add(lineage)

    # ------------------------------------------------------------ result

    def finish(self) -> ImageState:
        """The next state; `cross_reference`, `registry` and `disk` as set on the builder."""
        return ImageState(
            change_number=self.base.change_number + 1,
            next_lineage=self._next_lineage,
            units=self._units.finish(),
            files=self._files.finish(),
            members=self._members.finish(),
            classes=self._names[UnitKind.HEADER].finish(),
            protocols=self._names[UnitKind.PROTOCOL].finish(),
            aliases=self._names[UnitKind.ALIAS].finish(),
            registry=self.registry,
            cross_reference=self.cross_reference,
            disk=self.disk,
            library=self.library,
            receivers=self.base.receivers,
            package=self.base.package,
            lent=self.lent,
        )


def _inserted(lineages: tuple[int, ...], lineage: int, after: int | None) -> tuple[int, ...]:
    if after is not None and after in lineages:
        at = lineages.index(after) + 1
        return (*lineages[:at], lineage, *lineages[at:])
    return (*lineages, lineage)


def _without(lineages: Iterable[int], lineage: int) -> tuple[int, ...]:
    return tuple(each for each in lineages if each != lineage)
