"""The first load of a project with the help of its compile cache (workspace.md 1.9).

Comes in: today's sources and the cache. Guarantees: a file whose bytes and path are as recorded is not
parsed, and not checked either if no interface that its checks asked about has changed since; what
the load then says is what it would have said without a cache. Leaves: loading to `loader`.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from typing import TYPE_CHECKING

from lang.codegen.context import ClassContext
from lang.dataclass import dataclass, replace
from lang.deferred import deferred
from lang.syntax.units import ParsedFile
from workspace.change import KnownUnits
from workspace.compile_cache import (
    CompileCache,
    FileRecord,
    HeaderFacts,
    Interface,
    Interfaces,
    interface_of,
    packed_code,
    record_of,
)
from workspace.consulting import Consultations
from workspace.sources import SourceToday
from workspace.state import Unit

if TYPE_CHECKING:
    from lang import pipeline
    from lang.ast import nodes as ast
    from lang.codegen.unit import CompiledUnit
else:
    ast = deferred("lang.ast.nodes")
    pipeline = deferred("lang.pipeline")


@dataclass(frozen=True, slots=True)
class Recalled:
    """Today's sources with what is known of them already. `interfaces` is what their checks would see."""

    sources: Mapping[str, SourceToday]
    known: KnownUnits
    interfaces: Interfaces
    keys: Mapping[str, bytes]
    records: Mapping[str, FileRecord]


def recalled(cache: CompileCache, today: Mapping[str, SourceToday], names: Iterable[str]) -> Recalled:
    """Look up every source; those without a record are parsed, for the interfaces of all must be known."""
    keys = {path: cache.key(path, source.snapshot.sha256) for path, source in today.items()}
    found = ((path, cache.read(key)) for path, key in keys.items())
    records = {path: record for path, record in found if record is not None}
    sources = {path: _with_units(source, records.get(path)) for path, source in today.items()}
    by_path = {path: _interface(source, records.get(path)) for path, source in sources.items()}
    above = frozenset(
        name
        for path, source in sources.items()
        if (name := _superclass(source, records.get(path))) is not None
    )
    interfaces = cache.interfaces(by_path, above, names)
    checked = frozenset(
        path for path, record in records.items() if record.world == interfaces.seen(record.consulted)
    )
    methods = {
        (path, name): facts
        for path, record in records.items()
        for name, facts in record.method_facts().items()
    }
    headers = {path: record.header for path, record in records.items() if record.header is not None}
    rows = {path: record for path, record in records.items() if record.rows is not None}
    cache.without_rows = frozenset(today) - frozenset(rows)
    known = KnownUnits(checked, methods, headers, Consultations(), rows)
    return Recalled(sources, known, interfaces, keys, records)


def remember(
    cache: CompileCache, load: Recalled, faulty: Container[str | None], module_of: Callable[[str], str]
) -> None:
    """Record the files of a load in which every file was taken; `faulty` had findings.

    `module_of` gives the module of a class.
    """
    cache.used(load.keys[path] for path in load.known.checked)
    fresh: dict[bytes, FileRecord] = {}
    for path, source in load.sources.items():
        if path in load.known.checked or path in faulty:
            continue
        record = _record(source, load, module_of)
        if record is not None:
            fresh[load.keys[path]] = record
    if fresh:
        cache.write(fresh)


def note_compiled(cache: CompileCache, unit: Unit, context: ClassContext, compiled: CompiledUnit) -> None:
    """Keep the code that a loaded method needed, so that the next load finds it."""
    if unit.path is not None:
        cache.note_compiled(unit.path, unit.name, unit.text, packed_code(compiled, context))


def _with_units(source: SourceToday, record: FileRecord | None) -> SourceToday:
    text = source.decoded()
    if isinstance(text, str):
        return source
    return replace(source, units=record.as_file(text)) if record is not None else source.with_parsed()


def _interface(source: SourceToday, record: FileRecord | None) -> Interface:
    if record is not None:
        return record.interface
    return interface_of(source.units) if source.units is not None else ()


def _superclass(source: SourceToday, record: FileRecord | None) -> str | None:
    """The class that the class of a file is a subclass of."""
    if record is not None:
        above = None if record.header is None else record.header.superclass
        return None if above is None else above.rpartition("@")[2]
    for unit in source.units.units if source.units is not None else ():
        if isinstance(unit.node, ast.ClassHeader):
            return None if unit.node.superclass is None else unit.node.superclass.name
    return None


def _record(source: SourceToday, load: Recalled, module_of: Callable[[str], str]) -> FileRecord | None:
    """The record of a file whose checks have just found nothing."""
    known = load.known.consultations
    consulted = None if known is None else known.names_of(source.path)
    world = load.interfaces.seen(consulted)
    record = load.records.get(source.path)
    if record is not None:
        return replace(record, consulted=consulted, world=world)
    parsed = source.parsed()
    if not isinstance(parsed, ParsedFile):
        return None
    return record_of(parsed, consulted, world, _header(parsed, module_of))


def _as_written(ref: ast.ClassRef) -> str:
    return ref.name if ref.package is None else f"{ref.package}@{ref.name}"


def _header(parsed: ParsedFile, module_of: Callable[[str], str]) -> HeaderFacts | None:
    for unit in parsed.units:
        if isinstance(unit.node, ast.ClassHeader):
            module = module_of(unit.name.owner)
            superclass = unit.node.superclass
            compiled = pipeline.compile_header(unit, ClassContext(module))
            return HeaderFacts(module, None if superclass is None else _as_written(superclass), compiled)
    return None
