"""`test-script`: the options of a run of transcripts (workspace.md 6.10)."""

from __future__ import annotations

import argparse
from pathlib import Path

from repl.command_line.runs import run_of
from repl.command_line.scripts import Material, ScriptWish, run_scripts
from repl.command_line.test_reports import Detail


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add = parser.add_argument
    add("paths", nargs="*", type=Path, metavar="PATH")
    add("-q", "--quiet", action="store_true", help="failures and the summary only")
    add("--docs", action="store_true", help="the examples in doc comments and Markdown instead")
    add("--isolated", action="store_true", help="a fresh image for each file")


def run(options: argparse.Namespace) -> int:
    """Run the transcripts; 1 when an answer differs."""
    detail = Detail.FAILURES if options.quiet else Detail.CLASSES
    material = Material.DOCUMENTS if options.docs else Material.TRANSCRIPTS
    return run_scripts(run_of(options), ScriptWish(tuple(options.paths), detail, options.isolated, material))
