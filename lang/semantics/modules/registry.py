"""The registry itself: an immutable state, and operations that answer the next one (types.md 7.5, 7.6).

Comes in: declarations of parsed files, live definitions, renames and moves.
Guarantees: a class has one module and a module one class; every operation answers a
whole new state with the next epoch, or a refusal and nothing changed. Leaves: policy
(whether a library name may be shadowed, what a missing class means) to its callers.
"""

from __future__ import annotations

import enum
import json
from collections.abc import Callable, Iterable, Iterator, Mapping

from immutables import Map

from lang.dataclass import dataclass, field, replace
from lang.semantics.modules.names import (
    RESERVED_SEGMENTS,
    STDLIB,
    ClassKey,
    ModuleKind,
    ModuleName,
    PackageId,
    PackageKind,
    file_module,
    folder_segments,
    has_path_rule,
    live_module,
    package_of_project,
    segment,
    stem_segment,
)
from lang.semantics.modules.refusals import (
    DeclaredTwice,
    MisnamedLibraryFile,
    ModuleTaken,
    NameTaken,
    RegistryRefusal,
    ReservedFolder,
    UnknownKey,
)
from lang.semantics.modules.resolution import Ambiguous, Found, Missing, Reach, Resolution, Tier, search


class Origin(enum.Enum):
    """Where an entry comes from."""

    FILE = "file"
    LIVE = "live"
    RENAMED = "renamed"
    NATIVE = "native"


@dataclass(frozen=True, slots=True)
class RegistryEntry:
    """One class with its module; `path` is None for a class without file."""

    key: ClassKey
    module: ModuleName
    origin: Origin
    path: str | None


_FilePlace = tuple[PackageId, str]


@dataclass(frozen=True, slots=True)
class RegistryState:
    """All entries at one epoch; `dependencies` lists the declared ones of each package in manifest order."""

    epoch: int = 0
    entries: Map[ClassKey, RegistryEntry] = field(default_factory=Map)
    holders: Map[ModuleName, ClassKey] = field(default_factory=Map)
    places: Map[_FilePlace, tuple[ClassKey, ...]] = field(default_factory=Map)
    dependencies: Map[PackageId, tuple[PackageId, ...]] = field(default_factory=Map)

    # -- questions ---------------------------------------------------------------------------------------

    def resolve(self, from_package: PackageId, name: str, qualifier: str | None = None) -> Resolution:
        """What `name`, or `qualifier@name`, means in code of a package (M-9 to M-11)."""
        if qualifier is not None:
            return self._found(ClassKey(package_of_project(qualifier), name), Reach.QUALIFIED) or Missing(
                name, qualifier
            )
        found = search(self.tiers(from_package), lambda each: ClassKey(each, name) in self.entries)
        if found is None:
            return Missing(name)
        reach, packages = found
        keys = tuple(ClassKey(package, name) for package in packages)
        if len(keys) > 1:
            return Ambiguous(keys)
        return self._found(keys[0], reach) or Missing(name)

    def tiers(self, package: PackageId) -> Iterator[Tier]:
        """The packages that a bare name in code of a package is looked for in, in that order (M-9)."""
        yield Reach.OWN, (package,)
        yield Reach.DEPENDENCY, self.dependencies.get(package, ())
        yield Reach.TRANSITIVE, tuple(self._transitive(package))
        yield Reach.STDLIB, (STDLIB,)

    def class_for(self, module: ModuleName) -> ClassKey | None:
        """The class that a module holds; exact, no part of the name means anything (M-12)."""
        return self.holders.get(module)

    def entry(self, key: ClassKey) -> RegistryEntry | None:
        """The entry of a class, if it is registered."""
        return self.entries.get(key)

    def module_of(self, key: ClassKey) -> ModuleName | None:
        """The module of a class, if it is registered."""
        entry = self.entries.get(key)
        return None if entry is None else entry.module

    def declared_in(self, package: PackageId, path: str) -> tuple[ClassKey, ...]:
        """The classes that a file holds."""
        return self.places.get((package, path), ())

    def classes_of(self, package: PackageId) -> Iterator[RegistryEntry]:
        """The entries of a package, by class name."""
        return iter(
            sorted((e for e in self.entries.values() if e.key.package == package), key=lambda e: e.key.name)
        )

    def admit(self, text: str) -> ModuleName | None:
        """A module name that came from outside (persisted or sent), if this registry holds it (M-2)."""
        return next((n for kind in ModuleKind if (n := ModuleName(text, kind)) in self.holders), None)

    def snapshot(self) -> bytes:
        """The canonical form: equal for equal contents, whatever the order of the operations (M-15)."""
        rows = sorted(
            (
                e.key.package.kind.value,
                e.key.package.name,
                e.key.name,
                e.module.text,
                e.module.kind.value,
                e.path,
            )
            for e in self.entries.values()
        )
        return b"".join(json.dumps(row, ensure_ascii=True).encode() + b"\n" for row in rows)

    # -- operations --------------------------------------------------------------------------------------

    def with_dependencies(self, package: PackageId, declared: Iterable[PackageId]) -> RegistryState:
        """The same classes, with the declared dependencies of a package, in manifest order."""
        return replace(
            self, epoch=self.epoch + 1, dependencies=self.dependencies.set(package, tuple(declared))
        )

    def declare(self, package: PackageId, path: str, name: str) -> RegistryState | RegistryRefusal:
        """Register what a parsed file declares (M-3); a live class of that name moves into the file.

        Refused: a folder that maps to a reserved segment, a class that another file declares, a module
        that another file maps to, a library file with another class than its name says (M-6 to M-8).
        """
        key = ClassKey(package, name)
        held = self.entries.get(key)
        if held is not None and held.path == path:
            return self
        if held is not None and held.path is not None:
            return DeclaredTwice(key, path, held.path)
        return self._place(key, path)

    def assign(self, package: PackageId, name: str) -> RegistryState:
        """Register a class that has no file; a class that is there keeps what it has (M-16)."""
        key = ClassKey(package, name)
        if key in self.entries:
            return self
        return self._store(RegistryEntry(key, self._free(live_module(key)), Origin.LIVE, None))

    def assign_native(self, package: PackageId, name: str, module: str) -> RegistryState | RegistryRefusal:
        """Register a class whose module is written by hand, when a live path has resolved it (M-13)."""
        key = ClassKey(package, name)
        if key in self.entries:
            return NameTaken(key)
        text = ModuleName(module, ModuleKind.NATIVE)
        holder = self.holders.get(text)
        if holder is not None:
            return ModuleTaken(key, module, text, holder, None)
        return self._store(RegistryEntry(key, text, Origin.NATIVE, None))

    def rebind(self, key: ClassKey, path: str | None) -> RegistryState | RegistryRefusal:
        """Move an entry to where its class stands now: a file, or none (M-16, M-21)."""
        return self.rebind_all({key: path})

    def rebind_all(self, moves: Mapping[ClassKey, str | None]) -> RegistryState | RegistryRefusal:
        """Several moves as one, so that classes may exchange their files; all or none."""
        for key in moves:
            if key not in self.entries:
                return UnknownKey(key)
        state = self._without(moves)
        for key in sorted(moves, key=lambda k: k.sort_key):
            path = moves[key]
            if path is None:
                state = state.assign(key.package, key.name)
                continue
            placed = state._place(key, path)
            if not isinstance(placed, RegistryState):
                return placed
            state = placed
        return replace(state._settled(), epoch=self.epoch + 1)

    def remove(self, key: ClassKey) -> RegistryState | RegistryRefusal:
        """Forget a class; its name resolves by the other rules, or is missing."""
        if key not in self.entries:
            return UnknownKey(key)
        return replace(self._without([key])._settled(), epoch=self.epoch + 1)

    def without_packages(self, is_gone: Callable[[PackageId], bool]) -> RegistryState:
        """The state less all entries of some packages, and what they declare."""
        gone = [key for key in self.entries if is_gone(key.package)]
        dependencies = Map({p: needs for p, needs in self.dependencies.items() if not is_gone(p)})
        return replace(self._without(gone), epoch=self.epoch + 1, dependencies=dependencies)

    def reconcile(
        self, package: PackageId, path: str, declared: Iterable[str]
    ) -> RegistryState | RegistryRefusal:
        """Make the registry say what a reloaded file declares, no more (M-16)."""
        names = tuple(declared)
        gone = [key for key in self.declared_in(package, path) if key.name not in names]
        state = self._without(gone)
        for name in names:
            declared_now = state.declare(package, path, name)
            if not isinstance(declared_now, RegistryState):
                return declared_now
            state = declared_now
        if gone:
            state = state._settled()
        return self if state.entries == self.entries else replace(state, epoch=self.epoch + 1)

    def rename(self, old: ClassKey, new_name: str) -> RegistryState | RegistryRefusal:
        """Move an entry to a new key; it keeps its module and file, the old key is gone (M-19)."""
        entry = self.entries.get(old)
        if entry is None:
            return UnknownKey(old)
        new = ClassKey(old.package, new_name)
        if new in self.entries:
            return NameTaken(new)
        renamed = replace(entry, key=new, origin=_origin_under(entry, new_name))
        return replace(self._without([old])._store(renamed), epoch=self.epoch + 1)

    # -- parts -------------------------------------------------------------------------------------------

    def _found(self, key: ClassKey, reach: Reach) -> Found | None:
        entry = self.entries.get(key)
        return None if entry is None else Found(key, entry.module, reach)

    def _transitive(self, package: PackageId) -> Iterator[PackageId]:
        """The dependencies of the dependencies, nearest first, each once."""
        direct = self.dependencies.get(package, ())
        seen = {package, *direct}
        wave: tuple[PackageId, ...] = direct
        while wave:
            following: list[PackageId] = []
            for each in (d for one in wave for d in self.dependencies.get(one, ())):
                if each not in seen:
                    seen.add(each)
                    following.append(each)
            yield from following
            wave = tuple(following)

    def _place(self, key: ClassKey, path: str) -> RegistryState | RegistryRefusal:
        """Put a class into a file, whatever entry it had."""
        if not has_path_rule(key.package, path):
            module = self._without([key])._free(live_module(key))
            return self._without([key])._store(RegistryEntry(key, module, Origin.FILE, path))
        refusal = _path_refusal(key, path)
        if refusal is not None:
            return refusal
        module = file_module(key.package, path)
        holder = self.entries.get(self.holders.get(module, key))
        if holder is not None and holder.key != key:
            if holder.origin is not Origin.RENAMED:
                return ModuleTaken(key, path, module, holder.key, holder.path)
            # A renamed class keeps its old module until the flush (M-19): the newcomer waits with a suffix.
            module = self._without([key])._free(module)
        return self._without([key])._store(RegistryEntry(key, module, Origin.FILE, path))

    def _free(self, wanted: ModuleName) -> ModuleName:
        number = 1
        while (module := wanted.numbered(number)) in self.holders:
            number += 1
        return module

    def _store(self, entry: RegistryEntry) -> RegistryState:
        places = self.places
        if entry.path is not None:
            place = (entry.key.package, entry.path)
            places = places.set(place, (*places.get(place, ()), entry.key))
        return replace(
            self,
            epoch=self.epoch + 1,
            entries=self.entries.set(entry.key, entry),
            holders=self.holders.set(entry.module, entry.key),
            places=places,
        )

    def _without(self, keys: Iterable[ClassKey]) -> RegistryState:
        """The state less these entries, at the same epoch; unknown keys are passed over."""
        entries, holders, places = self.entries.mutate(), self.holders.mutate(), self.places.mutate()
        for key in keys:
            entry = entries.pop(key, None)
            if entry is None:
                continue
            del holders[entry.module]
            if entry.path is not None:
                place = (key.package, entry.path)
                rest = tuple(each for each in places[place] if each != key)
                if rest:
                    places[place] = rest
                else:
                    del places[place]
        return replace(self, entries=entries.finish(), holders=holders.finish(), places=places.finish())

    def _settled(self) -> RegistryState:
        """Entries that waited with a suffix take their own module once it is free, so that M-15 holds again."""
        state = self
        for entry in sorted(self._waiting(), key=lambda e: e.key.sort_key):
            module = file_module(entry.key.package, entry.path or "")
            if module not in state.holders:
                state = state._without([entry.key])._store(replace(entry, module=module))
        return state

    def _waiting(self) -> Iterator[RegistryEntry]:
        for entry in self.entries.values():
            if entry.origin is Origin.FILE and entry.module.text[-1].isdigit() and entry.path is not None:
                place = (entry.key.package, entry.path)
                if has_path_rule(*place) and file_module(*place) != entry.module:
                    yield entry


def _origin_under(entry: RegistryEntry, new_name: str) -> Origin:
    """The origin of a renamed entry: a name that the file promises again (an undone rename) is no rename."""
    if entry.origin not in {Origin.FILE, Origin.RENAMED} or entry.path is None:
        return entry.origin
    return Origin.FILE if stem_segment(entry.path) == segment(new_name) else Origin.RENAMED


def _path_refusal(key: ClassKey, path: str) -> RegistryRefusal | None:
    for each in folder_segments(key.package, path):
        if each in RESERVED_SEGMENTS:
            return ReservedFolder(path, each)
    is_library = key.package.kind is PackageKind.STDLIB
    if is_library and stem_segment(path) != segment(key.name):
        return MisnamedLibraryFile(key, path)
    return None
