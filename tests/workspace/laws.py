"""What must hold of a live image at every moment, and snapshots of one to compare (changes.md 6, 11)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from changelog.indentation import same_text_but_indentation
from lang.runtime.classes import ClassDefinition, ClassObject, Method
from lang.semantics.references import references_of
from lang.source import SourceText
from lang.syntax import parse_file, parse_unit
from lang.syntax.units import Side, UnitKind, UnitName
from tests.workspace.lab import Lab, index_by_brute_force
from workspace.flush.file_text import decoded
from workspace.flush.splice import default_column
from workspace.install import is_live
from workspace.registration import key_of, package_id
from workspace.state import ImageState, Unit

Texts = dict[tuple[str | None, UnitName], str]
"""Unit texts by where the unit stands."""


def texts_of(state: ImageState) -> Texts:
    """Every unit of memory."""
    return {(unit.path, unit.name): unit.text for unit in state.units.values()}


def texts_on_disk(lab: Lab) -> Texts:
    """Every unit of the project's sources, read afresh."""
    found: Texts = {}
    for path in lab.workspace.list_sources():
        source = SourceText(decoded(lab.path(path).read_bytes()).text)
        found.update(((path, unit.name), unit.text) for unit in parse_file(source).units)
    return found


def classes_on_disk(lab: Lab) -> tuple[frozenset[str], frozenset[str]]:
    """The classes that the project's sources declare, and the class names that they use."""
    declared: list[str] = []
    used: set[str] = set()
    for path in lab.workspace.list_sources():
        parsed = parse_file(SourceText(decoded(lab.path(path).read_bytes()).text))
        for unit in parsed.units:
            if unit.name.kind is UnitKind.HEADER:
                declared.append(unit.name.owner)
            used |= uses_of(unit.text, unit.name.kind)
    assert len(declared) == len(set(declared)), f"two files declare one class: {declared}"
    return frozenset(declared), frozenset(used)


def uses_of(text: str, kind: UnitKind) -> frozenset[str]:
    """The class names that a unit's text uses."""
    node = parse_unit(text, kind, default_column(kind)).node
    return frozenset() if node is None else frozenset(each.name for each in references_of(node).classes)


def is_whole_in_memory(state: ImageState, lineage: int) -> bool:
    """Whether memory has a unit, and every class that it uses."""
    unit = state.units.get(lineage)
    return unit is not None and all(name in state.classes for name in uses_of(unit.text, unit.kind))


def differences(one: Texts, other: Texts) -> list[str]:
    """Where two sets of texts differ, but for the indentation of a unit as a whole."""
    return [
        f"{key}: {one.get(key)!r} against {other.get(key)!r}"
        for key in sorted(one.keys() | other.keys(), key=str)
        if key not in one or key not in other or not same_text_but_indentation(one[key], other[key])
    ]


# ---------------------------------------------------------------- laws

BROKEN = "=> ) "
"""How the bodies begin that tests break on purpose."""


def assert_whole(lab: Lab) -> None:
    """Index, registry, names, definitions and files agree with the units."""
    state = lab.state
    assert state.index == index_by_brute_force(state)
    assert_members_agree(state)
    assert_registry_agrees(state)
    assert_classes_agree(lab)
    assert_files_parse(lab)


def assert_members_agree(state: ImageState) -> None:
    """The maps by owner, file and name list exactly the units."""
    for lineage, unit in state.units.items():
        assert lineage in state.members[unit.owner], unit
        if unit.path is not None:
            assert lineage in state.files[unit.path].lineages, unit
    assert sum(len(each) for each in state.members.values()) == len(state.units)
    assert all(state.members.values())
    in_files = [lineage for file in state.files.values() for lineage in file.lineages]
    assert sorted(in_files) == sorted(k for k, unit in state.units.items() if unit.path is not None)
    for names, kind in (
        (state.classes, UnitKind.HEADER),
        (state.protocols, UnitKind.PROTOCOL),
        (state.aliases, UnitKind.ALIAS),
    ):
        for name, lineage in names.items():
            if lineage > 0 and lineage in state.units:
                assert (state.units[lineage].owner, state.units[lineage].kind) == (name, kind)


def assert_registry_agrees(state: ImageState) -> None:
    """Every class with source has one entry, and every entry of the project a class."""
    registered = {entry.key.name for entry in state.registry.classes_of(package_id(state.package))}
    headers = {unit.owner for unit in state.units.values() if unit.kind is UnitKind.HEADER}
    assert registered == headers
    for name in headers:
        entry = state.registry.entry(key_of(state.package, name))
        assert entry is not None
        assert state.registry.class_for(entry.module) == entry.key


def live_headers(state: ImageState) -> Iterator[Unit]:
    """The headers of classes that are loaded."""
    return (u for u in state.units.values() if u.kind is UnitKind.HEADER and is_live(state, u))


def assert_classes_agree(lab: Lab) -> None:
    """What is live is what the units say."""
    state, runtime = lab.state, lab.workspace.runtime
    live = {header.owner for header in live_headers(state)}
    bound = {
        value.name
        for name, value in runtime.class_names.items()
        if isinstance(value, ClassObject)
        and "@" not in name
        and name not in state.library
        and value.name not in state.protocols
    }
    assert bound == live
    for header in live_headers(state):
        class_object = runtime.class_named(header.owner)
        assert class_object is not None
        assert class_object is lab.workspace.image.class_objects[header.lineage]
        assert class_object.name == header.owner
        for side in Side:
            assert_methods_agree(state, class_object, side)


def assert_methods_agree(state: ImageState, class_object: ClassObject, side: Side) -> None:
    """The method dictionaries of one side hold the units' methods, compiled from their texts."""
    for kind, methods in (
        (UnitKind.METHOD, class_object.definition.local_methods(side)),
        (UnitKind.EXTENSION, class_object.definition.local_extensions(side)),
    ):
        units = {
            unit.name.member: unit
            for unit in state.units_of(class_object.name)
            if unit.kind is kind and unit.name.side is side and is_live(state, unit)
        }
        written = {name: each for name, each in methods.items() if each.source is not None}
        assert written.keys() == units.keys(), (class_object.name, side, kind)
        for selector, method in written.items():
            assert method.owner is class_object
            assert method.source is not None
            assert method.source in units[selector].text, (method, units[selector].text)


def assert_files_parse(lab: Lab) -> None:
    """No stray file lies about, and every source is well formed."""
    for path in lab.tree():
        assert path == "beamtalk.toml" or path.endswith(".bt"), path
    for path in lab.workspace.list_sources():
        text = decoded(lab.path(path).read_bytes()).text
        found = [d.message for d in parse_file(SourceText(text)).all_diagnostics()]
        assert found == [] or BROKEN in text, (path, text)


# ---------------------------------------------------------------- snapshots


@dataclass(frozen=True)
class Snapshot:
    """All of an image that a refused or failed change must leave alone."""

    state: ImageState
    registry: bytes
    names: dict[str, object]
    class_objects: dict[int, ClassObject]
    definitions: dict[ClassObject, ClassDefinition]
    removed: frozenset[ClassObject]
    methods: dict[tuple[str, Side, str], Method]
    entries: tuple[object, ...]
    marks: tuple[object, ...]
    log: bytes
    tree: dict[str, bytes | str]


def snapshot(lab: Lab) -> Snapshot:
    """The image, its log and its files as they are."""
    workspace = lab.workspace
    objects = dict(workspace.image.class_objects)
    log = lab.root / ".beamtalk/changes/changes.jsonl"
    return Snapshot(
        workspace.state,
        workspace.state.registry.snapshot(),
        dict(workspace.runtime.class_names),
        objects,
        {each: each.definition for each in objects.values()},
        frozenset(each for each in objects.values() if each.is_removed),
        dict(_methods(objects.values())),
        tuple(workspace.log.entries),
        tuple(workspace.log.marks),
        log.read_bytes() if log.exists() else b"",
        lab.tree(),
    )


def _methods(classes: object) -> Iterator[tuple[tuple[str, Side, str], Method]]:
    for class_object in classes:  # type: ignore[attr-defined]
        for side in Side:
            for selector, method in class_object.definition.local_methods(side).items():
                yield (class_object.name, side, selector), method


def assert_unchanged(lab: Lab, before: Snapshot) -> None:
    """Nothing at all has changed."""
    after = snapshot(lab)
    assert after.state is before.state
    assert after == before


def unchanged_by(lab: Lab, action: Callable[[], object]) -> None:
    """Run something that must leave everything as it was."""
    before = snapshot(lab)
    action()
    assert_unchanged(lab, before)
