"""What a load need not find out again: units, signatures and clean checks of files (workspace.md 1.9).

Comes in: the bytes of sources. Guarantees: a record depends on the file's bytes, its path and
package, the compiler's text and the host's format; its checks count only while every interface that
they asked about, and the library, are what they were when they passed. Only files without any finding are
recorded, so that what is wrong is always found again. Leaves: trees, which are parsed when asked for.
"""

from __future__ import annotations

import hashlib
import marshal
from collections.abc import Callable, Container, Iterable, Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from lang.codegen.context import ClassContext
from lang.codegen.records import CompiledClass, class_from_data
from lang.codegen.unit import CompiledUnit, unit_from_data
from lang.dataclass import dataclass, replace
from lang.deferred import deferred
from lang.source import SourceText, Span
from lang.stdlib.cache_file import prune_daily, read_record, write_record
from lang.syntax.units import ParsedFile, ParsedUnit, Side, UnitCut, UnitKind, UnitName

if TYPE_CHECKING:
    from lang.ast import nodes as ast
    from workspace.flush.view import DiskFile
else:
    ast = deferred("lang.ast.nodes")


MAGIC: Final = b"BTPROJ01"
FORMAT: Final = "4"


@dataclass(frozen=True, slots=True)
class MethodFacts:
    """What a method dictionary says of a method; `code` is its code in packed form, once somebody has run it."""

    arity: int
    is_sealed: bool
    is_internal: bool
    doc: str | None
    code: bytes | None = None

    def compiled_for(self, context: ClassContext) -> CompiledUnit | None:
        """The code, if it is known and was made for just that context."""
        if self.code is None:
            return None
        made_for, unit = marshal.loads(self.code)
        return unit_from_data(unit) if made_for == _context_data(context) else None


def packed_code(compiled: CompiledUnit, context: ClassContext) -> bytes:
    """The code of a method with the context that it was compiled for."""
    data: Any = (_context_data(context), compiled.as_data())
    # Later formats share what happens to be one object: two writers of one key must write equal bytes.
    return marshal.dumps(data, 2)


def _context_data(context: ClassContext) -> tuple[str, str | None, str, bool]:
    side = None if context.side is None else context.side.value
    return (context.module, side, context.writes.value, context.is_host)


@dataclass(frozen=True, slots=True)
class HeaderFacts:
    """A class as its header makes it, without methods; `module` is what its code was compiled for."""

    module: str
    superclass: str | None
    compiled: CompiledClass


Interface = tuple[tuple[str, bytes], ...]


@dataclass(frozen=True, slots=True)
class FileRecord:
    """A source without findings.

    `interface` has a digest of what others may depend on for each class that it declares or extends. Its checks
    asked about `consulted` (None: about everything) and saw what `world` is a digest of. `rows` are the rows of its
    units in the index, packed, once somebody has asked the index.
    """

    units: tuple[tuple[UnitCut, MethodFacts | None], ...]
    interface: Interface
    consulted: tuple[str, ...] | None
    world: bytes
    header: HeaderFacts | None
    rows: bytes | None = None

    def as_file(self, source: SourceText) -> ParsedFile:
        """The file's units; their trees are left to whoever asks."""
        units = (ParsedUnit(cut, source.slice(cut.span), None, ()) for cut, _facts in self.units)
        return ParsedFile(source, tuple(units), ())

    def with_code(self, codes: Mapping[UnitName, bytes]) -> FileRecord:
        """The same with the code of some methods."""
        units = tuple(
            (cut, facts and replace(facts, code=codes.get(cut.name, facts.code))) for cut, facts in self.units
        )
        return replace(self, units=units)

    def method_facts(self) -> Mapping[UnitName, MethodFacts]:
        """The facts of its methods by name."""
        return {cut.name: facts for cut, facts in self.units if facts is not None}


def record_of(
    parsed: ParsedFile, consulted: tuple[str, ...] | None, world: bytes, header: HeaderFacts | None
) -> FileRecord | None:
    """The record of a file that was checked in a world; None when its syntax was not quite right."""
    if parsed.all_diagnostics() or any(unit.node is None for unit in parsed.units):
        return None
    units = tuple((unit.cut, facts_of(unit.node)) for unit in parsed.units)
    return FileRecord(units, interface_of(parsed), consulted, world, header)


def facts_of(node: ast.Declaration | None) -> MethodFacts | None:
    """The facts of a method's tree."""
    method = node.method if isinstance(node, ast.ExtensionDef) else node
    if not isinstance(method, ast.MethodDef):
        return None
    return MethodFacts(len(method.signature.parameters), method.is_sealed, method.is_internal, method.doc)


def interface_of(parsed: ParsedFile) -> Interface:
    """Digests of headers, data, protocols, aliases and signatures, by class: of all but the bodies of methods."""
    digests: dict[str, Any] = {}
    for unit in parsed.units:
        if unit.name.kind is UnitKind.STATEMENTS:
            continue
        owner = unit.name.owner.rpartition("@")[2]
        digest = digests.setdefault(owner, hashlib.sha256())
        digest.update(repr(_name_data(unit.name)).encode())
        digest.update(_interface_text(unit).encode("utf-8", "surrogatepass"))
    return tuple((owner, digest.digest()) for owner, digest in digests.items())


class Interfaces:
    """What checks may see of a project: the interfaces of all files, the superclasses, the global names."""

    def __init__(
        self,
        environment: bytes,
        by_path: Mapping[str, Interface],
        superclasses: Container[str],
        names: Iterable[str],
    ) -> None:
        self._common = environment + "\0".join(sorted(names)).encode("utf-8", "surrogatepass")
        self._superclasses = superclasses
        self._by_owner: dict[str, bytes] = {}
        for path, interface in sorted(by_path.items()):
            for owner, digest in interface:
                self._by_owner[owner] = (
                    self._by_owner.get(owner, b"") + path.encode("utf-8", "surrogatepass") + digest
                )

    def seen(self, consulted: tuple[str, ...] | None) -> bytes:
        """A digest of what those see who ask about some names (None: about everything)."""
        digest = hashlib.sha256(self._common)
        for name in sorted(self._by_owner) if consulted is None else consulted:
            digest.update(f"\0{name} {name in self._superclasses} ".encode("utf-8", "surrogatepass"))
            digest.update(self._by_owner.get(name, b""))
        return digest.digest()


def _interface_text(unit: ParsedUnit) -> str:
    method = unit.node.method if isinstance(unit.node, ast.ExtensionDef) else unit.node
    if not isinstance(method, ast.MethodDef):
        return unit.text
    span = method.signature.span
    modifiers = f"{method.is_sealed} {method.is_internal} {method.signature.is_class_side}"
    return f"{modifiers} {unit.text[span.start : span.end]}"


# ---------------------------------------------------------------- plain data


def _name_data(name: UnitName) -> tuple[str, str, str | None, str, int]:
    return (name.kind.value, name.owner, name.side.value if name.side else None, name.member, name.ordinal)


def _as_data(record: FileRecord) -> Any:
    units = tuple(
        (
            _name_data(cut.name),
            (cut.span.start, cut.span.end, cut.core.start, cut.core.end, cut.column),
            None
            if facts is None
            else (facts.arity, facts.is_sealed, facts.is_internal, facts.doc, facts.code),
        )
        for cut, facts in record.units
    )
    header = record.header
    facts = None if header is None else (header.module, header.superclass, header.compiled.as_data())
    return (units, record.interface, record.consulted, record.world, facts, record.rows)


def _from_data(data: Any) -> FileRecord:
    units, interface, consulted, world, header, rows = data
    return FileRecord(
        tuple(
            [
                (
                    UnitCut(_name_from(name), Span(start, end), Span(core, core_end), column),
                    None if facts is None else MethodFacts(*facts),
                )
                for name, (start, end, core, core_end, column), facts in units
            ]
        ),
        interface,
        consulted,
        world,
        None if header is None else HeaderFacts(header[0], header[1], class_from_data(header[2])),
        rows,
    )


def _name_from(data: tuple[str, str, str | None, str, int]) -> UnitName:
    kind, owner, side, member, ordinal = data
    return UnitName(_KINDS[kind], owner, None if side is None else _SIDES[side], member, ordinal)


_KINDS: Final = {kind.value: kind for kind in UnitKind}
_SIDES: Final = {side.value: side for side in Side}


# ---------------------------------------------------------------- the folder


class CompileCache:
    """The records of one project, in its `.beamtalk/cache`; a folder that cannot be written is no failure.

    `environment` is a digest of all that compiled code and its checks depend on besides the project.
    """

    def __init__(
        self, folder: Path, package: str, environment: Callable[[], bytes], *, is_writable: bool
    ) -> None:
        self._folder = folder / FORMAT
        self._package = package
        self._find_environment = environment
        self._is_writable = is_writable
        self._compiled: dict[str, dict[UnitName, tuple[str, bytes]]] = {}
        self.without_rows: frozenset[str] = frozenset()
        """The files of the last load whose records have no rows yet."""

    def note_compiled(self, path: str, name: UnitName, text: str, code: bytes) -> None:
        """Keep the packed code of a method, for the record of its file."""
        if self._is_writable:
            self._compiled.setdefault(path, {})[name] = (text, code)

    @property
    def paths_compiled(self) -> tuple[str, ...]:
        """The files of which a method was compiled since the load."""
        return tuple(self._compiled)

    def write_compiled(self, disk: Mapping[str, DiskFile]) -> None:
        """Add the code that was made since the load to the records of the files as they were loaded."""
        compiled, self._compiled = self._compiled, {}
        fresh: dict[bytes, FileRecord] = {}
        for path, methods in compiled.items():
            file = disk.get(path)
            key = None if file is None else self.key(path, file.snapshot.sha256)
            record = None if key is None else self.read(key)
            if file is None or key is None or record is None:
                continue
            texts = {unit.name: unit.text for unit in file.units}
            codes = {name: code for name, (text, code) in methods.items() if texts.get(name) == text}
            fresh[key] = record.with_code(codes)
        self.write(fresh)

    def write_rows(self, disk: Mapping[str, DiskFile], rows_of: Callable[[DiskFile], bytes | None]) -> None:
        """Add to the records of the files as they were loaded their rows, where `rows_of` knows them."""
        paths, self.without_rows = self.without_rows, frozenset()
        fresh: dict[bytes, FileRecord] = {}
        for path in sorted(paths):
            file = disk.get(path)
            key = None if file is None else self.key(path, file.snapshot.sha256)
            record = None if key is None else self.read(key)
            rows = None if file is None else rows_of(file)
            if key is not None and record is not None and rows is not None:
                fresh[key] = replace(record, rows=rows)
        self.write(fresh)

    @cached_property
    def _environment(self) -> bytes:
        """The compiler and the library, whose classes every check may consult."""
        return self._find_environment()

    def key(self, path: str, sha256: str) -> bytes:
        """The key of a source, by its path and the hash of its bytes."""
        text = f"{self._package}\0{path}\0{sha256}"
        return hashlib.sha256(self._environment + text.encode("utf-8", "surrogatepass")).digest()

    def interfaces(
        self, by_path: Mapping[str, Interface], superclasses: Container[str], names: Iterable[str]
    ) -> Interfaces:
        """What checks may see of a project with these files."""
        return Interfaces(self._environment, by_path, superclasses, names)

    def read(self, key: bytes) -> FileRecord | None:
        """The record of a key; None when there is none that can be trusted."""
        payload = read_record(self._path(key), MAGIC, key)
        if payload is None:
            return None
        try:
            return _from_data(marshal.loads(payload))
        except (ValueError, EOFError, TypeError, KeyError):
            return None

    def write(self, records: Mapping[bytes, FileRecord]) -> None:
        """Write records; what cannot be written is left out."""
        if not self._is_writable:
            return
        with suppress(OSError):
            for key, record in records.items():
                write_record(self._path(key), MAGIC, key, marshal.dumps(_as_data(record)))

    def used(self, keys: Iterable[bytes]) -> None:
        """Note that records were of use, at most daily: those nobody uses for 30 days are pruned."""
        if self._is_writable:
            with suppress(OSError):
                prune_daily(self._folder, (self._path(key) for key in keys))

    def _path(self, key: bytes) -> Path:
        name = key.hex()
        return self._folder / name[:2] / f"{name}.btc"
