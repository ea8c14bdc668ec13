"""The command line: `beamtalk` and `bt` (workspace.md 6).

Comes in: arguments. Guarantees: exit code 0 done, 1 the work found problems, 2 wrong usage,
130 interrupted; one clear message instead of a traceback, unless `-vv` asks for it. Leaves: each
command, its options too, to a module of its own, which is imported when the command is asked for.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, Final, NoReturn, Protocol, cast

from lang.version import VERSION
from repl.own_process import set_up
from repl.writing import tell

COMMANDS = {
    "new": "make a project",
    "repl": "the prompt; -e evaluates, a pipe is a script",
    "run": "run a script, or send a message to a class",
    "build": "look for errors and compile",
    "check": "look for errors in sources",
    "lint": "the same, and style; --fix takes the safe ones away",
    "type-coverage": "how much of the code has a type",
    "fmt": "put sources in canonical layout",
    "fmt-check": "the same as fmt --check",
    "deps": "add, list, update, remove and verify dependencies",
    "test": "run the project's tests",
    "test-script": "check transcripts with expected answers",
    "doctor": "look whether everything is here and sound",
}
"""What there is, with what each does; `<name>_command` in `repl/command_line` is its module."""

_SYNONYMS = {"fmt-check": ("fmt", "--check")}
_WATCHABLE = frozenset({"build", "check", "lint", "test", "test-script"})
_DESCRIPTION = """\
Beamtalk: a live workspace. There is no sandbox: code that is evaluated, loaded or tested may do what
your account may do."""


class Command(Protocol):
    """What the module of a command offers."""

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """Declare the options of the command."""

    @staticmethod
    def run(options: argparse.Namespace) -> int:
        """Do it; the exit code."""


_DEFAULTS: Final[Mapping[str, Any]] = {
    "project": None,
    "no_color": False,
    "read_only": False,
    "no_ffi": False,
    "verbosity": 0,
    "watch": False,
}
"""The options of all commands when nobody gives them."""


class _Formatter(argparse.HelpFormatter):
    """Asks the terminal itself how wide it is: `shutil`, which argparse asks, imports three compressors."""

    def __init__(self, prog: str) -> None:
        try:
            width = int(os.environ.get("COLUMNS", "0")) or os.get_terminal_size(1).columns
        except (ValueError, OSError):
            width = 80
        super().__init__(prog, width=width - 2)


class _Parser(argparse.ArgumentParser):
    """Usage errors name the product and leave with code 2."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"formatter_class": _Formatter} | options)

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(2, f"error: {message}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command, by default the one that this process was started with; the process's exit code."""
    if arguments is None:
        set_up(os.environ)
    given = sys.argv[1:] if arguments is None else list(arguments)
    command, options = _parsed(given)
    try:
        return _watched(given, options) if options.watch else command.run(options)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader has gone: the interpreter must not fail again when it flushes at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0
    except Exception as fault:  # noqa: BLE001 - the outermost loop: one message, a traceback on demand
        return _failed(fault, options)


def _watched(arguments: Sequence[str], options: argparse.Namespace) -> int:
    from repl.command_line.opening import required_root  # noqa: PLC0415 (imports the image)
    from repl.command_line.watching import watch  # noqa: PLC0415 (the same)

    return watch([each for each in arguments if each != "--watch"], required_root(options.project))


def _failed(fault: Exception, options: argparse.Namespace) -> int:
    if options.verbosity > 1:
        raise fault
    from repl.command_line.opening import CannotOpen  # noqa: PLC0415 (imports the image)

    if isinstance(fault, CannotOpen):
        tell(str(fault))
    else:
        tell(f"error: internal error: {type(fault).__name__}: {fault}\nhint: -vv shows where")
    return 1


# ---------------------------------------------------------------- arguments


def _parsed(arguments: list[str]) -> tuple[Command, argparse.Namespace]:
    """The module of the command, and its options; those of all commands may stand on either side of its name."""
    if arguments and arguments[0] in COMMANDS:
        # As usual, nothing stands before the name: the parser of what may stand there takes 5 ms to make.
        options = argparse.Namespace(**_DEFAULTS)
        name, rest = _named(arguments[0], arguments[1:])
    else:
        parser = _parser()
        options, at = _leading(parser, arguments)
        name, rest = _command(parser, arguments[at:])
    command = cast("Command", import_module(f"repl.command_line.{name.replace('-', '_')}_command"))
    own = _Parser(
        prog=f"beamtalk {name}", parents=[_shared()], description=COMMANDS[name], allow_abbrev=False
    )
    command.add_arguments(own)
    if name in _WATCHABLE:
        own.add_argument("--watch", action="store_true", help="again, each time sources change")
    return command, own.parse_args(rest, options)


def _leading(parser: _Parser, arguments: list[str]) -> tuple[argparse.Namespace, int]:
    """The options before the command, and where they end."""
    at = 0
    while at < len(arguments) and arguments[at].startswith("-"):
        if arguments[at] == "-e":
            break
        at += 2 if arguments[at] == "--project" else 1
    return parser.parse_args(arguments[:at]), at


def _command(parser: _Parser, arguments: list[str]) -> tuple[str, list[str]]:
    """The name of the command, and what stands behind it; without one, an expression or a script is for `repl`."""
    if not arguments:
        parser.print_usage(sys.stderr)
        sys.exit(2)
    first, rest = arguments[0], arguments[1:]
    if first == "-e" or first.endswith(".btscript"):
        return "repl", arguments
    if first not in COMMANDS:
        parser.error(f"unknown command '{first}'{_suggestion(first)}")
    return _named(first, rest)


def _named(word: str, rest: list[str]) -> tuple[str, list[str]]:
    """The command that a word means, and what it is given."""
    name, *more = _SYNONYMS.get(word, (word,))
    return name, [*more, *rest]


def _suggestion(word: str) -> str:
    from repl.suggestions import near  # noqa: PLC0415 (mistakes are rare)

    found = near(word, COMMANDS)
    return f"\nhint: did you mean '{found[0]}'?" if found else f" (choose from {', '.join(COMMANDS)})"


def _shared() -> _Parser:
    """The options of all commands."""
    parser = _Parser(add_help=False, allow_abbrev=False)
    # No default value: a command's own copy of the option must not undo what stood before it.
    add, unset = parser.add_argument, argparse.SUPPRESS
    add("--project", metavar="DIR", default=unset, help="the folder of the project")
    add("--no-color", action="store_true", default=unset, help="no colours")
    add("--read-only", action="store_true", default=unset, help="do not take the lock")
    add("--no-ffi", action="store_true", default=unset, help="no files, programs or modules of the system")
    add(
        "-v",
        "--verbose",
        dest="verbosity",
        action="count",
        default=unset,
        help="say more; -vv shows tracebacks",
    )
    return parser


def _parser() -> _Parser:
    width = max(map(len, COMMANDS))
    listing = "\n".join(f"  {name:<{width}}  {what}" for name, what in COMMANDS.items())
    parser = _Parser(
        prog="beamtalk",
        usage="beamtalk [--project DIR] [--no-color] [--read-only] [--no-ffi] [-v] COMMAND …",
        description=_DESCRIPTION,
        epilog=f"commands:\n{listing}\n\nbeamtalk COMMAND --help tells the options of one.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        parents=[_shared()],
        allow_abbrev=False,
    )
    parser.set_defaults(**_DEFAULTS)
    parser.add_argument("--version", action="version", version=f"beamtalk {VERSION}")
    return parser


if __name__ == "__main__":
    sys.exit(main())
