"""`check`: what is wrong with sources (workspace.md 6.6)."""

from __future__ import annotations

import argparse

from repl.command_line.analysing import (
    Format,
    Strictness,
    add_promotion,
    add_shared_arguments,
    analysed,
    counted,
    has_errors,
    is_compiled,
    report,
    settled,
)
from repl.command_line.runs import run_in_project, run_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_shared_arguments(parser)
    add_promotion(parser)


def run(options: argparse.Namespace) -> int:
    """Look at what is named, or the whole project; 1 when there is an error."""
    shell = run_of(options) if options.paths else run_in_project(options)
    result = analysed(shell.place.root, options.paths)
    strictness = Strictness.WARNINGS_AS_ERRORS if options.warnings_as_errors else Strictness.PLAIN
    found = settled(result, strictness, is_compiled)
    clean = f"Checked {counted(result.files)}: no problems"
    report(found, result.files, Format(options.format), shell.palette, clean)
    return 1 if has_errors(found) else 0
