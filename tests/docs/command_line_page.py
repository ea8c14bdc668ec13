"""The page of the command line, written from the parsers of the commands."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping

_BEFORE = """\
# Command line

`beamtalk [--project DIR] [--no-color] [--read-only] [--no-ffi] [-v] COMMAND …`; `bt` is the same program. Options of all
commands may stand before or behind the command. Results go to standard output, everything else to standard error. The exit
code is 0 when it is done, 1 when problems were found, 2 for wrong usage, 130 when interrupted; `run` passes on the program's own.

There is no sandbox: code that is evaluated, loaded or tested may do what your account may do. *Open a stranger's project
with `--no-ffi --read-only`, and do not evaluate or test it.*

*Written from the commands' own options; `make accept` writes it again.*
"""


def command_line_page(commands: Mapping[str, str], parsers: Mapping[str, argparse.ArgumentParser]) -> str:
    """The whole page."""
    parts = [_BEFORE]
    for name, what in commands.items():
        parts.append(f"## beamtalk {name}\n\n{what[0].upper()}{what[1:]}.\n")
        if name in parsers and (rows := list(_rows(parsers[name]))):
            parts.append("| option | does |\n|---|---|\n" + "\n".join(rows) + "\n")
    return "\n".join(parts)


def _rows(parser: argparse.ArgumentParser, before: str = "") -> Iterator[str]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, inner in action.choices.items():
                yield f"| `{before}{name}` | {_help_of(action, name)} |"
                yield from _rows(inner, f"{before}{name} ")
        elif action.dest != "help":
            yield f"| {_spelled(action, before)} | {_cell(action.help or '')} |"


def _help_of(action: argparse._SubParsersAction[argparse.ArgumentParser], name: str) -> str:
    found = next((each.help for each in action._choices_actions if each.dest == name), "")
    return _cell(found or "")


def _spelled(action: argparse.Action, before: str) -> str:
    value = action.metavar or ("|".join(action.choices) if action.choices else action.dest.upper())
    if not action.option_strings:
        return f"`{_cell(before + str(value))}`"
    shown = "" if action.nargs == 0 else f" {value}"
    return ", ".join(f"`{_cell(before + each + shown)}`" for each in action.option_strings)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
