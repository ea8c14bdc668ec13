"""What a command works with: native expressions of its session, and words for its output.

Comes in: a session. Guarantees: an expression is evaluated as if typed, but moves neither `_`
nor its companions (workspace.md 3.10). Leaves: which expression, to the command.
"""

from __future__ import annotations

import enum
import re
import shlex
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from lang.dataclass import dataclass
from lang.syntax.units import Side
from repl.errors import Typed
from repl.events import Event
from repl.settings import Chosen
from workspace.sessions import ValueAnswer
from workspace.workspace import Workspace

if TYPE_CHECKING:
    from repl.session_core import SessionCore

CLASS_NAME: Final = re.compile(r"(?:[a-z][a-z0-9_]*@)?[A-Z]\w*")
SELECTOR: Final = re.compile(r"(?:[A-Za-z_]\w*:)+|[A-Za-z_]\w*|[+\-*<>=~%&?\\,/]+|=:=|=/=")


class Watching(enum.Enum):
    """Whether memory follows each change of the files by itself."""

    OFF = "off"
    ON = "on"


class CommandFailed(Exception):
    """The command ends with an error text."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


def usage(syntax: str) -> CommandFailed:
    """Wrong arguments."""
    return CommandFailed(f"Usage: {syntax}")


@dataclass(frozen=True, slots=True)
class MethodName:
    """A method as an argument names it; `class_name` is None for a bare selector."""

    class_name: str | None
    side: Side
    selector: str

    @classmethod
    def of_class(cls, name: str) -> MethodName:
        """A class alone, where a method may be meant: its selector is empty."""
        return cls(name, Side.INSTANCE, "")

    @property
    def receiver(self) -> str:
        """The expression for the class or metaclass."""
        return f"{self.class_name} class" if self.side is Side.CLASS else str(self.class_name)

    @property
    def shown(self) -> str:
        """`Till>>ring:`."""
        return f"{self.receiver}>>{self.selector}"


class Desk:
    """The tools of commands in one session; used on the evaluator."""

    def __init__(self, core: SessionCore) -> None:
        self.core = core
        self.history: Iterable[str] = ()
        self.notices: list[Event] = []
        self.chosen = Chosen()
        self.listed: Sequence[MethodName] = ()
        """The methods of the newest numbered list."""
        self.watching = Watching.OFF

    @property
    def workspace(self) -> Workspace:
        """The workspace of the session."""
        return self.core.workspace

    @property
    def width(self) -> int:
        """Columns of the output."""
        return self.core.screen.width if self.core.screen is not None else 80

    def value(self, expression: str) -> object:
        """The value of a native expression. Raises `BeamtalkError` or `CommandFailed`."""
        session = self.core.session
        before = session.last_values
        outcome = session.evaluate(expression)
        session.last_values = before
        if outcome.findings:
            raise CommandFailed(
                self.core.errors.findings(outcome.findings, outcome.source, Typed(outcome.source))
            )
        if outcome.error is not None:
            raise outcome.error
        self.notices.extend(self.core.notices(outcome))
        last = outcome.answers[-1] if outcome.answers else ValueAnswer(None)
        return last.value if isinstance(last, ValueAnswer) else None

    def take_notices(self) -> list[Event]:
        """What the image had to say since this was last asked."""
        taken, self.notices = self.notices, []
        return taken

    def text(self, value: object) -> str:
        """The display form of a value."""
        return self.core.text_of(value)

    def cut(self, text: str) -> str:
        """One line, no wider than the output."""
        line = text.expandtabs(2).split("\n", 1)[0]
        return line if len(line) <= self.width else f"{line[: self.width - 1]}…"


# ---------------------------------------------------------------- arguments


def words(arguments: str) -> list[str]:
    """The words of an argument line, `--yes` left out; quotes group."""
    try:
        found = shlex.split(arguments, posix=True)
    except ValueError:
        found = arguments.split()
    return [word for word in found if word != "--yes"]


def without_flag(arguments: str, flag: str) -> tuple[str, bool]:
    """An argument line without a flag and `--yes`, and whether the flag was there."""
    rest = re.sub(rf"(?<!\S){re.escape(flag)}(?!\S)", "", arguments)
    return re.sub(r"(?<!\S)--yes(?!\S)", "", rest).strip(), rest != arguments


def method_name(parts: Sequence[str]) -> MethodName | None:
    """A method in one of the forms `C s`, `C>>s`, `C class s`, `C class>>s`, `#s`; None for anything else."""
    text = " ".join(parts).replace(">>", " ", 1).split() if parts else []
    match text:
        case [selector] if selector.startswith("#") and SELECTOR.fullmatch(selector[1:]):
            return MethodName(None, Side.INSTANCE, selector[1:])
        case [name, selector] if CLASS_NAME.fullmatch(name) and _is_selector(selector):
            return MethodName(name, Side.INSTANCE, selector.removeprefix("#"))
        case [name, "class", selector] if CLASS_NAME.fullmatch(name) and _is_selector(selector):
            return MethodName(name, Side.CLASS, selector.removeprefix("#"))
    return None


def _is_selector(word: str) -> bool:
    return SELECTOR.fullmatch(word.removeprefix("#")) is not None


def symbol_text(name: str) -> str:
    """A Symbol literal."""
    return f"#{name}"


def string_text(text: str) -> str:
    """A String literal that means exactly the text."""
    escaped = text.replace("\\", "\\\\").replace('"', '""').replace("{", "\\{")
    return f'"{escaped}"'


def counted(count: int, noun: str) -> str:
    """`1 file`, `2 files`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
