"""The page of commands, written from the table that the prompt uses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from repl.commands.command import Command, Group

_BEFORE = """\
# Commands of the prompt

A command is a line that begins with `:`. Each stands for an expression, shown as *evaluates*: typing that has the same
effect, in a script too. `:help :COMMAND` shows the same at the prompt. Off a terminal, a question is answered by `--yes` or refused.

*Written from the table in `repl/commands/table.py`; `make accept` writes it again.*
"""


def commands_page(commands: Iterable[Command]) -> str:
    """The whole page."""
    found = list(commands)
    parts = [_BEFORE]
    for group in Group:
        rows = "\n".join(_row(each) for each in found if each.group is group)
        parts.append(f"## {group.value}\n\n| command | does | evaluates |\n|---|---|---|\n{rows}\n")
    return "\n".join(parts)


def _row(command: Command) -> str:
    native = _code(command.native) if command.native else ""
    return f"| {', '.join(_names(command))} | {_cell(command.summary)} | {native} |"


def _names(command: Command) -> Iterator[str]:
    yield _code(command.syntax)
    yield from (_code(f":{alias}") for alias in command.aliases)


def _code(text: str) -> str:
    return f"`{_cell(text)}`"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
