"""Compiling the sources of the standard library.

Comes in: the text of each file. Guarantees: plain records, or a `LibraryDefect` that
names the file and line: the library is part of the product, its mistakes are defects.
"""

from __future__ import annotations

from collections.abc import Mapping

from lang.ast import nodes as ast
from lang.codegen.context import ClassContext, SlotWrites
from lang.codegen.records import CompiledClass, CompiledMember, CompiledProtocol
from lang.diagnostics import Severity
from lang.pipeline import compile_header, compile_member, compile_protocol, compile_slot
from lang.semantics.modules import library_module
from lang.source import SourceText
from lang.stdlib.load import Library, host_class_names
from lang.syntax import parse_file
from lang.syntax.units import ParsedFile, ParsedUnit, Side


class LibraryDefect(Exception):
    """A source of the standard library that does not compile."""


def compile_library(sources: Mapping[str, bytes], more_hosts: frozenset[str] = frozenset()) -> Library:
    """The records of all classes and protocols."""
    files = [_parsed(name, text.decode()) for name, text in sources.items()]
    headers = {
        unit.node.name.name: unit.node
        for file in files
        for unit in file.units
        if isinstance(unit.node, ast.ClassHeader)
    }
    hosts = host_class_names({n: _superclass(h) for n, h in headers.items()}, more_hosts)
    classes: list[CompiledClass] = []
    protocols: list[CompiledProtocol] = []
    for file in files:
        protocols.extend(compile_protocol(u) for u in file.units if isinstance(u.node, ast.ProtocolDef))
        found = _class_of(file, headers, hosts)
        if found is not None:
            classes.append(found)
    return tuple(classes), tuple(protocols)


def _parsed(name: str, text: str) -> ParsedFile:
    source = SourceText(text, f"{name}.bt")
    parsed = parse_file(source)
    for found in parsed.all_diagnostics():
        if found.severity is Severity.ERROR:
            raise LibraryDefect(f"{source.name}:{source.position(found.span.start).line}: {found.message}")
    return parsed


def _class_of(
    file: ParsedFile, headers: Mapping[str, ast.ClassHeader], hosts: frozenset[str]
) -> CompiledClass | None:
    header = next((u for u in file.units if isinstance(u.node, ast.ClassHeader)), None)
    if header is None or not isinstance(header.node, ast.ClassHeader):
        return None
    name = header.node.name.name
    members = [_member(u, name, headers, hosts) for u in file.units if isinstance(u.node, ast.MethodDef)]
    context = ClassContext(str(library_module(name)))
    slots = [compile_slot(u, context) for u in file.units if isinstance(u.node, ast.DataDecl)]
    return compile_header(header, context, tuple(members), tuple(slots))


def _member(
    unit: ParsedUnit, name: str, headers: Mapping[str, ast.ClassHeader], hosts: frozenset[str]
) -> CompiledMember:
    is_class_side = isinstance(unit.node, ast.MethodDef) and unit.node.signature.is_class_side
    side = Side.CLASS if is_class_side else Side.INSTANCE
    above = _ancestors(name, headers)
    writes = SlotWrites.NONE
    if is_class_side:
        writes = SlotWrites.CLASS_VARIABLE
    elif "Actor" in above:
        writes = SlotWrites.JOURNALED
    elif "TestCase" in above:
        writes = SlotWrites.IN_PLACE
    return compile_member(unit, ClassContext(str(library_module(name)), side, writes, name in hosts))


def _ancestors(name: str, headers: Mapping[str, ast.ClassHeader]) -> frozenset[str]:
    found: set[str] = set()
    at: str | None = name
    while at is not None and at in headers:
        found.add(at)
        at = _superclass(headers[at])
    return frozenset(found)


def _superclass(header: ast.ClassHeader) -> str | None:
    return header.superclass.name if header.superclass is not None else None
