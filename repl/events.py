"""What comes of an input, ready to be written (workspace.md 3.5).

Comes in: nothing; these are types. Guarantees: an event is text for one of two streams, or an
end. Leaves: writing to the prompt or the script that asked.
"""

from __future__ import annotations

from collections.abc import Generator

from lang.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Value:
    """The result of an expression or a declaration: standard output, where results are wanted."""

    text: str


@dataclass(frozen=True, slots=True)
class Shown:
    """The output of a command: standard output."""

    text: str


@dataclass(frozen=True, slots=True)
class NilShown:
    """The result nil: printed at a prompt, not in a script (workspace.md 0.6)."""


@dataclass(frozen=True, slots=True)
class Advice:
    """A warning, a hint, a notice of the reload check: standard error."""

    text: str


@dataclass(frozen=True, slots=True)
class Failure:
    """An error: standard error, and the end of a script."""

    text: str


@dataclass(frozen=True, slots=True)
class Leave:
    """The session ends; the rest of a script is not run."""

    text: str = ""


Event = Value | Shown | NilShown | Advice | Failure | Leave


@dataclass(frozen=True, slots=True)
class Confirm:
    """A question that only `y` and `yes` agree to. `native` is what does the same without one."""

    question: str
    native: str


@dataclass(frozen=True, slots=True)
class Offer:
    """A question about more than was asked for; nobody there means no, and `--yes` does not answer it."""

    question: str


@dataclass(frozen=True, slots=True)
class Choose:
    """A question for a line of text; an empty line is none."""

    question: str


Question = Confirm | Offer | Choose

Steps = Generator[Event | Question, str, None]
"""A command at work: it yields events, and questions for whose answer it waits.

Between two questions it runs on the evaluator; nothing is held while a person is asked.
"""


def agrees(answer: str) -> bool:
    """Whether an answer means yes: Enter, the end of input and everything else mean no."""
    return answer.strip().lower() in ("y", "yes")
