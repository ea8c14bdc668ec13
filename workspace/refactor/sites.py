"""From index rows to the sites that an entry reports (changes.md 2.2, 6, 7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from changelog.entry import Evidence, Site, SiteKind, UnitAddress
from lang.diagnostics import Severity
from lang.semantics.prose import prose_mentions, word_mentions
from lang.semantics.references import ReferenceRole
from lang.source import Span
from lang.syntax.units import Side, UnitKind, UnitName
from workspace import drafting
from workspace.flush.file_text import decoded
from workspace.flush.view import DiskFile
from workspace.manifest_source import cut_bytes
from workspace.refactor.names import matches_basename, speaks_of
from workspace.state import ImageState, Unit
from workspace.xref import Reference, Sender, SymbolUse

_KIND_OF_ROLE = {
    ReferenceRole.EXPRESSION: SiteKind.REFERENCE,
    ReferenceRole.PATTERN: SiteKind.ANNOTATION,
    ReferenceRole.ANNOTATION: SiteKind.ANNOTATION,
    ReferenceRole.SUPERCLASS: SiteKind.SUPERCLASS,
    ReferenceRole.EXTENSION: SiteKind.EXTENSION,
    ReferenceRole.DECLARATION: SiteKind.DEFINITION,
}


def mention_site(state: ImageState, row: Reference) -> Site:
    """The site of a class mention."""
    return site(state, state.units[row.lineage], row.mention.span, _KIND_OF_ROLE[row.mention.role])


def send_site(state: ImageState, row: Sender, evidence: Evidence | None) -> Site:
    """The site of a send; `evidence` is None for a confirmed one."""
    unit = state.units[row.lineage]
    return site(state, unit, row.site.selector.parts[0], SiteKind.SEND, evidence)


def symbol_site(state: ImageState, row: SymbolUse, evidence: Evidence | None) -> Site:
    """The site of a symbol that names a method."""
    return site(state, state.units[row.lineage], row.mention.span, SiteKind.REFERENCE, evidence)


def site(
    state: ImageState,
    unit: Unit,
    span: Span,
    kind: SiteKind,
    evidence: Evidence | None = None,
    *,
    is_reflective: bool = False,
) -> Site:
    """A site in a unit as memory has it."""
    in_method = unit.is_method
    return Site(
        unit.address,
        span,
        first_line(state, unit) + unit.text.count("\n", 0, span.start),
        kind,
        unit.owner,
        unit.name.member if in_method else None,
        (unit.name.side or Side.INSTANCE) if in_method else Side.INSTANCE,
        evidence,
        is_reflective or evidence is Evidence.REFLECTIVE,
    )


def first_line(state: ImageState, unit: Unit) -> int:
    """The 1-based line of its file at which a unit begins, as disk has it; 1 where disk has none."""
    file = state.disk.get(unit.path) if unit.path is not None else None
    if file is None:
        return 1
    return _lines_by_lineage(_Same(file)).get(unit.lineage, 1)


class _Same:
    """A file as a key: the very one, not one that reads alike (which takes as long as what is kept)."""

    __slots__ = ("file",)

    def __init__(self, file: DiskFile) -> None:
        self.file = file

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.file is self.file

    def __hash__(self) -> int:
        return id(self.file)


@lru_cache(maxsize=2048)
def _lines_by_lineage(key: _Same) -> dict[int, int]:
    """The first line of each unit of a file; it never changes, for a file is never changed in place."""
    file = key.file
    lines = _first_lines(file.path, file.data)
    return {unit.lineage: line for unit, line in zip(file.units, lines, strict=False)}


def _first_lines(path: str, data: bytes) -> list[int]:
    """The first line of each unit of a file, in order."""
    text = decoded(data).text
    found: list[int] = []
    line, at = 1, 0
    for cut in cut_bytes(path, data):
        line += text.count("\n", at, cut.span.start)
        at = cut.span.start
        found.append(line)
    return found


# ---------------------------------------------------------------- prose


def prose_sites(state: ImageState, name: str) -> Iterator[Site]:
    """Mentions of a class name in the sources that a rename leaves alone: text, comments, symbols."""
    looked_up = [
        (row.lineage, row.mention.span) for row in state.index.symbol_uses(name) if row.mention.is_reflective
    ]
    for lineage in sorted(state.units):
        unit = state.units[lineage]
        if name in unit.text:
            for span in _mentions_left_alone(state, unit, name):
                is_reflective = any(at == lineage and each.covers(span) for at, each in looked_up)
                yield site(state, unit, span, SiteKind.PROSE, is_reflective=is_reflective)
    for path in sorted(state.disk):
        yield from _between_units(state.disk[path], name)


def transcript_sites(path: str, text: str, name: str) -> Iterator[Site]:
    """Mentions of a class in a transcript, in code or not: it is no source, so nothing in it is rewritten."""
    for span in word_mentions(text, name) if name in text else ():
        yield _in_no_unit(path, span, text.count("\n", 0, span.start) + 1)


def file_name_sites(state: ImageState, paths: Iterable[str], name: str) -> Iterator[Site]:
    """Files whose mere name contains the class's: sites without extent.

    Not a file that is named after a class of its own: `CounterPool.bt` speaks of `CounterPool`.
    """
    for path in sorted(paths):
        if speaks_of(path, name) and not any(
            matches_basename(path, other) for other in _declared(state, path)
        ):
            yield _in_no_unit(path, Span(0, 0), 1)


def _declared(state: ImageState, path: str) -> Iterator[str]:
    file = state.files.get(path)
    units = (state.units[lineage] for lineage in file.lineages) if file is not None else ()
    return (unit.owner for unit in units if unit.kind in (UnitKind.HEADER, UnitKind.PROTOCOL))


def _in_no_unit(path: str, span: Span, line: int) -> Site:
    return Site(UnitAddress(path, UnitName(UnitKind.STATEMENTS)), span, line, SiteKind.PROSE, "")


def _mentions_left_alone(state: ImageState, unit: Unit, name: str) -> Iterator[Span]:
    """Mentions in text, comments and symbols; in a unit with errors also those that no tree holds."""
    rows = state.index.rows_of(unit.lineage)
    known = [] if rows is None else [m.span for m in rows.references.classes if m.name == name]
    if len(known) == unit.text.count(name):
        return
    prose = [mention.span for mention in prose_mentions(unit.text, name)]
    yield from prose
    if any(found.severity is Severity.ERROR for found in drafting.parsed(unit).diagnostics):
        known += prose
        yield from (span for span in word_mentions(unit.text, name) if span not in known)


def _between_units(file: DiskFile, name: str) -> Iterator[Site]:
    """Mentions in the text of a file that belongs to no unit."""
    if file.data.count(name.encode()) == sum(unit.text.count(name) for unit in file.units):
        return
    text = decoded(file.data).text
    spans = [cut.span for cut in cut_bytes(file.path, file.data)]
    for mention in prose_mentions(text, name):
        if not any(span.covers(mention.span) for span in spans):
            yield _in_no_unit(file.path, mention.span, text.count("\n", 0, mention.span.start) + 1)
