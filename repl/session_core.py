"""A session without a terminal: input text in, events out (workspace.md 3.3 to 3.7, 3.12).

Comes in: a complete input, and where it stands. Guarantees: statements and declarations run in
order, and what each printed comes in order; commands never fall through to evaluation; an
error of the product itself is one event, never the end of the session. Leaves: asking people
and writing to `driving`; splitting a script into inputs to `script`.

`begin`, `go_on` and `text_of` run on the evaluator.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Iterator
from typing import Final

from lang.dataclass import dataclass
from lang.diagnostics import Severity
from lang.diagnostics.render import Role
from lang.runtime.errors import BeamtalkError, as_beamtalk_error
from lang.source import SourceText, Span
from repl.commands.desk import CommandFailed, Desk
from repl.commands.table import find_command, unknown_command
from repl.display import Screen, display_text, terminal_text
from repl.errors import ErrorPrinter, Typed, failing_spans
from repl.events import Advice, Confirm, Event, Failure, NilShown, Question, Steps, Value
from repl.paint import Palette, visible
from workspace.change import Finding
from workspace.sessions import Answer, DeclarationAnswer, Outcome, Session, ValueAnswer
from workspace.workspace import Workspace

_COMMAND: Final = re.compile(r":(?=[A-Za-z?])([A-Za-z?][\w-]*!?)[ \t]*(.*)", re.DOTALL)
_MARKED: Final = ("⚠", "ℹ", "✓")
_MARKS: Final = {Severity.WARNING: "⚠", Severity.HINT: "ℹ", Severity.LINT: "ℹ", Severity.ERROR: "⚠"}


YES: Final = "--yes"


class Confirmed(enum.Enum):
    """Whether an input brought its confirmation along, with `--yes`."""

    BEFORE = "before"
    WHEN_ASKED = "when asked"


@dataclass(slots=True)
class Turn:
    """What one input gave so far; `question` is open when the input waits for an answer."""

    events: list[Event]
    question: Question | None = None
    steps: Steps | None = None
    confirmed: Confirmed = Confirmed.WHEN_ASKED


class SessionCore:
    """Evaluates the inputs of one session. `screen` is None where results are one line, uncut."""

    def __init__(
        self, workspace: Workspace, session: Session, palette: Palette, screen: Screen | None
    ) -> None:
        self.workspace = workspace
        self.session = session
        self.palette = palette
        self.screen = screen
        self.errors = ErrorPrinter(workspace, palette)
        self.desk = Desk(self)
        self.ready: Callable[[], None] = lambda: None

    def fit_screen(self, columns: int | None = None, rows: int | None = None) -> None:
        """Let results fit the settings, and the terminal as it is now where its size is given."""
        if self.screen is None:
            return
        chosen = self.desk.chosen.settings
        terminal = self.screen.terminal if columns is None or rows is None else (columns, rows)
        self.screen = Screen(
            chosen.width or terminal[0], chosen.max_elements, quote=chosen.quote, terminal=terminal
        )

    # ------------------------------------------------------------ inputs

    def begin(self, text: str, typed: Typed | None = None) -> Turn:
        """Run an input up to its end or its first question."""
        place = typed or Typed(SourceText(text.replace("\r\n", "\n")))
        try:
            self.ready()
            command = _COMMAND.fullmatch(text.strip())
            if command is None:
                return Turn(list(self._evaluated(text, place)))
            return self._command(command[1], command[2].strip())
        except Exception as fault:  # noqa: BLE001 - one of the outermost loops: the session must go on
            return Turn([internal_error(fault)])

    def go_on(self, turn: Turn, answer: str) -> Turn:
        """Run a command further, with the answer to its question."""
        assert turn.steps is not None
        try:
            return self._advance(turn.steps, answer, turn.confirmed)
        except Exception as fault:  # noqa: BLE001 - one of the outermost loops: the session must go on
            return Turn([internal_error(fault)])

    # ------------------------------------------------------------ evaluation

    def _evaluated(self, text: str, typed: Typed) -> Iterator[Event]:
        outcome = self.session.evaluate(text, typed.source.name)
        for finding in _not_foretold(outcome):
            yield Advice(self._advice(finding, outcome, typed))
        yield from self.notices(outcome)
        for answer in outcome.answers[:-1]:
            if isinstance(answer, DeclarationAnswer):
                yield Value(answer.text)
        if outcome.error is not None:
            if outcome.answers and isinstance(outcome.answers[-1], DeclarationAnswer):
                yield Value(outcome.answers[-1].text)
            yield Failure(self.errors.outcome(outcome, typed))
        elif outcome.answers:
            yield from self._answer(outcome.answers[-1])

    def _answer(self, answer: Answer) -> Iterator[Event]:
        match answer:
            case DeclarationAnswer(text):
                yield Value(text)
            case ValueAnswer(None):
                yield NilShown()
            case ValueAnswer(value) if value is not self.workspace.globals.get("Transcript"):
                yield Value(self.text_of(value))
            case _:
                pass

    def text_of(self, value: object) -> str:
        """The display form of a value, for this session's output."""
        if self.screen is None:
            return display_text(self.workspace.runtime, value)
        return terminal_text(self.workspace.runtime, value, self.screen)

    def _advice(self, finding: Finding, outcome: Outcome, typed: Typed) -> str:
        found = finding.diagnostic
        mark = self.palette.diagnostic(_MARKS[found.severity], Role.LABEL, found.severity)
        text = f"{mark} {visible(found.message)}"
        if found.hint:
            text += f"\n  {visible(found.hint)}"
        if finding.source.text != outcome.source.text:
            return text
        position = typed.source.position(min(found.span.start + typed.offset, len(typed.source.text)))
        return (
            text if position.line == 1 else f"{text} ({typed.source.name}:{position.line}:{position.column})"
        )

    def notices(self, outcome: Outcome) -> Iterator[Event]:
        """What the image had to say about a change."""
        for notice in outcome.notices:
            text = notice if notice.startswith(_MARKED) else f"⚠ {notice}"
            yield Advice(visible(text))

    # ------------------------------------------------------------ commands

    def _command(self, name: str, arguments: str) -> Turn:
        command = find_command(name)
        if command is None:
            return Turn([Failure(unknown_command(name))])
        confirmed = Confirmed.BEFORE if YES in arguments.split() else Confirmed.WHEN_ASKED
        return self._advance(command.run(self.desk, arguments), None, confirmed)

    def _advance(self, steps: Steps, answer: str | None, confirmed: Confirmed) -> Turn:
        events: list[Event] = []
        try:
            step = next(steps) if answer is None else steps.send(answer)
            while not isinstance(step, Question) or (
                isinstance(step, Confirm) and confirmed is Confirmed.BEFORE
            ):
                if isinstance(step, Question):
                    step = steps.send("yes")
                    continue
                events.append(step)
                step = next(steps)
        except StopIteration:
            return Turn(events)
        except CommandFailed as failed:
            events.append(Failure(failed.text))
            return Turn(events)
        except BeamtalkError as error:
            events.append(Failure(self.errors.without_place(error)))
            return Turn(events)
        return Turn(events, step, steps, confirmed)


def _not_foretold(outcome: Outcome) -> tuple[Finding, ...]:
    """The warnings, but those that only foretell the error which then came (workspace.md 3.7)."""
    if outcome.error is None:
        return outcome.warnings
    failed, said = failing_spans(outcome.error, outcome), outcome.error.message
    return tuple(
        w
        for w in outcome.warnings
        if w.diagnostic.message != said and not any(_meet(w.diagnostic.span, span) for span in failed)
    )


def _meet(one: Span, two: Span) -> bool:
    return one.start < two.end and two.start < one.end


def internal_error(fault: Exception) -> Failure:
    """The event of a fault that is no Beamtalk error."""
    known = as_beamtalk_error(fault)
    if known.kind == "internal_error":
        return Failure(f"internal error: {type(fault).__name__}: {fault}")
    return Failure(f"Error: {known.exception_class_name}: {known.message}")
