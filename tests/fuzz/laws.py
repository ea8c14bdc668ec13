"""What holds for every text, whatever it is (language.md 5, docs/architecture.md 6).

The text comes back; spans lie in it; completeness is told; the checks end; a unit in which
no error was found compiles, and its code is plain data.
"""

from __future__ import annotations

import marshal
from dataclasses import dataclass
from functools import cache

from lang.ast import nodes as ast
from lang.class_kind import ClassKind
from lang.codegen.context import ClassContext, SlotWrites
from lang.diagnostics import Severity
from lang.pipeline import compile_header, compile_member, compile_protocol, compile_slot, compile_statements
from lang.semantics.check import check_file
from lang.semantics.hierarchy import ClassView
from lang.source import SourceText
from lang.syntax import is_complete, parse_file, parse_input, parse_method_source, unparse
from lang.syntax.units import ParsedFile, ParsedUnit, Side
from tests.lang.semantics.library import library_view


@dataclass(frozen=True, slots=True)
class Verdict:
    """How far a text came: units that compiled, units with errors, and the syntax errors among these."""

    compiled: int
    refused: int
    syntax_errors: tuple[str, ...]


def judge(text: str) -> Verdict:
    """Assert every law for a file."""
    parsed = parse_file(SourceText(text, "fuzz.bt"))
    assert unparse(parsed) == text
    _spans_lie_inside(parsed)
    assert is_complete(text) in (True, False)
    view = library_view()
    checked = check_file(parsed, view)
    known = view.with_file(parsed)
    compiled = sum([_compiled(unit, known) for unit in checked.units])
    return Verdict(compiled, _refused(checked), _errors(parsed))


def judge_input(text: str) -> Verdict:
    """Assert every law for what is typed at a prompt, or given as the source of a method."""
    parsed = parse_input(text)
    assert unparse(parsed) == text
    method = parse_method_source(text)
    assert method.text in text
    assert is_complete(text) in (True, False)
    checked = check_file(parsed, library_view())
    compiled = sum([_compiled(unit, library_view()) for unit in checked.units])
    return Verdict(compiled, _refused(checked), _errors(parsed))


def _refused(checked: ParsedFile) -> int:
    return sum(_has_errors(unit) for unit in checked.units)


def _errors(parsed: ParsedFile) -> tuple[str, ...]:
    """What the parser refused, each with what stands there."""
    return tuple(
        f"{each.message}: {parsed.source.text[each.span.start - 20 : each.span.end + 10]!r}"
        for each in parsed.all_diagnostics()
        if each.severity is Severity.ERROR
    )


def _has_errors(unit: ParsedUnit) -> bool:
    return any(each.severity is Severity.ERROR for each in unit.diagnostics)


def _spans_lie_inside(parsed: ParsedFile) -> None:
    at = 0
    for unit in parsed.units:
        start, end = unit.cut.span
        assert at <= start <= end <= len(parsed.source.text)
        assert start <= unit.cut.core.start <= unit.cut.core.end <= end
        at = end
    for each in parsed.all_diagnostics():
        assert 0 <= each.span.start <= each.span.end <= len(parsed.source.text)
        assert each.message.strip()


# ---------------------------------------------------------------- code


def _compiled(unit: ParsedUnit, view: ClassView) -> bool:
    """Compile a unit without errors; whether there was one to compile."""
    if unit.node is None or _has_errors(unit):
        return False
    match unit.node:
        case ast.MethodDef() | ast.ExtensionDef():
            # Whose header is broken has no class to be compiled for.
            if unit.name.side is None or view.facts(unit.name.owner.rpartition("@")[2]) is None:
                return False
            data = compile_member(unit, _context(unit.name.owner, unit.name.side, view)).as_data()
        case ast.ClassHeader():
            data = compile_header(unit, _context(unit.name.owner, Side.INSTANCE, view)).as_data()
        case ast.DataDecl():
            data = compile_slot(unit, _context(unit.name.owner, Side.INSTANCE, view)).as_data()
        case ast.ProtocolDef():
            data = compile_protocol(unit).as_data()
        case ast.Statements():
            data = compile_statements(unit, "fuzz").as_data()
        case _:
            return False
    assert marshal.loads(marshal.dumps(data)) == data  # type: ignore[arg-type]
    return True


@cache
def _module(owner: str) -> str:
    return f"bt@fuzz@{owner}"


def _context(owner: str, side: Side, view: ClassView) -> ClassContext:
    name = owner.rpartition("@")[2]
    if side is Side.CLASS:
        return ClassContext(_module(name), side, SlotWrites.CLASS_VARIABLE)
    # A class whose superclass is not known may be an actor; a load would refuse it.
    if view.kind_of(name) in (ClassKind.ACTOR, None):
        return ClassContext(_module(name), side, SlotWrites.JOURNALED)
    writes = SlotWrites.IN_PLACE if view.inherits(name, "TestCase") else SlotWrites.NONE
    return ClassContext(_module(name), side, writes)
