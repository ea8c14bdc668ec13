"""`repl`: the prompt, expressions of the command line, a pipe (workspace.md 3.1, 0.6)."""

from __future__ import annotations

import argparse
import sys


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add = parser.add_argument
    add("-e", dest="expressions", action="append", default=[], metavar="EXPR", help="evaluate, print, leave")
    add("--keys", choices=("emacs", "vi"), help="editing keys")
    add("--theme", choices=("auto", "dark", "light", "mono"), help="colours of the prompt")
    add("script", nargs="?", metavar="FILE.btscript", help="run it, then stay at the prompt")


def run(options: argparse.Namespace) -> int:
    """Open the prompt, or evaluate what is given."""
    if options.expressions:
        from repl.command_line.evaluate import evaluate_expressions  # noqa: PLC0415 (start-up)
        from repl.command_line.runs import run_of  # noqa: PLC0415 (start-up)

        return evaluate_expressions(run_of(options), options.expressions)
    if not sys.stdin.isatty():
        from repl.command_line.evaluate import run_pipe  # noqa: PLC0415 (start-up)
        from repl.command_line.runs import run_of  # noqa: PLC0415 (start-up)

        return run_pipe(run_of(options))
    from repl.prompt.start import start_prompt  # noqa: PLC0415 (the terminal's libraries)

    return start_prompt(options)
