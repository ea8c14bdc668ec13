"""`test`: the options of a test run (workspace.md 6.9)."""

from __future__ import annotations

import argparse
import re
import secrets
from pathlib import Path

from lang.stdlib.testing import Onward
from repl.command_line.runs import run_in_project
from repl.command_line.test_reports import Detail, Format
from repl.command_line.tests import TestWish, run_tests
from repl.writing import tell


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add = parser.add_argument
    add("wanted", nargs="*", metavar="CLASS|CLASS>>SELECTOR|PATH")
    add("--filter", type=_pattern, metavar="RE", help="tests whose Class>>selector has a match")
    add("--fail-fast", action="store_true", help="stop at the first failure")
    add("-q", "--quiet", action="store_true", help="failures and the summary only")
    add("--show-output", action="store_true", help="show what tests write to the Transcript")
    add("--timeout", type=float, default=60.0, metavar="S", help="seconds after which a test fails (60)")
    add(
        "--shuffle",
        nargs="?",
        type=int,
        const=-1,
        metavar="SEED",
        help="in an order of chance, which is told",
    )
    add("--junit", type=Path, metavar="FILE", help="write a JUnit report too")
    add("--format", choices=("text", "json"), default="text")


def _pattern(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"'{text}' is no regular expression: {error}") from error


def _seed(wanted: int | None) -> int | None:
    """The seed of a shuffled run, which is told, so that the run can be had again."""
    if wanted is None:
        return None
    seed = wanted if wanted >= 0 else secrets.randbelow(1_000_000)
    tell(f"Shuffled with seed {seed}")
    return seed


def run(options: argparse.Namespace) -> int:
    """Run the tests; 1 when one failed."""
    detail = Detail.OUTPUT if options.show_output else Detail.CLASSES
    wish = TestWish(
        tuple(options.wanted),
        options.filter,
        Onward.STOP if options.fail_fast else Onward.GO_ON,
        Detail.FAILURES if options.quiet else detail,
        Format(options.format),
        options.junit,
        options.timeout,
        _seed(options.shuffle),
    )
    return run_tests(run_in_project(options), wish)
