"""`check`: what is wrong with sources (workspace.md 6.6)."""

from __future__ import annotations

import argparse
from pathlib import Path

from repl.command_line.findings import check
from repl.command_line.runs import run_in_project, run_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("paths", nargs="*", type=Path, metavar="PATH")


def run(options: argparse.Namespace) -> int:
    """Look at what is named, or the whole project; 1 when there is an error."""
    return check(run_of(options) if options.paths else run_in_project(options), options.paths, "Checked")
