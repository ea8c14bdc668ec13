"""The manifest as a source of the image: the one string in it that names a class (changes.md 6).

Comes in: the text of a project file. Guarantees: of `beamtalk.toml` exactly the content of
`[application] supervisor` is a unit, if the manifest is well formed and has one; any other file is
cut and parsed as Beamtalk. Leaves: all other meaning of the manifest to `manifest`.
"""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache

from lang.source import SourceText, Span
from lang.syntax import cut_file, parse_file, parse_unit
from lang.syntax.units import ParsedFile, ParsedUnit, UnitCut, UnitKind, UnitName
from workspace.flush.file_text import decoded
from workspace.manifest import MANIFEST_NAME
from workspace.toml_places import TomlPlaces

SUPERVISOR = UnitName(UnitKind.STATEMENTS, member="supervisor")
"""The unit's name: its text reads as an expression that is a class name."""

_KEY = ("application", "supervisor")
_VALUE = re.compile(r"""[ \t]*=[ \t]*(?:"([A-Z][A-Za-z0-9_]*)"|'([A-Z][A-Za-z0-9_]*)')""")


def cut_source(source: SourceText) -> tuple[UnitCut, ...]:
    """The units of a project file; the source's name is its path."""
    return _cut(source.name == MANIFEST_NAME, source.text)


def cut_bytes(path: str, data: bytes) -> tuple[UnitCut, ...]:
    """The units of a project file's bytes, with spans in its LF text."""
    return _cut(path == MANIFEST_NAME, decoded(data).text)


@lru_cache(maxsize=2048)
def _cut(is_manifest: bool, text: str) -> tuple[UnitCut, ...]:  # noqa: FBT001 - part of the key of the cache
    """The units of a text, which depend on nothing else: a plan that was shown is made again when it is carried out."""
    source = SourceText(text)
    return cut_manifest(source) if is_manifest else tuple(cut_file(source))


def parse_source(source: SourceText) -> ParsedFile:
    """A project file, cut and parsed; the source's name is its path."""
    if source.name != MANIFEST_NAME:
        return parse_file(source)
    return ParsedFile(source, tuple(_parsed(source, cut) for cut in cut_manifest(source)), ())


def cut_manifest(source: SourceText) -> tuple[UnitCut, ...]:
    """The unit of the supervisor's name, if there is one."""
    declared = _declared(source.text)
    if declared is None:
        return ()
    value = _VALUE.match(source.text, TomlPlaces(source.text).span(_KEY).end)
    if value is None or value[value.lastindex or 0] != declared:
        return ()
    span = Span(*value.span(value.lastindex or 0))
    return (UnitCut(SUPERVISOR, span, span, 0),)


def _declared(text: str) -> str | None:
    """The supervisor as the parser of TOML reads it."""
    try:
        application = tomllib.loads(text).get("application")
    except tomllib.TOMLDecodeError:
        return None
    found = application.get("supervisor") if isinstance(application, dict) else None
    return found if isinstance(found, str) else None


def _parsed(source: SourceText, cut: UnitCut) -> ParsedUnit:
    text = source.slice(cut.span)
    syntax = parse_unit(text, UnitKind.STATEMENTS)
    return ParsedUnit(cut, text, syntax.node, syntax.diagnostics)
