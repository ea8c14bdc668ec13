"""Driving a session from a thread that may wait: scripts, `-e`, tests (workspace.md 0.6, 3.12).

Comes in: inputs. Guarantees: values go to one stream and advice and errors to the other;
questions are refused, for nobody is there to ask. Leaves: the
interactive prompt, which never waits, to `prompt`.
"""

from __future__ import annotations

import enum
from functools import partial
from typing import Final, TextIO

from lang.dataclass import dataclass
from repl.errors import Typed
from repl.events import (
    LEAVING,
    Advice,
    Choose,
    Confirm,
    Event,
    Failure,
    Leave,
    NilShown,
    Offer,
    OpenFile,
    Page,
    Question,
    Refill,
    Shown,
    Value,
    Visit,
)
from repl.session_core import SessionCore, Turn

PROMPT_NAME: Final = "prompt"
"""What typed input is called; a script is called by its file."""


class Results(enum.Enum):
    """Whether the values of statements are printed."""

    PRINTED = "printed"
    SILENT = "silent"


class Ending(enum.Enum):
    """How an input ended."""

    DONE = "done"
    FAILED = "failed"
    LEFT = "left"


@dataclass(slots=True)
class Streams:
    """Where events are written. A reader that has gone away ends the output quietly."""

    output: TextIO
    errors: TextIO
    results: Results = Results.PRINTED

    def write(self, event: Event) -> None:
        """Write one event."""
        match event:
            case Value(text):
                if self.results is Results.PRINTED:
                    _line(self.output, text)
            case Shown(text) | Page(text):
                _line(self.output, text)
            case Advice(text) | Failure(text):
                self.output.flush()
                _line(self.errors, text)
            case Leave(text) if text:
                _line(self.output, text)
            case OpenFile() as place:
                _line(self.output, place.text)
            case NilShown() | Leave() | Refill():
                pass


def _line(stream: TextIO, text: str) -> None:
    stream.write(f"{text}\n")
    stream.flush()


class Driver:
    """Runs inputs one after the other, and waits for each."""

    def __init__(self, core: SessionCore, streams: Streams) -> None:
        self._core = core
        self._streams = streams

    def run(self, text: str, typed: Typed | None = None) -> Ending:
        """Run one input to its end."""
        evaluator = self._core.workspace.evaluator
        turn = evaluator.run(lambda: self._core.begin(text, typed), "input")
        ending = self._written(turn, typed)
        while ending is Ending.DONE and turn.question is not None:
            answer = self._answer(turn.question, text)
            if isinstance(answer, Failure):
                return self._written(Turn([answer]), typed)
            turn = evaluator.run(partial(self._core.go_on, turn, answer), "input")
            ending = self._written(turn, typed)
        return ending

    def _written(self, turn: Turn, typed: Typed | None) -> Ending:
        ending = Ending.DONE
        for event in turn.events:
            if isinstance(event, Failure):
                self._streams.write(_placed(event, typed))
                ending = Ending.FAILED
                continue
            self._streams.write(event)
            if isinstance(event, Leave):
                return Ending.LEFT
        return ending

    @staticmethod
    def _answer(question: Question, text: str) -> str | Failure:
        """The answer where nobody can be asked, or the end of the input."""
        match question:
            case Confirm(native=native):
                name = text.split()[0]
                return Failure(f"{name} needs confirmation; use {native} or --yes")
            case Offer() | Choose():
                return ""
            case Visit():
                return LEAVING


def _placed(failure: Failure, typed: Typed | None) -> Failure:
    """A failure of a script, which must name its line (workspace.md 0.6)."""
    if typed is None or typed.source.name == PROMPT_NAME or "--> " in failure.text:
        return failure
    return Failure(f"{failure.text}\n --> {typed.source.name}:{typed.source.position(typed.offset).line}")
