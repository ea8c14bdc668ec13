"""Sessions: the evaluation state of one client (workspace.md 2.1, 2.2, 3.3, 3.10).

Comes in: input texts. Guarantees: statements of an input run in order, assignments made
before a failing one stay; names are looked up when a statement runs (locals, specials,
globals, classes). Leaves: showing outcomes to `repl`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from lang.dataclass import dataclass, field, replace
from lang.deferred import deferred
from lang.diagnostics import Diagnostic, Severity
from lang.runtime.errors import BeamtalkError, as_beamtalk_error
from lang.runtime.processes.process import Process
from lang.source import SourceText
from lang.spelling import method_name
from lang.syntax.units import ParsedFile, ParsedUnit, Side, UnitKind
from workspace.change import Finding, Refusal
from workspace.checks import statement_findings

if TYPE_CHECKING:
    from lang import pipeline, syntax
    from lang.ast import nodes as ast
    from lang.semantics.check import TypeChecker
    from workspace.bound_types import BoundTypes
    from workspace.operations import classes as classing
    from workspace.operations import declarations
    from workspace.operations import patch as patching
    from workspace.operations.classes import ClassText
    from workspace.workspace import Done, Workspace
else:
    ast = deferred("lang.ast.nodes")
    pipeline = deferred("lang.pipeline")
    syntax = deferred("lang.syntax")
    classing = deferred("workspace.operations.classes")
    declarations = deferred("workspace.operations.declarations")
    patching = deferred("workspace.operations.patch")

SPECIALS = ("_", "__", "___", "_error")


@dataclass(frozen=True, slots=True)
class ValueAnswer:
    """The value of the last expression; `is_statement_value` moves `_` (workspace.md 3.10)."""

    value: object


@dataclass(frozen=True, slots=True)
class DeclarationAnswer:
    """What a declaration prints: a class name, `Till>>ring:`, `Protocol Spendable defined`."""

    text: str


Answer = ValueAnswer | DeclarationAnswer


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one input. `answers` are in order; `error` ended it, if there is one."""

    source: SourceText
    answers: tuple[Answer, ...] = ()
    warnings: tuple[Finding, ...] = ()
    notices: tuple[str, ...] = ()
    error: BeamtalkError | None = None
    findings: tuple[Finding, ...] = ()


class Names(dict[str, object]):
    """The local names of a session; a missing one is looked up outward when it is read."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session

    def __missing__(self, name: str) -> object:
        return self._session.resolve_outer(name)


@dataclass(slots=True)
class _Run:
    """One evaluation in progress."""

    source: SourceText
    answers: list[Answer] = field(default_factory=list)
    warnings: list[Finding] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)

    def outcome(self, error: BeamtalkError | None = None, findings: tuple[Finding, ...] = ()) -> Outcome:
        return Outcome(
            self.source, tuple(self.answers), tuple(self.warnings), tuple(self.notices), error, findings
        )


class Session:
    """One client's names and last results. `evaluate` runs on the evaluator."""

    def __init__(self, workspace: Workspace, session_id: str, kind: str) -> None:
        self.workspace = workspace
        self.id = session_id
        self.kind = kind
        self.is_alive = True
        self.names = Names(self)
        self.last_values: list[object] = [None, None, None]
        self.last_error: BeamtalkError | None = None
        self.deferred: list[tuple[str, object | None, bool]] = []
        self.clear_requested = False
        self._runs: list[_Run] = []

    # ------------------------------------------------------------ names

    def resolve_outer(self, name: str) -> object:
        """A name that is no local: a special, a global, a class; raises `undefined_variable`."""
        if name in SPECIALS:
            return self.last_error if name == "_error" else self.last_values[len(name) - 1]
        bound = self.workspace.globals
        if name in bound:
            return bound[name]
        found = self.workspace.runtime.class_names.get(name)
        if found is not None:
            return found
        raise undefined(name)

    def resolve(self, name: str) -> object:
        """What the bare name would give."""
        return self.names[name]

    # ------------------------------------------------------------ evaluation

    def evaluate(self, text: str, name: str = "prompt") -> Outcome:
        """Run one input. Raises only what is no Beamtalk error (interrupts)."""
        source = SourceText(text.replace("\r\n", "\n"), name)
        run = _Run(source)
        parsed = syntax.parse_input(source.text)
        errors = [d for d in parsed.all_diagnostics() if d.severity is Severity.ERROR]
        if errors:
            return self._failed(run, tuple(Finding(source, error) for error in errors))
        self._runs.append(run)
        try:
            with self.workspace.sessions.running(self):
                return self._evaluated(run, parsed)
        finally:
            self._runs.remove(run)

    def hear(self, notices: Iterable[str]) -> None:
        """What the image says of a change that this session makes, in whatever words it was asked for."""
        if self._runs:
            self._runs[-1].notices.extend(notices)

    def _evaluated(self, run: _Run, parsed: ParsedFile) -> Outcome:
        try:
            for step in _steps(parsed.units, classing.classes_in(parsed)):
                self._step(run, step)
        except _CompileFailed as failed:
            return self._failed(run, failed.findings)
        except Exception as fault:  # noqa: BLE001 - the outermost loop of an evaluation
            self.last_error = as_beamtalk_error(fault)
            return run.outcome(self.last_error)
        finally:
            self._apply_deferred()
        self._remember(run)
        return run.outcome()

    def _failed(self, run: _Run, findings: tuple[Finding, ...]) -> Outcome:
        text = "\n\n".join(_text_of(finding.diagnostic) for finding in findings)
        hint = findings[0].diagnostic.hint if findings and len(findings) == 1 else None
        error = BeamtalkError("compile_error", text, hint=hint, details=findings)
        self.last_error = error
        return run.outcome(error, findings)

    def _remember(self, run: _Run) -> None:
        if run.answers and isinstance(run.answers[-1], ValueAnswer) and run.answers[-1].value is not None:
            self.last_values = [run.answers[-1].value, *self.last_values[:2]]

    def _apply_deferred(self) -> None:
        for name, value, is_removal in self.deferred:
            if is_removal:
                self.names.pop(name, None)
            else:
                self.names[name] = value
                self.workspace.tell_bound(name, value, self.id)
        self.deferred.clear()
        if self.clear_requested:
            self.names.clear()
            self.last_values, self.last_error, self.clear_requested = [None, None, None], None, False

    # ------------------------------------------------------------ steps

    def _step(self, run: _Run, step: ParsedUnit | ClassText) -> None:
        if isinstance(step, classing.ClassText):
            self._perform(run, self.workspace.perform(classing.define_class(step)), step.units)
            run.answers.append(DeclarationAnswer(step.name))
            return
        match step.name.kind:
            case UnitKind.STATEMENTS:
                run.answers.append(ValueAnswer(self._statements(run, step)))
            case UnitKind.EXTENSION:
                run.answers.append(DeclarationAnswer(self._patch(run, step)))
            case _:
                self._perform(run, self.workspace.perform(declarations.declare(step)), (step,))
                run.answers.append(DeclarationAnswer(_declared(step)))

    def _statements(self, run: _Run, unit: ParsedUnit) -> object:
        value: object = None
        for statement in _single_statements(unit):
            self._check(run, statement)
            compiled = pipeline.compile_statements(statement, "prompt", self.names)
            with self._telling_bound():
                value = self.workspace.runtime.link(compiled)(self.names)
        return value

    @contextmanager
    def _telling_bound(self) -> Iterator[None]:
        """Announce what a statement binds, if anybody listens."""
        if not self.workspace.image.actors.bus.hears("BindingChanged"):
            yield
            return
        before = dict(self.names)
        try:
            yield
        finally:
            for name, value in self.names.items():
                if name not in before or before[name] is not value:
                    self.workspace.tell_bound(name, value, self.id)

    def _check(self, run: _Run, statement: ParsedUnit) -> None:
        """Check one statement just before it runs, when the names of those before it are bound."""
        view = self.workspace.installer.view().with_names(_Bound(self))
        start = statement.cut.span.start
        found = [
            d.shifted(start)
            for d in self.workspace.installer.tabled(statement_findings(statement, view, self._types()))
        ]
        errors = tuple(Finding(run.source, d) for d in found if d.severity is Severity.ERROR)
        if errors:
            raise _CompileFailed(errors)
        run.warnings.extend(Finding(run.source, d) for d in found)

    def _types(self) -> TypeChecker:
        """Judges statements by the types of what is bound now."""
        from lang.semantics.types.analysis import FileChecker  # noqa: PLC0415  imported with the first input

        return FileChecker(self.workspace.installer.world(), self.bound_types())

    def bound_types(self) -> BoundTypes:
        """The types of what can be read by name in this session, by the values."""
        from workspace.bound_types import BoundTypes  # noqa: PLC0415  imported with the first input

        return BoundTypes(self.workspace.runtime, self.workspace.globals, self.names)

    def _patch(self, run: _Run, unit: ParsedUnit) -> str:
        owner = unit.name.owner.rpartition("@")[2]
        side = unit.name.side or Side.INSTANCE
        patch = patching.MethodPatch(owner, side, unit.text, patching.selector_of(unit))
        self._perform(run, self.workspace.perform(patching.patch_parsed(patch, unit)), (unit,))
        return method_name(owner, side, unit.name.member)

    def _perform(self, run: _Run, outcome: Done | Refusal, units: tuple[ParsedUnit, ...]) -> None:
        if isinstance(outcome, Refusal):
            if outcome.findings:
                raise _CompileFailed(_placed(run.source, outcome.findings, units))
            raise BeamtalkError(outcome.kind, outcome.message, hint=outcome.hint)
        run.warnings.extend(_placed(run.source, outcome.findings, units))


def _single_statements(unit: ParsedUnit) -> Iterator[ParsedUnit]:
    """Each statement of a unit as a unit of its own: names are looked up when a statement runs."""
    node = unit.node
    if not isinstance(node, ast.Statements) or len(node.body) < 2:
        yield unit
        return
    for statement in node.body:
        yield replace(unit, node=ast.Statements(statement.span, (statement,)))


class _Bound:
    """The names that a statement of a session may read."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def __contains__(self, name: object) -> bool:
        session = self._session
        return name in session.names or name in SPECIALS or name in session.workspace.globals


class _CompileFailed(Exception):
    def __init__(self, findings: tuple[Finding, ...]) -> None:
        super().__init__()
        self.findings = findings


def _placed(
    source: SourceText, findings: tuple[Finding, ...], units: tuple[ParsedUnit, ...]
) -> tuple[Finding, ...]:
    """Findings of a unit of this input, with their place in the input."""
    starts = {unit.text: unit.cut.span.start for unit in units}
    return tuple(
        Finding(source, each.diagnostic.shifted(starts[each.source.text]))
        if each.source.text in starts
        else each
        for each in findings
    )


def _steps(units: tuple[ParsedUnit, ...], classes: tuple[ClassText, ...]) -> Iterator[ParsedUnit | ClassText]:
    """The units in order, those of a class gathered at its header."""
    by_name = {each.name: each for each in classes}
    members = {id(unit) for each in classes for unit in each.units}
    for unit in units:
        if unit.name.kind is UnitKind.HEADER:
            yield by_name[unit.name.owner]
        elif id(unit) not in members:
            yield unit


def _declared(unit: ParsedUnit) -> str:
    if unit.name.kind is UnitKind.PROTOCOL:
        return f"Protocol {unit.name.owner} defined"
    return unit.name.owner


def _text_of(found: Diagnostic) -> str:
    return found.message


def undefined(name: str) -> BeamtalkError:
    """The error of a name that nothing binds (workspace.md 2.1)."""
    if name[:1].isupper():
        return BeamtalkError(
            "class_not_found", class_name=name, hint=f"Define {name} with: Object subclass: {name}"
        )
    return BeamtalkError(
        "undefined_variable",
        f"Undefined variable: {name}",
        hint=f"Check the spelling of `{name}`, or assign it with `:=` before use",
    )


class Sessions:
    """All sessions of a workspace, by id."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._numbers = itertools.count(1)
        self._by_id: dict[str, Session] = {}
        self._by_process: dict[Process, Session] = {}

    @property
    def current(self) -> Session | None:
        """The session whose evaluation runs in this process; None in actors, timers and workers."""
        return self._by_process.get(self._workspace.image.actors.scheduler.current)

    @contextmanager
    def running(self, session: Session) -> Iterator[None]:
        """While a process evaluates for a session."""
        process = self._workspace.image.actors.scheduler.current
        outer = self._by_process.get(process)
        self._by_process[process] = session
        try:
            yield
        finally:
            del self._by_process[process]
            if outer is not None:
                self._by_process[process] = outer

    def open(self, kind: str) -> Session:
        """A new session of a kind (`repl`, `script` …)."""
        session = Session(self._workspace, f"{kind}-{next(self._numbers)}", kind)
        self._by_id[session.id] = session
        return session

    def close(self, session: Session) -> None:
        """End a session; its names are gone."""
        session.is_alive = False
        session.names.clear()
        self._by_id.pop(session.id, None)

    def find(self, session_id: str) -> Session | None:
        """A live session by id."""
        return self._by_id.get(session_id)

    def live(self) -> list[Session]:
        """Live sessions, oldest first."""
        return list(self._by_id.values())
