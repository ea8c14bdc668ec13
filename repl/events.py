"""What comes of an input, ready to be written (workspace.md 3.5).

Comes in: nothing; these are types. Guarantees: an event is text for one of two streams, or an
end. Leaves: writing to the prompt or the script that asked.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Final

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
class Page:
    """The output of a command that a person may want to leaf through: help, a diff, source."""

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


@dataclass(frozen=True, slots=True)
class Refill:
    """The next input begins with this text, in the editor."""

    text: str


@dataclass(frozen=True, slots=True)
class OpenFile:
    """A place to be opened in the user's editor; where there is none, the place is printed."""

    path: str
    line: int = 1

    @property
    def text(self) -> str:
        """`src/Till.bt:8`."""
        return f"{self.path}:{self.line}"


Event = Value | Shown | Page | NilShown | Advice | Failure | Refill | OpenFile | Leave


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


@dataclass(frozen=True, slots=True)
class Visit:
    """A small prompt that is asked again and again; nobody there means `LEAVING`."""

    question: str


LEAVING: Final = "q"
"""The answer that ends a visit."""

Question = Confirm | Offer | Choose | Visit

Steps = Generator[Event | Question, str, None]
"""A command at work: it yields events, and questions for whose answer it waits.

Between two questions it runs on the evaluator; nothing is held while a person is asked.
"""


def agrees(answer: str) -> bool:
    """Whether an answer means yes: Enter, the end of input and everything else mean no."""
    return answer.strip().lower() in ("y", "yes")
