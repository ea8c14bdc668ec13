"""The command line: `beamtalk` and `bt` (workspace.md 6).

Comes in: arguments. Guarantees: exit code 0 done, 1 the work found problems, 2 wrong usage,
130 interrupted; one clear message instead of a traceback, unless `--debug` asks for it. Leaves:
each command to its module, imported when it is asked for.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from lang.version import VERSION
from repl.caches import keep_bytecode
from repl.writing import tell

if TYPE_CHECKING:
    from repl.command_line.evaluate import Run

_COMMANDS = ("repl", "run", "test", "test-script", "build", "check")


class _Parser(argparse.ArgumentParser):
    """Usage errors name the product and leave with code 2."""

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(2, f"error: {message}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command, by default the one that this process was started with; the process's exit code."""
    if arguments is None:
        keep_bytecode(os.environ)
    options = _parsed(sys.argv[1:] if arguments is None else list(arguments))
    try:
        return _COMMAND_RUNNERS[options.command](options)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader has gone: the interpreter must not fail again when it flushes at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0
    except Exception as fault:  # noqa: BLE001 - the outermost loop: one message, a traceback on demand
        return _failed(fault, options)


def _failed(fault: Exception, options: argparse.Namespace) -> int:
    if options.debug:
        raise fault
    from repl.command_line.opening import CannotOpen  # noqa: PLC0415 (imports the image)

    if isinstance(fault, CannotOpen):
        tell(str(fault))
    else:
        tell(f"error: internal error: {type(fault).__name__}: {fault}\nhint: --debug shows where")
    return 1


# ---------------------------------------------------------------- arguments


def _parsed(arguments: list[str]) -> argparse.Namespace:
    parser = _parser()
    _shared, rest = _global_parser().parse_known_args(arguments)
    if (rest and rest[0] in _COMMANDS) or any(a in ("-h", "--help", "--version") for a in arguments):
        return parser.parse_args(arguments)
    if rest and not rest[0].startswith("-") and not rest[0].endswith(".btscript"):
        parser.error(f"unknown command '{rest[0]}' (choose from {', '.join(_COMMANDS)})")
    return parser.parse_args(_with_repl(arguments))


def _with_repl(arguments: list[str]) -> list[str]:
    """`repl` is the command when none is named; it goes behind the options of all commands."""
    return ["repl", *arguments]


def _global_parser() -> _Parser:
    parser = _Parser(add_help=False, prog="beamtalk", allow_abbrev=False)
    # No default value: a subcommand's own copy of the option must not undo what stood before it.
    parser.add_argument(
        "--project", metavar="DIR", default=argparse.SUPPRESS, help="the folder of the project"
    )
    parser.add_argument("--no-color", action="store_true", default=argparse.SUPPRESS, help="no colours")
    parser.add_argument(
        "--read-only", action="store_true", default=argparse.SUPPRESS, help="do not take the lock"
    )
    parser.add_argument(
        "--debug", action="store_true", default=argparse.SUPPRESS, help="show tracebacks of the product"
    )
    return parser


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="beamtalk",
        description="Beamtalk: a live workspace. Code that is evaluated, loaded or tested may do what you may do.",
        parents=[_global_parser()],
        allow_abbrev=False,
    )
    # Actions are shared with parents: the commands need their own, which these defaults do not reach.
    shared = _global_parser()
    parser.set_defaults(project=None, no_color=False, read_only=False, debug=False)
    parser.add_argument("--version", action="version", version=f"beamtalk {VERSION}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    repl = commands.add_parser("repl", parents=[shared], help="the prompt (the default)", allow_abbrev=False)
    repl.add_argument(
        "-e", dest="expressions", action="append", default=[], metavar="EXPR", help="evaluate, print, leave"
    )
    repl.add_argument("--keys", choices=("emacs", "vi"), default="emacs", help="editing keys")
    repl.add_argument("script", nargs="?", metavar="FILE.btscript", help="run it, then stay at the prompt")
    run = commands.add_parser(
        "run", parents=[shared], help="run a script, or send a message to a class", allow_abbrev=False
    )
    run.add_argument("target", metavar="FILE.btscript|CLASS")
    run.add_argument("selector", nargs="?", metavar="SELECTOR")
    run.add_argument("arguments", nargs=argparse.REMAINDER, metavar="ARGS")
    test = commands.add_parser("test", parents=[shared], help="run the project's tests", allow_abbrev=False)
    _add_test_options(test)
    script = commands.add_parser(
        "test-script", parents=[shared], help="check transcripts with expected answers", allow_abbrev=False
    )
    script.add_argument("paths", nargs="*", type=Path, metavar="PATH")
    script.add_argument("-q", "--quiet", action="store_true", help="failures and the summary only")
    script.add_argument("--isolated", action="store_true", help="a fresh image for each file")
    for name in ("build", "check"):
        check = commands.add_parser(
            name, parents=[shared], help="look for errors in sources", allow_abbrev=False
        )
        check.add_argument("paths", nargs="*", type=Path, metavar="PATH")
    return parser


def _add_test_options(test: argparse.ArgumentParser) -> None:
    test.add_argument("wanted", nargs="*", metavar="CLASS|CLASS>>SELECTOR|PATH")
    test.add_argument("--filter", type=_pattern, metavar="RE", help="tests whose Class>>selector has a match")
    test.add_argument("--fail-fast", action="store_true", help="stop at the first failure")
    test.add_argument("-q", "--quiet", action="store_true", help="failures and the summary only")
    test.add_argument("--show-output", action="store_true", help="show what tests write to the Transcript")
    test.add_argument("--junit", type=Path, metavar="FILE", help="write a JUnit report too")
    test.add_argument("--format", choices=("text", "json"), default="text")


def _pattern(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"'{text}' is no regular expression: {error}") from error


# ---------------------------------------------------------------- commands


def _repl(options: argparse.Namespace) -> int:
    if options.expressions:
        from repl.command_line.evaluate import evaluate_expressions  # noqa: PLC0415 (start-up)

        return evaluate_expressions(_run_of(options), options.expressions)
    if not sys.stdin.isatty():
        from repl.command_line.evaluate import run_pipe  # noqa: PLC0415 (start-up)

        return run_pipe(_run_of(options))
    from repl.prompt.start import start_prompt  # noqa: PLC0415 (the terminal's libraries)

    return start_prompt(options)


def _run(options: argparse.Namespace) -> int:
    from repl.command_line.evaluate import run_class, run_file  # noqa: PLC0415 (start-up)

    if options.target.endswith(".btscript"):
        return run_file(_run_of(options), Path(options.target))
    if options.target == ".":
        tell("error: No entry point defined for `beamtalk run .`\nhint: name a class and a selector")
        return 1
    if options.selector is None:
        tell("error: Missing selector for script mode.\nhint: beamtalk run Main main")
        return 2
    if options.arguments and ":" not in options.selector:
        tell(f"error: '{options.selector}' takes no arguments")
        return 2
    return run_class(_run_in_project(options), options.target, options.selector, options.arguments)


def _test(options: argparse.Namespace) -> int:
    from lang.stdlib.testing import Onward  # noqa: PLC0415 (start-up)
    from repl.command_line.test_reports import Detail, Format  # noqa: PLC0415 (start-up)
    from repl.command_line.tests import TestWish, run_tests  # noqa: PLC0415 (start-up)

    detail = Detail.OUTPUT if options.show_output else Detail.CLASSES
    wish = TestWish(
        tuple(options.wanted),
        options.filter,
        Onward.STOP if options.fail_fast else Onward.GO_ON,
        Detail.FAILURES if options.quiet else detail,
        Format(options.format),
        options.junit,
    )
    return run_tests(_run_in_project(options), wish)


def _test_script(options: argparse.Namespace) -> int:
    from repl.command_line.scripts import ScriptWish, run_scripts  # noqa: PLC0415 (start-up)
    from repl.command_line.test_reports import Detail  # noqa: PLC0415 (start-up)

    detail = Detail.FAILURES if options.quiet else Detail.CLASSES
    return run_scripts(_run_of(options), ScriptWish(tuple(options.paths), detail, options.isolated))


def _check(options: argparse.Namespace) -> int:
    from repl.command_line.findings import check  # noqa: PLC0415 (start-up)

    run = _run_of(options) if options.paths else _run_in_project(options)
    return check(run, options.paths, "Built" if options.command == "build" else "Checked")


def _run_of(options: argparse.Namespace) -> Run:
    from repl.command_line.evaluate import Run  # noqa: PLC0415 (start-up)
    from repl.command_line.opening import Place, project_root  # noqa: PLC0415 (start-up)
    from repl.paint import palette_for  # noqa: PLC0415 (start-up)

    palette = palette_for(sys.stderr, os.environ, forbidden=options.no_color)
    return Run(Place(project_root(options.project), options.read_only), palette)


def _run_in_project(options: argparse.Namespace) -> Run:
    from repl.command_line.opening import required_root  # noqa: PLC0415 (start-up)

    required_root(options.project)
    return _run_of(options)


_COMMAND_RUNNERS: dict[str, Callable[[argparse.Namespace], int]] = {
    "repl": _repl,
    "run": _run,
    "test": _test,
    "test-script": _test_script,
    "build": _check,
    "check": _check,
}

if __name__ == "__main__":
    sys.exit(main())
