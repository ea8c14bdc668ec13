"""Errors and findings as a prompt or a script shows them (workspace.md 3.7).

Comes in: the outcome of an input, and where its text stands. Guarantees: carets stand under
the failing send of that input, and frames name project code; whatever cannot be told is left
out, for nothing here may fail. Leaves: evaluating; colours to `Palette`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from types import TracebackType
from typing import TYPE_CHECKING, Final

from lang.codegen.unit import UNIT
from lang.dataclass import dataclass, replace
from lang.deferred import deferred
from lang.diagnostics import Diagnostic, Severity
from lang.diagnostics.render import MAXIMUM_SHOWN, Role, excerpt, render
from lang.runtime.classes import ClassObject
from lang.runtime.errors import BeamtalkError
from lang.runtime.link import LinkedUnit
from lang.source import SourceText, Span
from lang.spelling import method_name
from lang.syntax.units import ParsedUnit, Side, UnitKind
from repl.paint import Palette, visible
from repl.places import in_its_file
from repl.suggestions import near
from workspace.change import Finding
from workspace.places import method_place
from workspace.sessions import Outcome
from workspace.workspace import Workspace

if TYPE_CHECKING:
    from lang import syntax
    from lang.ast import nodes as ast
    from lang.ast import walk
else:
    ast = deferred("lang.ast.nodes")
    syntax = deferred("lang.syntax")
    walk = deferred("lang.ast.walk")


MAX_FRAMES: Final = 5
UNDEFINED: Final = "Undefined variable: "

# The library's own hints of these kinds say no more than the message does (workspace.md 3.7, end).
_STOCK_KINDS: Final = frozenset({"does_not_understand", "actor_dead"})
_OF_CLASS_BODIES: Final = (UnitKind.METHOD, UnitKind.DATA)


@dataclass(frozen=True, slots=True)
class Typed:
    """Where an evaluated text stands: the whole input or script, and the offset of the text in it."""

    source: SourceText
    offset: int = 0


class ErrorPrinter:
    """Shows what went wrong in one workspace."""

    def __init__(self, workspace: Workspace, palette: Palette) -> None:
        self._workspace = workspace
        self._palette = palette

    def outcome(self, outcome: Outcome, typed: Typed) -> str:
        """The error of an outcome that has one."""
        error = outcome.error
        assert error is not None
        if outcome.findings:
            return self.findings(outcome.findings, outcome.source, typed)
        return self._runtime_error(error, outcome, typed)

    # ------------------------------------------------------------ findings

    def findings(self, findings: Sequence[Finding], evaluated: SourceText, typed: Typed) -> str:
        """Findings in source order, at most ten."""
        blocks = [self.finding(each, evaluated, typed) for each in findings[:MAXIMUM_SHOWN]]
        if len(findings) > MAXIMUM_SHOWN:
            blocks.append(f"… {len(findings) - MAXIMUM_SHOWN} more")
        return "\n".join(blocks)

    def finding(self, finding: Finding, evaluated: SourceText, typed: Typed) -> str:
        """One finding; in the text that was evaluated, or in a file."""
        if finding.source.text == evaluated.text and finding.path is None:
            shown = self._with_near_name(finding.diagnostic).shifted(typed.offset)
            return render(shown, typed.source, self._palette.diagnostic)
        return self.in_file(finding)

    def _with_near_name(self, found: Diagnostic) -> Diagnostic:
        """A finding about an unknown variable, with the local name that was perhaps meant."""
        if not found.message.startswith(UNDEFINED) or found.hint is None:
            return found
        near_name = self._near_variable(found.message.removeprefix(UNDEFINED))
        return replace(found, hint=near_name) if near_name is not None else found

    def in_file(self, finding: Finding) -> str:
        """One finding of a file, with line and column of that file."""
        source, diagnostic = in_its_file(self._workspace.root, finding)
        return render(diagnostic, source, self._palette.diagnostic)

    # ------------------------------------------------------------ errors of running code

    def _runtime_error(self, error: BeamtalkError, outcome: Outcome, typed: Typed) -> str:
        lines = [self.title(error)]
        spans = failing_spans(error, outcome)
        if spans:
            first, *others = [span.shifted(typed.offset) for span in spans]
            lines += excerpt(first, typed.source, Severity.ERROR, self._palette.diagnostic, others)
        lines += self._hint_lines(error)
        return "\n".join([*lines, *self._frames(error)])

    def without_place(self, error: BeamtalkError) -> str:
        """An error of a command: no carets, no frames."""
        return "\n".join([self.title(error), *self._hint_lines(error)])

    def title(self, error: BeamtalkError) -> str:
        """`Error: RuntimeError: Till does not understand 'rign:'`."""
        name = error.exception_class_name
        prefix = "" if name == "Error" or error.kind == "compile_error" else f"{name}: "
        label = self._palette.diagnostic("Error:", Role.LABEL, Severity.ERROR)
        return f"{label} {prefix}{visible(error.message)}"

    def _hint_lines(self, error: BeamtalkError) -> list[str]:
        hint = self._near_hint(error) or error.hint
        if hint is None or self._is_stock(error, hint):
            return []
        return [f"Hint: {visible(hint)}"]

    @staticmethod
    def _is_stock(error: BeamtalkError, hint: str) -> bool:
        is_general = error.kind in _STOCK_KINDS or error.raw_kind == "badarith"
        return is_general and not hint.startswith("Did you mean")

    def _near_hint(self, error: BeamtalkError) -> str | None:
        """A did-you-mean, where the error does not bring one."""
        runtime = self._workspace.runtime
        if error.kind == "does_not_understand" and error.selector is not None:
            found = near(error.selector, self._selectors(error.class_name or ""), most=3)
            quoted = " or ".join(f"'{each}'" for each in found)
            return f"Did you mean {quoted}?" if found else None
        if error.kind == "class_not_found" and error.class_name is not None:
            found = near(error.class_name, runtime.class_names, most=1)
            return f"Did you mean `{found[0]}`?" if found else None
        if error.kind == "undefined_variable" and error.message.startswith(UNDEFINED):
            return self._near_variable(error.message.removeprefix(UNDEFINED))
        return None

    def _near_variable(self, name: str) -> str | None:
        """A bound name that differs little; names live in sessions, globals in the registry."""
        known = [each for session in self._workspace.sessions.live() for each in session.names]
        found = near(name, [*known, *self._workspace.runtime.class_names], most=1)
        return f"Did you mean `{found[0]}`?" if found else None

    def _selectors(self, class_name: str) -> Iterator[str]:
        found = self._workspace.runtime.class_named(class_name.removesuffix(" class"))
        if found is None:
            found = self._workspace.runtime.class_named("Object")
        side = Side.CLASS if class_name.endswith(" class") else Side.INSTANCE
        return selectors_of(found, side) if found is not None else iter(())

    # ------------------------------------------------------------ frames

    def _frames(self, error: BeamtalkError) -> list[str]:
        frames = list(self.frames(error))
        shown = [f"  in {frame}" for frame in frames[:MAX_FRAMES]]
        if len(frames) > MAX_FRAMES:
            shown.append(f"  … {len(frames) - MAX_FRAMES} more (:backtrace)")
        return shown

    def frames(self, error: BeamtalkError) -> Iterator[str]:
        """The activations of project code, innermost first, each once per place."""
        found = [
            (unit, line) for unit, _at, line in _activations(error.__traceback__) if unit.owner is not None
        ]
        texts = (self._frame(unit, line) for unit, line in reversed(found))
        yield from dict.fromkeys(text for text in texts if text is not None)

    def _frame(self, unit: LinkedUnit, line: int) -> str | None:
        state = self._workspace.state
        owner = unit.owner
        if owner is None or owner.name not in state.members:
            return None
        side = unit.side or Side.INSTANCE
        method = method_name(owner.name, side, unit.selector)
        place = method_place(state, owner.name, side, unit.selector)
        if place is None:
            return method
        if place.first_line is None:
            return f"{method} ({place.path}, in memory)"
        return f"{method} ({place.path}:{place.first_line + line - 1})"


def selectors_of(class_object: ClassObject, side: Side) -> Iterator[str]:
    """Every selector that a class understands on a side, nearest class first; class side ends in `Class`."""
    for at in class_object.chain():
        yield from at.definition.local_methods(side)
        yield from at.definition.local_extensions(side)


# ---------------------------------------------------------------- places in the input


def _activations(traceback: TracebackType | None) -> Iterator[tuple[LinkedUnit, TracebackType, int]]:
    """The activations of Beamtalk code, outermost first, with the line of their unit."""
    at = traceback
    while at is not None:
        unit = at.tb_frame.f_globals.get(UNIT)
        if isinstance(unit, LinkedUnit):
            yield unit, at, at.tb_lineno or 1
        at = at.tb_next


def failing_spans(error: BeamtalkError, outcome: Outcome) -> tuple[Span, ...]:
    """What failed in the evaluated text: all parts of a selector, or a name; empty when it cannot be told."""
    at = _activation_of_input(error.__traceback__)
    unit = _failed_unit(outcome)
    if at is None or unit is None or unit.node is None:
        return ()
    place = _line_and_column(at)
    if place is None:
        return ()
    text = SourceText(unit.text)
    if not 1 <= place[0] <= text.line_count:
        return ()
    found = _spans_at(unit.node, text.line_start(place[0]) + place[1])
    return tuple(span.shifted(unit.cut.span.start) for span in found)


def _activation_of_input(traceback: TracebackType | None) -> TracebackType | None:
    """The innermost activation of the input itself.

    The outermost code without a class is the input; blocks of earlier inputs may run below it.
    """
    own: LinkedUnit | None = None
    innermost = None
    for unit, at, _line in _activations(traceback):
        own = own or (unit if unit.owner is None else None)
        if unit is own:
            innermost = at
    return innermost


def _failed_unit(outcome: Outcome) -> ParsedUnit | None:
    """The unit that was running: one answer was given for each before it; members go with their class."""
    parsed = syntax.parse_input(outcome.source.text)
    steps = (unit for unit in parsed.units if unit.name.kind not in _OF_CLASS_BODIES)
    unit = next(islice(steps, len(outcome.answers), None), None)
    return unit if unit is not None and unit.name.kind is UnitKind.STATEMENTS else None


def _line_and_column(at: TracebackType) -> tuple[int, int] | None:
    positions = at.tb_frame.f_code.co_positions()
    line, _end, column, _end_column = next(islice(positions, at.tb_lasti // 2, None), (None,) * 4)
    return (line, column) if line is not None and column is not None else None


def _spans_at(node: ast.Node, offset: int) -> tuple[Span, ...]:
    """The selector parts or the name that begin at an offset."""
    for each in walk.walk(node):
        match each:
            case ast.Selector(parts=parts) if parts[0].start == offset:
                return parts
            case ast.Variable(span=span) | ast.ClassRef(span=span) if span.start == offset:
                return (span,)
    return ()
