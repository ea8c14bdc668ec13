"""Commands on a lab's workspace, with answers to their questions (for tests)."""

from __future__ import annotations

from dataclasses import dataclass

from repl.display import Screen
from repl.events import Event, NilShown, Question
from repl.paint import PLAIN
from repl.session_core import SessionCore, Turn
from tests.workspace.lab import Lab


@dataclass(frozen=True, slots=True)
class Said:
    """What a command said, and the questions that it asked."""

    text: str
    questions: tuple[str, ...]


class CommandLab:
    """A session of a lab; call it with an input and the answers to what it asks."""

    def __init__(self, lab: Lab) -> None:
        self.lab = lab
        self.core = SessionCore(lab.workspace, lab.workspace.sessions.open("repl"), PLAIN, Screen())

    def begin(self, text: str) -> Turn:
        """The first part of an input, up to its first question."""
        return self.lab.workspace.evaluator.run(lambda: self.core.begin(text))

    def go_on(self, turn: Turn, answer: str) -> Turn:
        """The next part."""
        return self.lab.workspace.evaluator.run(lambda: self.core.go_on(turn, answer))

    def __call__(self, text: str, *answers: str) -> Said:
        """Run an input to its end; it must ask as often as there are answers."""
        turn = self.begin(text)
        events: list[Event] = list(turn.events)
        questions: list[Question] = []
        for answer in answers:
            assert turn.question is not None, f"{text} did not ask; it said {text_of(events)}"
            questions.append(turn.question)
            turn = self.go_on(turn, answer)
            events += turn.events
        assert turn.question is None, f"{text} asks {turn.question}"
        return Said(text_of(events), tuple(each.question for each in questions))


def text_of(events: list[Event]) -> str:
    """All that events say."""
    return "\n".join("nil" if isinstance(each, NilShown) else each.text for each in events)
