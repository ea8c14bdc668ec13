"""What a command is (workspace.md 3.12)."""

from __future__ import annotations

import enum
from collections.abc import Callable

from lang.dataclass import dataclass
from repl.commands.desk import Desk
from repl.events import Steps


class Group(enum.Enum):
    """Under which heading `:help` lists a command."""

    CODE = "Code"
    CHANGES = "Changes"
    LOOKING = "Looking around"
    SESSION = "Session"


class Argument(enum.Enum):
    """What the first argument is, for completion."""

    NOTHING = "nothing"
    CLASS = "class"
    METHOD = "method"
    SELECTOR = "selector"
    PATH = "path"
    TOPIC = "topic"
    SETTING = "setting"
    EXPRESSION = "expression"


@dataclass(frozen=True, slots=True)
class Command:
    """A row of the table. `native` is what it evaluates, `summary` its line in `:help`."""

    name: str
    arguments: str
    native: str
    summary: str
    group: Group
    run: Callable[[Desk, str], Steps]
    aliases: tuple[str, ...] = ()
    takes: Argument = Argument.NOTHING
    examples: tuple[str, ...] = ()
    """Arguments to show in its help."""

    @property
    def syntax(self) -> str:
        """`:load PATH`."""
        return f":{self.name} {self.arguments}".rstrip()
