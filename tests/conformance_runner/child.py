"""Runs one file of the corpus in a process of its own and reports each check on a pipe.

A child module is called with FILE SCRATCH PIPE SKIPPED: the folder of FILE is the
current directory; SKIPPED are lines, parted by commas. A report is one JSON line: `{"at": line}`
before a check, `{"line": …, "failure": …}` after it, `{"done": true}` at the end.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from tests.conformance_runner.driver import Driver
from tests.conformance_runner.running import run_scenario, run_transcript


def main(arguments: list[str], driver: Driver) -> None:
    """Run the file; what the product prints goes wherever it likes, reports go to the pipe."""
    file, scratch, pipe, skipped_text = (
        Path(arguments[0]),
        Path(arguments[1]),
        int(arguments[2]),
        arguments[3],
    )
    skipped = frozenset(int(line) for line in skipped_text.split(",") if line)

    def report(message: dict[str, object]) -> None:
        os.write(pipe, json.dumps(message).encode() + b"\n")

    def begin(line: int) -> None:
        report({"at": line})

    if file.suffix == ".scenario":
        verdicts = run_scenario(file, scratch, driver, begin, skipped)
    else:
        verdicts = run_transcript(file, driver, begin, skipped)
    for verdict in verdicts:
        report({"line": verdict.line, "failure": verdict.failure})
    report({"done": True})
