"""`run`: a script, or a message to a class (workspace.md 6.4)."""

from __future__ import annotations

import argparse
from pathlib import Path

from repl.command_line.evaluate import run_class, run_file
from repl.command_line.runs import run_in_project, run_of
from repl.writing import tell


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options; what stands behind the selector is the program's."""
    parser.add_argument("target", metavar="FILE.btscript|CLASS|.")
    parser.add_argument("selector", nargs="?", metavar="SELECTOR")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, metavar="ARGS")


def run(options: argparse.Namespace) -> int:
    """Run it; the exit code is the program's."""
    if options.target.endswith(".btscript"):
        return run_file(run_of(options), Path(options.target))
    if options.target == ".":
        from repl.command_line.service import run_service  # noqa: PLC0415 (start-up)

        return run_service(run_in_project(options))
    if options.selector is None:
        tell("error: Missing selector for script mode.\nhint: beamtalk run Main main")
        return 2
    if options.arguments and ":" not in options.selector:
        tell(f"error: '{options.selector}' takes no arguments")
        return 2
    return run_class(run_in_project(options), options.target, options.selector, options.arguments)
