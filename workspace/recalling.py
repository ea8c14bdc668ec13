"""The first load of a project with the help of its compile cache (workspace.md 1.9).

Comes in: today's sources and the cache. Guarantees: a file whose bytes and path are as recorded is not
parsed, and not checked either if no interface of the project or library has changed since; what
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
    interface_of,
    packed_code,
    record_of,
)
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
    """Today's sources with what is known of them already. `world` is what their checks would see."""

    sources: Mapping[str, SourceToday]
    known: KnownUnits
    world: bytes
    keys: Mapping[str, bytes]
    records: Mapping[str, FileRecord]


def recalled(cache: CompileCache, today: Mapping[str, SourceToday], names: Iterable[str]) -> Recalled:
    """Look up every source; those without a record are parsed, for the interfaces of all must be known."""
    keys = {path: cache.key(path, source.snapshot.sha256) for path, source in today.items()}
    found = ((path, cache.read(key)) for path, key in keys.items())
    records = {path: record for path, record in found if record is not None}
    sources = {path: _with_units(source, records.get(path)) for path, source in today.items()}
    interfaces = {path: _interface(source, records.get(path)) for path, source in sources.items()}
    world = cache.world(interfaces, names)
    checked = frozenset(path for path, record in records.items() if record.world == world)
    methods = {
        (path, name): facts
        for path, record in records.items()
        for name, facts in record.method_facts().items()
    }
    headers = {path: record.header for path, record in records.items() if record.header is not None}
    return Recalled(sources, KnownUnits(checked, methods, headers), world, keys, records)


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
        record = _record(source, load.records.get(path), load.world, module_of)
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


def _interface(source: SourceToday, record: FileRecord | None) -> bytes:
    if record is not None:
        return record.interface
    return interface_of(source.units) if source.units is not None else source.snapshot.sha256.encode()


def _record(
    source: SourceToday, record: FileRecord | None, world: bytes, module_of: Callable[[str], str]
) -> FileRecord | None:
    if record is not None:
        return replace(record, world=world)
    parsed = source.parsed()
    return record_of(parsed, world, _header(parsed, module_of)) if isinstance(parsed, ParsedFile) else None


def _header(parsed: ParsedFile, module_of: Callable[[str], str]) -> HeaderFacts | None:
    for unit in parsed.units:
        if isinstance(unit.node, ast.ClassHeader):
            module = module_of(unit.name.owner)
            superclass = unit.node.superclass
            compiled = pipeline.compile_header(unit, ClassContext(module))
            return HeaderFacts(module, None if superclass is None else superclass.name, compiled)
    return None
