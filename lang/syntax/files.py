"""A whole text: cut, parse each unit, gather what is wrong with the file as such.

Comes in: a source text, a prompt input, the source of a method. Guarantees: never
raises; `unparse` gives back the text byte for byte. Leaves: names and types.
"""

from __future__ import annotations

from typing import NamedTuple

from lang.dataclass import dataclass
from lang.diagnostics import Diagnostic, Severity
from lang.source import SourceText, Span
from lang.syntax.cut import Cutter, Piece, swallowing, unit_cuts
from lang.syntax.docs import doc_runs
from lang.syntax.messages import Message
from lang.syntax.parse import parse_unit, with_problems
from lang.syntax.problems import Problem
from lang.syntax.resume import cut_within, member_line, parity_mistakes
from lang.syntax.tokens import BAD_TYPES, Tokens, tokenize
from lang.syntax.units import ParsedFile, ParsedUnit, UnitCut, UnitKind, member_limit

_MAXIMUM_STRING_CUTS = 8


def cut_file(source: SourceText) -> tuple[UnitCut, ...]:
    """The units of a sound file, from tokens alone (changes.md 1.1).

    In a broken one `parse_file` may cut more, where brackets of two members only seem to match.
    """
    tokens = tokenize(source.text)
    return tuple(unit_cuts(tokens, Cutter(tokens).run()))


def parse_file(source: SourceText) -> ParsedFile:
    """Cut and parse a file. All mistakes are reported in one go; each costs its own unit only."""
    parse = _cut_and_parse(source, tokenize(source.text))
    if any(map(_is_broken, parse.units)):
        parse = _with_strings_cut(source, parse)
    found = _one_per_file(parse.units) + _detached_docs(source.text, parse.units)
    found += [Problem(Message.STRING_OVER_MEMBERS, s.span).diagnostic() for s in _suspicious_strings(parse)]
    return ParsedFile(source, parse.units, tuple(found))


@dataclass(frozen=True, slots=True)
class _Parse:
    """One way to cut a file."""

    tokens: Tokens
    pieces: list[Piece]
    units: tuple[ParsedUnit, ...]

    @property
    def quality(self) -> int:
        """The greater the better: a sound unit weighs more than a broken one."""
        broken = sum(map(_is_broken, self.units))
        return 2 * (len(self.units) - broken) - broken


def _is_broken(unit: ParsedUnit) -> bool:
    return any(d.severity is Severity.ERROR for d in unit.diagnostics)


def _cut_and_parse(source: SourceText, tokens: Tokens) -> _Parse:
    """Cut and parse; where a broken unit turns out to hold members within brackets, cut there too."""
    distrusted: frozenset[int] = frozenset()
    while True:
        pieces = Cutter(tokens, distrusted=distrusted).run()
        units = _parse(source, tokens, pieces)
        more = distrusted.union(
            *(swallowing(tokens, p) for p, unit in zip(pieces, units, strict=True) if _is_broken(unit))
        )
        if more == distrusted:
            return _Parse(tokens, pieces, units)
        distrusted = more


def _with_strings_cut(source: SourceText, parse: _Parse) -> _Parse:
    """Cut strings and comments that would take members into them, one by one, while that mends more than it breaks."""
    for _ in range(_MAXIMUM_STRING_CUTS):
        others = [
            _cut_and_parse(source, cut_within(parse.tokens, s.token, s.resume))
            for s in _suspicious_strings(parse)[:_MAXIMUM_STRING_CUTS]
        ]
        # Where no quote is missing, none must be missing behind the cut either.
        allowed = parity_mistakes(parse.tokens) and len(source.text)
        others = [o for o in others if parity_mistakes(o.tokens) <= max(1, allowed)]
        best = max(others, key=lambda other: other.quality, default=parse)
        if best.quality <= parse.quality:
            return parse
        parse = best
    return parse


class _Suspicious(NamedTuple):
    """A string with a line that looks like a member: two missing quotes balance."""

    piece: int
    token: int
    resume: int
    span: Span


def _suspicious_strings(parse: _Parse) -> list[_Suspicious]:
    tokens, text = parse.tokens, parse.tokens.text
    found: list[_Suspicious] = []
    for number, piece in enumerate(parse.pieces):
        if piece.kind not in (UnitKind.METHOD, UnitKind.EXTENSION, UnitKind.STATEMENTS):
            continue
        is_member = piece.kind is UnitKind.METHOD
        for j in range(piece.core, piece.end):
            start, end = tokens.starts[j], tokens.ends[j]
            if tokens.kinds[j] not in 'lsm"#?' or text.find("\n", start, end) < 0:
                continue
            limit = member_limit(piece.column) if is_member else 0
            line = member_line(text, start, end, limit, in_class=is_member)
            if line is not None:
                found.append(_Suspicious(number, j, line, Span(start, text.index("\n", start))))
    return found


def parse_input(text: str, name: str = "prompt") -> ParsedFile:
    """Parse one prompt input: statements and declarations mixed; neighbouring statements are one unit."""
    source = SourceText(text, name)
    tokens = tokenize(text)
    pieces = _joined(Cutter(tokens).run())
    return ParsedFile(source, _parse(source, tokens, pieces), ())


def parse_method_source(text: str) -> ParsedUnit:
    """Parse a method given as text, at any indentation; its unit is of kind METHOD.

    What follows the method is an error in it.
    """
    tokens = tokenize(text)
    pieces = Cutter(tokens).run()
    first = tokens.cols[0] if len(tokens) > 1 else 0
    if not pieces or pieces[0].kind not in (UnitKind.METHOD, UnitKind.STATEMENTS):
        pieces = pieces[:1] or [Piece(UnitKind.METHOD, 0, 0, 0)]
    head = pieces[0]
    whole = Piece(UnitKind.METHOD, 0, head.core, max(0, first), "", head.side, head.member)
    whole.end = max(1, len(tokens) - 1)
    cut = unit_cuts(tokens, [whole])[0]
    return _unit(text[cut.span.start : cut.span.end], cut, None, None)


def unparse(parsed: ParsedFile) -> str:
    """The text again: units as parsed, and what lies between them."""
    pieces: list[str] = []
    at = 0
    for unit in parsed.units:
        pieces.append(parsed.source.text[at : unit.cut.span.start])
        pieces.append(unit.text)
        at = unit.cut.span.end
    pieces.append(parsed.source.text[at:])
    return "".join(pieces)


def _parse(source: SourceText, tokens: Tokens, pieces: list[Piece]) -> tuple[ParsedUnit, ...]:
    cuts = unit_cuts(tokens, pieces)
    is_sound = BAD_TYPES.isdisjoint(tokens.types)
    units = []
    for cut, piece in zip(cuts, pieces, strict=True):
        text = source.slice(cut.span)
        # Tokens of a file with lexical mistakes may have been cut otherwise than those of the unit alone.
        own = tokens.part(piece.first, piece.end, cut.span.start, text) if is_sound else None
        units.append(_unit(text, cut, piece.problem, own))
    return tuple(units)


def _unit(text: str, cut: UnitCut, mistake: Message | None, tokens: Tokens | None) -> ParsedUnit:
    syntax = parse_unit(text, cut.name.kind, cut.column, tokens)
    if mistake is not None:
        start = cut.core.start - cut.span.start
        first_line = Span(start, start + len(text[start:].split("\n", 1)[0].rstrip()))
        syntax = with_problems(syntax, Problem(mistake, first_line, cut.name.member))
    return ParsedUnit(cut, text, syntax.node, syntax.diagnostics)


def _joined(pieces: list[Piece]) -> list[Piece]:
    """Neighbouring statements as one piece."""
    joined: list[Piece] = []
    for piece in pieces:
        if joined and piece.kind is UnitKind.STATEMENTS and joined[-1].kind is UnitKind.STATEMENTS:
            joined[-1].end = piece.end
        else:
            joined.append(piece)
    return joined


def _one_per_file(units: tuple[ParsedUnit, ...]) -> list[Diagnostic]:
    """One class or one protocol per file (language.md 5.1); each further one is reported at its declaration."""
    main = [u for u in units if u.name.kind in (UnitKind.HEADER, UnitKind.PROTOCOL) and u.name.owner]
    return [
        Problem(Message.ONE_PER_FILE, _first_line(unit), unit.name.owner, main[0].name.owner).diagnostic()
        for unit in main[1:]
    ]


def _first_line(unit: ParsedUnit) -> Span:
    start = unit.cut.core.start
    line = unit.text[start - unit.cut.span.start :].split("\n", 1)[0]
    return Span(start, start + len(line.rstrip()))


def _detached_docs(text: str, units: tuple[ParsedUnit, ...]) -> list[Diagnostic]:
    """Doc comments that no unit owns."""
    if "///" not in text:
        return []
    spans = [unit.cut.span for unit in units]
    found: list[Diagnostic] = []
    at = 0
    for start, end in [*spans, Span(len(text), len(text))]:
        if text.find("///", at, start) >= 0:
            found.extend(_docs_between(text, at, start))
        at = end
    return found


def _docs_between(text: str, at: int, end: int) -> list[Diagnostic]:
    return [
        Problem(Message.DOC_NOT_ATTACHED, run.span.shifted(at)).diagnostic()
        for run in doc_runs(tokenize(text[at:end]))
    ]
